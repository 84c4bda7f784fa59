package ecs

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// AnyQuery lists the entities that a call such as Pool.AddAll changes: matches of a Query, or entities of a
// slice, as Handles.
type AnyQuery interface {
	core() *query // nil: it is none of QueryOf
}

func (Handles) core() *query { return nil }

// matching is the cursor over the entities that a call is to change, or a list of them; or why that was refused.
func matching(q AnyQuery, call string) (*walk.Cursor, []Entity, error) {
	if list, is := q.(Handles); is {
		return nil, list, nil
	}
	x := q.core().made(call)
	return x.c, nil, x.refused
}

// Handles are entities to change with one call:
//
//	w.DestroyAll(ecs.Handles(dead))
//
// A call passes over handles that are not alive, and over entities that it has changed already.
type Handles []Entity

// AddAll adds the component with one value to all entities of a query or slice (Handles). It
// passes over entities that have it already, and returns how many it changed. Where all rows of a
// table match, they move column by column; a volatile component is a bit, a value and an entry
// each.
//
// The result is the same as that of Add of each entity. The order of rows follows
// from the calls made. After an error, which is the arena's, some of the entities have the
// component; of Handles, the ones before it have it. AddAll panics while a query or system iterates, and if the query is of another
// world.
func (p *Pool[T]) AddAll(q AnyQuery, v T) (added int, err error) {
	return p.core().massAll(queue.Add, raw.Of(&v), "AddAll", q)
}

// RemoveAll removes the component from all entities of a query or slice, and returns how many.
// It passes over entities that lack it. It also passes over those that a lock holds, and then
// returns the first one's ErrLocked. Otherwise costs, errors and panics are those of AddAll.
func (p *Pool[T]) RemoveAll(q AnyQuery) (removed int, err error) {
	return p.core().massAll(queue.Remove, nil, "RemoveAll", q)
}

// SetAll writes one value of the component for all entities of a query or slice. It passes over
// those that lack it, and returns how many it changed. It returns ErrClosed after Close, and
// panics as AddAll does.
func (p *Pool[T]) SetAll(q AnyQuery, v T) (set int, err error) {
	return p.core().massAll(queue.Set, raw.Of(&v), "SetAll", q)
}

// AddFunc is AddAll with a value for each entity: f is called once for each that lacks the
// component, in order, before anything changes. It may read the world and not change it.
func (p *Pool[T]) AddFunc(q AnyQuery, f func(e Entity) T) (added int, err error) {
	return p.core().massEach(queue.Add, valueOf(f), "AddFunc", q)
}

// SetFunc is SetAll with a value for each entity, as AddFunc is AddAll.
func (p *Pool[T]) SetFunc(q AnyQuery, f func(e Entity) T) (set int, err error) {
	return p.core().massEach(queue.Set, valueOf(f), "SetFunc", q)
}

// valueOf is a function that writes the result of f; nil without f. Inlined it would be compiled once more for each caller.
//
//go:noinline
func valueOf[T any](f func(e Entity) T) func(Entity, raw.Ptr) {
	if f == nil {
		return nil
	}
	return func(e Entity, to raw.Ptr) { *raw.As[T](to) = f(e) }
}

// massAll makes a change with one value for all.
func (p *pool) massAll(op queue.Op, v raw.Ptr, call string, q AnyQuery) (changed int, err error) {
	return p.made(call).w.mass(&mass{op: op, pool: p}, v, call, q)
}

// massEach makes a change with a value of each. It panics without a function.
func (p *pool) massEach(op queue.Op, value func(Entity, raw.Ptr), call string, q AnyQuery) (changed int, err error) {
	w, x := p.made(call).w, &mass{op: op, pool: p}
	if value == nil {
		panic("ecs: AddFunc and SetFunc need a function that returns the value of each entity: use AddAll or SetAll for one value")
	}
	if err := w.beginMass(x, call, q); err != nil {
		return 0, err
	}
	defer w.exit() // the function may panic
	if !w.news.Asked() {
		return w.changeEach(x, value)
	}
	w.base.S.Together(func() { changed, err = w.changeEach(x, value) })
	return changed, err
}

// DestroyAll destroys all entities of a query or slice and returns how many: it passes over
// those that a lock holds. Entities that are the last rows of a table, in row order, and have
// nothing else go as a block. It returns ErrClosed after Close, and panics as Pool.AddAll does.
func (w *World) DestroyAll(q AnyQuery) (destroyed int, err error) {
	return w.made("DestroyAll").mass(&mass{op: queue.Destroy}, nil, "DestroyAll", q)
}

// mass makes a change of all that a query matches.
func (w *World) mass(x *mass, v raw.Ptr, call string, q AnyQuery) (changed int, err error) {
	if err := w.beginMass(x, call, q); err != nil {
		return 0, err
	}
	defer w.exit() // observers may panic
	return w.change(x, v)
}

// beginMass enters the world for a change of all that a query matches. The caller exits it, unless there is an error.
func (w *World) beginMass(x *mass, call string, q AnyQuery) error {
	if err := w.aim(x, call, q); err != nil {
		return err
	}
	if w.closed {
		return ErrClosed
	}
	w.mustIdle(call)
	w.enter(callAll)
	return nil
}

// aim has a change be of the matches of a query. It panics for a query of another world, and returns the
// mistake if the thing that changes or the query was refused.
func (w *World) aim(x *mass, call string, q AnyQuery) (err error) {
	if w.refused != nil {
		return w.refused
	}
	if q == nil {
		panic(unmade{"Query", call})
	}
	if x.c, x.es, err = matching(q, call); err != nil {
		return err
	}
	if x.c != nil && x.c.World() != &w.base {
		panic(fmt.Sprintf("ecs: %s is given a query of another world: make one of this world by ecs.QueryOf or World.Select", call))
	}
	return nil
}

// change makes a change of many entities, while nothing iterates, with the value at an address.
// It returns how many have changed, and the first error of a lock if nothing else has failed.
func (w *World) change(x *mass, v raw.Ptr) (changed int, err error) {
	if !w.news.Asked() {
		return w.changeNow(x, v)
	}
	w.base.S.Together(func() { changed, err = w.changeNow(x, v) })
	return changed, err
}

// changeNow is change, several changes for observers.
func (w *World) changeNow(x *mass, v raw.Ptr) (changed int, err error) {
	s := w.base.S
	var c *store.Component
	if x.pool != nil {
		c = &x.pool.c
	}
	switch {
	case x.one:
		return 1, w.inEcs(x.exchange.Do(x.es[0], v))
	case x.op == queue.Exchange:
		changed, err = x.exchange.Batch(x.entities(), v)
		return changed, w.inEcs(err)
	}
	if x.c == nil || x.op == queue.Destroy && s.TellsEnds() { // which is told once, before the first goes
		switch x.op {
		case queue.Add:
			changed, err = s.AddBatch(c, x.es, v, 0)
		case queue.Remove:
			changed, err = s.RemoveBatch(c, x.es)
		case queue.Set:
			changed = s.SetBatch(c, x.es, v, 0)
		default:
			changed = s.DestroyBatch(x.entities())
		}
		return changed, w.inEcs(err)
	}
	var locked error
	for rows := range x.c.Matching {
		n, err := 0, error(nil)
		switch x.op {
		case queue.Add:
			n, err = s.AddRows(c, rows, v)
		case queue.Remove:
			n, err = s.RemoveRows(c, rows)
		case queue.Set:
			n = s.SetRows(c, rows, v)
		default:
			n = s.DestroyRows(rows)
		}
		if changed += n; errors.Is(err, ErrLocked) {
			locked = cmp.Or(locked, err)
		} else if err != nil {
			return changed, w.inEcs(err)
		}
	}
	return changed, w.inEcs(locked)
}

// entities are those that are to change, in a list.
func (x *mass) entities() []Entity {
	if x.c == nil {
		return x.es
	}
	var es []Entity
	for rows := range x.c.Matching {
		es = rows.Entities(es)
	}
	return es
}

// changeEach is changeNow with a value of each entity, of the component of a pool.
func (w *World) changeEach(x *mass, value func(Entity, raw.Ptr)) (changed int, err error) {
	c, adds := &x.pool.c, x.op == queue.Add
	var es []Entity
	seen := make(map[Entity]bool) // a list may have an entity twice
	for _, e := range x.entities() {
		if w.base.S.Alive(e) && c.Has(e) != adds && !seen[e] {
			es = append(es, e)
			if x.c == nil {
				seen[e] = true
			}
		}
	}
	room := max((c.Size+7)/8, 1) // in words, for the alignment of any value
	values := make([]uint64, room*uintptr(max(len(es), 1)))
	w.valuesOf(value, es, values, room)
	if adds {
		changed, err = w.base.S.AddBatch(c, es, raw.Data(values), room*8)
		return changed, w.inEcs(err)
	}
	return w.base.S.SetBatch(c, es, raw.Data(values), room*8), nil
}

// valuesOf has the program's function write the values of entities, room words each. Meanwhile
// nothing may change.
func (w *World) valuesOf(value func(Entity, raw.Ptr), es []Entity, values []uint64, room uintptr) {
	walk := w.base.Walks.Begin("the function of AddFunc or SetFunc")
	defer w.base.Walks.End(walk)
	for i, e := range es {
		value(e, raw.Of(&values[uintptr(i)*room]))
	}
}
