package ecs

import (
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// pool is the part that pools of all types have in common.
type pool struct {
	c      store.Component
	w      *World
	typ    reflect.Type
	handle any       // the *Pool[T]
	adds   *interest // in who gets it, from the first frame on in which that is counted; else nil
}

// add is Add of the value at an address.
func (p *pool) add(e Entity, v raw.Ptr) error {
	return p.w.inEcs(p.w.base.S.Add(&p.c, e, v))
}

// remove is Remove, and add Add, within a call.
func (p *pool) remove(e Entity) error {
	return p.w.inEcs(p.w.base.S.Remove(&p.c, e))
}

// inEcs has an error of memory say where it comes from, and one of a lock be of the type that
// programs know. Of a refused thing it is the mistake, and no entity of a closed world is stale.
func (w *World) inEcs(err error) error {
	if err == nil {
		return nil
	}
	return w.errInEcs(err)
}

func (w *World) errInEcs(err error) error {
	switch {
	case w.refused != nil:
		return w.refused
	case w.closed && errors.Is(err, ErrStale):
		return ErrClosed
	case plain(err):
		return err
	}
	if locked, is := errors.AsType[store.LockedError](err); is {
		return LockedError(locked)
	}
	if overtaken(err) {
		return err
	}
	return fmt.Errorf("ecs: %w", err)
}

// plain tells whether an error is one that calls return all the time: errors.Is costs as much as the call.
func plain(err error) bool { return err == ErrStale || err == ErrPresent || err == ErrAbsent }

// Pool reaches one component: it adds, reads, changes and removes it, entity by entity. Values
// are stored in tables beside the other components of their entities, or in a group's rows. A
// Pool comes from Register and lives as long as its World. Its methods tell stale, null and
// foreign handles from live ones.
type Pool[T any] struct {
	of   of[T]
	pool pool // its first field is the directory: Get reads it first
}

// Set writes the value of a component that the entity has. It returns ErrStale or
// ErrAbsent otherwise.
func (p *Pool[T]) Set(e Entity, v T) error {
	c := p.core().made("Set")
	q := p.Mut(e)
	if q == nil {
		return c.lacks(e)
	}
	if c.c.Noticed() {
		c.sets(e, raw.Of(q), raw.Of(&v))
		return nil
	}
	*q = v
	return nil
}

// lacks is the error for an entity without the component.
func (p *pool) lacks(e Entity) error {
	if !p.w.base.S.Alive(e) {
		return p.w.inEcs(ErrStale)
	}
	return ErrAbsent
}

// Add gives an entity the component. Adding one that is a column of tables moves the
// entity's row to another table, which costs a copy of the row. Adding one that is
// volatile or thin costs the same for every entity. Add returns ErrStale,
// ErrPresent (the old value stays), or the arena's error. Nothing has changed then.
func (p *Pool[T]) Add(e Entity, v T) error {
	return p.core().addNow(e, raw.Of(&v))
}

func (p *pool) addNow(e Entity, v raw.Ptr) error {
	w := p.made("Add").w
	w.enter(callAdd)
	err := w.base.S.Add(&p.c, e, v)
	w.exit()
	return w.inEcs(err)
}

// Remove takes the component from an entity. It costs as much as Add. It returns ErrStale,
// ErrAbsent, or a LockedError if a Lock keeps the component. It returns the arena's error if
// the row has to move to another table and there is no memory. Nothing has changed then.
func (p *Pool[T]) Remove(e Entity) error {
	return p.core().removeNow(e)
}

func (p *pool) removeNow(e Entity) error {
	w := p.made("Remove").w
	w.enter(callRemove)
	err := w.base.S.Remove(&p.c, e)
	w.exit()
	return w.inEcs(err)
}

// All iterates over entities and values, for reading, table by table. Structural changes
// meanwhile panic.
func (p *Pool[T]) All() iter.Seq2[Entity, *T] {
	q := p.core().made("All")
	return func(yield func(Entity, *T) bool) { q.all(raw.YieldPair(yield)) }
}

func (p *pool) all(yield func(Entity, raw.Ptr) bool) {
	walks := &p.w.base.Walks
	defer walks.End(walks.Begin("Pool(" + p.c.Name + ").All"))
	p.each(yield)
}

// each is all, where nothing moves.
func (p *pool) each(yield func(Entity, raw.Ptr) bool) {
	for _, t := range p.c.Tables() {
		opt := t.Opt(&p.c)
		at := 0
		for id, n := range t.Seq.Chunks() {
			es, v := p.w.base.S.Entities(id, n), p.c.Dir.Addr(id)
			for i, e := range es {
				if opt != nil && opt.Bits[at+i/64]>>(i%64)&1 == 0 {
					continue
				}
				to := raw.At(v, uintptr(i)*p.c.Size)
				if p.c.Lent() {
					to = p.c.Reach(e, false)
				}
				if !yield(e, to) {
					return
				}
			}
			at += t.Stride()
		}
	}
}
