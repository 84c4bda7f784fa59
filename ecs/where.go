package ecs

import "github.com/ashlar-go/ashlar/ecs/internal/raw"

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
	w := q.made("DestroyWhere").world
	switch {
	case q.refused != nil:
		return 0, q.refused
	case w.closed:
		return 0, ErrClosed
	case f == nil:
		panic("ecs: DestroyWhere without a function: pass the one that tells which rows go")
	}
	w.mustIdle("DestroyWhere")
	rows := q.cursor.Choose(q.into, f)
	w.enter(callAll)
	destroyed = w.base.Store.DestroyChosen(rows)
	w.exit()
	return destroyed, nil
}
