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
	return x.cursor, nil, x.refused
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

// massAll makes a change with one value for all.
func (p *pool) massAll(op queue.Op, v raw.Ptr, call string, q AnyQuery) (changed int, err error) {
	return p.made(call).world.mass(&mass{op: op, pool: p}, v, call, q)
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

// beginMass enters the world for a change of all that a query matches. The caller exits it, unless there is an error. It
// panics for a query of another world, and returns the mistake if the thing that changes or the query was refused.
func (w *World) beginMass(x *mass, call string, q AnyQuery) (err error) {
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
		panic(fmt.Sprintf("ecs: %s is given a query of another world: make one of this world by ecs.QueryOf", call))
	}
	if w.closed {
		return ErrClosed
	}
	w.mustIdle(call)
	w.enter(callAll)
	return nil
}

// change makes a change of many entities, while nothing iterates, with the value at an address.
// It returns how many have changed, and the first error of a lock if nothing else has failed.
func (w *World) change(x *mass, v raw.Ptr) (changed int, err error) {
	if !w.news.Asked() {
		return w.changeNow(x, v)
	}
	w.base.Store.Together(func() { changed, err = w.changeNow(x, v) })
	return changed, err
}

// changeNow is change, several changes for observers.
func (w *World) changeNow(x *mass, v raw.Ptr) (changed int, err error) {
	s := w.base.Store
	var c *store.Component
	if x.pool != nil {
		c = &x.pool.component
	}
	if x.exchange != nil {
		changed, err = x.exchange.Batch(x.entities(), v)
		return changed, w.inEcs(err)
	}
	if x.c == nil || x.op == queue.Destroy && s.TellsEnds() { // which is told once, before the first goes
		switch x.op {
		case queue.Add:
			changed, err = s.AddBatch(c, x.es, v)
		case queue.Remove:
			changed, err = s.RemoveBatch(c, x.es)
		case queue.Set:
			changed = s.SetBatch(c, x.es, v)
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
