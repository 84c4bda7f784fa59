package news

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Arrived passes entities that came, with their values: in place where some lie side by side, and gathered otherwise, a piece of work
// at most.
func Arrived[T any](l *Log, yield func([]store.Entity, []T) bool) {
	all := l.Told().Entities
	es := all
	if l.whole() {
		if len(es) > 0 {
			yield(es, raw.Slice[T](raw.Data(es), len(es)))
		}
		return
	}
	if l.in.of.Kind == store.Joining {
		members(l, yield)
		return
	}
	c := l.in.of.Component
	var some []store.Entity
	var values []T
	flush := func() (more bool) {
		more = len(some) == 0 || yield(some, values)
		some, values = some[:0], values[:0]
		return more
	}
	for len(es) > 0 {
		l, n := c.Run(es)
		switch {
		case n == 0: // the system itself has changed that
			es = es[1:]
			continue
		case c.Lent():
			n = 1
			values = append(values, *raw.As[T](c.Reach(es[0], false)))
		case n == len(all) || n >= store.WarmMost:
			if !flush() || !yield(es[:n:n], raw.Slice[T](c.At(l), n)) {
				return
			}
			es = es[n:]
			continue
		default:
			values = append(values, raw.Slice[T](c.At(l), n)...)
		}
		some, es = append(some, es[:n]...), es[n:]
		if len(some) >= walk.PieceRows && !flush() {
			return
		}
	}
	flush()
}

// members gathers the values of members.
func members[T any](l *Log, yield func([]store.Entity, []T) bool) {
	var some []store.Entity
	var values []T
	es := l.Told().Entities
	for i, e := range es {
		var v T
		if l.in.of.Gather(e, raw.Of(&v)) {
			some, values = append(some, e), append(values, v)
		}
		if len(some) >= walk.PieceRows || i == len(es)-1 && len(some) > 0 {
			if !yield(some, values) {
				return
			}
			some, values = some[:0], values[:0]
		}
	}
}

// Left passes entities that left, with the values that they had.
func Left[T any](l *Log, yield func([]store.Entity, []T) bool) {
	t := l.Told()
	es := t.Entities
	switch n := len(es); {
	case n == 0:
	case l.whole():
		yield(es, raw.Slice[T](raw.Data(es), n))
	case l.in.of.Size == 0:
		yield(es, make([]T, n))
	default:
		yield(es, raw.Slice[T](t.Values, n))
	}
}
