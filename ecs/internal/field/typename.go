package field

import (
	"reflect"
	"strings"
)

// Named names a field of a struct type in errors. A type without a name is not written out.
func Named(t reflect.Type, name string, is reflect.Type) string {
	if t.Name() == "" {
		return name + " " + TypeName(is)
	}
	return TypeName(t) + "." + name
}

// TypeName is a type as a program writes it: arguments of types without the paths of their packages, and
// ecs.Entity by that name.
func TypeName(t reflect.Type) string {
	s := t.String()
	for {
		path := strings.IndexByte(s, '/')
		if path < 0 {
			return strings.ReplaceAll(s, "entities.Entity", "ecs.Entity")
		}
		s = s[:strings.LastIndexAny(s[:path], "[]*(, ")+1] + s[path+1:]
	}
}

// StructName names a struct type in errors: by its fields if it has no name.
func StructName(t reflect.Type) string {
	if t.Name() != "" || t.Kind() != reflect.Struct {
		return t.String()
	}
	var names []string
	for sf := range t.Fields() {
		names = append(names, sf.Name)
	}
	return "struct{" + strings.Join(names, ", ") + "}"
}
