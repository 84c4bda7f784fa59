package ecs_test

import (
	"fmt"
	"iter"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Iterations that are pulled may end in any order: the world can't be changed before the
// last of them has ended, and can afterwards.
func TestPulledIterationsEndInAnyOrder(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ok(ecs.Register[hp](w, "hp"))
	for i := range 3 {
		ok(0, p.Add(ok(w.Spawn()), hp{int32(i)}))
	}
	slices, rows := ok(ecs.QueryOf[struct{ HP []hp }](w)), ok(ecs.QueryOf[struct{ HP *hp }](w))
	pull := []func() (next func() bool, stop func()){
		func() (func() bool, func()) { return pulled(slices.All()) },
		func() (func() bool, func()) { return pulled(rows.All()) },
		func() (func() bool, func()) { return pulled(rows.All()) },
		func() (func() bool, func()) {
			next, stop := iter.Pull2(p.All())
			return func() bool { _, _, ok := next(); return ok }, stop
		},
	}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {2, 0, 3, 1}, {0, 3, 1, 2}} {
		for _, toTheEnd := range []bool{false, true} {
			t.Run(fmt.Sprint(order, toTheEnd), func(t *testing.T) {
				var nexts []func() bool
				var stops []func()
				for _, f := range pull {
					next, stop := f()
					if !next() {
						t.Fatal("there is nothing to iterate over")
					}
					nexts, stops = append(nexts, next), append(stops, stop)
				}
				for _, i := range order {
					panics(t, "whose rows would move under it", func() { w.Clear() })
					if toTheEnd {
						for nexts[i]() {
						}
					} else {
						stops[i]()
					}
				}
				ok(0, w.Destroy(ok(w.Spawn())))
				ok(0, w.Run(t.Context()))
			})
		}
	}
}

func pulled[T any](seq iter.Seq[T]) (next func() bool, stop func()) {
	n, stop := iter.Pull(seq)
	return func() bool { _, ok := n(); return ok }, stop
}

// The message names an iteration that is under way, not one that has ended.
func TestBusyNamesWhatIterates(t *testing.T) {
	w := world(t, ecs.Options{})
	p, f := ok(ecs.Register[hp](w, "hp")), ok(ecs.Register[frozen](w, "frozen"))
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{}))
	ok(0, f.Add(e, frozen{}))
	_, _, stopHP := pull2(p.All())
	_, _, stopFrozen := pull2(f.All())
	panics(t, "Pool(frozen).All", func() { w.Clear() })
	stopFrozen()
	panics(t, "Pool(hp).All", func() { w.Clear() })
	_, _, stopFrozen = pull2(f.All())
	stopHP()
	panics(t, "Pool(frozen).All", func() { w.Clear() })
	stopFrozen()
	w.Clear()
}

func pull2[K, V any](seq iter.Seq2[K, V]) (k K, v V, stop func()) {
	next, stop := iter.Pull2(seq)
	k, v, _ = next()
	return k, v, stop
}
