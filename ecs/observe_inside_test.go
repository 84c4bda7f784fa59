package ecs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// twofold is a split type, and mates a group.
type (
	twofold struct{ A, B uint64 }
	mates   struct {
		here
		there
	}
	swap struct {
		H here
		_ ecs.Without[there]
	}
)

// Within an observer nothing changes but by its own commands, whatever change it is called with, and where one has panicked
// the world goes on.
func TestObserversChangeNothing(t *testing.T) {
	calls := 0
	w := world(t, ecs.Options{})
	h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
	s := ecs.RegisterSplit[twofold](w, "twofold")
	g := ecs.GroupOf[mates](w, "mates")
	e, other := ok(w.Spawn()), ok(w.Spawn())
	ok(0, s.Add(e, twofold{}))
	var inside func()
	ecs.Observe(w, "nosy", func(c *struct {
		Born   ecs.Arrived[ecs.Entity]
		Dead   ecs.Left[ecs.Entity]
		In     ecs.Arrived[here]
		Out    ecs.Left[here]
		Set    ecs.Arrived[ecs.Set[here]]
		Split  ecs.Left[ecs.Set[uint64]] `ashlar:"twofold.B"`
		Asleep ecs.Arrived[ecs.Disabled[ecs.Entity]]
		Awake  ecs.Left[ecs.Disabled[ecs.Entity]]
		Parts  ecs.Left[uint64] `ashlar:"twofold.A"`
		Gone   ecs.Left[mates]
		Do     *ecs.Commands
	}) {
		if all := c.Born.Len() + c.Dead.Len() + c.In.Len() + c.Out.Len() + c.Set.Len() + c.Split.Len() + c.Asleep.Len() + c.Awake.Len() + c.Parts.Len() + c.Gone.Len(); all == 0 {
			t.Error("a call with nothing")
		}
		if calls++; c.Asleep.Len() > 0 {
			h.Later(c.Do).Set(other, here{X: 10}) // of which it is told
		}
		inside()
	})
	ok(0, w.Err())
	hs := ecs.QueryOf[struct{ H []here }](w)
	schema := ecs.SchemaOfPools(w, h)
	exchange := ecs.ExchangeOf[swap](w)
	list := ecs.Handles([]ecs.Entity{e, other})
	changes := []struct {
		name string
		make func()
	}{
		{"Spawn", func() { ok(w.Spawn()) }},
		{"Add", func() { ok(0, h.Add(e, here{X: 1})) }},
		{"Set", func() { ok(0, h.Set(e, here{X: 2})) }},
		{"Put", func() { ok(0, h.Put(e, here{X: 3})) }},
		{"Split.Set", func() { ok(0, s.Set(e, twofold{1, 2})) }},
		{"Put of another", func() { ok(0, h.Put(other, here{X: 4})) }},
		{"SetAll", func() { ok(h.SetAll(hs, here{X: 5})) }},
		{"a group's Put", func() { ok(0, g.Put(e, mates{here{X: 5}, there{6}})) }},
		{"Dissolve", func() { ok(0, g.Dissolve()) }},
		{"SetEnabled", func() { ok(0, w.SetEnabled(e, false)) }},
		{"RemoveAll", func() { ok(h.RemoveAll(list)) }},
		{"AddAll", func() { ok(h.AddAll(list, here{X: 7})) }},
		{"Remove", func() { ok(0, h.Remove(e)) }},
		{"Clear", func() { ok(0, h.Clear()) }},
		{"a command", func() {
			h.Later(w.Commands()).Add(e, here{X: 8})
			ok(0, w.SafePoint())
		}},
		{"Split.Remove", func() { ok(0, s.Remove(e)) }},
		{"SetEnabled, on", func() { ok(0, w.SetEnabled(e, true)) }},
		{"Complete", func() {
			ok(0, h.Remove(e))
			ok(0, schema.Complete(e))
		}},
		{"RemoveAll of a query", func() {
			ok(0, h.Put(other, here{}))
			ok(h.RemoveAll(hs))
			ok(0, h.Add(other, here{}))
		}},
		{"an exchange", func() {
			ok(0, h.Remove(other))
			ok(0, n.Add(other, there{}))
			ok(0, exchange.Do(other, swap{H: here{X: 8}}))
		}},
		{"Set in a loop", func() {
			for range hs.All() {
				ok(0, h.Set(other, here{X: 9}))
			}
			ok(0, w.SafePoint())
		}},
		{"Spawn in a loop", func() {
			for range hs.All() {
				ok(w.Spawn())
			}
		}},
		{"Destroy", func() { ok(0, w.Destroy(e)) }},
	}
	for _, x := range changes {
		was := calls
		inside = func() {
			for call, f := range map[string]func(){
				"Add": func() { _ = n.Add(other, there{}) }, "Remove": func() { _ = h.Remove(other) }, "Spawn": func() { _, _ = w.Spawn() },
				"Destroy": func() { _ = w.Destroy(other) }, "RemoveSystem": func() { _ = w.RemoveSystem("nosy") }, "Run": func() { _ = w.Run(t.Context()) },
				"EndFrame": func() { _ = w.Manager().EndFrame() }, "Close": func() { _ = w.Close() },
			} {
				if call == "EndFrame" { // the manager knows of no observers
					panics(t, "EndFrame while ", f)
				} else {
					panics(t, call+` within observer "nosy"`, f)
				}
			}
			panics(t, `within observer "nosy"`, func() { w.Commands().Destroy(other) })
			for range hs.All() { // the loop ends, and the observer does not
				break
			}
			panics(t, `Add within observer "nosy"`, func() { _ = n.Add(other, there{}) })
		}
		if x.make(); calls == was {
			t.Errorf("%s: the observer was not called", x.name)
		}
		ok(0, w.Check())
	}
	inside = func() { panic("oh") }
	for name, change := range map[string]func(){
		"Add": func() { _ = h.Add(other, here{}) }, "Set": func() { _ = h.Set(other, here{}) }, "AddAll": func() { _, _ = h.SetAll(hs, here{}) },
		"Spawn": func() { _, _ = w.Spawn() }, "Remove": func() { _ = h.Remove(other) },
	} {
		inside = func() {}
		ok(0, h.Put(other, here{}))
		if name == "Add" {
			ok(0, h.Remove(other))
		}
		inside = func() { panic("oh") }
		panics(t, "oh", change)
		inside = func() {}
		w.Commands().Destroy(0)
		w.Commands().Drop()
		if err := w.SetEnabled(other, false); err != nil {
			t.Errorf("after a panic of an observer of %s: %v", name, err)
		}
		ok(0, w.SetEnabled(other, true))
		ok(0, w.Check())
	}
}

// An entity may be spawned while something iterates, and is told at once. The loop goes on: changes are refused in it still,
// and commands of the observer wait for the safe point.
func TestObserversOfSpawnsWithinLoops(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here", ecs.Stable)
	var log []string
	ecs.Observe(w, "born", func(c *struct {
		In ecs.Arrived[ecs.Entity]
		H  ecs.Later[here]
		Do *ecs.Commands
	}) {
		for es := range c.In.All() {
			log = append(log, fmt.Sprint("born ", es))
			c.H.Add(es[0], here{X: 1})
			if len(log) == 4 {
				c.Do.Destroy(es[0])
			}
		}
	})
	es := []ecs.Entity{ok(w.Spawn()), ok(w.Spawn()), ok(w.Spawn())}
	if h.Len() != 3 {
		t.Fatalf("%d have got it", h.Len())
	}
	hs := ecs.QueryOf[struct{ H []here }](w)
	for x := range hs.All() {
		e := ok(w.Spawn())
		panics(t, "iterates", func() { _ = h.Remove(es[0]) })
		if n := h.Len(); n != 3 || len(x.H) != 3 || !w.Alive(e) {
			t.Errorf("%d have it in the loop, %d rows, alive %v", n, len(x.H), w.Alive(e))
		}
		es = append(es, e)
	}
	if ok(0, w.SafePoint()); h.Len() != 3 || w.Alive(es[3]) || w.Len() != 3 {
		t.Errorf("%d have it, %d are alive", h.Len(), w.Len())
	}
	if got := strings.Join(log, ", "); got != fmt.Sprintf("born [%v], born [%v], born [%v], born [%v]", es[0], es[1], es[2], es[3]) {
		t.Error(got)
	}
	ok(0, w.Check())
}

// Commands that wait for a loop to end are made behind the next change that is heard, or at a safe point: before others' commands.
func TestObserversOfSpawnsWait(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here", ecs.Stable)
	ecs.Observe(w, "born", func(c *struct {
		In ecs.Arrived[ecs.Entity]
		H  ecs.Later[here]
	}) {
		for es := range c.In.All() {
			c.H.Add(es[0], here{X: 1})
		}
	})
	hs := ecs.QueryOf[struct{ H []here }](w)
	in := func() (e ecs.Entity) {
		for range hs.All() {
			e = ok(w.Spawn())
		}
		return e
	}
	ok(w.Spawn())
	first, n := in(), h.Len()
	if ok(w.Spawn()); n != 1 || h.Len() != 3 || !h.Has(first) {
		t.Errorf("%d have it behind the loop, and %d behind the next change", n, h.Len())
	}
	second := in()
	h.Later(w.Commands()).Set(second, here{X: 5})
	if ok(0, w.SafePoint()); !h.Has(second) || h.Get(second).X != 5 {
		t.Errorf("at the safe point it is %v", h.Get(second))
	}
}

// Observers that are taken out are called no more, and the others keep their order.
func TestObserversTakenOut(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	for out := range names {
		w := world(t, ecs.Options{})
		h := ecs.Register[here](w, "here")
		e := ok(w.Spawn())
		var log []string
		for _, name := range names {
			ecs.Observe(w, name, func(c *struct {
				In  ecs.Arrived[here]
				Out ecs.Left[here]
			}) {
				log = append(log, fmt.Sprint(name, c.In.Len(), c.Out.Len()))
			})
		}
		ok(0, w.RemoveSystem(names[out]))
		ok(0, h.Add(e, here{}))
		ok(0, h.Remove(e))
		var want []string
		for i := range names {
			if i != out {
				want = append(want, names[i]+"1 0")
			}
		}
		for i := range names {
			if i = len(names) - 1 - i; i != out {
				want = append(want, names[i]+"0 1")
			}
		}
		if !slices.Equal(log, want) {
			t.Errorf("without %s: %v, want %v", names[out], log, want)
		}
	}
}

// Members of a group that is dissolved leave once, whatever an observer answers, and nobody leaves it afterwards,
// also where the observer has panicked.
func TestObservedDissolveIsOver(t *testing.T) {
	for _, panicking := range []bool{false, true} {
		w := world(t, ecs.Options{})
		h, n := ecs.Register[here](w, "here"), ecs.Register[there](w, "there")
		g := ecs.GroupOf[mates](w, "mates")
		var told []int
		ecs.Observe(w, "o", func(c *struct {
			Out ecs.Left[mates]
			B   ecs.Later[there]
		}) {
			told = append(told, c.Out.Len())
			if panicking {
				panic("observer")
			}
			for es := range c.Out.All() {
				for _, e := range es {
					c.B.Remove(e)
				}
			}
		})
		ok(0, w.Err())
		e := ok(g.Spawn(mates{}))
		ok(g.Spawn(mates{}))
		func() {
			defer func() { _ = recover() }()
			ok(0, g.Dissolve())
		}()
		_ = n.Remove(e)
		ok(0, h.Remove(e))
		if !slices.Equal(told, []int{2}) {
			t.Errorf("panicking %v: told of %v", panicking, told)
		}
		ok(0, w.Check())
	}
}

// Of two fields of an observer that ask the same, none waits for a system that never comes.
func TestObserverAsksTwice(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	a, b := 0, 0
	ecs.Observe(w, "o", func(c *struct{ A, B ecs.Left[here] }) { a, b = a+c.A.Len(), b+c.B.Len() })
	e := ok(w.Spawn())
	ok(0, h.Add(e, here{}))
	ok(0, h.Remove(e))
	if a != 1 || b != 1 || ecs.Logs(w) != 0 {
		t.Errorf("told of %d and %d, and %d logs", a, b, ecs.Logs(w))
	}
}

// The world's commands spawn nothing within an observer, and the panic says what to use.
func TestObserverWorldCommands(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	s := ecs.SpawnerOf[struct{ H here }](w)
	var inside func()
	ecs.Observe(w, "o", func(c *struct{ In ecs.Arrived[here] }) { inside() })
	for _, call := range []func(){
		func() { w.Commands().Spawn() },
		func() { s.Later(w.Commands()).Spawn(struct{ H here }{}) },
		func() { w.Commands().Destroy(1) },
	} {
		inside = call
		e := ok(w.Spawn())
		was := w.Len()
		panics(t, `within observer "o": give its struct a field`, func() { _ = h.Add(e, here{}) })
		if ok(0, w.SafePoint()); w.Len() != was {
			t.Errorf("%d entities, before %d", w.Len(), was)
		}
		inside = func() {}
		ok(0, w.Check())
	}
	inside = func() { _ = w.Destroy(1) }
	panics(t, `Destroy within observer "o", which is told of a change that is under way: ask for changes by a field of type *ecs.Commands`, func() {
		_ = h.Add(ok(w.Spawn()), here{})
	})
}
