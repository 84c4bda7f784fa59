package field

import (
	"reflect"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// ours is the path of package ecs, which this one is within.
var ours = strings.TrimSuffix(reflect.TypeFor[Field]().PkgPath(), "/internal/field")

var (
	entityType   = reflect.TypeFor[store.Entity]()
	entitiesType = reflect.TypeFor[[]store.Entity]()
)

// isOwn tells whether a type with a name is one of package ecs.
func isOwn(t reflect.Type) bool { return t.PkgPath() == ours }

// own is the name of a type of package ecs, without arguments; "" of other types. Arg is the type argument of a generic struct: the one
// of its first field, or of the Value that it has.
func own(t reflect.Type) (name string, arg reflect.Type) {
	if !isOwn(t) {
		return "", nil
	}
	name, _, _ = strings.Cut(t.Name(), "[")
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return name, nil
	}
	switch first := t.Field(0); {
	case first.Anonymous:
		_, arg = own(first.Type)
	case first.Name == "Value":
		arg = first.Type
	case strings.HasPrefix(first.Type.Name(), "of["):
		arg = first.Type.Elem().Elem()
	}
	return name, arg
}

// entry is a name of package ecs and its meaning. Tables of them are lists and no maps, so that no process begins by making some.
type entry[M any] struct {
	name string
	is   M
}

// find is the meaning of a name in a table.
func find[M any](table []entry[M], name string) (m M, is bool) {
	for i := range table {
		if table[i].name == name {
			return table[i].is, true
		}
	}
	return m, false
}

// passed are types that fields have pointers to.
var passed = []entry[Meaning]{
	{"Commands", Meaning{Kind: Commands}},
	{"Pool", Meaning{Kind: Pool, Write: true}},
	{"Query", Meaning{Kind: Query}},
}

// meanings are types of fields.
var meanings = []entry[Meaning]{
	{"With", Meaning{Kind: With}},
	{"Without", Meaning{Kind: Without}},
	{"Present", Meaning{Kind: Present}},
	{"Disabled", Meaning{Kind: Disabled}},
	{"Changed", Meaning{Kind: Changed}},
	{"ChangedRows", Meaning{Kind: Changed, Rows: true}},
	{"Added", Meaning{Kind: Added}},
	{"AddedRows", Meaning{Kind: Added, Rows: true}},
	{"Or", Meaning{Kind: Any}},
	{"Has", Meaning{Kind: Presence}},
	{"Rows", Meaning{Kind: Rows}},
	{"Strided", Meaning{Kind: Slice, Strided: true}},
	{"WriteStrided", Meaning{Kind: Slice, Strided: true, Write: true}},
	{"Look", Meaning{Kind: Pool}},
	{"Later", Meaning{Kind: Later}},
	{"LaterSpawner", Meaning{Kind: Spawner}},
	{"AtEnd", Meaning{Kind: AtEnd}},
	{"Local", Meaning{Kind: Local}},
	{"Random", Meaning{Kind: Random}},
	{"Prior", Meaning{Kind: Prior}},
	{"Res", Meaning{Kind: Resource}},
	{"WriteRes", Meaning{Kind: Resource, Write: true}},
	{"Events", Meaning{Kind: Events}},
	{"WriteEvents", Meaning{Kind: Events, Write: true}},
	{"Arrived", Meaning{Kind: Moves}},
	{"Left", Meaning{Kind: Moves, Left: true}},
}

// form is which of the named types of slices and pointers a field has: Write and its kin. Types of pointers can't have methods, so
// the name tells.
type form struct{ write, optional, one bool }

var forms = []entry[form]{
	{"Write", form{write: true}},
	{"Maybe", form{optional: true}},
	{"MaybeWrite", form{write: true, optional: true}},
	{"WriteOne", form{write: true, one: true}},
	{"MaybeOne", form{optional: true, one: true}},
	{"MaybeWriteOne", form{write: true, optional: true, one: true}},
}

// formOf tells which one a type is; ok is false for all others.
func formOf(t reflect.Type) (f form, ok bool) {
	name, _ := own(t)
	return find(forms, name)
}

// name is the form as a program writes it.
func (f form) name() string {
	name := ""
	if f.optional {
		name = "Maybe"
	}
	if f.write {
		name += "Write"
	}
	if f.one {
		name += "One"
	}
	return name
}
