package ecs

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/source"
)

// findPart returns the component that a type and a tag's name mean, or a field of one, named
// COMPONENT.FIELD, with further dots for fields of fields.
func (w *World) findPart(t reflect.Type, name string) (*pool, source.Part, error) {
	if name != "" && w.names.pool[name] == nil {
		for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '.') {
			if p := w.names.pool[name[:i]]; p != nil {
				of, err := partOf(p.typ, name[i+1:], t)
				if err != nil {
					err = fmt.Errorf("component %q: %w", p.c.Name, err)
				}
				return p, of, err
			}
		}
	}
	p, err := w.find(t, name)
	if err != nil {
		return nil, source.Part{}, err
	}
	return p, source.Part{Size: p.c.Size}, nil
}

// partOf finds a field of type want by its path in a component's type.
func partOf(t reflect.Type, path string, want reflect.Type) (source.Part, error) {
	of, is, err := partAt(t, path)
	if err == nil && is != want {
		err = fmt.Errorf("field %s is of type %v, not %v", path, is, want)
	}
	return of, err
}

// partAt finds a field by its path in a component's type.
func partAt(t reflect.Type, path string) (source.Part, reflect.Type, error) {
	of := source.Part{Path: path}
	for name := range strings.SplitSeq(path, ".") {
		if t.Kind() != reflect.Struct {
			return of, t, fmt.Errorf("%v has no fields, and so no %q", t, name)
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return of, t, fmt.Errorf("%v has no field %q: it has %s", t, name, fieldNames(t))
		}
		for _, i := range f.Index { // fields of embedded structs too
			sf := t.Field(i)
			of.Offset += sf.Offset
			t = sf.Type
		}
	}
	of.Size = t.Size()
	return of, t, nil
}

// fieldNames lists the fields that a struct has, for messages.
func fieldNames(t reflect.Type) string {
	var names []string
	for f := range t.Fields() {
		names = append(names, fmt.Sprintf("%s %v", f.Name, f.Type))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
