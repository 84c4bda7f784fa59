package ecs

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/query"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// AnyQuery is a query of any shape: a Query, or a Selection.
type AnyQuery interface {
	cursor(call string) *query.Cursor
}

func (q *Query[S]) cursor(call string) *query.Cursor  { return q.made(call) }
func (s *Selection) cursor(call string) *query.Cursor { return s.made(call) }

// AddAll adds the component with one value to all entities that a query matches and returns
// how many: it passes over those that have it already. Where all rows of a table match, they
// move column by column; a volatile component is a bit, a value and a word each.
//
// What entities have afterwards is what Add of each would leave. The order of rows follows
// from the calls made. After an error, which is the arena's, some of the entities have the
// component. AddAll panics while a query or system iterates, and if the query is of another
// world.
func (p *Pool[T]) AddAll(q AnyQuery, v T) (added int, err error) {
	w := p.made("AddAll").w
	c, err := w.all("AddAll", q)
	if err != nil {
		return 0, err
	}
	for rows := range c.Matching {
		n, err := w.base.S.AddRows(&p.c, rows, raw.Of(&v))
		if added += n; err != nil {
			return added, inEcs(err)
		}
	}
	return added, nil
}

// RemoveAll removes the component from all entities that a query matches and returns how
// many: it passes over those that lack it. It passes over those that a lock holds, too, and
// returns the first one's LockedError then. Otherwise costs, errors and panics are those of
// AddAll.
func (p *Pool[T]) RemoveAll(q AnyQuery) (removed int, err error) {
	w := p.made("RemoveAll").w
	c, err := w.all("RemoveAll", q)
	if err != nil {
		return 0, err
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

// SetAll writes one value of the component for all entities that a query matches and returns
// how many: it passes over those that lack it. It returns ErrClosed after Close, and panics
// as AddAll does.
func (p *Pool[T]) SetAll(q AnyQuery, v T) (set int, err error) {
	w := p.made("SetAll").w
	c, err := w.all("SetAll", q)
	if err != nil {
		return 0, err
	}
	for rows := range c.Matching {
		set += w.base.S.SetRows(&p.c, rows, raw.Of(&v))
	}
	return set, nil
}

// DestroyAll destroys all entities that a query matches and returns how many: it passes over
// those that a lock holds. It returns ErrClosed after Close, and panics as Pool.AddAll does.
func (w *World) DestroyAll(q AnyQuery) (destroyed int, err error) {
	c, err := w.made("DestroyAll").all("DestroyAll", q)
	if err != nil {
		return 0, err
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
	if c.World() != &w.base {
		panic(fmt.Sprintf("ecs: %s is given a query of another world: make one of this world by ecs.QueryOf or World.Select", call))
	}
	if w.closed {
		return nil, ErrClosed
	}
	if busy := w.base.Walks.Busy; busy != "" {
		panic(fmt.Sprintf("ecs: %s while %s iterates, whose rows would move under it: call it between frames, or in a system whose struct asks for no rows", call, busy))
	}
	return c, nil
}
