package ecs

import (
	"reflect"
	"strings"
)

// of says of which type argument a generic type is: reflection finds it there. The field takes no room, and has no method
// that the compiler would write for each argument. It also keeps pools of different types from being converted into
// each other.
type of[T any] [0]*T

// apart keeps values of a type from being compared. The compiler would write the comparison for each type argument.
type apart [0]func()

// typeOf is the type that a pointer points to. (reflect.TypeFor is a function of its own for each type.)
func typeOf(p any) reflect.Type { return reflect.TypeOf(p).Elem() }

// isOwn tells whether a type with a name is one of this package.
func isOwn(t reflect.Type) bool { return t.PkgPath() == reflect.TypeFor[apart]().PkgPath() }

// generic is the name of a generic struct of this package, and its type argument: the one of its first field, or of the
// Value that it has. The name of any other type is "", and so is the one of a type whose first field is another.
func generic(t reflect.Type) (name string, arg reflect.Type) {
	if t.Kind() != reflect.Struct || t.NumField() == 0 || !isOwn(t) {
		return "", nil
	}
	name, _, _ = strings.Cut(t.Name(), "[")
	switch first := t.Field(0); {
	case first.Anonymous:
		_, arg = generic(first.Type)
	case first.Name == "Value":
		arg = first.Type
	case strings.HasPrefix(first.Type.Name(), "of["):
		arg = first.Type.Elem().Elem()
	}
	if arg == nil {
		return "", nil
	}
	return name, arg
}

// pointed is generic of the type that a pointer points to.
func pointed(t reflect.Type) (name string, arg reflect.Type) {
	if t.Kind() != reflect.Pointer {
		return "", nil
	}
	return generic(t.Elem())
}
