package ecs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Values of every size go through the buffer, also of no size, wherever in it they
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
		tag.Later(c).Add(e, tag0{})
		es = append(es, e, g.Later(c).Spawn(struct{ Tag tag0 }{}))
		if n%9 == 0 { // a tag alone, in a new buffer
			ok(0, w.SafePoint())
		}
		one.Later(c).Add(e, b1{k})
		tag.Later(c).Add(ok(w.Spawn()), tag0{})
		wide.Later(c).Add(e, b24{23: k})
		word.Later(c).Add(e, [1]uint64{uint64(n)})
		tag.Later(c).Add(ok(w.Spawn()), tag0{})
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
// length: its values lie in the buffer all the same. Builds that check pointers,
// as race builds do, stop otherwise.
func TestEmptyValueInFullBuffer(t *testing.T) {
	for words := range 40 {
		w := world(t, ecs.Options{MaxEntities: 100})
		tag, word := ecs.Register[tag0](w, "tag"), ecs.Register[[1]uint64](w, "word")
		tags := ecs.GroupOf[struct{ Tag tag0 }](w, "tags")
		c := w.Commands()
		for range words {
			word.Later(c).Add(ok(w.Spawn()), [1]uint64{1})
		}
		tag.Later(c).Add(ok(w.Spawn()), tag0{})
		tags.Later(c).Spawn(struct{ Tag tag0 }{})
		ok(0, w.SafePoint())
		if tag.Len() != 2 || word.Len() != words {
			t.Errorf("%d tags, %d words of %d", tag.Len(), word.Len(), words)
		}
	}
}

// In a world so large that records and entries are loaded ahead, changes are made in order,
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
				c.Destroy(e)
			case 1:
				one.Later(c).Remove(e)
			case 2:
				one.Later(c).Add(e, b1{2})
			case 3:
				c.Destroy(e)
				one.Later(c).Add(e, b1{3}) // too late
			}
		}
		c.Destroy(0)
		c.Destroy(^ecs.Entity(0))
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

// queuedCalls are all calls that can be queued, on things of one world.
func queuedCalls(w *ecs.World) map[string]func(c *ecs.Commands) {
	p := ecs.Register[hp](w, "hp")
	ecs.Register[b4](w, "a")
	s := ecs.SpawnerOf[struct{ A b4 }](w)
	g := ecs.GroupOf[struct{ HP hp }](w, "solo")
	e, es := ok(w.Spawn()), make([]ecs.Entity, 3)
	return map[string]func(c *ecs.Commands){
		"Add":            func(c *ecs.Commands) { p.Later(c).Add(e, hp{1}) },
		"Set":            func(c *ecs.Commands) { p.Later(c).Set(e, hp{1}) },
		"Put":            func(c *ecs.Commands) { p.Later(c).Put(e, hp{1}) },
		"Remove":         func(c *ecs.Commands) { p.Later(c).Remove(e) },
		"SetEnabled":     func(c *ecs.Commands) { p.Later(c).SetEnabled(e, false) },
		"Spawner.Spawn":  func(c *ecs.Commands) { s.Later(c).Spawn(struct{ A b4 }{}) },
		"Spawner.SpawnN": func(c *ecs.Commands) { s.Later(c).SpawnN(es, []struct{ A b4 }{{}}) },
		"Spawner.Put":    func(c *ecs.Commands) { s.Later(c).Put(e, struct{ A b4 }{}) },
		"Group.Spawn":    func(c *ecs.Commands) { g.Later(c).Spawn(struct{ HP hp }{}) },
		"Destroy":        func(c *ecs.Commands) { c.Destroy(e) },
		"do.SetEnabled":  func(c *ecs.Commands) { c.SetEnabled(e, false) },
		"do.Spawn":       func(c *ecs.Commands) { c.Spawn() },
	}
}

// A call that can be queued is given Commands of its own world. Anything else panics, in words that
// name the right one, and queues nothing.
func TestLaterOfOtherCommands(t *testing.T) {
	w, other := world(t, ecs.Options{}), world(t, ecs.Options{})
	for what, call := range queuedCalls(w) {
		panics(t, "Commands that is nil or the zero value", func() { call(nil) })
		panics(t, "field of type *ecs.Commands of a system's struct", func() { call(new(ecs.Commands)) })
		if !strings.Contains(what, "estroy") && !strings.HasPrefix(what, "do.") {
			panics(t, "is given the Commands of another world: take World.Commands of its own", func() { call(other.Commands()) })
		}
	}
	if w.Len() != 1 || w.Commands().Len() != 0 {
		t.Error("something was queued")
	}
	for name, call := range map[string]func(){
		"Add of a Later":             func() { new(ecs.Later[hp]).Add(0, hp{}) },
		"Spawn of a LaterSpawner":    func() { new(ecs.LaterSpawner[struct{ HP hp }]).Spawn(struct{ HP hp }{}) },
		`of component "hp" is given`: func() { w.Pool("hp").(*ecs.Pool[hp]).Later(other.Commands()) },
	} {
		panics(t, name, call)
	}
}

// Commands of a world that was closed are dropped with ErrClosed, as Run says.
func TestLaterOfAClosedWorld(t *testing.T) {
	w := world(t, ecs.Options{})
	calls := queuedCalls(w)
	ok(0, w.Close())
	for name, call := range calls {
		before := w.Stats().Dropped
		call(w.Commands())
		s := w.Stats()
		if s.Dropped != before+1 || ecs.DropsIn(s)[before].Err != ecs.ErrClosed || w.Commands().Len() != 0 {
			t.Errorf("%s: %d dropped, %d wait", name, s.Dropped-before, w.Commands().Len())
		}
	}
	if err := w.Run(t.Context()); !errors.Is(err, ecs.ErrClosed) {
		t.Error(err)
	}
}

// A field of type Later is bound to the system's commands and its component, by type or by name. It
// requires nothing of the rows, and descriptions list it.
func TestLaterAsAField(t *testing.T) {
	w := world(t, ecs.Options{})
	left, right := ecs.Register[hp](w, "left"), ecs.Register[hp](w, "right")
	mark := ecs.Register[frozen](w, "mark")
	for range 10 {
		e := ok(w.Spawn())
		ok(0, left.Add(e, hp{1}))
	}
	ecs.System(w, "move", func(c *struct {
		Ents  []ecs.Entity
		Left  []hp          `ashlar:"left"`
		Right ecs.Later[hp] `ashlar:"right"`
		Mark  ecs.Later[frozen]
		_     ecs.Without[frozen]
	}) {
		for i, e := range c.Ents {
			c.Right.Add(e, hp{c.Left[i].V + 1})
			c.Mark.Add(e, frozen{})
		}
	})
	for range 2 {
		ok(0, w.Run(t.Context()))
	}
	if right.Len() != 10 || mark.Len() != 10 || w.Stats().Dropped != 0 {
		t.Errorf("%d and %d have what was added, %d commands dropped", right.Len(), mark.Len(), w.Stats().Dropped)
	}
	if d := w.Describe(); !strings.Contains(d, "later right, mark") {
		t.Errorf("%v", d)
	}
	for want, err := range map[string]error{
		"say which by a tag": systemRefusal(w, "two", func(*struct{ L ecs.Later[hp] }) {}),
		"is not registered":  systemRefusal(w, "none", func(*struct{ L ecs.Later[b4] }) {}),
		"make the field of":  systemRefusal(w, "pointer", func(*struct{ L *ecs.Later[frozen] }) {}),
		"means nothing here": systemRefusal(w, "word", func(*struct {
			L ecs.Later[frozen] `ashlar:"write"`
		}) {
		}),
		"requires no component": refusal(w, ecs.QueryMade[struct{ L ecs.Later[frozen] }](w)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// A queued call changes nothing yet, whatever comes of it later, and allocates nothing once the
// queue has grown.
func TestQueuedCalls(t *testing.T) {
	w := world(t, ecs.Options{})
	calls := queuedCalls(w)
	c := w.Commands()
	for range 200 {
		for _, call := range calls {
			call(c)
		}
	}
	if n := c.Drop(); n != 200*(len(calls)-1+2) { // Spawn of Commands queues nothing, and SpawnN is three
		t.Errorf("%d commands of %d calls", n, len(calls))
	}
	p := ecs.Register[b24](w, "c")
	s := ecs.SpawnerOf[struct{ C b24 }](w)
	g := ecs.GroupOf[struct{ C b24 }](w, "cs")
	e, es := ok(w.Spawn()), make([]ecs.Entity, 3)
	if n := testing.AllocsPerRun(50, func() {
		p.Later(c).Add(e, b24{1})
		p.Later(c).Set(e, b24{1})
		p.Later(c).Put(e, b24{1})
		p.Later(c).Remove(e)
		p.Later(c).SetEnabled(e, true)
		s.Later(c).Spawn(struct{ C b24 }{})
		s.Later(c).SpawnN(es, []struct{ C b24 }{{}})
		s.Later(c).Put(e, struct{ C b24 }{})
		g.Later(c).Spawn(struct{ C b24 }{})
		g.Later(c).SpawnN(es, []struct{ C b24 }{{}})
		g.Later(c).Put(e, struct{ C b24 }{})
		c.Destroy(e)
		c.SetEnabled(e, true)
		c.Spawn()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	ok(0, w.Check())
}
