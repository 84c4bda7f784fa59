package ecs

import (
	"iter"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// compsOf are the components of pools.
func compsOf(list []*pool) (comps []*store.Component) {
	for _, p := range list {
		comps = append(comps, &p.component)
	}
	return comps
}

// AnyPool is a pool of any component, as GroupOf and SchemaOfPools take it.
type AnyPool interface {
	core() *pool
}

// Pool reaches one component: it adds, reads, changes and removes it, entity by entity. Values
// are stored in tables beside the other components of their entities, or in a group's rows. A
// Pool comes from Register and lives as long as its World. Its methods tell stale, null and
// foreign handles from live ones.
//
// Methods of a nil Pool panic, and name Register. Get, Mut and Has have no time for that test: they are Go's own
// panic of a nil pointer, and name it in builds with the tag ashlarcheck.
type Pool[T any] struct {
	of   of[T]
	pool pool // its first field is the directory: Get reads it first
}

// Add gives an entity the component. Adding one that is a column of tables moves the
// entity's row to another table, which costs a copy of the row. Adding one that is
// volatile or thin costs the same for every entity. Add returns ErrStale,
// ErrPresent (the old value stays), or the arena's error. Nothing has changed then.
func (p *Pool[T]) Add(e Entity, v T) error {
	return p.core().addNow(e, raw.Of(&v))
}

func (p *pool) addNow(e Entity, v raw.Ptr) error {
	w := p.made("Add").world
	w.enter(callAdd)
	err := w.base.Store.Add(&p.component, e, v)
	w.exit()
	return w.inEcs(err)
}

// Remove takes the component from an entity. It costs as much as Add. It returns ErrStale,
// ErrAbsent, or ErrLocked if a Lock keeps the component. It returns the arena's error if
// the row has to move to another table and there is no memory. Nothing has changed then.
func (p *Pool[T]) Remove(e Entity) error {
	return p.core().removeNow(e)
}

func (p *pool) removeNow(e Entity) error {
	w := p.made("Remove").world
	w.enter(callRemove)
	err := w.base.Store.Remove(&p.component, e)
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
	walks := &p.world.base.Walks
	defer walks.End(walks.Begin("Pool(" + p.component.Name + ").All"))
	p.each(yield)
}

// each is all, where nothing moves.
func (p *pool) each(yield func(Entity, raw.Ptr) bool) {
	for _, t := range p.component.Tables() {
		opt := t.Opt(&p.component)
		at := 0
		for id, n := range t.Seq.Chunks() {
			es, v := p.world.base.Store.Entities(id, n), p.component.Dir.Addr(id)
			for i, e := range es {
				if opt != nil && opt.Bits[at+i/64]>>(i%64)&1 == 0 {
					continue
				}
				to := raw.At(v, uintptr(i)*p.component.Size)
				if p.component.Lent() {
					to = p.component.Reach(e, false)
				}
				if !yield(e, to) {
					return
				}
			}
			at += t.Stride()
		}
	}
}

// Pool returns the pool of the component with a name; nil if there is none. Use it for
// SchemaOfPools if names come from a file or a user.
func (w *World) Pool(name string) AnyPool {
	if p := w.made("Pool").names.pool[name]; p != nil {
		return p.handle.(AnyPool)
	}
	return nil
}

// coreOf is the common part of a pool that Register has made; nil of others.
func coreOf(any AnyPool) *pool {
	if any == nil {
		return nil
	}
	if p := any.core(); p != nil && p.world != nil {
		return p
	}
	return nil
}

// Len is the number of entities that have the component.
func (p *Pool[T]) Len() int { return p.core().len() }

func (p *pool) len() int {
	p.made("Len")
	if arena.Checked && p.world != nil {
		p.world.watched.MustSee(&p.component, "Len")
	}
	return p.component.Len()
}

// Clear takes the component from all entities that have it. Locked entities are
// passed over, and the error is the first one's ErrLocked. It returns the arena's error if
// rows that move to another table find no room. Entities that lost it by then stay without it.
func (p *Pool[T]) Clear() error { return p.core().clear() }

func (p *pool) clear() error {
	w := p.made("Clear").world
	if w.refused != nil {
		return w.refused
	}
	if w.closed {
		return w.over()
	}
	w.enter(callClear)
	err := w.base.Store.ClearComponent(&p.component)
	w.exit()
	return w.inEcs(err)
}

// mustReach panics if the system that is watched reaches a component that its struct does not name for that.
func (p *pool) mustReach(call string, write bool) {
	p.made(call).world.watched.MustReach(&p.component, call, write)
}
