package field

import (
	"errors"
	"fmt"
	"reflect"
)

// A struct may name a type that no field has. These errors say which field is meant.

// Role is the part that a type has in a world, if it is no component.
type Role uint8

const (
	NoRole      Role = iota
	AddressRole      // a pointer to a component
	ResourceRole
	EventsRole
)

// Unregistered is the mistake of a type that is no component.
func Unregistered(t reflect.Type, is Role) error {
	switch {
	case is == AddressRole:
		return fmt.Errorf("%s is no component, and %[2]s is: name that, as in []%[2]s, which is a column of values", TypeName(t), TypeName(t.Elem()))
	case is == ResourceRole:
		return fmt.Errorf("%s is a resource, and no component: write ecs.Res[%[1]s] to read it, ecs.WriteRes[%[1]s] to write it", TypeName(t))
	case is == EventsRole:
		return fmt.Errorf("%s is a type of events, and no component: write ecs.Events[%[1]s] to read them, ecs.WriteEvents[%[1]s] to write them", TypeName(t))
	case t == entityType:
		return errors.New("ecs.Entity is the entity, and no component: Spawn returns it, and a system or query has it in a field []ecs.Entity")
	case isOwn(t):
		if remedy := captured(t); remedy != "" {
			return fmt.Errorf("%s is no component: the function captures it%s", TypeName(t), remedy)
		}
		return fmt.Errorf("%s is no component, but says itself how one is passed: name one such type, without another one or a pointer around it; ecs.MaybeWrite is for both", TypeName(t))
	}
	if t.Kind() == reflect.Slice && t.Name() == "" {
		return fmt.Errorf("%s is a slice, and a component is a value: name %s in its place, without a slice around it", TypeName(t), TypeName(t.Elem()))
	}
	if isBasic(t) {
		return fmt.Errorf("%v is not registered: register a type of your own, such as type Speed %[1]v", t)
	}
	return fmt.Errorf("%s is not registered: call ecs.Register first", TypeName(t))
}

// captured is the remedy for a field of a type with values that a function captures; "" for others.
func captured(t reflect.Type) string {
	switch name, _ := own(t); name {
	case "World":
		return ", and a system changes it by a field of type *ecs.Commands"
	case "Spawner", "Group":
		return ", and calls spawner.Later(c.Do).Spawn with a field Do *ecs.Commands, or the struct has a field ecs.LaterSpawner"
	case "Exchange":
		return ", and calls exchange.Later(c.Do).Do with a field Do *ecs.Commands"
	case "Split", "Lock", "Schema", "Field":
		return " from the code that made it"
	}
	return ""
}

// notItself is the mistake of a field of a type that others go by: fields have pointers to it, or name it; nil for others.
func notItself(t reflect.Type) error {
	switch name, of := own(t); name {
	case "Set":
		return fmt.Errorf("ecs.Set says which changes are meant: write ecs.Arrived[ecs.Set[%[1]s]], or ecs.Left of it", TypeName(of))
	case "Commands", "Pool", "Query":
		return fmt.Errorf("%s is passed by its address: make the field of type *%[1]s", TypeName(t))
	}
	return nil
}
