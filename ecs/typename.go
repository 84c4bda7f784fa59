package ecs

import (
	"reflect"
	"strings"
)

// fieldOf names a field of a struct type in errors. A type without a name is not written out.
func fieldOf(t reflect.Type, name string, is reflect.Type) string {
	if t.Name() == "" {
		return name + " " + typeName(is)
	}
	return typeName(t) + "." + name
}

// typeName is a type as a program writes it: arguments of types without the paths of their packages, and
// ecs.Entity by that name.
func typeName(t reflect.Type) string {
	s := t.String()
	for {
		path := strings.IndexByte(s, '/')
		if path < 0 {
			return strings.ReplaceAll(s, "entities.Entity", "ecs.Entity")
		}
		s = s[:strings.LastIndexAny(s[:path], "[]*(, ")+1] + s[path+1:]
	}
}

// structOf names a struct type in errors: by its fields if it has no name.
func structOf(t reflect.Type) string {
	if t.Name() != "" || t.Kind() != reflect.Struct {
		return t.String()
	}
	var names []string
	for sf := range t.Fields() {
		names = append(names, sf.Name)
	}
	return "struct{" + strings.Join(names, ", ") + "}"
}
