package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Split reaches a struct type of which each field is a component of its own, by entity. It comes
// from RegisterSplit and lives as long as its World. An entity has the whole if it has all fields.
type Split[T any] struct {
	w *World
	s *split
}

// RegisterSplit registers each field of the struct type T as a component, called NAME.FIELD. Fields
// that are used together go into a struct, which is one field of T and has one column. A field
// `ashlar:"NAME.FIELD"` of a system then has a column of its own. Spawners, groups and exchanges take a
// field of type T as its fields. A field []T or Write[T] of a system or query has whole values: they are
// copied together before each call and, if written, back after it.
//
// Storage is that of each field. RegisterSplit is refused as Register is, and if T is not a struct or
// is registered already: see World.Err.
func RegisterSplit[T any](w *World, name string, how ...Storage) *Split[T] {
	t := typeOf((*T)(nil))
	s, err := w.made("RegisterSplit").registerSplit(t, name, how)
	if nowhere := w.constructed(mistake{kind: "Register", says: "RegisterSplit of component", name: name, what: t, err: err}); nowhere != nil {
		return &Split[T]{nowhere, &split{name: name}}
	}
	return &Split[T]{w, s}
}

func (w *World) registerSplit(t reflect.Type, name string, how []Storage) (*split, error) {
	if w.closed {
		return nil, w.over()
	}
	w.mustIdle("RegisterSplit")
	switch {
	case t.Kind() != reflect.Struct || t.NumField() == 0:
		return nil, fmt.Errorf("%v is not a struct with fields: call ecs.Register", t)
	case w.names.splits[t] != nil || len(w.names.ofType[t]) > 0:
		return nil, fmt.Errorf("%v is registered already: a split type has one name, and is no component", t)
	case w.names.pool[name] != nil:
		return nil, fmt.Errorf("the name is taken by %v: choose another one", w.names.pool[name].typ)
	}
	if _, err := chunk.SpecOf(t); err != nil {
		return nil, err
	}
	for f := range t.Fields() { // all before the first is registered
		if err := w.registrable(f.Type, name+"."+f.Name); err != nil && f.Name != "_" {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	s := &split{name: name, of: t}
	var offsets []uintptr
	for f := range t.Fields() {
		if f.Name == "_" {
			continue
		}
		p := &Pool[struct{}]{} // pools of all types are alike: see SplitField
		p.pool.handle = p
		if err := w.register(&p.pool, f.Type, name+"."+f.Name, how); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		s.parts, offsets = append(s.parts, splitPart{&p.pool, f.Name, f.Offset}), append(offsets, f.Offset)
	}
	s.comes = w.base.Store.NewExchange(s.comps(), offsets, nil)
	s.goes = w.base.Store.NewExchange(nil, nil, s.comps())
	w.names.splits[t] = s
	return s, nil
}

func (s *split) comps() (list []*store.Component) {
	for _, x := range s.parts {
		list = append(list, &x.p.component)
	}
	return list
}

// SplitField returns the pool of a field of type F, with all that pools have. It is refused if T has
// no such field, or if that has another type: see World.Err.
func SplitField[F, T any](s *Split[T], field string) *Pool[F] {
	w, t := s.made("SplitField"), typeOf((*F)(nil))
	name := s.s.name + "." + field
	err := fmt.Errorf("%v has no field of type %v with that name", typeOf((*T)(nil)), t)
	for _, x := range s.s.parts {
		if x.name == field && x.p.typ == t {
			p := raw.As[Pool[F]](reflect.ValueOf(x.p.handle).UnsafePointer())
			x.p.handle, err = p, nil
			w.constructed(mistake{kind: "SplitField", name: name, what: t})
			return p
		}
	}
	p := &Pool[F]{}
	c := &p.pool
	c.world, c.typ = w.constructed(mistake{kind: "SplitField", name: name, what: t, err: err}), t
	c.handle = p
	c.world.registerSpare(&c.component, name)
	return p
}

func (s *Split[T]) made(call string) *World {
	if s == nil || s.w == nil {
		panic(unmade{"Split", call})
	}
	return s.w
}

// Load returns the whole value of an entity, put together from its fields. Ok is false if the entity is
// not alive or lacks a field. It costs a look-up for each field.
func (s *Split[T]) Load(e Entity) (v T, ok bool) {
	s.made("Load")
	into := raw.Of(&v)
	for _, x := range s.s.parts {
		at := x.p.component.Dir.Lookup(store.Find, uint64(e), uint64(x.p.component.Size))
		if at == nil {
			return *new(T), false
		}
		raw.Copy(raw.At(into, x.offset), at, x.p.component.Size)
	}
	return v, len(s.s.parts) > 0
}

// Set writes all fields. It returns ErrStale or ErrAbsent if the entity is not alive or lacks one.
// Nothing has changed then.
func (s *Split[T]) Set(e Entity, v T) error {
	w := s.made("Set")
	if !w.base.Store.Alive(e) {
		return w.inEcs(ErrStale)
	}
	for _, x := range s.s.parts {
		if !x.p.component.Has(e) {
			return fmt.Errorf("%w: %s", ErrAbsent, x.p.component.Name)
		}
	}
	from := raw.Of(&v)
	for _, x := range s.s.parts {
		to := store.FindMut(&x.p.component.Dir, uint64(e))
		w.base.Store.Sets(&x.p.component, e, to)
		raw.Copy(to, raw.At(from, x.offset), x.p.component.Size)
	}
	for _, x := range s.s.parts { // when all are written: an observer may panic
		w.wasSet(&x.p.component)
	}
	return nil
}

// Add gives an entity all fields, in one move. It returns ErrStale, ErrPresent if it has one of them, or the
// arena's error. Nothing has changed then.
func (s *Split[T]) Add(e Entity, v T) error {
	w := s.made("Add")
	if w.closed || w.refused != nil {
		return w.over()
	}
	w.enter(callAdd)
	err := s.s.comes.Do(e, raw.Of(&v))
	w.exit()
	return w.inEcs(err)
}

// Remove takes all fields from an entity, one by one. It returns ErrStale, ErrAbsent if it lacks one, or a
// ErrLocked. Nothing has changed then. If the arena refuses memory, the fields before are gone.
func (s *Split[T]) Remove(e Entity) error {
	w := s.made("Remove")
	if w.closed || w.refused != nil {
		return w.over()
	}
	w.enter(callRemove)
	err := s.s.goes.Refused(e)
	for i := 0; err == nil && i < len(s.s.parts); i++ {
		err = w.base.Store.Remove(&s.s.parts[i].p.component, e)
	}
	w.exit()
	return w.inEcs(err)
}
