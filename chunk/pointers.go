package chunk

import (
	"errors"
	"fmt"
	"reflect"
)

// pointerIn looks for a Go pointer in values of type t: pointers, slices, strings, maps,
// channels, functions, interfaces and unsafe.Pointer, in fields and elements at any depth. It
// returns the path of the first one, such as "Sprite.Image.pix", and true. It returns "" and
// false for a type without pointers, with values that may be stored in memory that the collector
// does not scan. A type without a name is called by its expression. uintptr is not a pointer.
// It costs one visit per field.
func pointerIn(t reflect.Type) (path string, found bool) {
	if path, found = pointerPath(t); !found {
		return "", false
	}
	name := t.Name()
	if name == "" {
		name = t.String()
	}
	return name + path, true
}

// pointerPath is the path without the type's name. It makes no text for types without pointers: a program
// registers some dozens before its first frame.
func pointerPath(t reflect.Type) (path string, found bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Chan,
		reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return "", true
	case reflect.Array:
		if t.Len() > 0 {
			path, found = pointerPath(t.Elem())
			return "[0]" + path, found
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if path, found = pointerPath(f.Type); found {
				return "." + f.Name + path, true
			}
		}
	}
	return "", false
}

// SpecOf returns the Spec of a column of values of type t. It returns an error for a type that
// has Go pointers (with the path of the field), is too large for a chunk, or asks for more
// than a cache line of alignment.
func SpecOf(t reflect.Type) (Spec, error) {
	if t == nil {
		return Spec{}, errors.New("chunk: a type is nil: pass that of a value, such as reflect.TypeFor[float64]()")
	}
	if path, found := pointerIn(t); found {
		return Spec{}, fmt.Errorf("chunk: %v has a Go pointer at %s, and the collector does not look into chunks: store an index or a handle instead", t, path)
	}
	if t.Size() > Bytes {
		return Spec{}, fmt.Errorf("chunk: %v has %d bytes; the limit is %d: keep large values outside and store an index", t, t.Size(), Bytes)
	}
	return Spec{Size: uint32(t.Size()), Align: uint32(t.Align())}, nil
}
