package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Put gives an entity the component, or writes its value if the entity has it already: Add or
// Set. It returns ErrStale, or the arena's error; nothing has changed then. Like Add it panics
// while something iterates.
func (p *Pool[T]) Put(e Entity, v T) error {
	return p.core().putNow(e, raw.Of(&v))
}

func (p *pool) putNow(e Entity, v raw.Ptr) error {
	w := p.made("Put").w
	w.enter(callPut)
	err := w.put(&p.c, e, v)
	w.exit()
	return err
}

// Put gives an existing entity the components of the struct, with their values. Each is added,
// or set if the entity has it. It returns ErrStale, or the arena's error. Components put by then
// stay, and a second Put adds the rest. After Put of a Group the entity is a member.
func (s *Spawner[S]) Put(e Entity, v S) error {
	return s.core().put(e, raw.Of(&v))
}

func (s *spawner) put(e Entity, v raw.Ptr) error {
	w := s.made("Put").w
	if w.refused != nil {
		return w.refused
	}
	w.enter(callPut)
	err := w.putEach(s.bundle, e, v)
	w.exit()
	return err
}

// set writes a component's value, while nothing iterates.
func (w *World) set(c *store.Component, e Entity, v raw.Ptr) error {
	l, ok := c.Loc(e)
	if !ok {
		if w.base.S.Alive(e) {
			return ErrAbsent
		}
		return ErrStale
	}
	c.Written(e, l)
	w.base.S.Set(c, e, c.At(l), v)
	return nil
}

// put adds a component, or writes its value.
func (w *World) put(c *store.Component, e Entity, v raw.Ptr) error {
	if err := w.set(c, e, v); err != ErrAbsent {
		return w.inEcs(err)
	}
	return w.inEcs(w.base.S.Add(c, e, v))
}

// putEach puts the components of a bundle.
func (w *World) putEach(b *store.Bundle, e Entity, v raw.Ptr) error {
	return w.each(b, e, v, func(c *store.Component, v raw.Ptr) error { return w.put(c, e, v) })
}
