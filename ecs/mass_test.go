package ecs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Changes of all that a query matches pass over entities that have the component already, or
// lack it, and say how many they changed.
func TestAllOfAQuery(t *testing.T) {
	for _, how := range []ecs.Storage{ecs.Counted, ecs.Volatile, ecs.Thin} {
		w := world(t, ecs.Options{})
		a, b := ecs.Register[hp](w, "a"), ecs.Register[name16](w, "b", how)
		for i := range 300 {
			e := ok(w.Spawn())
			if i < 200 {
				ok(0, a.Add(e, hp{int32(i)}))
			}
			if i%4 == 0 {
				ok(0, b.Add(e, name16{1}))
			}
		}
		q := ecs.QueryOf[struct{ A []hp }](w)
		for _, x := range []struct {
			what string
			call func() (int, error)
			want int
			of   int // that have b afterwards
		}{
			{"AddAll", func() (int, error) { return b.AddAll(q, name16{2}) }, 150, 225},
			{"AddAll again", func() (int, error) { return b.AddAll(q, name16{3}) }, 0, 225},
			{"SetAll", func() (int, error) { return b.SetAll(q, name16{4}) }, 200, 225},
			{"RemoveAll", func() (int, error) { return b.RemoveAll(q) }, 200, 25},
			{"RemoveAll again", func() (int, error) { return b.RemoveAll(q) }, 0, 25},
			{"SetAll of none", func() (int, error) { return b.SetAll(q, name16{5}) }, 0, 25},
			{"DestroyAll", func() (int, error) { return w.DestroyAll(q) }, 200, 25},
			{"DestroyAll again", func() (int, error) { return w.DestroyAll(q) }, 0, 25},
		} {
			before := b.Len()
			if got, err := x.call(); got != x.want || err != nil || b.Len() != x.of {
				t.Errorf("storage %d, %s: %d %v, want %d; %d have it, want %d", how, x.what, got, err, x.want, b.Len(), x.of)
			}
			values := map[string]map[byte]int{
				"AddAll": {1: 75, 2: 150}, "AddAll again": {1: 75, 2: 150}, "SetAll": {1: 25, 4: 200}, "RemoveAll": {1: 25}, "SetAll of none": {1: 25},
			}[x.what]
			for _, v := range b.All() {
				if values != nil {
					values[v[0]]--
				}
			}
			for v, left := range values {
				if left != 0 {
					t.Errorf("storage %d, %s: %d fewer have %d than should, of %d before", how, x.what, left, v, before)
				}
			}
			ok(0, w.Check())
		}
		if w.Len() != 100 || a.Len() != 0 {
			t.Errorf("%d entities are left, %d have a", w.Len(), a.Len())
		}
	}
}

// A change of the entities of a slice passes over dead ones, and is made once
// for each.
func TestAllOfHandles(t *testing.T) {
	w := world(t, ecs.Options{})
	a := ecs.Register[hp](w, "a")
	var es []ecs.Entity
	for range 10 {
		es = append(es, ok(w.Spawn()))
	}
	ok(0, a.Add(es[0], hp{1}))
	ok(0, w.Destroy(es[9]))
	some := ecs.Handles{es[0], es[1], es[1], es[2], es[9], 0}
	for _, x := range []struct {
		what string
		call func() (int, error)
		want int
	}{
		{"AddAll", func() (int, error) { return a.AddAll(some, hp{2}) }, 2},
		{"AddAll again", func() (int, error) { return a.AddAll(some, hp{2}) }, 0},
		{"SetAll", func() (int, error) { return a.SetAll(some[:2], hp{3}) }, 2},
		{"SetAll of one that stands twice", func() (int, error) { return a.SetAll(some, hp{3}) }, 3},
		{"SetAll again", func() (int, error) { return a.SetAll(some, hp{3}) }, 3},
		{"SetAll where it lacks", func() (int, error) { return a.SetAll(ecs.Handles(es[3:]), hp{3}) }, 0},
		{"RemoveAll", func() (int, error) { return a.RemoveAll(some) }, 3},
		{"DestroyAll", func() (int, error) { return w.DestroyAll(some) }, 3},
		{"none", func() (int, error) { return w.DestroyAll(ecs.Handles(nil)) }, 0},
	} {
		if got, err := x.call(); got != x.want || err != nil {
			t.Errorf("%s: %d %v, want %d", x.what, got, err, x.want)
		}
		if x.what == "SetAll" && (a.Get(es[0]).V != 3 || a.Get(es[1]).V != 3 || a.Get(es[2]).V != 2) {
			t.Errorf("values are %d, %d and %d", a.Get(es[0]).V, a.Get(es[1]).V, a.Get(es[2]).V)
		}
		ok(0, w.Check())
	}
}

// E8: A change of all may add a component that the query excludes, or remove one that it requires: entities that
// matched when their turn came are changed, each once.
func TestAllThatMatchNoMore(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[hp](w, "a"), ecs.Register[frozen](w, "b")
	for i := range 1000 {
		e := ok(w.Spawn())
		ok(0, a.Add(e, hp{int32(i)}))
		if i%10 == 0 {
			ok(0, b.Add(e, frozen{}))
		}
	}
	without := ecs.QueryOf[struct {
		A []hp
		_ ecs.Without[frozen]
	}](w)
	if n := ok(b.AddAll(without, frozen{})); n != 900 || b.Len() != 1000 || without.Len() != 0 {
		t.Errorf("%d added, %d have it, %d match", n, b.Len(), without.Len())
	}
	with := ecs.QueryOf[struct {
		A []hp
		_ ecs.With[frozen]
	}](w)
	if n := ok(b.RemoveAll(with)); n != 1000 || b.Len() != 0 || with.Len() != 0 {
		t.Errorf("%d removed, %d have it, %d match", n, b.Len(), with.Len())
	}
}

// Changes of all are refused while something iterates, of another world, of a closed one, and
// of a thing that was never made.
func TestAllMisused(t *testing.T) {
	w, v := world(t, ecs.Options{}), world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	ecs.Register[hp](v, "hp")
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{1}))
	q, foreign := ecs.QueryOf[struct{ A []hp }](w), ecs.QueryOf[struct{ A []hp }](v)
	sel := ecs.Select(v, ecs.Match{With: []ecs.AnyPool{v.Pool("hp")}})
	calls := map[string]func(q ecs.AnyQuery) (int, error){
		"AddAll":     func(q ecs.AnyQuery) (int, error) { return p.AddAll(q, hp{2}) },
		"RemoveAll":  func(q ecs.AnyQuery) (int, error) { return p.RemoveAll(q) },
		"SetAll":     func(q ecs.AnyQuery) (int, error) { return p.SetAll(q, hp{2}) },
		"DestroyAll": func(q ecs.AnyQuery) (int, error) { return w.DestroyAll(q) },
	}
	inSystem := map[string]any{}
	var now string
	ecs.System(w, "inside", func(*struct{ A []hp }) {
		defer func() { inSystem[now] = recover() }()
		calls[now](q)
	})
	for now = range calls {
		call, name := calls[now], now
		panics(t, name+" while a query of", func() {
			for range q.All() {
				call(q)
			}
		})
		panics(t, name+" while a query of", func() {
			for range q.All() {
				call(ecs.Handles{e})
			}
		})
		ok(0, w.Run(t.Context()))
		if want := fmt.Sprintf("ecs: %s while inside iterates, whose rows would move under it: call it when the loop has ended, or in a system whose struct asks for no rows", name); !strings.HasPrefix(fmt.Sprint(inSystem[now]), want) {
			t.Errorf("in a system: %v, want %s", inSystem[now], want)
		}
		panics(t, name+" is given a query of another world", func() { call(foreign) })
		panics(t, name+" is given a query of another world", func() { call(sel) })
		panics(t, name+" of a Query that is nil", func() { call(nil) })
		panics(t, name+" of a Query that is nil", func() { call(new(ecs.Query[hp])) })
	}
	if *p.Get(e) != (hp{1}) {
		t.Errorf("the value is %v", *p.Get(e))
	}
	ran := 0
	ok(0, w.RemoveSystem("inside"))
	ecs.System(w, "once", func(*struct{}) { ran = ok(p.SetAll(q, hp{3})) })
	if ok(0, w.Run(t.Context())); ran != 1 || p.Get(e).V != 3 {
		t.Errorf("a system without rows set %d, and the value is %v", ran, *p.Get(e))
	}
	c := ecs.New(ecs.Options{})
	cp := ecs.Register[hp](c, "hp")
	cq := ecs.QueryOf[struct{ A []hp }](c)
	ok(0, c.Close())
	for name, call := range map[string]func() (int, error){
		"AddAll": func() (int, error) { return cp.AddAll(cq, hp{}) }, "RemoveAll": func() (int, error) { return cp.RemoveAll(cq) },
		"SetAll": func() (int, error) { return cp.SetAll(cq, hp{}) }, "DestroyAll": func() (int, error) { return c.DestroyAll(cq) },
		"AddAll of Handles": func() (int, error) { return cp.AddAll(ecs.Handles{1}, hp{}) },
	} {
		if _, err := call(); !errors.Is(err, ecs.ErrClosed) {
			t.Errorf("%s of a closed world: %v", name, err)
		}
	}
}

// All rows of a table keep their order when they move; so do rows that are set and removed after.
func TestAllKeepOrder(t *testing.T) {
	w := world(t, ecs.Options{})
	p, f := ecs.Register[hp](w, "hp"), ecs.Register[name16](w, "name")
	var es []ecs.Entity
	for i := range 20_000 {
		e := ok(w.Spawn())
		ok(0, p.Add(e, hp{int32(i)}))
		es = append(es, e)
	}
	q := ecs.QueryOf[struct{ A []hp }](w)
	if n := ok(f.AddAll(q, name16{9})); n != len(es) || !slices.Equal(keysOf(f.All()), es) {
		t.Errorf("%d added, in another order", n)
	}
	if n := ok(f.RemoveAll(q)); n != len(es) || !slices.Equal(keysOf(p.All()), es) {
		t.Errorf("%d removed, in another order", n)
	}
}

// Locked entities keep their components: RemoveAll passes over them, says so, and
// goes on with the others; DestroyAll leaves them.
func TestAllThatAreLocked(t *testing.T) {
	for _, how := range []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin} {
		w := world(t, ecs.Options{})
		a, b := ecs.Register[hp](w, "a"), ecs.Register[name16](w, "b", how)
		other := ecs.Register[frozen](w, "other")
		var es []ecs.Entity
		for i := range 200 {
			e := ok(w.Spawn())
			ok(0, a.Add(e, hp{int32(i)}))
			ok(0, b.Add(e, name16{1}))
			if i >= 100 { // another table
				ok(0, other.Add(e, frozen{}))
			}
			es = append(es, e)
		}
		q, lock := ecs.QueryOf[struct{ A []hp }](w), w.NewLock("keep", b)
		ok(0, lock.Hold(es[50], "test"))
		n, err := b.RemoveAll(q)
		if n != 199 || !errors.Is(err, ecs.ErrLocked) || b.Len() != 1 || !b.Has(es[50]) {
			t.Errorf("storage %d: %d removed, %v, %d have it", how, n, err, b.Len())
		}
		if n, err := w.DestroyAll(q); n != 199 || err != nil || !w.Alive(es[50]) || !a.Has(es[50]) {
			t.Errorf("storage %d: %d destroyed, %v", how, n, err)
		}
		ok(0, lock.Release(es[50], "test"))
		if n, err := b.RemoveAll(q); n != 1 || err != nil {
			t.Errorf("storage %d: %d removed, %v", how, n, err)
		}
		ok(0, w.Check())
	}
}

// Removes by a query count as single ones do: a component that comes and goes becomes
// volatile, and stays so while it does.
func TestAllCountAsRemoves(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[hp](w, "a"), ecs.Register[name16](w, "b")
	for range 500 {
		ok(0, a.Add(ok(w.Spawn()), hp{}))
	}
	q := ecs.QueryOf[struct{ A []hp }](w)
	ecs.System(w, "read", func(*struct{ B []name16 }) {})
	volatile := 0
	for frame := range 300 {
		ok(b.AddAll(q, name16{}))
		ok(0, w.Run(t.Context()))
		ok(b.RemoveAll(q))
		removed, _ := ecs.Removed(w, "b")
		for _, s := range w.Stats().Components {
			switch {
			case s.Name != "b":
			case frame > 50 && (s.Storage != ecs.Volatile || removed < 100):
				t.Fatalf("frame %d: it is %v: %s, %v are removed a frame", frame, s.Storage, s.Reason, removed)
			case s.Storage == ecs.Volatile:
				volatile++
			}
		}
	}
	if volatile < 250 {
		t.Errorf("volatile in %d frames", volatile)
	}
}
