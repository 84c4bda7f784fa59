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

// passed are types that fields have pointers to, by their names.
var passed = map[string]Meaning{
	"Commands": {Kind: Commands},
	"Pool":     {Kind: Pool, Write: true},
	"Query":    {Kind: Query},
}

// meanings are types of fields, by their names.
var meanings = map[string]Meaning{
	"With":         {Kind: With},
	"Without":      {Kind: Without},
	"Present":      {Kind: Present},
	"Disabled":     {Kind: Disabled},
	"Changed":      {Kind: Changed},
	"ChangedRows":  {Kind: Changed, Rows: true},
	"Added":        {Kind: Added},
	"AddedRows":    {Kind: Added, Rows: true},
	"Or":           {Kind: Any},
	"Has":          {Kind: Presence},
	"Rows":         {Kind: Rows},
	"Strided":      {Kind: Slice, Strided: true},
	"WriteStrided": {Kind: Slice, Strided: true, Write: true},
	"Look":         {Kind: Pool},
	"Later":        {Kind: Later},
	"AtEnd":        {Kind: AtEnd},
	"Local":        {Kind: Local},
	"Random":       {Kind: Random},
	"Prior":        {Kind: Prior},
	"Res":          {Kind: Resource},
	"WriteRes":     {Kind: Resource, Write: true},
	"Events":       {Kind: Events},
	"WriteEvents":  {Kind: Events, Write: true},
	"Arrived":      {Kind: Moves},
	"Left":         {Kind: Moves, Left: true},
}

// form is which of the named types of slices and pointers a field has: Write and its kin. Types of pointers can't have methods, so
// the name tells.
type form struct{ write, optional, one bool }

var forms = map[string]form{
	"Write":         {write: true},
	"Maybe":         {optional: true},
	"MaybeWrite":    {write: true, optional: true},
	"WriteOne":      {write: true, one: true},
	"MaybeOne":      {optional: true, one: true},
	"MaybeWriteOne": {write: true, optional: true, one: true},
}

// formOf tells which one a type is; ok is false for all others.
func formOf(t reflect.Type) (f form, ok bool) {
	name, _ := own(t)
	f, ok = forms[name]
	return f, ok
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
