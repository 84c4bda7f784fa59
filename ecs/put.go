package ecs

import (
	"github.com/ashlar-go/ashlar/arena"
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
	w := p.made("Put").world
	w.enter(callPut)
	err := w.put(&p.component, e, v)
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
	w := s.made("Put").world
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
		if w.base.Store.Alive(e) {
			return ErrAbsent
		}
		return ErrStale
	}
	c.Written(e, l)
	w.base.Store.Set(c, e, c.At(l), v)
	return nil
}

// put adds a component, or writes its value.
func (w *World) put(c *store.Component, e Entity, v raw.Ptr) error {
	if err := w.set(c, e, v); err != ErrAbsent {
		return w.inEcs(err)
	}
	return w.inEcs(w.base.Store.Add(c, e, v))
}

// putEach puts the components of a bundle.
func (w *World) putEach(b *store.Bundle, e Entity, v raw.Ptr) error {
	return w.each(b, e, v, func(c *store.Component, v raw.Ptr) error { return w.put(c, e, v) })
}

// Set writes the value of a component that the entity has. It returns ErrStale or
// ErrAbsent otherwise.
func (p *Pool[T]) Set(e Entity, v T) error {
	c := p.core().made("Set")
	if arena.Checked {
		c.mustReach("Set", true)
	}
	q := p.Mut(e)
	if q == nil {
		return c.lacks(e)
	}
	if c.component.Noticed() {
		c.sets(e, raw.Of(q), raw.Of(&v))
		return nil
	}
	*q = v
	return nil
}

// lacks is the error for an entity without the component.
func (p *pool) lacks(e Entity) error {
	if !p.world.base.Store.Alive(e) {
		return p.world.inEcs(ErrStale)
	}
	return ErrAbsent
}

// sets writes a value that somebody is told of.
func (p *pool) sets(e Entity, to, v raw.Ptr) {
	w, c := p.world, &p.component
	if w.doing != 0 || w.base.Walks.Busy != "" || c.Lent() {
		w.base.Store.Sets(c, e, to)
		raw.CopyAll(to, v, c.Size)
		w.wasSet(c)
		return
	}
	w.doing = callSet
	w.base.Store.Set(c, e, to, v)
	w.doing = 0
}

// wasSet follows when a value was written by handle: observers are told of it, or will be if something iterates.
func (w *World) wasSet(c *store.Component) {
	if c.Lent() {
		c.Refresh(false)
	}
	if w.under() != "" {
		w.base.Store.SetLater(c)
		return
	}
	was := w.doing
	w.doing = callSet
	w.base.Store.ToldSet(c)
	w.doing = was
}

// fillLater gives an entity the components of a bundle: all at once if it has none of
// any kind, one by one otherwise, and leaves components that it has. It is one change for observers, so that it is made
// also if one panics.
func (w *World) fillLater(b *store.Bundle, e Entity, v raw.Ptr) error {
	if !w.news.Asked() {
		return w.fill(b, e, v)
	}
	return w.together(func() error { return w.fill(b, e, v) })
}

// together makes calls one change for observers. Callers that test first whether there are some keep their own variables
// in registers.
func (w *World) together(f func() error) (err error) {
	w.base.Store.Together(func() { err = f() })
	return err
}

func (w *World) fill(b *store.Bundle, e Entity, v raw.Ptr) (err error) {
	if b != nil {
		err = w.each(b, e, v, func(c *store.Component, v raw.Ptr) error {
			if err := w.base.Store.Add(c, e, v); err != ErrPresent {
				return w.inEcs(err)
			}
			return nil
		})
	}
	if err == nil && w.base.Store.TellsSpawns() {
		w.base.Store.Spawned(e)
	}
	return err
}

// each gives an entity the components of a bundle: all at once if it has none of any kind,
// one by one with f otherwise, as one change for observers.
func (w *World) each(b *store.Bundle, e Entity, v raw.Ptr, f func(c *store.Component, v raw.Ptr) error) error {
	switch {
	case !w.base.Store.Alive(e):
		return ErrStale
	case !b.Any(e):
		return w.inEcs(b.Fill(e, v))
	case !w.news.Asked():
		return b.Pieces(v, f)
	}
	return w.together(func() error { return b.Pieces(v, f) })
}
