package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// couple is a group that stays among the commons unless another one shares its components, and lone one with conditions.
type couple struct {
	here
	there
}
type lone struct {
	here
	_ ecs.With[there]
	_ ecs.Without[marked]
}

// states is a plain model of states: who has components disabled, is disabled, and is a member.
type states struct {
	t        *testing.T
	disabled map[ecs.Entity]there
	asleep   map[ecs.Entity]ecs.Entity
	pairs    map[ecs.Entity]couple
	lones    map[ecs.Entity]here
	told     [2]int // of sets, and of the others
}

// turned notes who comes under a state and who leaves it. The values of both must be the present ones.
func turned[V, M comparable](x *states, what string, has map[ecs.Entity]M, in ecs.Arrived[V], out ecs.Left[V], of func(V) M, now func(e ecs.Entity) (v M, is bool)) {
	x.told[1] += in.Len() + out.Len()
	for es, vs := range out.All() {
		for i, e := range es {
			v, is := has[e]
			delete(has, e)
			if !is || of(vs[i]) != v {
				x.t.Errorf("%s: %v leaves with %v, had %v: %v", what, e, vs[i], v, is)
			}
		}
	}
	for es, vs := range in.All() {
		for i, e := range es {
			_, is := has[e]
			has[e] = of(vs[i])
			if v, there := now(e); is || !there || v != of(vs[i]) {
				x.t.Errorf("%s: %v arrives with %v, and had arrived: %v; it has %v: %v", what, e, vs[i], is, v, there)
			}
		}
	}
}

// observedStates makes an observer of each state. It keeps values that the hearer and the states know up to date.
func observedStates(t *testing.T, w *ecs.World, x *hearer, h *ecs.Pool[here], n *ecs.Pool[there], m *ecs.Pool[marked], alone bool) *states {
	s := &states{t: t, disabled: map[ecs.Entity]there{}, asleep: map[ecs.Entity]ecs.Entity{}, pairs: map[ecs.Entity]couple{}, lones: map[ecs.Entity]here{}}
	ecs.Observe(w, "s.set", func(c *struct {
		Old  ecs.Left[ecs.Set[here]]
		New  ecs.Arrived[ecs.Set[here]]
		OldN ecs.Left[ecs.Set[there]]
		NewN ecs.Arrived[ecs.Set[there]]
	}) {
		for es, vs := range c.Old.All() {
			for i, e := range es {
				if x.here[e] != vs[i].Value {
					t.Errorf("%v is said to have had %v, and had %v", e, vs[i], x.here[e])
				}
			}
		}
		for es, vs := range c.New.All() {
			s.told[0] += len(es)
			for i, e := range es {
				p, member := s.pairs[e]
				if x.here[e] = vs[i].Value; member {
					s.pairs[e] = couple{vs[i].Value, p.there}
				}
				if _, member := s.lones[e]; member {
					s.lones[e] = vs[i].Value
				}
			}
		}
		for es, vs := range c.OldN.All() {
			for i, e := range es {
				if x.there[e] != vs[i].Value {
					t.Errorf("%v is said to have had %v, and had %v", e, vs[i], x.there[e])
				}
			}
		}
		for es, vs := range c.NewN.All() {
			s.told[0] += len(es)
			for i, e := range es {
				p, member := s.pairs[e]
				if x.there[e] = vs[i].Value; member {
					s.pairs[e] = couple{p.here, vs[i].Value}
				}
				if _, is := s.disabled[e]; is {
					s.disabled[e] = vs[i].Value
				}
			}
		}
	})
	ecs.Observe(w, "s.disabled", func(c *struct {
		Off ecs.Arrived[ecs.Disabled[there]]
		On  ecs.Left[ecs.Disabled[there]]
	}) {
		turned(s, "disabled", s.disabled, c.Off, c.On, func(v ecs.Disabled[there]) there { return v.Value }, func(e ecs.Entity) (v there, is bool) {
			if is = n.Has(e) && !n.Enabled(e); is {
				v = *n.Get(e)
			}
			return v, is
		})
	})
	ecs.Observe(w, "s.asleep", func(c *struct {
		Off ecs.Arrived[ecs.Disabled[ecs.Entity]]
		On  ecs.Left[ecs.Disabled[ecs.Entity]]
	}) {
		turned(s, "asleep", s.asleep, c.Off, c.On, func(v ecs.Disabled[ecs.Entity]) ecs.Entity { return v.Value }, func(e ecs.Entity) (ecs.Entity, bool) { return e, !w.Enabled(e) })
	})
	if !alone {
		ecs.Observe(w, "s.pairs", func(c *struct {
			In  ecs.Arrived[couple]
			Out ecs.Left[couple]
		}) {
			turned(s, "pairs", s.pairs, c.In, c.Out, func(v couple) couple { return v }, func(e ecs.Entity) (v couple, is bool) {
				if is = h.Has(e) && n.Has(e); is {
					v = couple{*h.Get(e), *n.Get(e)}
				}
				return v, is
			})
		})
	} else {
		ecs.Observe(w, "s.lones", func(c *struct {
			In  ecs.Arrived[lone]
			Out ecs.Left[lone]
		}) {
			turned(s, "lones", s.lones, c.In, c.Out, func(v lone) here { return v.here }, func(e ecs.Entity) (v here, is bool) {
				if is = h.Has(e) && n.Has(e) && !m.Has(e); is {
					v = *h.Get(e)
				}
				return v, is
			})
		})
	}
	return s
}

// compare compares the model with the world.
func (s *states) compare(w *ecs.World, h *ecs.Pool[here], n *ecs.Pool[there], m *ecs.Pool[marked], alone bool) {
	s.t.Helper()
	var off, asleep, pairs, lones int
	for e := range w.All() {
		if n.Has(e) && !n.Enabled(e) {
			off++
			if v, is := s.disabled[e]; !is || v != *n.Get(e) {
				s.t.Fatalf("%v is disabled with %v, known %v: %v", e, *n.Get(e), v, is)
			}
		}
		if !w.Enabled(e) {
			asleep++
		}
		if h.Has(e) && n.Has(e) {
			if v := (couple{*h.Get(e), *n.Get(e)}); !alone {
				pairs++
				if s.pairs[e] != v {
					s.t.Fatalf("%v is the pair %v, known %v", e, v, s.pairs[e])
				}
			} else if !m.Has(e) {
				lones++
			}
		}
	}
	if off != len(s.disabled) || asleep != len(s.asleep) || pairs != len(s.pairs) || lones != len(s.lones) {
		s.t.Fatalf("observers know of %d, %d, %d, %d, and there are %d, %d, %d, %d", len(s.disabled), len(s.asleep), len(s.pairs), len(s.lones), off, asleep, pairs, lones)
	}
}

// changeState makes one of six changes of values and states.
func changeState(r *rand.Rand, w *ecs.World, k int, pick func() ecs.Entity, some func() ecs.Handles, spawner *ecs.Spawner[hereThere], h *ecs.Pool[here], n *ecs.Pool[there], ns *ecs.Query[struct{ N []there }], v uint64) {
	switch k {
	case 0:
		_, _ = h.Set(pick(), here{v, 5}), n.Put(pick(), there{v})
	case 1:
		ok(n.SetAll(ns, there{v}))
		ok(h.SetAll(some(), here{v, v}))
	case 2:
		_ = spawner.Put(pick(), hereThere{here{v, 6}, there{v}})
	case 3:
		_ = n.SetEnabled(pick(), r.IntN(2) == 0)
		es, on := some(), r.IntN(2) == 0
		for _, e := range es {
			_ = n.SetEnabled(e, on)
		}
	case 4:
		_ = w.SetEnabled(pick(), r.IntN(2) == 0)
		es, on := some(), r.IntN(2) == 0
		for _, e := range es {
			_ = w.SetEnabled(e, on)
		}
	case 5:
		for range ns.All() {
			_ = h.Set(pick(), here{v, 8})
			break
		}
		ok(0, w.SafePoint())
	}
}

// Values that are set while something iterates are told at the next safe point. A group that ends is left by all.
func TestObserversOfStates(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	ecs.Register[there](w, "there")
	pairs := ecs.GroupOf[couple](w, "pair")
	var log []string
	note := func(s string, a ...any) { log = append(log, fmt.Sprintf(s, a...)) }
	ecs.Observe(w, "o", func(c *struct {
		Old ecs.Left[ecs.Set[here]]
		New ecs.Arrived[ecs.Set[here]]
		In  ecs.Arrived[couple]
		Out ecs.Left[couple] `ashlar:"pair"`
		Off ecs.Arrived[ecs.Disabled[here]]
		On  ecs.Left[ecs.Disabled[here]]
	}) {
		for es, vs := range c.Old.All() {
			note("old %d %d", len(es), vs[0].Value.X)
		}
		if c.New.Len() > 0 {
			for es, vs := range c.New.All() {
				note("new %d %d", len(es), vs[0].Value.X)
			}
			note("%d", c.New.Len())
		}
		for es, vs := range c.In.All() {
			note("in %d %d", len(es), vs[0].N)
		}
		for es, vs := range c.Out.All() {
			note("out %d %d", len(es), vs[0].X)
		}
		for es, vs := range c.Off.All() {
			note("off %d %d", len(es), vs[0].Value.X)
		}
		for es, vs := range c.On.All() {
			note("on %d %d", len(es), vs[0].Value.X)
		}
	})
	expect := func(want string) {
		t.Helper()
		if s := strings.Join(log, ", "); s != want {
			t.Errorf("%q, want %q", s, want)
		}
		log = nil
	}
	es := make([]ecs.Entity, 20)
	ok(0, pairs.SpawnN(es, []couple{{here{X: 1}, there{2}}}))
	expect("in 20 2")
	ok(0, h.Set(es[3], here{X: 5}))
	expect("old 1 1, new 1 5, 1")
	ok(0, h.Put(es[3], here{X: 6}))
	expect("old 1 5, new 1 6, 1")
	q := ecs.QueryOf[struct{ H []here }](w)
	ok(h.SetAll(q, here{X: 7}))
	expect("old 20 1, new 20 7, 20")
	ok(h.SetAll(ecs.Handles(es), here{X: 7}))
	expect("old 20 7, new 20 7, 20")
	for range q.All() {
		ok(0, h.Set(es[0], here{X: 8}))
		ok(0, h.Set(es[1], here{X: 9}))
	}
	expect("")
	ok(0, w.SafePoint())
	expect("old 2 7, new 2 8, 2")
	for range q.All() {
		ok(0, h.Set(es[2], here{X: 8}))
	}
	ok(0, w.Destroy(es[2]))
	expect("old 1 7, new 1 8, 1, out 1 8")
	for range q.All() {
		ok(0, h.Set(es[4], here{X: 8}))
	}
	ok(0, h.Remove(es[4]))
	expect("old 1 7, out 1 8")
	for _, of := range []string{"off", "on"} {
		for _, e := range es {
			_ = h.SetEnabled(e, of == "on") // es[2] is dead, and es[4] lacks it
		}
		expect(of + " 1 8, " + of + " 1 9" + strings.Repeat(", "+of+" 1 7", 16))
	}
	ok(0, h.SetEnabled(es[5], false))
	ok(0, h.SetEnabled(es[5], false))
	ok(0, w.Destroy(es[5]))
	expect("off 1 7, out 1 7, on 1 7")
	ok(0, pairs.Dissolve())
	expect("out 17 8")
	ok(0, h.Remove(es[0]))
	expect("")
	ok(0, w.RemoveSystem("o"))
	ok(0, h.Set(es[1], here{}))
	expect("")
	// An observer sets the same component of another entity: that is told at the next safe point.
	ecs.Observe(w, "chain", func(c *struct {
		Old ecs.Left[ecs.Set[here]]
		New ecs.Arrived[ecs.Set[here]]
	}) {
		for es, vs := range c.Old.All() {
			note("%d was %d", es[0].Index(), vs[0].Value.X)
		}
		for list, vs := range c.New.All() {
			note("%d is %d", list[0].Index(), vs[0].Value.X)
			if v := vs[0].Value; v.X < 22 {
				ok(0, h.Set(es[v.X-10], here{X: v.X + 1}))
			}
		}
	})
	ok(0, h.Set(es[10], here{X: 20}))
	expect("11 was 7, 11 is 20")
	ok(0, w.SafePoint())
	expect("11 was 20, 11 is 21")
	ok(0, w.SafePoint())
	expect("12 was 7, 12 is 22")
	ok(0, w.SafePoint())
	expect("")
}

// A change of many entities is one call of each subject, also where rows change one by one. Groups come behind the
// components that they ask for, and go before.
func TestObserversOfStatesInBatches(t *testing.T) {
	w := world(t, ecs.Options{})
	h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
	ecs.GroupMade[couple](w, "pair")
	exchange := ecs.ExchangeOf[struct {
		there
		_ ecs.Without[here]
	}](w)
	var log []string
	ecs.Observe(w, "o", func(c *struct {
		In   ecs.Arrived[there]
		Out  ecs.Left[there]
		Lost ecs.Left[here]
		Set  ecs.Arrived[ecs.Set[there]]
		Join ecs.Arrived[couple]
		Part ecs.Left[couple]
		Off  ecs.Arrived[ecs.Disabled[there]]
		On   ecs.Left[ecs.Disabled[there]]
		Born ecs.Arrived[ecs.Entity]
		Dead ecs.Left[ecs.Entity]
	}) {
		for _, x := range []struct {
			name string
			n    int
		}{{"in", c.In.Len()}, {"out", c.Out.Len()}, {"lost", c.Lost.Len()}, {"set", c.Set.Len()}, {"join", c.Join.Len()}, {"part", c.Part.Len()}, {"off", c.Off.Len()}, {"on", c.On.Len()}, {"born", c.Born.Len()}, {"dead", c.Dead.Len()}} {
			if x.n > 0 {
				log = append(log, fmt.Sprint(x.name, x.n))
			}
		}
		for es, vs := range c.Part.All() {
			for i, e := range es {
				if vs[i].X != uint64(e.Index()) {
					t.Errorf("%v leaves with %v", e, vs[i])
				}
			}
		}
		for es, vs := range c.Lost.All() {
			for i, e := range es {
				if vs[i].X != uint64(e.Index()) {
					t.Errorf("%v loses %v", e, vs[i])
				}
			}
		}
	})
	expect := func(want string) {
		t.Helper()
		if s := strings.Join(log, " "); s != want {
			t.Errorf("%q, want %q", s, want)
		}
		log = nil
	}
	es := make(ecs.Handles, 30)
	ok(0, ecs.SpawnerOf[struct{ here }](w).SpawnN(es, []struct{ here }{{}}))
	for _, e := range es {
		*h.Mut(e) = here{X: uint64(e.Index())}
	}
	slices.Reverse(es) // no runs
	expect("born30")
	ok(n.AddAll(es, there{1}))
	expect("in30 join30")
	ok(n.SetAll(es, there{2}))
	expect("set30")
	for _, e := range es {
		ok(0, n.SetEnabled(e, false))
	}
	expect(strings.TrimSpace(strings.Repeat("off1 ", 30)))
	ok(n.RemoveAll(es[:20]))
	expect("part20 on20 out20")
	ok(exchange.All(es, struct {
		there
		_ ecs.Without[here]
	}{}))
	expect("in20 lost20")
	ok(w.DestroyAll(es))
	expect("dead30 part10 on10 lost10 out30")
}

// logMoves logs a change of one call.
func logMoves[T any](log *[]string, in ecs.Arrived[T], out ecs.Left[T]) {
	for es, vs := range in.All() {
		*log = append(*log, fmt.Sprint("+", len(es), vs))
	}
	logLeft(log, out)
}

func logLeft[T any](log *[]string, out ecs.Left[T]) {
	for es, vs := range out.All() {
		*log = append(*log, fmt.Sprint("-", len(es), vs))
	}
}

// One observer alone is told of the changes of single entities, whichever way they take.
func TestObserversOfStatesAlone(t *testing.T) {
	for _, x := range []struct {
		observe func(w *ecs.World, log *[]string)
		want    string
	}{
		{func(w *ecs.World, log *[]string) {
			ecs.Observe(w, "o", func(c *struct {
				In  ecs.Arrived[there]
				Out ecs.Left[there]
			}) {
				logMoves(log, c.In, c.Out)
			})
		}, "+1 [{1}] -1 [{1}] +1 [{2}] -1 [{2}] +1 [{3}] -1 [{3}]"},
		{func(w *ecs.World, log *[]string) {
			ecs.Observe(w, "o", func(c *struct {
				Off ecs.Arrived[ecs.Disabled[there]]
			}) {
				*log = append(*log, "off")
			})
		}, ""},
		{func(w *ecs.World, log *[]string) {
			ecs.Observe(w, "o", func(c *struct {
				In  ecs.Arrived[couple]
				Out ecs.Left[couple]
			}) {
				logMoves(log, c.In, c.Out)
			})
		}, "+1 [{{5 0} {1}}] -1 [{{5 0} {1}}] +1 [{{5 0} {2}}] -1 [{{5 0} {2}}] +1 [{{5 0} {3}}] -1 [{{5 0} {3}}]"},
		{func(w *ecs.World, log *[]string) {
			ecs.Observe(w, "o", func(c *struct {
				In  ecs.Arrived[there]
				Set ecs.Arrived[ecs.Set[here]]
			}) {
				*log = append(*log, fmt.Sprint(c.In.Len(), c.Set.Len()))
			})
		}, "0 1 1 0 0 1 1 0 0 1 1 0"},
	} {
		w := world(t, ecs.Options{})
		h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
		ecs.GroupMade[couple](w, "pair")
		q := ecs.QueryOf[struct{ H []here }](w)
		var log []string
		x.observe(w, &log)
		for i := range uint64(3) {
			e := ok(w.Spawn())
			ok(0, h.Add(e, here{X: 5}))
			for range q.All() {
				ok(0, h.Set(e, here{X: 5}))
			}
			ok(0, n.Add(e, there{i + 1}))
			ok(0, n.Remove(e))
			ok(0, h.Remove(e))
		}
		if s := strings.Join(log, " "); s != x.want {
			t.Errorf("%q, want %q", s, x.want)
		}
	}
}

// An observer of entities that leave, and of nothing else, has the values that they had. Each has another component and is not
// the last one, so rows move when it loses one.
func TestObserverOfLeavesAlone(t *testing.T) {
	for _, x := range []struct {
		observe func(w *ecs.World, log *[]string)
		want    string
	}{
		{func(w *ecs.World, log *[]string) {
			ecs.Observe(w, "gone", func(c *struct{ Out ecs.Left[there] }) { logLeft(log, c.Out) })
		}, "-1 [{1}] -1 [{9}] -1 [{2}] -1 [{3}]"},
		{func(w *ecs.World, log *[]string) {
			ecs.Observe(w, "old", func(c *struct{ Old ecs.Left[ecs.Set[here]] }) { logLeft(log, c.Old) })
		}, "-1 [{{2 0}}] -1 [{{7 0}}]"},
	} {
		w := world(t, ecs.Options{})
		h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
		var log []string
		x.observe(w, &log)
		es := make([]ecs.Entity, 4)
		ok(0, ecs.SpawnerOf[couple](w).SpawnN(es, []couple{{here{X: 1}, there{1}}, {here{X: 2}, there{2}}, {here{X: 3}, there{3}}, {here{X: 4}, there{4}}}))
		ok(0, n.Remove(es[0]))
		ok(0, n.Add(es[0], there{9}))
		ok(0, n.Remove(es[0]))
		ok(0, h.Set(es[1], here{X: 7}))
		ok(0, h.Set(es[1], here{X: 8}))
		ok(0, h.Remove(es[1]))
		ok(0, n.Remove(es[1]))
		ok(0, w.Destroy(es[2]))
		ok(0, w.Destroy(es[0]))
		if s := strings.Join(log, " "); s != x.want {
			t.Errorf("%q, want %q", s, x.want)
		}
		ok(0, w.Check())
	}
}

// A value of a member has zero where the struct has no component of its own.
func TestObserversOfStatesHaveWholeValues(t *testing.T) {
	type loose struct {
		A here
		_ ecs.Maybe[marked]
		B there
	}
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	ecs.Register[there](w, "there")
	ecs.Register[marked](w, "marked")
	group := ecs.GroupOf[loose](w, "loose")
	calls := 0
	ecs.Observe(w, "o", func(c *struct {
		Part ecs.Left[loose]
		Old  ecs.Left[here]
	}) {
		for _, vs := range c.Part.All() {
			for i := range vs {
				calls++
				if v := reflect.ValueOf(vs[i]); vs[i].A.X != 7 || vs[i].B.N != 9 || !v.Field(1).IsNil() {
					t.Errorf("%+v", vs[i])
				}
			}
		}
	})
	es := make([]ecs.Entity, 20)
	ok(0, ecs.SpawnerOf[struct{ here }](w).SpawnN(es, []struct{ here }{{here{7, 7}}}))
	ok(w.DestroyAll(ecs.Handles(es))) // the buffer has values
	ok(0, group.SpawnN(es, []loose{{A: here{X: 7}, B: there{9}}}))
	ok(h.RemoveAll(ecs.Handles(es)))
	if calls != 20 {
		t.Error(calls)
	}
}

// Fields that mean nothing are refused.
func TestObserversOfNothing(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[here](w, "here")
	ecs.Register[there](w, "there")
	ecs.GroupMade[couple](w, "pair")
	ecs.GroupOf[couple](w, "twin", ecs.Register[here](w, "other"), ecs.Register[there](w, "same"))
	type none struct{ X int }
	ecs.Observe(w, "a", func(c *struct {
		In ecs.Arrived[ecs.Set[ecs.Entity]]
	}) {
	})
	ecs.Observe(w, "b", func(c *struct{ In ecs.Arrived[none] }) {})
	ecs.Observe(w, "c", func(c *struct{ In ecs.Arrived[couple] }) {})
	ecs.Observe(w, "d", func(c *struct {
		In ecs.Left[couple] `ashlar:"nobody"`
	}) {
	})
	err := fmt.Sprint(w.Err())
	for _, want := range []string{`"a"`, `"b"`, `the struct of groups "pair" and "twin"`, `"nobody"`} {
		if !strings.Contains(err, want) {
			t.Errorf("%s, want %s", err, want)
		}
	}
}
