package ecs

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/query"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// AnyQuery says which entities a call such as Pool.AddAll changes: those that a Query or a
// Selection matches, or those of a slice, as Handles.
type AnyQuery interface {
	cursor(call string) *query.Cursor
}

func (q *Query[S]) cursor(call string) *query.Cursor  { return q.made(call) }
func (s *Selection) cursor(call string) *query.Cursor { return s.made(call) }
func (Handles) cursor(string) *query.Cursor           { return nil }

// Handles are entities to change with one call:
//
//	w.DestroyAll(ecs.Handles(dead))
//
// A call passes over handles that are not alive, and over those that it has changed already.
type Handles []Entity

// AddAll adds the component with one value to all entities of a query or slice (Handles). It
// passes over those that have it already, and returns how many it changed. Where all rows of a
// table match, they move column by column; a volatile component is a bit, a value and an entry
// each.
//
// What entities have afterwards is what Add of each would leave. The order of rows follows
// from the calls made. After an error, which is the arena's, some of the entities have the
// component; of Handles, those before it have it. AddAll panics while a query or system iterates, and if the query is of another
// world.
func (p *Pool[T]) AddAll(q AnyQuery, v T) (added int, err error) {
	w := p.made("AddAll").w
	c, err := w.all("AddAll", q)
	if err != nil {
		return 0, err
	}
	if es, is := q.(Handles); is {
		added, err = w.base.S.AddBatch(&p.c, es, raw.Of(&v))
		return added, inEcs(err)
	}
	for rows := range c.Matching {
		n, err := w.base.S.AddRows(&p.c, rows, raw.Of(&v))
		if added += n; err != nil {
			return added, inEcs(err)
		}
	}
	return added, nil
}

// RemoveAll removes the component from all entities of a query or slice, and returns how many.
// It passes over entities that lack it. It also passes over those that a lock holds, and then
// returns the first one's LockedError. Otherwise costs, errors and panics are those of AddAll.
func (p *Pool[T]) RemoveAll(q AnyQuery) (removed int, err error) {
	w := p.made("RemoveAll").w
	c, err := w.all("RemoveAll", q)
	if err != nil {
		return 0, err
	}
	if es, is := q.(Handles); is {
		removed, err = w.base.S.RemoveBatch(&p.c, es)
		return removed, inEcs(err)
	}
	var locked error
	for rows := range c.Matching {
		n, err := w.base.S.RemoveRows(&p.c, rows)
		if removed += n; errors.Is(err, ErrLocked) {
			locked = cmp.Or(locked, err)
		} else if err != nil {
			return removed, inEcs(err)
		}
	}
	return removed, locked
}

// SetAll writes one value of the component for all entities of a query or slice. It passes over
// those that lack it, and returns how many it changed. It returns ErrClosed after Close, and
// panics as AddAll does.
func (p *Pool[T]) SetAll(q AnyQuery, v T) (set int, err error) {
	w := p.made("SetAll").w
	c, err := w.all("SetAll", q)
	if err != nil {
		return 0, err
	}
	if es, is := q.(Handles); is {
		for _, e := range es {
			if w.set(&p.c, e, raw.Of(&v)) == nil {
				set++
			}
		}
		return set, nil
	}
	for rows := range c.Matching {
		set += w.base.S.SetRows(&p.c, rows, raw.Of(&v))
	}
	return set, nil
}

// SetEnabledAll is SetEnabled for all entities of a query or slice. It returns how many have
// changed: it passes over those that lack the component, or are like that already. To enable
// what is disabled, ask for it: by a field of type Present or Disabled, or by Handles. It
// returns ErrClosed after Close, and panics as AddAll does.
func (p *Pool[T]) SetEnabledAll(q AnyQuery, on bool) (changed int, err error) {
	w := p.made("SetEnabledAll").w
	return w.setEnabledAll(&p.c, q, on)
}

// SetEnabledAll is SetEnabled for all entities of a query or slice. It returns how many have
// changed. See Pool.SetEnabledAll.
func (w *World) SetEnabledAll(q AnyQuery, on bool) (changed int, err error) {
	return w.made("SetEnabledAll").setEnabledAll(nil, q, on)
}

func (w *World) setEnabledAll(comp *store.Component, q AnyQuery, on bool) (changed int, err error) {
	c, err := w.all("SetEnabledAll", q)
	if err != nil {
		return 0, err
	}
	if es, is := q.(Handles); is {
		return w.base.S.SetEnabledBatch(comp, es, on), nil
	}
	for rows := range c.Matching {
		changed += w.base.S.SetEnabledRows(comp, rows, on)
	}
	return changed, nil
}

// DestroyAll destroys all entities of a query or slice and returns how many: it passes over
// those that a lock holds. Entities that are the last rows of a table, in row order, and have
// nothing else go as a block. It returns ErrClosed after Close, and panics as Pool.AddAll does.
func (w *World) DestroyAll(q AnyQuery) (destroyed int, err error) {
	c, err := w.made("DestroyAll").all("DestroyAll", q)
	if err != nil {
		return 0, err
	}
	if es, is := q.(Handles); is {
		return w.base.S.DestroyBatch(es), nil
	}
	for rows := range c.Matching {
		destroyed += w.base.S.DestroyRows(rows)
	}
	return destroyed, nil
}

// all returns the cursor of a query for a change of all that it matches.
func (w *World) all(call string, q AnyQuery) (*query.Cursor, error) {
	if q == nil {
		panic(unmade{"Query", call})
	}
	c := q.cursor(call)
	if c != nil && c.World() != &w.base {
		panic(fmt.Sprintf("ecs: %s is given a query of another world: make one of this world by ecs.QueryOf or World.Select", call))
	}
	if w.closed {
		return nil, ErrClosed
	}
	w.mustIdle(call)
	return c, nil
}
