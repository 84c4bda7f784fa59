package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// field is one field of a query's struct, bound to a component where it has one. Only
// queryFields sets it.
type field struct {
	kind     kind
	name     string // the Go field's
	is       reflect.Type
	offset   uintptr
	pool     *pool
	list     []*pool // of Or
	part     source.Part
	write    bool
	optional bool
	strided  bool
	rows     bool         // of Changed and Added
	of       reflect.Type // of a resource, a Local, or events
	split    *split       // of a slice of a split type, until it is taken apart
	woven    source.Part  // in a whole value, of a field of one
	events   eventful
	query    *query
	within   []field    // of a query
	under    store.Kind // of kindMoves: as what entities come or go
	left     bool       // of kindMoves: which of these
	group    *group     // of kindMoves, if that are members
}

// With as the type of a field means that entities must have component T, which
// the query does not read. The field itself holds nothing.
type With[T any] struct{ of of[T] }

// Without as the type of a field means that entities must not have component T.
type Without[T any] struct{ of of[T] }

// Present as the type of a field means that entities must have component T, enabled or
// disabled: all that have it match. Other fields may ask for its values. Present[Entity]
// means that entities match even if they are disabled as a whole.
type Present[T any] struct{ of of[T] }

// Disabled as the type of a field means that entities must have component T, and disabled.
// Disabled[Entity] means that they must be disabled as a whole. In Arrived[Disabled[T]] and Left[Disabled[T]], Value is the
// component's; elsewhere it means nothing.
type Disabled[T any] struct{ Value T }

// queryFields reads a struct of slices or of pointers.
func (w *World) queryFields(t reflect.Type, system bool) ([]field, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is not a struct: pass a struct whose fields name the components", t)
	}
	var fields []field
	for sf := range t.Fields() {
		f, err := w.queryField(sf)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", fieldOf(t, sf.Name, sf.Type), err)
		}
		fields = f.apart(fields)
	}
	return fields, w.checkFields(fields, system)
}

// apart appends the field, or one for each component that a split type has.
func (f field) apart(list []field) []field {
	s := f.split
	if f.split = nil; s == nil {
		return append(list, f)
	}
	for _, x := range s.parts {
		f.pool, f.part, f.woven = x.p, source.Part{Size: x.p.c.Size}, source.Part{Offset: x.offset, Size: f.is.Elem().Size()}
		list = append(list, f)
	}
	return list
}

// whole has a field ask for the values of a split type.
func (f *field) whole(s *split) error {
	if f.kind != kindSlice || f.strided || f.optional {
		return fmt.Errorf("%v is split, so its values lie nowhere side by side: ask for []%v, ecs.Write of it, or one of its fields, such as `ashlar:%q`", f.is, s.of, s.parts[0].p.c.Name)
	}
	f.split = s
	return nil
}

func (w *World) queryField(sf reflect.StructField) (field, error) {
	name, err := parseTag(sf)
	if err != nil {
		return field{}, err
	}
	f, err := w.bindField(sf, name)
	if err != nil {
		return f, err
	}
	return f, suits(name, f.kind)
}

// bindField finds the component, resource or condition that a field means.
func (w *World) bindField(sf reflect.StructField, name string) (f field, err error) {
	f = field{name: sf.Name, is: sf.Type, offset: sf.Offset}
	if err := f.notPointed(); err != nil {
		return f, err
	}
	v := reflect.Zero(sf.Type).Interface()
	if bound, err := w.bindThing(&f, v, name); bound {
		return f, err
	}
	if of := f.bindAbout(v); of != nil {
		if f.kind == kindMoves {
			return f, w.bindMoved(&f, of, name)
		}
		if f.sees() && of == reflect.TypeFor[Entity]() && name == "" {
			return f, nil // the entity as a whole
		}
		f.pool, err = w.find(of, name)
		return f, err
	}
	of, err := f.bindValues()
	if s := w.names.splits[of]; err == nil && s != nil && (name == "" || name == s.name) {
		return f, f.whole(s)
	}
	if err == nil {
		f.pool, f.part, err = w.findPart(of, name)
	}
	return f, err
}

// bindThing binds fields that give no component: entities, rows, resources, commands.
// It tells whether the field is one.
func (w *World) bindThing(f *field, v any, name string) (bound bool, err error) {
	switch v := v.(type) {
	case *Commands:
		f.kind = kindCommands
	case AtEnd:
		f.kind = kindAtEnd
	case []Entity:
		f.kind = kindEntities
	case Entity:
		f.kind = kindEntity
	case Rows:
		f.kind = kindRows
	case Random:
		f.kind = kindRandom
	case eventful:
		f.kind, f.events = kindEvents, v
		if f.of, f.write = v.eventType(); w.names.events[f.of] == nil {
			err = fmt.Errorf("the world has no events of type %v: call ecs.EventsOf first", f.of)
		}
	case local:
		f.kind, f.of = kindLocal, v.localType()
	case Has:
		f.kind = kindPresence
		if name == "" {
			err = fmt.Errorf("the tag has to name the optional component, as in `ashlar:\"mass\"`")
		} else if f.pool = w.names.pool[name]; f.pool == nil {
			err = fmt.Errorf("no component is called %q: the tag has to name the optional component", name)
		}
	default:
		return w.bindNamed(f, name)
	}
	return true, err
}

// bindNamed binds fields of generic types that give no component.
func (w *World) bindNamed(f *field, tag string) (bound bool, err error) {
	if name, arg := pointed(f.is); name == "Query" {
		f.kind, f.of = kindQuery, arg
		f.query, f.within, err = w.fieldQuery(arg)
		return true, err
	}
	switch m, _ := meaningOf(f.is); m.kind {
	case kindAny:
		f.kind = kindAny
		f.list, err = w.choices(choicesOf(f.is, nil), tag)
	case kindResource:
		f.kind, f.of, f.write = kindResource, m.of, m.write
		if w.names.resources[f.of] == nil {
			err = fmt.Errorf("the world has no resource of type %v: call ecs.Provide first", f.of)
			switch {
			case f.of.Kind() == reflect.Pointer && w.names.resources[f.of.Elem()] != nil:
				err = fmt.Errorf("the world has a resource of type %v, not %v: name that, of which the field has the address", f.of.Elem(), f.of)
			case w.names.resources[reflect.PointerTo(f.of)] != nil:
				err = fmt.Errorf("the world has a resource of type *%v, not %v: pass the value to ecs.Provide, which returns a pointer to it", f.of, f.of)
			}
		}
	default:
		return false, nil
	}
	return true, err
}

// notPointed refuses pointers to types that are fields themselves: a nil pointer does not have
// their methods.
func (f *field) notPointed() error {
	if f.is.Kind() != reflect.Pointer {
		return nil
	}
	_, is := meaningOf(f.is.Elem())
	switch reflect.Zero(f.is.Elem()).Interface().(type) {
	case former, local, AtEnd, Has, Rows, Random, eventful:
		is = true
	}
	if is {
		return fmt.Errorf("%v is a pointer: make the field of type %v itself", f.is, f.is.Elem())
	}
	return nil
}

// bindAbout binds fields about a component that give no column of it: conditions, and access by
// handle. It returns the component's type, or nil if the field is none of these.
func (f *field) bindAbout(v any) (of reflect.Type) {
	if x, is := v.(former); is {
		f.kind = kindPrior
		return x.priorType()
	}
	if name, arg := pointed(f.is); name == "Pool" {
		f.kind, f.write = kindPool, true
		return arg
	}
	m, is := meaningOf(f.is)
	if !is || m.strided {
		return nil
	}
	f.kind, f.rows, f.left = m.kind, m.rows, m.left
	return m.of
}

// bindValues binds fields that give values of a component. It returns the type of a value.
func (f *field) bindValues() (of reflect.Type, err error) {
	if m, _ := meaningOf(f.is); m.strided {
		f.kind, f.strided, f.write = kindSlice, true, m.write
		return m.of, nil
	}
	asked, _ := formOf(f.is)
	f.write, f.optional = asked.write, asked.optional
	switch f.is.Kind() {
	case reflect.Slice:
		f.kind = kindSlice
	case reflect.Pointer:
		f.kind = kindPointer
	default:
		if err := notItself(f.is); err != nil {
			return nil, err
		}
		if _, err := chunk.SpecOf(f.is); err == nil && f.name == "_" {
			return nil, fmt.Errorf("%v is a value, and no condition: write ecs.With[%v], or ecs.Without", f.is, f.is)
		} else if err == nil && f.is.Kind() == reflect.Struct {
			return nil, fmt.Errorf("%v is a value: write []%v to read a column, ecs.Write[%v] to write it, *%v to read one row", f.is, f.is, f.is, f.is)
		}
		return nil, fmt.Errorf("%v is not a supported field type: use []T, *T, ecs.Write, ecs.Maybe, ecs.MaybeWrite, ecs.Strided, ecs.WriteStrided (of a row: ecs.WriteOne, ecs.MaybeOne, ecs.MaybeWriteOne) of a component T, []ecs.Entity, ecs.Entity, ecs.With, ecs.Without, ecs.Or, ecs.Changed, ecs.Added, ecs.ChangedRows, ecs.AddedRows, ecs.Present, ecs.Disabled, ecs.Has, ecs.Rows, ecs.Res, ecs.WriteRes, ecs.Look, *ecs.Pool, *ecs.Query, ecs.Prior, ecs.Later, ecs.Local, ecs.Random, ecs.Events, ecs.WriteEvents, ecs.Arrived, ecs.Left, *ecs.Commands or ecs.AtEnd", typeName(f.is))
	}
	return f.is.Elem(), nil
}

// checkFields refuses fields that can't be filled: slices beside pointers, parts of a component
// that overlap where one of them is written, excluded and required at once.
func (w *World) checkFields(fields []field, system bool) error {
	slices, pointers, entities, rows, required, excluded := 0, 0, 0, 0, 0, 0
	var columns []source.Column
	for i, f := range fields {
		if err := f.notInQueries(); err != nil && !system {
			return err
		}
		switch f.kind {
		case kindSlice, kindEntities, kindPresence, kindRows:
			slices++
		case kindPointer, kindEntity:
			pointers++
		case kindWithout:
			excluded++
		}
		switch f.kind {
		case kindEntities, kindEntity:
			entities++
		case kindRows:
			rows++
		}
		if f.required() || f.kind == kindAny {
			required++
		}
		for _, g := range fields[:i] {
			if f.sees() && g.sees() && f.pool == g.pool && f.kind != g.kind {
				return fmt.Errorf("it has ecs.Present and ecs.Disabled of the same component: Disabled leaves out enabled rows, and Present does not; remove one of them")
			}
			if f.pool == nil || f.pool != g.pool {
				continue
			}
			if f.kind == kindWithout != (g.kind == kindWithout) && !f.byHandle() && !g.byHandle() {
				return fmt.Errorf("component %q is named by field %s and excluded by another: remove one of them", f.pool.c.Name, f.name)
			}
		}
		if f.values() {
			columns = append(columns, f.column())
			if err := source.Clash(columns); err != nil {
				return err
			}
		}
	}
	switch {
	case slices > 0 && pointers > 0:
		return fmt.Errorf("it has both slices and pointers: use slices for whole columns or pointers for single entities")
	case entities > 1 || rows > 1:
		return fmt.Errorf("it has %d fields for entities and %d for Rows: keep at most one of each", entities, rows)
	case required == 0 && (!system || slices+pointers+excluded > 0):
		return fmt.Errorf("it requires no component: at least one field must be a []T, *T, ecs.Write, ecs.With, ecs.Changed, ecs.Added or ecs.Or (World.All iterates over all entities)")
	}
	return nil
}

// notInQueries is why a field is for systems alone; nil: queries may have it.
func (f *field) notInQueries() error {
	switch f.kind {
	case kindLocal:
		return fmt.Errorf("field %s is an ecs.Local, which is for systems: declare a variable where the loop is", f.name)
	case kindRandom:
		return fmt.Errorf("field %s: random numbers go by a system's name, and this is a query: take them from World.Random", f.name)
	case kindEvents:
		return fmt.Errorf("field %s: readers and writers of events are systems, and this is a query: call Write or Reader of what ecs.EventsOf returned", f.name)
	case kindQuery:
		return fmt.Errorf("field %s is an ecs.Query, which is for systems and observers: call ecs.QueryOf, and loop over it within", f.name)
	case kindAtEnd:
		return fmt.Errorf("field %s is an ecs.AtEnd, which is for systems and observers: take World.Commands", f.name)
	case kindPrior:
		return fmt.Errorf("field %s: ecs.Prior has values of when a system began, and this is a query: reach values by an ecs.Look", f.name)
	case kindMoves:
		return fmt.Errorf("field %s: entities that came or went are for systems and observers, and this is a query: give one of these the field", f.name)
	}
	return nil
}

// column is the component, or part of one, of a field that gives values.
func (f *field) column() source.Column {
	return source.Column{Name: f.name, Comp: &f.pool.c, Part: f.part, Offset: f.offset, Write: f.write, Optional: f.optional, Strided: f.strided, Woven: f.woven}
}

// values tells whether a field gives values of a component.
func (f *field) values() bool { return f.kind == kindSlice || f.kind == kindPointer }

// byHandle tells whether a field is about entities that the program names, and not about rows.
func (f *field) byHandle() bool {
	return f.kind == kindPool || f.kind == kindLater || f.kind == kindMoves || f.kind == kindPrior
}

// required tells whether entities must have the field's component.
func (f *field) required() bool {
	return f.values() && !f.optional || f.kind == kindWith || f.sees() && f.pool != nil || f.kind.changes()
}

// sees tells whether the field asks for disabled rows. It may be about a component, or,
// without a pool, about the entity as a whole.
func (f *field) sees() bool { return f.kind == kindPresent || f.kind == kindDisabled }

// seen is the component of such a field; nil: the entity.
func (f *field) seen() *store.Component {
	if f.pool == nil {
		return nil
	}
	return &f.pool.c
}
