package ecs_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Iterations that are pulled may end in any order: the world can't be changed before the
// last of them has ended, and can afterwards.
func TestPulledIterationsEndInAnyOrder(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	for i := range 3 {
		ok(0, p.Add(ok(w.Spawn()), hp{int32(i)}))
	}
	slices, rows := ecs.QueryOf[struct{ HP []hp }](w), ecs.QueryOf[struct{ HP *hp }](w)
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
					panics(t, "whose rows would move under it", func() { w.Reset() })
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
	p, f := ecs.Register[hp](w, "hp"), ecs.Register[frozen](w, "frozen")
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{}))
	ok(0, f.Add(e, frozen{}))
	_, _, stopHP := pull2(p.All())
	_, _, stopFrozen := pull2(f.All())
	panics(t, "Pool(frozen).All", func() { w.Reset() })
	stopFrozen()
	panics(t, "Pool(hp).All", func() { w.Reset() })
	_, _, stopFrozen = pull2(f.All())
	stopHP()
	panics(t, "Pool(frozen).All", func() { w.Reset() })
	stopFrozen()
	w.Reset()
}

func pull2[K, V any](seq iter.Seq2[K, V]) (k K, v V, stop func()) {
	next, stop := iter.Pull2(seq)
	k, v, _ = next()
	return k, v, stop
}

// A system, or a condition of one, that leaves an iteration open is told so when it returns, by the
// name of both. So the frame is abandoned before the next safe point.
func TestSystemLeavesIterationOpen(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	for range 3 {
		ok(0, p.Add(ok(w.Spawn()), hp{}))
	}
	q := ecs.QueryOf[struct{ HP *hp }](w)
	var stop func()
	leave := func() { _, _, stop = pull2(p.All()) }
	for what, add := range map[string]func() error{
		"system without rows": func() error { return systemRefusal(w, "leaves", func(*struct{}) { leave() }) },
		"system":              func() error { return systemRefusal(w, "leaves", func(*struct{ HP []hp }) { leave() }) },
		"pointers": func() error {
			return systemRefusal(w, "leaves", func(*struct{ HP []hp }) {
				next, end := pulled(q.All())
				next()
				stop = end
			})
		},
		"condition": func() error {
			return systemRefusal(w, "leaves", func(*struct{}) {}, ecs.When(func() bool { leave(); return false }))
		},
	} {
		ok(0, add())
		ran := false
		ecs.System(w, "next", func(*struct{}) { ran = true })
		panics(t, `system "leaves" has returned while `, func() { w.Run(t.Context()) })
		if err := w.Run(t.Context()); !errors.Is(err, ecs.ErrAbandoned) || ran {
			t.Errorf("%s: %v, the next one ran: %v", what, err, ran)
		}
		panics(t, "If iter.Pull began it: call the stop function that it returned", func() { w.Run(t.Context()) })
		stop()
		ok(0, errors.Join(w.RemoveSystem("leaves"), w.RemoveSystem("next"), w.Run(t.Context())))
	}
}

// Close of a world with an iteration that was pulled and not stopped is an error that says which call
// ends it. Nothing is closed then. Within a loop it is a panic, as ever.
func TestCloseWithPulledIteration(t *testing.T) {
	w := ecs.New(ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{7}))
	q, s := ecs.QueryOf[struct{ HP []hp }](w), ecs.Select(w, ecs.Match{With: []ecs.AnyPool{p}})
	for what, pull := range map[string]func() (next func() bool, stop func()){
		"query":     func() (func() bool, func()) { return pulled(q.All()) },
		"selection": func() (func() bool, func()) { return pulled(s.All()) },
		"pool": func() (func() bool, func()) {
			next, stop := iter.Pull2(p.All())
			return func() bool { _, _, ok := next(); return ok }, stop
		},
	} {
		next, stop := pull()
		if !next() {
			t.Fatal("there is nothing to iterate over")
		}
		err := w.Close()
		if err == nil || !strings.Contains(err.Error(), "call the stop function that iter.Pull returned, then Close again") {
			t.Errorf("%s: Close says %v", what, err)
		}
		if v := p.Get(e); !w.Alive(e) || v == nil || v.V != 7 {
			t.Errorf("%s: something was closed", what)
		}
		stop()
	}
	for what, loop := range map[string]func(f func()){
		"query": func(f func()) {
			for range q.All() {
				f()
			}
		},
		"selection": func(f func()) {
			for range s.All() {
				f()
			}
		},
		"pool": func(f func()) {
			for range p.All() {
				f()
			}
		},
	} {
		said := ""
		func() {
			defer func() { said = fmt.Sprint(recover()) }()
			loop(func() { w.Close() })
		}()
		if !strings.Contains(said, "Close while ") {
			t.Errorf("%s: Close within a loop says %q", what, said)
		}
	}
	ok(0, w.Close())
}
