package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// A struct may name a type that no field has. These errors say which field is meant.

// role is the part that a type has in a world, if it is no component.
type role uint8

const (
	noRole      role = iota
	addressRole      // a pointer to a component
	resourceRole
	eventsRole
)

// unregistered is the mistake of a type that is no component.
func unregistered(t reflect.Type, is role) error {
	switch {
	case is == addressRole:
		return fmt.Errorf("%s is no component, and %[2]s is: name that, as in []%[2]s, which is a column of values", typeName(t), typeName(t.Elem()))
	case is == resourceRole:
		return fmt.Errorf("%s is a resource, and no component: write ecs.Res[%[1]s] to read it, ecs.WriteRes[%[1]s] to write it", typeName(t))
	case is == eventsRole:
		return fmt.Errorf("%s is a type of events, and no component: write ecs.Events[%[1]s] to read them, ecs.WriteEvents[%[1]s] to write them", typeName(t))
	case t == reflect.TypeFor[Entity]():
		return errors.New("ecs.Entity is the entity, and no component: Spawn returns it, and a system or query has it in a field []ecs.Entity")
	case isOwn(t):
		if remedy := captured(t); remedy != "" {
			return fmt.Errorf("%s is no component: the function captures it%s", typeName(t), remedy)
		}
		return fmt.Errorf("%s is no component, but says itself how one is passed: name one such type, without another one or a pointer around it; ecs.MaybeWrite is for both", typeName(t))
	}
	return fmt.Errorf("%s is not registered: call ecs.Register first", typeName(t))
}

// captured is the remedy for a field of a type whose values are no fields, but captured; "" for others.
func captured(t reflect.Type) string {
	switch name, _, _ := strings.Cut(t.Name(), "["); name {
	case "World":
		return ", and a system changes it by a field of type *ecs.Commands"
	case "Spawner", "Group":
		return ", and calls spawner.Later(c.Do).Spawn with a field Do *ecs.Commands"
	case "Exchange":
		return ", and calls exchange.Later(c.Do).Do with a field Do *ecs.Commands"
	case "Split", "Lock", "Schema", "Field", "Selection":
		return " from the code that made it"
	}
	return ""
}

// notItself is the mistake of a field of a type that others go by: fields have pointers to it, or name it; nil for others.
func notItself(t reflect.Type) error {
	switch name, of := generic(t); {
	case name == "Set":
		return fmt.Errorf("ecs.Set says which changes are meant: write ecs.Arrived[ecs.Set[%[1]s]], or ecs.Left of it", typeName(of))
	case isOwn(t) && t.Name() == "Commands", name == "Pool", name == "Query":
		return fmt.Errorf("%s is passed by its address: make the field of type *%[1]s", typeName(t))
	}
	return nil
}
