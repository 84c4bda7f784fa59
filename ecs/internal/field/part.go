package field

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/source"
)

// PartOf finds a field of type want by its path in a component's type.
func PartOf(t reflect.Type, path string, want reflect.Type) (source.Part, error) {
	of, is, err := PartAt(t, path)
	if err == nil && is != want {
		err = fmt.Errorf("field %s is of type %v, not %v", path, is, want)
	}
	return of, err
}

// PartAt finds a field by its path in a component's type.
func PartAt(t reflect.Type, path string) (source.Part, reflect.Type, error) {
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

// Handles lists the fields of a component that are an Entity, by their paths. Path is the component's name to begin with.
func Handles(t reflect.Type, path string) (paths []string) {
	if t == entityType {
		return []string{path}
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		if f.Name != "_" {
			paths = append(paths, Handles(f.Type, path+"."+f.Name)...)
		}
	}
	return paths
}
