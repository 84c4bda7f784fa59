package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type here struct{ X, Y uint64 }
type there struct{ N uint64 }
type marked struct{}

// hearer is a plain model of changes: who has each component, and with which value.
type hearer struct {
	t     *testing.T
	alive map[ecs.Entity]bool
	here  map[ecs.Entity]here
	there map[ecs.Entity]there
	mark  map[ecs.Entity]bool
	told  int
}

// hearing notes changes of one component. It fails for an entity that comes or goes twice, or has had another value: of
// those in set that is not known.
func hearing[V comparable](t *testing.T, has map[ecs.Entity]V, set map[ecs.Entity]bool, in ecs.Arrived[V], out ecs.Left[V]) (n int) {
	for es, vs := range out.All() {
		for i, e := range es {
			if v, is := has[e]; !is || v != vs[i] && !set[e] {
				t.Errorf("%v has lost %v, had %v: %v", e, vs[i], v, is)
			}
			delete(has, e)
			n++
		}
	}
	for es, vs := range in.All() {
		for i, e := range es {
			if v, is := has[e]; is {
				t.Errorf("%v has got %v, and had %v", e, vs[i], v)
			}
			has[e] = vs[i]
			n++
		}
	}
	return n
}

// overwritten are entities that were set. The index has their old values, unless they have lost the component, and may
// have been set since they got it again.
func overwritten(t *testing.T, index map[ecs.Entity]here, out ecs.Left[here], old ecs.Left[ecs.Set[here]]) (set map[ecs.Entity]bool) {
	left := make(map[ecs.Entity]bool)
	for es := range out.All() {
		for _, e := range es {
			left[e] = true
		}
	}
	set = make(map[ecs.Entity]bool)
	for es, vs := range old.All() {
		for i, e := range es {
			if v, is := index[e]; is && v != vs[i].Value && !left[e] || set[e] {
				t.Errorf("%v is said to have had %v, and had %v; twice: %v", e, vs[i], v, set[e])
			}
			set[e] = true
		}
	}
	return set
}

// observed makes an observer of each component, and of entities.
func observed(t *testing.T, w *ecs.World) *hearer {
	x := &hearer{t, map[ecs.Entity]bool{}, map[ecs.Entity]here{}, map[ecs.Entity]there{}, map[ecs.Entity]bool{}, 0}
	ecs.Observe(w, "o.here", func(c *struct {
		In  ecs.Arrived[here]
		Out ecs.Left[here]
	}) {
		x.told += hearing(t, x.here, nil, c.In, c.Out)
	})
	ecs.Observe(w, "o.there", func(c *struct {
		In  ecs.Arrived[there]
		Out ecs.Left[there]
	}) {
		x.told += hearing(t, x.there, nil, c.In, c.Out)
	})
	ecs.Observe(w, "o.mark", func(c *struct {
		In  ecs.Arrived[marked]
		Out ecs.Left[marked]
	}) {
		for es, vs := range c.Out.All() {
			if len(vs) != len(es) || !x.mark[es[0]] {
				t.Errorf("%v lost tags %v", es, vs)
			}
			for _, e := range es {
				delete(x.mark, e)
			}
		}
		for es, vs := range c.In.All() {
			if len(vs) != len(es) || x.mark[es[0]] {
				t.Errorf("%v got tags %v", es, vs)
			}
			for _, e := range es {
				x.mark[e] = true
			}
		}
	})
	ecs.Observe(w, "o.life", func(c *struct {
		In   ecs.Arrived[ecs.Entity]
		Out  ecs.Left[ecs.Entity]
		Here ecs.Look[here]
	}) {
		for es := range c.Out.All() {
			for _, e := range es {
				if v, has := x.here[e]; !x.alive[e] || !w.Alive(e) || has && *c.Here.Get(e) != v {
					t.Errorf("%v is destroyed, and its components can't be read any more", e)
				}
				delete(x.alive, e)
			}
		}
		for es := range c.In.All() {
			for _, e := range es {
				if x.alive[e] || !w.Alive(e) {
					t.Errorf("%v is spawned twice", e)
				}
				x.alive[e] = true
			}
		}
	})
	return x
}

// compare compares the model with the world.
func (x *hearer) compare(w *ecs.World, h *ecs.Pool[here], n *ecs.Pool[there], m *ecs.Pool[marked]) {
	x.t.Helper()
	if len(x.here) != h.Len() || len(x.there) != n.Len() || len(x.mark) != m.Len() || len(x.alive) != w.Len() {
		x.t.Fatalf("observers know of %d, %d, %d, %d, and there are %d, %d, %d, %d", len(x.here), len(x.there), len(x.mark), len(x.alive), h.Len(), n.Len(), m.Len(), w.Len())
	}
	for e := range x.here {
		if !h.Has(e) {
			x.t.Fatalf("%v lacks a component that observers know of", e)
		}
	}
	for e := range x.alive {
		if !w.Alive(e) {
			x.t.Fatalf("%v is not alive", e)
		}
	}
}

// hereThere is values to spawn from.
type hereThere struct {
	here
	there
}

// Observers, and a system with the same fields, know of each change whatever makes it: calls, lists, queries,
// predicates, exchanges, commands; in each way of storing, and with a group.
func TestObserversModel(t *testing.T) {
	for seed := range uint64(9) {
		w := world(t, ecs.Options{})
		way := [][]ecs.Storage{nil, {ecs.Volatile}, {ecs.Thin}}[seed%3]
		h, n, m := ecs.Register[here](w, "here"), ecs.Register[there](w, "there", way...), ecs.Register[marked](w, "marked")
		if seed >= 6 {
			ecs.GroupMade[struct{ here }](w, "group")
		}
		spawner, tagged := ecs.SpawnerOf[hereThere](w), ecs.SpawnerOf[struct{ marked }](w)
		exchange := ecs.ExchangeOf[struct {
			there
			_ ecs.Without[here]
		}](w)
		hs := ecs.QueryOf[struct{ H []here }](w)
		ns := ecs.QueryOf[struct{ N []there }](w)
		x := observed(t, w)
		alone := seed%2 == 1
		if alone {
			ecs.GroupMade[lone](w, "lone")
		} else {
			ecs.GroupMade[couple](w, "pair")
		}
		y := observedStates(t, w, x, h, n, m, alone)
		index := map[ecs.Entity]here{}
		ecs.System(w, "index", func(c *struct {
			In  ecs.Arrived[here]
			Out ecs.Left[here]
			Old ecs.Left[ecs.Set[here]]
			New ecs.Arrived[ecs.Set[here]]
		}) {
			set := overwritten(t, index, c.Out, c.Old)
			if c.In.Len()+c.Out.Len() < hearing(t, index, set, c.In, c.Out) {
				t.Error("Len is too small")
			}
			for es, vs := range c.New.All() {
				for i, e := range es {
					index[e] = vs[i].Value
				}
			}
			for e := range set {
				if _, is := index[e]; is != h.Has(e) {
					t.Errorf("%v was set, is in the index: %v", e, is)
				}
			}
		})
		r := rand.New(rand.NewPCG(seed, 5))
		var es []ecs.Entity
		pick := func() ecs.Entity { return es[r.IntN(len(es))] }
		some := func() (list ecs.Handles) {
			from := r.IntN(len(es))
			list = append(list, es[from:min(len(es), from+r.IntN(60))]...)
			return append(list, pick(), pick())
		}
		var change func(do *ecs.Commands)
		ecs.System(w, "ask", func(c *struct{ Do *ecs.Commands }) {
			for range 20 {
				change(c.Do)
			}
		})
		v := uint64(0)
		change = func(do *ecs.Commands) {
			v++
			switch k := r.IntN(24); {
			case len(es) < 5 || k < 2:
				dst := make([]ecs.Entity, 1+r.IntN(50))
				if do != nil {
					dst[0] = spawner.Later(do).Spawn(hereThere{here{v, v}, there{v}})
					dst = append(dst[:1], do.Spawn())
				} else if k == 0 {
					dst = append(dst[:0], ok(w.Spawn()), ok(tagged.Spawn(struct{ marked }{})), ok(spawner.Spawn(hereThere{here{v, v}, there{v}})))
				} else {
					ok(0, spawner.SpawnN(dst, []hereThere{{here{v, 1}, there{v}}}))
				}
				es = append(es, dst...)
			case do != nil && k < 5:
				h.Later(do).Add(pick(), here{v, 2})
			case do != nil && k < 8:
				n.Later(do).Remove(pick())
			case do != nil && k < 10:
				do.Destroy(pick())
			case do != nil && k < 11:
				h.Later(do).Remove(pick())
			case do != nil && k < 14:
				m.Later(do).Put(pick(), marked{})
			case do != nil && k < 16:
				h.Later(do).Put(pick(), here{v, 5})
			case do != nil && k < 17:
				n.Later(do).Set(pick(), there{v})
			case do != nil && k < 19:
				n.Later(do).SetEnabled(pick(), k < 18)
			case do != nil && k < 21:
				do.SetEnabled(pick(), k < 20)
			case do != nil && k < 23:
				h.Later(do).Set(pick(), here{v, 6})
			case do != nil:
				spawner.Later(do).Put(pick(), hereThere{here{v, 7}, there{v}})
			case k >= 18:
				changeState(r, w, k-18, pick, some, spawner, h, n, ns, v)
			case k < 4:
				_ = h.Add(pick(), here{v, 3})
			case k < 6:
				_ = h.Remove(pick())
			case k < 7:
				_, _ = n.Add(pick(), there{v}), m.Remove(pick())
			case k < 8:
				_ = w.Destroy(pick())
			case k < 9:
				ok(h.AddAll(some(), here{v, 4}))
			case k < 10:
				ok(n.RemoveAll(some()))
			case k < 11:
				ok(w.DestroyAll(some()))
			case k < 12:
				ok(n.AddAll(hs, there{v}))
			case k < 13 && r.IntN(4) == 0:
				ok(h.RemoveAll(hs))
			case k < 14:
				ok(n.RemoveAll(ns))
			case k < 15:
				ok(hs.DestroyWhere(func(_ *struct{ H []here }, i int) bool { return i%7 == 3 }))
			case k < 16:
				_ = exchange.Do(pick(), struct {
					there
					_ ecs.Without[here]
				}{there: there{v}})
			case k < 17:
				ok(m.AddAll(some(), marked{}))
			case r.IntN(20) == 0:
				w.Reset()
				es = es[:0]
			}
		}
		for range 60 {
			for range r.IntN(20) {
				change(nil)
				x.compare(w, h, n, m)
				y.compare(w, h, n, m, alone)
			}
			ok(0, w.Run(context.Background()))
			x.compare(w, h, n, m)
			y.compare(w, h, n, m, alone)
			ok(0, w.Pause("index"))
			if r.IntN(3) > 0 {
				ok(0, w.Pause("ask"))
				ok(0, w.Resume("index"))
				ok(0, w.Run(context.Background()))
				ok(0, w.Resume("ask"))
				now := make(map[ecs.Entity]here)
				for e, v := range h.All() {
					now[e] = *v
				}
				if !maps.Equal(now, index) {
					t.Fatalf("the system's index has %d, there are %d", len(index), len(now))
				}
			}
		}
		if x.told < 1000 || y.told[0] < 300 || y.told[1] < 1000 {
			t.Errorf("observers were told of %d, %d, %d entities only", x.told, y.told[0], y.told[1])
		}
	}
}

// Observers are called in the order of registration, and in reverse for things that go. Entities that are
// destroyed come first. Commands of observers, and their effects, come before anything else.
func TestObserversOrder(t *testing.T) {
	w := world(t, ecs.Options{})
	h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
	var log []string
	for _, name := range []string{"a", "b"} {
		ecs.Observe(w, name, func(c *struct {
			In  ecs.Arrived[here]
			Out ecs.Left[here]
			End ecs.Left[ecs.Entity]
			N   ecs.Look[there]
			L   ecs.Later[there]
		}) {
			for es := range c.In.All() {
				log = append(log, fmt.Sprint(name, "+", es[0].Index(), len(es)))
				c.L.Put(es[0], there{1})
			}
			for es, vs := range c.Out.All() {
				log = append(log, fmt.Sprint(name, "-", es[0].Index(), vs[0].X, c.N.Has(es[0])))
			}
			for es := range c.End.All() {
				log = append(log, fmt.Sprint(name, "!", es[0].Index(), h.Has(es[0])))
			}
		})
	}
	ecs.Observe(w, "n", func(c *struct{ In ecs.Arrived[there] }) {
		for es := range c.In.All() {
			log = append(log, fmt.Sprint("n", es[0].Index()))
		}
	})
	e, f := ok(w.Spawn()), ok(w.Spawn())
	do := w.Commands()
	h.Later(do).Add(e, here{X: 5})
	h.Later(do).Add(f, here{X: 6})
	ok(0, w.SafePoint())
	ok(0, h.Remove(e))
	ok(w.DestroyAll(ecs.Handles{f, e, f}))
	want := "a+1 1 b+1 1 n1 a+2 1 b+2 1 n2 b-1 5 true a-1 5 true b!2 true a!2 true b-2 6 true a-2 6 true"
	if s := strings.Join(log, " "); s != want {
		t.Errorf("\n%s\n%s", s, want)
	}
	ok(0, w.RemoveSystem("a"))
	log = nil
	g := ok(w.Spawn())
	ok(0, h.Add(g, here{}))
	if len(log) != 2 || !n.Has(g) {
		t.Errorf("%v", log)
	}
}

// Observers that answer each other without end are stopped and reported. A refused removal is not told.
func TestObserversEnd(t *testing.T) {
	w := world(t, ecs.Options{})
	h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
	calls := 0
	ecs.Observe(w, "ping", func(c *struct {
		In ecs.Arrived[here]
		H  ecs.Later[here]
		N  ecs.Later[there]
	}) {
		for es := range c.In.All() {
			calls++
			c.H.Remove(es[0])
			c.N.Add(es[0], there{})
			c.N.Add(es[0], there{}) // overtaken
		}
	})
	ecs.Observe(w, "pong", func(c *struct {
		In ecs.Arrived[there]
		H  ecs.Later[here]
		N  ecs.Later[there]
	}) {
		for es := range c.In.All() {
			c.N.Remove(es[0])
			c.H.Add(es[0], here{})
		}
	})
	e := ok(w.Spawn())
	ok(0, h.Add(e, here{}))
	if err := w.Run(context.Background()); !errors.Is(err, ecs.ErrDropped) || !strings.Contains(err.Error(), "answer each other") || calls < 5 || calls > 20 {
		t.Errorf("%d calls, %v", calls, err)
	}
	ok(0, w.Run(context.Background()))
	if d := ecs.DropsIn(w.Stats()); len(d) == 0 || d[0].System != "ping" && d[0].System != "pong" {
		t.Errorf("%+v", d)
	}
	ok(0, w.RemoveSystem("ping"))
	ok(0, w.RemoveSystem("pong"))
	_ = n
	h.Later(w.Commands()).Put(e, here{})
	ok(0, w.SafePoint())
	lock := w.NewLock("lock", h)
	ok(0, lock.Hold(e, "me"))
	told := 0
	ecs.Observe(w, "out", func(c *struct {
		Out  ecs.Left[here]
		Dead ecs.Left[ecs.Entity]
	}) {
		told++
	})
	if err := h.Remove(e); !errors.Is(err, ecs.ErrLocked) || told > 0 {
		t.Error(err, told)
	}
	if n, err := h.RemoveAll(ecs.Handles{e}); n > 0 || !errors.Is(err, ecs.ErrLocked) || told > 0 {
		t.Error(n, err, told)
	}
}

// Within an observer nothing changes but by its own commands. Commands before one that has panicked are not made again.
func TestObserversPanic(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	var f func()
	ecs.Observe(w, "bad", func(c *struct{ In ecs.Arrived[here] }) { f() })
	e := []ecs.Entity{ok(w.Spawn()), ok(w.Spawn()), ok(w.Spawn())}
	f = func() { panics(t, `Remove within observer "bad"`, func() { _ = h.Remove(e[0]) }) }
	ok(0, h.Add(e[0], here{}))
	f = func() { panics(t, "within observer", func() { w.Commands().Destroy(e[0]) }) }
	ok(0, h.Add(e[1], here{}))
	ok(0, h.Remove(e[1]))
	n := 0
	f = func() {
		if n++; n == 1 {
			panic("oh")
		}
	}
	do := w.Commands()
	h.Later(do).Add(e[1], here{})
	h.Later(do).Add(e[2], here{})
	panics(t, "oh", func() { ok(0, w.SafePoint()) })
	ok(0, w.SafePoint())
	if s := w.Stats(); n != 2 || s.Dropped > 0 || !h.Has(e[2]) || s.Waiting > 0 {
		t.Errorf("%d calls, %d dropped", n, s.Dropped)
	}
	ecs.Observe(w, "rows", func(c *struct {
		H  []here
		In ecs.Arrived[here]
	}) {
	})
	ecs.Observe(w, "none", func(c *struct{ Do *ecs.Commands }) {})
	ecs.Observe(w, "bad", func(c *struct{ In ecs.Arrived[here] }) {})
	ecs.QueryMade[struct {
		H  []here
		In ecs.Arrived[here]
	}](w)
	err := fmt.Sprint(w.Err())
	for _, want := range []string{"asks for rows", "no field of type ecs.Arrived", "name is taken", "this is a query"} {
		if !strings.Contains(err, want) {
			t.Errorf("%s, want %s", err, want)
		}
	}
}

// Commands of Parallel systems are told in one order, for any number of workers.
func TestObserversOfPieces(t *testing.T) {
	play := func(workers int) (log []string) {
		w := world(t, ecs.Options{Workers: workers})
		ecs.Register[here](w, "here")
		ecs.Register[there](w, "there")
		bodies := ecs.SpawnerOf[struct{ here }](w)
		ok(0, bodies.SpawnN(make([]ecs.Entity, 30_000), []struct{ here }{{}}))
		ecs.Observe(w, "all", func(c *struct {
			In   ecs.Arrived[here]
			Out  ecs.Left[here]
			N    ecs.Arrived[there]
			Born ecs.Arrived[ecs.Entity]
			L    ecs.Later[there]
		}) {
			for es := range c.Out.All() {
				log = append(log, fmt.Sprint("-", es))
			}
			for es := range c.In.All() {
				log = append(log, fmt.Sprint("+", es))
				c.L.Add(es[0], there{1})
			}
			for es := range c.N.All() {
				log = append(log, fmt.Sprint("n", es))
			}
			for es := range c.Born.All() {
				log = append(log, fmt.Sprint("*", es))
			}
		})
		ecs.System(w, "split", func(c *struct {
			E  []ecs.Entity
			_  ecs.With[here]
			Do *ecs.Commands
		}) {
			for _, e := range c.E {
				if e.Index()%1000 == 7 {
					bodies.Later(c.Do).Spawn(struct{ here }{})
					c.Do.Destroy(e)
				}
			}
		}, ecs.Parallel())
		for range 3 {
			ok(0, w.Run(context.Background()))
		}
		return log
	}
	want := play(1)
	if len(want) < 100 {
		t.Errorf("%d changes", len(want))
	}
	for _, workers := range []int{2, 8} {
		if !slices.Equal(play(workers), want) {
			t.Errorf("%d workers: others, or in another order", workers)
		}
	}
}
