package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Values of every size go through the buffer, those of no size too, wherever in it they
// come: alone, first, last, and where the buffer has just been filled to its end.
func TestCommandsOfEverySize(t *testing.T) {
	w := world(t, ecs.Options{})
	tag := ecs.Register[tag0](w, "tag")
	one, wide := ecs.Register[b1](w, "one"), ecs.Register[b24](w, "wide")
	word := ecs.Register[[1]uint64](w, "word")
	g := ecs.GroupOf[struct{ Tag tag0 }](w, "tags")
	c := w.Commands()
	var es []ecs.Entity
	for n := range 70 {
		e, k := ok(w.Spawn()), byte(n)
		tag.Add(e, tag0{}, c)
		es = append(es, e, ok(g.Spawn(struct{ Tag tag0 }{}, c)))
		if n%9 == 0 { // a tag alone, in a new buffer
			ok(0, w.SafePoint())
		}
		one.Add(e, b1{k}, c)
		tag.Add(ok(w.Spawn()), tag0{}, c)
		wide.Add(e, b24{23: k}, c)
		word.Add(e, [1]uint64{uint64(n)}, c)
		tag.Add(ok(w.Spawn()), tag0{}, c)
		ok(0, w.SafePoint())
		if one.Get(e)[0] != k || wide.Get(e)[23] != k || word.Get(e)[0] != uint64(n) {
			t.Fatalf("%d: %v %v %v", n, one.Get(e), wide.Get(e), word.Get(e))
		}
	}
	for _, e := range es {
		if !tag.Has(e) {
			t.Fatalf("%v has no tag", e)
		}
	}
	if tag.Len() != 4*70 || g.Len() != 4*70 || w.Stats().Dropped != 0 {
		t.Errorf("%d tags, %d members, %d dropped", tag.Len(), g.Len(), w.Stats().Dropped)
	}
}

// A value of no size may come when the buffer is full to its last word, whatever its
// length: what is kept for it lies in the buffer all the same. Builds that check pointers,
// as race builds do, stop otherwise.
func TestEmptyValueInFullBuffer(t *testing.T) {
	for words := range 40 {
		w := world(t, ecs.Options{MaxEntities: 100})
		tag, word := ecs.Register[tag0](w, "tag"), ecs.Register[[1]uint64](w, "word")
		tags := ecs.GroupOf[struct{ Tag tag0 }](w, "tags")
		c := w.Commands()
		for range words {
			word.Add(ok(w.Spawn()), [1]uint64{1}, c)
		}
		tag.Add(ok(w.Spawn()), tag0{}, c)
		ok(tags.Spawn(struct{ Tag tag0 }{}, c))
		ok(0, w.SafePoint())
		if tag.Len() != 2 || word.Len() != words {
			t.Errorf("%d tags, %d words of %d", tag.Len(), word.Len(), words)
		}
	}
}

// In a world so large that what changes read is loaded ahead, changes are made in order,
// whatever their number, to dead entities and handles that are none too.
func TestCommandsInLargeWorld(t *testing.T) {
	w := world(t, ecs.Options{})
	one := ecs.Register[b1](w, "one")
	es := make([]ecs.Entity, 70_000)
	for i := range es {
		es[i] = ok(w.Spawn())
		if i%2 == 0 {
			ok(0, one.Add(es[i], b1{1}))
		}
	}
	c, next := w.Commands(), 0
	for n := range 40 {
		dropped := w.Stats().Dropped
		for i := range n {
			e := es[next+i]
			switch i % 4 {
			case 0:
				w.Destroy(e, c)
			case 1:
				one.Remove(e, c)
			case 2:
				one.Add(e, b1{2}, c)
			case 3:
				w.Destroy(e, c)
				one.Add(e, b1{3}, c) // too late
			}
		}
		w.Destroy(0, c)
		w.Destroy(^ecs.Entity(0), c)
		ok(0, w.SafePoint())
		lost := uint64(2)
		for i := range n {
			e := es[next+i]
			odd := (next+i)%2 == 1
			switch i % 4 {
			case 0:
				if w.Alive(e) {
					t.Fatalf("%d of %d lives", i, n)
				}
			case 1:
				if odd {
					lost++
				}
				if one.Has(e) {
					t.Fatalf("%d of %d has a component", i, n)
				}
			case 2:
				if !odd {
					lost++
				}
				if v := one.Get(e); v[0] != map[bool]byte{true: 2, false: 1}[odd] {
					t.Fatalf("%d of %d has %d", i, n, v[0])
				}
			case 3:
				lost++
				if w.Alive(e) {
					t.Fatalf("%d of %d lives", i, n)
				}
			}
		}
		if got := w.Stats().Dropped - dropped; got != lost {
			t.Fatalf("%d of %d changes were dropped, want %d", got, n, lost)
		}
		next += n
	}
	if n := ok(w.DestroyAll(ecs.Handles(es[next : next+1001]))); n != 1001 {
		t.Errorf("%d destroyed of 1001", n)
	}
	if ok(w.DestroyAll(ecs.Handles(es[next:next+1001]))) != 0 {
		t.Error("the dead die again")
	}
	ok(0, w.Check())
}

// calls are all calls that can be queued, on things of one world.
func queuedCalls(t *testing.T, w *ecs.World) map[string]func(later ...*ecs.Commands) error {
	p := ecs.Register[hp](w, "hp")
	ecs.Register[b4](w, "a")
	s := ecs.SpawnerOf[struct{ A b4 }](w)
	g := ecs.GroupOf[struct{ HP hp }](w, "solo")
	e, es := ok(w.Spawn()), make([]ecs.Entity, 3)
	return map[string]func(later ...*ecs.Commands) error{
		`Add of component "hp"`:        func(c ...*ecs.Commands) error { return p.Add(e, hp{1}, c...) },
		`Set of component "hp"`:        func(c ...*ecs.Commands) error { return p.Set(e, hp{1}, c...) },
		`Put of component "hp"`:        func(c ...*ecs.Commands) error { return p.Put(e, hp{1}, c...) },
		`Remove of component "hp"`:     func(c ...*ecs.Commands) error { return p.Remove(e, c...) },
		`SetEnabled of component "hp"`: func(c ...*ecs.Commands) error { return p.SetEnabled(e, false, c...) },
		`Spawn of a spawner of "`:      func(c ...*ecs.Commands) error { return second(s.Spawn(struct{ A b4 }{}, c...)) },
		`SpawnN of a spawner of "`:     func(c ...*ecs.Commands) error { return s.SpawnN(es, []struct{ A b4 }{{}}, c...) },
		`Put of a spawner of "`:        func(c ...*ecs.Commands) error { return s.Put(e, struct{ A b4 }{}, c...) },
		`Spawn of group "solo"`:        func(c ...*ecs.Commands) error { return second(g.Spawn(struct{ HP hp }{}, c...)) },
		`SpawnN of group "solo"`:       func(c ...*ecs.Commands) error { return g.SpawnN(es, []struct{ HP hp }{{}}, c...) },
		`Put of group "solo"`:          func(c ...*ecs.Commands) error { return g.Put(e, struct{ HP hp }{}, c...) },
		`Destroy`:                      func(c ...*ecs.Commands) error { return w.Destroy(e, c...) },
		`SetEnabled`:                   func(c ...*ecs.Commands) error { return w.SetEnabled(e, false, c...) },
		`Spawn`:                        func(c ...*ecs.Commands) error { return second(w.Spawn(c...)) },
	}
}

// A call that can be queued takes one Commands, of its own world. Anything else panics, in
// words that say what to pass, and queues nothing.
func TestQueueTakesOneCommands(t *testing.T) {
	w, other := world(t, ecs.Options{}), world(t, ecs.Options{})
	for what, call := range queuedCalls(t, w) {
		for want, later := range map[string][]*ecs.Commands{
			"is given a Commands that is nil or the zero value: take World.Commands": {nil},
			"is given a Commands that is nil or the zero value":                      {new(ecs.Commands)},
			"is given the Commands of another world: take World.Commands of its own": {other.Commands()},
			"is given 2 Commands: pass one, or none":                                 {w.Commands(), w.Commands()},
		} {
			panics(t, "ecs: "+what, func() { call(later...) })
			panics(t, want, func() { call(later...) })
		}
	}
	if w.Commands().Len()+other.Commands().Len() != 0 {
		t.Error("something was queued")
	}
}

// A queued call changes nothing yet, returns nil, whatever comes of it later, and allocates
// nothing once the queue has grown.
func TestQueuedCalls(t *testing.T) {
	w := world(t, ecs.Options{})
	calls := queuedCalls(t, w)
	c := w.Commands()
	for range 200 {
		for _, call := range calls {
			ok(0, call(c))
		}
	}
	if n := c.Clear(); n != 200*(len(calls)-1+2*2) { // Spawn of a World queues nothing, and SpawnN is three
		t.Errorf("%d commands of %d calls", n, len(calls))
	}
	p := ecs.Register[b24](w, "c")
	s := ecs.SpawnerOf[struct{ C b24 }](w)
	g := ecs.GroupOf[struct{ C b24 }](w, "cs")
	e, es := ok(w.Spawn()), make([]ecs.Entity, 3)
	if n := testing.AllocsPerRun(50, func() {
		ok(0, p.Add(e, b24{1}, c))
		ok(0, p.Set(e, b24{1}, c))
		ok(0, p.Put(e, b24{1}, c))
		ok(0, p.Remove(e, c))
		ok(0, p.SetEnabled(e, true, c))
		ok(s.Spawn(struct{ C b24 }{}, c))
		ok(0, s.SpawnN(es, []struct{ C b24 }{{}}, c))
		ok(0, s.Put(e, struct{ C b24 }{}, c))
		ok(g.Spawn(struct{ C b24 }{}, c))
		ok(0, g.SpawnN(es, []struct{ C b24 }{{}}, c))
		ok(0, g.Put(e, struct{ C b24 }{}, c))
		ok(0, w.Destroy(e, c))
		ok(0, w.SetEnabled(e, true, c))
		ok(w.Spawn(c))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	ok(0, w.Check())
}
