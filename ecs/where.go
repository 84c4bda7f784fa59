package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// DestroyWhere destroys the entities of the rows for which f returns true, and returns how many.
// Entities that a lock holds stay. The rows that stay keep their order, as with slices.DeleteFunc.
//
//	q.DestroyWhere(func(b *bullet, i int) bool { return b.Life[i].Left <= 0 })
//
// The function f is called once for each row that matches, in the order of All, with the number of
// the row in the struct's slices; for a struct of pointers that is 0. All calls come before the first
// change, and f must not change the structure of the world. Columns are packed front to back, so it
// costs a pass over the rows behind the first one that goes. It returns ErrClosed after Close, and
// panics while a query or system iterates.
func (q *Query[S]) DestroyWhere(f func(c *S, i int) bool) (destroyed int, err error) {
	return q.core().destroyWhere(raw.Test(f))
}

func (q *query) destroyWhere(f func(c raw.Ptr, i int) bool) (destroyed int, err error) {
	rows, err := q.made("DestroyWhere").where(f, "DestroyWhere")
	if err != nil {
		return 0, err
	}
	q.w.enter(callAll)
	destroyed = q.w.base.S.DestroyChosen(rows)
	q.w.exit()
	return destroyed, nil
}

// RemoveWhere removes a component from the entities of the rows for which f returns true, and returns
// how many. It passes over entities that lack the component. It also passes over those that a lock
// holds, and then returns the first one's ErrLocked. The order of rows, f, costs and panics are
// those of DestroyWhere; other errors are the arena's.
func (q *Query[S]) RemoveWhere(p AnyPool, f func(c *S, i int) bool) (removed int, err error) {
	return q.core().removeWhere(p, raw.Test(f))
}

func (q *query) removeWhere(p AnyPool, f func(c raw.Ptr, i int) bool) (removed int, err error) {
	q.made("RemoveWhere")
	of := coreOf(p)
	if of == nil {
		panic(unmade{"Pool", "RemoveWhere"})
	}
	if of.w.refused != nil {
		return 0, of.w.refused
	}
	rows, err := q.where(f, "RemoveWhere")
	if err != nil {
		return 0, err
	}
	if of.w != q.w {
		panic(fmt.Sprintf("ecs: RemoveWhere is given pool %q of another world: pass one that ecs.Register returned for the query's world", of.c.Name))
	}
	q.w.enter(callAll)
	removed, err = q.w.base.S.RemoveChosen(&of.c, rows)
	q.w.exit()
	return removed, q.w.inEcs(err)
}

// where is the rows for which f returns true, of tables one after the other.
func (q *query) where(f func(c raw.Ptr, i int) bool, call string) ([]store.Rows, error) {
	w := q.w
	switch {
	case q.refused != nil:
		return nil, q.refused
	case w.closed:
		return nil, ErrClosed
	case f == nil:
		panic(fmt.Sprintf("ecs: %s without a function: pass the one that tells which rows go", call))
	}
	w.mustIdle(call)
	return q.c.Choose(q.into, f), nil
}
