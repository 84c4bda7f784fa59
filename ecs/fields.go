package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/news"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// With as the type of a field means that entities must have component T, which
// the query does not read. The field itself has no values.
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

// queryFields reads a struct of slices or of pointers, and binds its fields.
func (w *World) queryFields(t reflect.Type, system bool) (fields []field.Field, err error) {
	if w.closed {
		return nil, w.over()
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is not a struct: pass a struct whose fields name the components", t)
	}
	fields = make([]field.Field, 0, t.NumField())
	for sf := range t.Fields() {
		f, err := field.Of(sf)
		if err == nil {
			fields, err = w.bindField(f, fields)
		}
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", field.Named(t, sf.Name, sf.Type), err)
		}
	}
	return fields, field.Check(fields, system)
}

// bindField finds the component or the other thing that a field means, and appends the field: one for each component, if its values are
// those of a split type.
func (w *World) bindField(f field.Field, list []field.Field) ([]field.Field, error) {
	var err error
	switch f.Kind {
	case field.Slice, field.Pointer:
		if s := w.names.splits[f.Of]; s != nil && (f.Tag == "" || f.Tag == s.name) {
			return s.apart(f, list)
		}
		var p *pool
		if p, f.Part, err = w.findPart(f.Of, f.Tag); err == nil {
			p.bind(&f)
		}
	case field.Presence:
		if p := w.names.pool[f.Tag]; p != nil {
			p.bind(&f)
		} else {
			err = fmt.Errorf("no component is called %q: the tag has to name the optional component", f.Tag)
		}
	case field.Any:
		f.AnyOf, err = w.choices(f.Either, f.Tag)
	case field.Query:
		f.Cursor, f.Into, f.Within, err = w.fieldQuery(f.Of)
	case field.Resource:
		err = w.provided(f.Of)
	case field.Events:
		if w.names.events[f.Of] == nil {
			err = fmt.Errorf("the world has no events of type %v: call ecs.EventsOf first", f.Of)
		}
	case field.Moves:
		err = w.bindMoved(&f)
	case field.Spawner:
		err = w.bindSpawner(&f)
	case field.Entities, field.Entity, field.Rows, field.Random, field.Local, field.Commands, field.AtEnd:
	default:
		err = w.bindAbout(&f)
	}
	return append(list, f), err
}

// bind has a field be about the component.
func (p *pool) bind(f *field.Field) { f.Comp, f.Type = &p.component, p.typ }

// apart appends a field of whole values: one for each component.
func (s *split) apart(f field.Field, list []field.Field) ([]field.Field, error) {
	if f.Kind != field.Slice || f.Strided || f.Optional {
		return list, fmt.Errorf("%v is split, so its values lie nowhere side by side: ask for []%v, ecs.Write of it, or one of its fields, such as `ashlar:%q`", f.Is, s.of, s.parts[0].p.component.Name)
	}
	for _, x := range s.parts {
		x.p.bind(&f)
		f.Part, f.Woven = source.Part{Size: x.p.component.Size}, source.Part{Offset: x.offset, Size: s.of.Size()}
		list = append(list, f)
	}
	return list, nil
}

// newCursor reads the struct type t and fills the fields of the value at into that stay
// the same: pools and commands.
func (w *World) newCursor(t reflect.Type, name string, into raw.Ptr, system bool) (*walk.Cursor, []field.Field, error) {
	fields, err := w.queryFields(t, system)
	if err != nil {
		return nil, nil, err
	}
	spec, err := field.Spec(t, name, fields)
	if err != nil {
		return nil, nil, err
	}
	for i := range fields {
		if f := &fields[i]; f.Kind.Changes() {
			if w.base.Store.Watch(f.Comp); f.Rows {
				w.base.Store.AskRows(f.Comp, f.Kind == field.Added)
			}
		} else {
			w.fillField(&spec, f, into)
		}
	}
	c := walk.NewCursor(walk.NewPlan(&w.base, spec))
	if w.rec != nil && !system {
		w.rec.Query(c, name)
	}
	return c, fields, nil
}

// fillField fills a field of the struct at an address, if its value stays the same or is made at each run.
func (w *World) fillField(spec *walk.Spec, f *field.Field, into raw.Ptr) {
	switch at := raw.At(into, f.Offset); f.Kind {
	case field.Pool: // or Look
		*raw.As[raw.Ptr](at) = reflect.ValueOf(w.poolOf(f.Comp).handle).UnsafePointer()
	case field.Commands, field.Later, field.Spawner:
		w.fillCommands(f, at, &w.commands)
	case field.AtEnd:
		*raw.As[AtEnd](at) = AtEnd{&w.late}
	case field.Query:
		fillQuery(f, into, w.queryFrom(f.Cursor, f.Into, f.Of, copier(f.Of)))
	case field.Local:
		*raw.As[raw.Ptr](at) = reflect.New(f.Of).UnsafePointer()
	case field.Random:
		spec.Begins = append(spec.Begins, w.fillRandom(spec.Name, at))
	case field.Resource:
		*raw.As[raw.Ptr](at) = reflect.ValueOf(w.names.resources[f.Of]).UnsafePointer() // whatever its type is
	case field.Events:
		begin, end := eventsOf(f).bind(w.names.events[f.Of], at)
		spec.Begins, spec.Ends = append(spec.Begins, func(uint64) { begin() }), append(spec.Ends, end)
	case field.Prior:
		b := fillPrior(f, into)
		spec.Begins, spec.Priors = append(spec.Begins, func(uint64) { w.systems.Take(b) }), append(spec.Priors, b)
	case field.Moves:
		l := w.news.Of(w.base.Store, w.subject(f)).Log(f.Left)
		*raw.As[*news.Log](at) = l
		spec.Ends = append(spec.Ends, l.End)
	}
}

// bindAbout finds the component of a field, unless it is about entities as a whole.
func (w *World) bindAbout(f *field.Field) error {
	if f.AboutEntity() {
		return nil
	}
	p, err := w.find(f.Of, f.Tag)
	if err == nil {
		p.bind(f)
	}
	return err
}

// bindMoved finds the subject of a field: a component, a state of one, a group, or entities as a whole. A type may be
// both a component and the struct of a group: the name says which, and without one it is the component.
func (w *World) bindMoved(f *field.Field) error {
	if f.Under == store.Having && !f.AboutEntity() && (w.names.ofType[f.Of] == nil || f.Tag != "" && w.names.pool[f.Tag] == nil) {
		if g, err := w.groupOfType(f.Of, f.Tag); g != nil || err != nil {
			if f.Under = store.Joining; g != nil {
				f.Members = &g.declared
			}
			return err
		}
	}
	return w.bindAbout(f)
}
