package field

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Meaning is told by the type of a field.
type Meaning struct {
	Kind     Kind
	Write    bool
	Optional bool
	Strided  bool
	Rows     bool // of Changed and Added: row by row
	Left     bool // of Moves, and not arrived
}

// Field is one field of a struct. Of fills all but Bound, and nothing changes it then.
type Field struct {
	Meaning
	Name   string // the Go field's
	Tag    string // "": it has no name
	Is     reflect.Type
	Offset uintptr
	Of     reflect.Type   // the type argument, or that of values; nil: it has none
	Either []reflect.Type // of Any
	Under  store.Kind     // of Moves: the subject under which entities come or go
	Bound
}

// Bound is the thing of a world that a field means. The world fills the parts that the kind has.
type Bound struct {
	Comp    *store.Component // nil: entities as a whole, or the field is not about a component
	Type    reflect.Type     // of values of Comp
	AnyOf   []*store.Component
	Part    source.Part        // of Comp
	Woven   source.Part        // in a whole value of a split type, of Comp
	Makes   []*store.Component // of Spawner
	Bundle  *store.Bundle      // of these
	Members *store.Group       // of Moves, unless it is about Comp
	Cursor  *walk.Cursor       // of Query
	Into    raw.Ptr            // the struct that it passes
	Within  []Field            // of that
}

// Of reads a field.
func Of(sf reflect.StructField) (f Field, err error) {
	f = Field{Name: sf.Name, Is: sf.Type, Offset: sf.Offset}
	if f.Tag, err = parseTag(sf); err != nil {
		return f, err
	}
	if err = f.mean(); err != nil {
		return f, err
	}
	return f, suits(f.Tag, f.Kind)
}

// mean finds the meaning of the type.
func (f *Field) mean() error {
	switch f.Is {
	case entitiesType:
		f.Kind = Entities
		return nil
	case entityType:
		f.Kind = Entity
		return nil
	}
	if f.Is.Kind() == reflect.Pointer {
		name, arg := own(f.Is.Elem())
		if m, is := find(passed, name); is {
			f.Meaning, f.Of = m, arg
			return nil
		}
		if _, is := find(meanings, name); is { // a nil pointer has no value of it
			return fmt.Errorf("%v is a pointer: make the field of type %v itself", f.Is, f.Is.Elem())
		}
	}
	name, arg := own(f.Is)
	m, is := find(meanings, name)
	if !is {
		return f.meanValues()
	}
	f.Meaning, f.Of = m, arg
	switch f.Kind {
	case Presence:
		if f.Tag == "" {
			return errors.New("the tag has to name the optional component, as in `ashlar:\"mass\"`")
		}
	case Any:
		f.Either = either(f.Is, nil)
	case Moves:
		f.meanMoves()
	}
	return nil
}

// meanValues has the field be values of a component.
func (f *Field) meanValues() error {
	switch f.Is.Kind() {
	case reflect.Slice:
		f.Kind = Slice
	case reflect.Pointer:
		f.Kind = Pointer
	default:
		return noField(f.Is, f.Name)
	}
	asked, _ := formOf(f.Is)
	f.Write, f.Optional, f.Of = asked.write, asked.optional, f.Is.Elem()
	return nil
}

// noField is the mistake of a type that no field has.
func noField(t reflect.Type, name string) error {
	if err := notItself(t); err != nil {
		return err
	}
	_, err := chunk.SpecOf(t)
	switch {
	case err != nil:
		return fmt.Errorf("%s is not a supported field type: a component has no Go pointers, and is passed as []T; other values are resources, ecs.Res[T] (go doc ecs.QueryOf lists the fields)", TypeName(t))
	case name == "_":
		return fmt.Errorf("%v is a value, and no condition: write ecs.With[%v], or ecs.Without", t, t)
	case isBasic(t):
		return fmt.Errorf("%v is not a supported field type: register a type of your own, such as type Speed %[1]v, and write []Speed to read a column (go doc ecs.QueryOf lists the fields)", t)
	}
	return fmt.Errorf("%v is a value: write []%v to read a column, ecs.Write[%v] to write it, *%v to read one row", t, t, t, t)
}

// isBasic tells whether a type is one of Go's own, such as int.
func isBasic(t reflect.Type) bool { return t.Name() != "" && t.PkgPath() == "" }

// either appends a type, or the types that an Or names.
func either(t reflect.Type, to []reflect.Type) []reflect.Type {
	if name, _ := own(t); name != "Or" {
		return append(to, t)
	}
	for f := range t.Fields() {
		to = either(f.Type.Elem().Elem(), to)
	}
	return to
}

// meanMoves finds the subject under which entities come or go: Set and Disabled stand around a component.
func (f *Field) meanMoves() {
	switch state, arg := own(f.Of); state {
	case "Set":
		f.Of, f.Under = arg, store.Setting
	case "Disabled":
		f.Of, f.Under = arg, store.Disabling
	}
}

// AboutEntity tells whether the field is about entities as a whole, where others are about a component.
func (f *Field) AboutEntity() bool {
	return f.Of == entityType && f.Tag == "" && (f.Sees() || f.Kind == Moves && f.Under != store.Setting)
}

// Column is the component, or part of one, of a field that gives values.
func (f *Field) Column() source.Column {
	return source.Column{Name: f.Name, Comp: f.Comp, Part: f.Part, Offset: f.Offset, Write: f.Write, Optional: f.Optional, Strided: f.Strided, Woven: f.Woven}
}

// Values tells whether a field gives values of a component.
func (f *Field) Values() bool { return f.Kind == Slice || f.Kind == Pointer }

// byHandle tells whether a field is about entities that the program names, and not about rows.
func (f *Field) byHandle() bool {
	return f.Kind == Pool || f.Kind == Later || f.Kind == Moves || f.Kind == Prior
}

// required tells whether entities must have the field's component.
func (f *Field) required() bool {
	return f.Values() && !f.Optional || f.Kind == With || f.Sees() && f.Comp != nil || f.Kind.Changes()
}

// Sees tells whether the field asks for disabled rows. It may be about a component, or about the entity as a whole.
func (f *Field) Sees() bool { return f.Kind == Present || f.Kind == Disabled }

// TellsNews tells whether a field has changes that came since the system last ran.
func (f *Field) TellsNews() bool { return f.Kind == Moves || f.Kind == Events && !f.Write }

// Flat are fields, and then the fields of their queries.
func Flat(fields []Field) (all []Field) {
	all = append(all, fields...)
	for i := range fields {
		all = append(all, fields[i].Within...)
	}
	return all
}

// HasKind tells whether a field of a list is of some kind.
func HasKind(fields []Field, kinds ...Kind) bool {
	for i := range fields {
		for _, k := range kinds {
			if fields[i].Kind == k {
				return true
			}
		}
	}
	return false
}

// Value reads a field of a struct of values: the kind is Slice of a value, a condition, or Maybe of one that members of a group may
// lack. Of is the component's type.
func Value(sf reflect.StructField) (f Field, err error) {
	f = Field{Name: sf.Name, Is: sf.Type, Offset: sf.Offset, Of: sf.Type}
	name, arg := own(sf.Type)
	if m, is := find(meanings, name); is && m.Kind.Condition() {
		f.Kind, f.Of = m.Kind, arg
	}
	if asked, is := find(forms, name); is {
		if f.Kind, f.Of = Maybe, sf.Type.Elem(); asked != (form{optional: true}) || sf.Name != "_" {
			return f, fmt.Errorf("the fields are values to spawn from: write a field of type %v, or _ ecs.Maybe[%v] for a component that members of a group may lack", f.Of, f.Of)
		}
	}
	f.Tag, err = parseTag(sf)
	return f, err
}
