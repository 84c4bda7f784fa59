package ecs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type engine struct{ Power int }

// ways are the options with which a component is stored in each way.
var ways = map[string]ecs.Storage{"fixed": ecs.Stable, "optional": ecs.Volatile, "thin": ecs.Thin}

// B6: The table of docs/design/enable.md: who sees a disabled component, or a disabled entity.
func TestDisabled(t *testing.T) {
	for way, storage := range ways {
		w := world(t, ecs.WithRunLength(ecs.Options{}, 1))
		engines := ecs.Register[engine](w, "engine", storage)
		ecs.Register[Position](w, "position")
		es := make([]ecs.Entity, 100)
		ok(0, ecs.SpawnerOf[struct {
			engine
			Position
		}](w).SpawnN(es, []struct {
			engine
			Position
		}{{engine{7}, Position{}}}))
		engines.Remove(es[99])
		ok(0, engines.SetEnabled(es[3], false))
		for _, e := range es[90:99] {
			ok(0, engines.SetEnabled(e, false))
		}
		ok(0, w.SetEnabled(es[50], false))
		if err := engines.SetEnabled(es[99], false); err != ecs.ErrAbsent {
			t.Error(err)
		}

		met := func(q interface{ Len() int }, got []ecs.Entity, want func(i int) bool) {
			t.Helper()
			var list []ecs.Entity
			for i, e := range es {
				if want(i) {
					list = append(list, e)
				}
			}
			slices.Sort(got)
			if slices.Sort(list); !slices.Equal(got, list) || q.Len() != len(list) {
				t.Errorf("%s: %d met, %d counted, want %d", way, len(got), q.Len(), len(list))
			}
		}
		off := func(i int) bool { return i == 3 || i >= 90 && i != 99 }
		{
			q := ecs.QueryOf[struct {
				E []ecs.Entity
				V []engine
			}](w)
			var got []ecs.Entity
			for s := range q.All() {
				got = append(got, s.E...)
			}
			met(q, got, func(i int) bool { return !off(i) && i != 50 && i != 99 })
		}
		{
			q := ecs.QueryOf[struct {
				E []ecs.Entity
				P []Position
				_ ecs.Without[engine]
			}](w)
			var got []ecs.Entity
			for s := range q.All() {
				got = append(got, s.E...)
			}
			met(q, got, func(i int) bool { return off(i) || i == 99 })
		}
		{
			q := ecs.QueryOf[struct {
				E ecs.Entity
				V *engine
				_ ecs.Disabled[engine] `ashlar:"engine"`
			}](w)
			var got []ecs.Entity
			for s := range q.All() {
				got = append(got, s.E)
			}
			met(q, got, off)
			if _, is := q.Get(es[3]); !is {
				t.Error("Get of a query does not see what it asks for")
			}
			if _, is := q.Get(es[4]); is {
				t.Error("Get of a query sees what is enabled")
			}
		}
		{
			q := ecs.QueryOf[struct {
				E []ecs.Entity
				_ ecs.Present[engine]
				_ ecs.Present[ecs.Entity]
			}](w)
			var got []ecs.Entity
			for s := range q.All() {
				got = append(got, s.E...)
			}
			met(q, got, func(i int) bool { return i != 99 })
		}
		{ // optional components, and look-ups, stay as they are
			q := ecs.QueryOf[struct {
				E   []ecs.Entity
				P   []Position
				V   ecs.Maybe[engine]
				Has ecs.Has `ashlar:"engine"`
				_   ecs.Disabled[ecs.Entity]
			}](w)
			for s := range q.All() {
				if len(s.E) != 1 || s.E[0] != es[50] || s.V[0].Power != 7 || !s.Has.Has(0) {
					t.Errorf("%s: %v has %v", way, s.E, s.V)
				}
			}
		}
		if v := engines.Get(es[3]); v == nil || v.Power != 7 || !engines.Has(es[3]) || engines.Len() != 99 || engines.Enabled(es[3]) || !engines.Enabled(es[50]) || w.Enabled(es[50]) || !w.Alive(es[50]) {
			t.Errorf("%s: the value of what is disabled is %v", way, v)
		}
		n := 0
		for range engines.All() {
			n++
		}
		if n != 99 || w.Len() != 100 {
			t.Errorf("%s: %d in all of %d", way, n, w.Len())
		}

		c, dropped := w.Commands(), w.Stats().Dropped
		engines.Later(c).SetEnabled(es[3], true)
		engines.Later(c).SetEnabled(es[99], true)
		c.SetEnabled(es[50], true)
		c.SetEnabled(es[51], false)
		c.SetEnabled(0, false)
		if ok(0, w.SafePoint()); !engines.Enabled(es[3]) || !w.Enabled(es[50]) || w.Enabled(es[51]) || w.Stats().Dropped != dropped+2 {
			t.Errorf("%s: commands: %v %v %v, %d dropped", way, engines.Enabled(es[3]), w.Enabled(es[50]), w.Enabled(es[51]), w.Stats().Dropped-dropped)
		}
	}
}

// Systems pass over disabled rows, also in groups, and see them again as they were.
func TestSystemsAndDisabled(t *testing.T) {
	for _, over := range []bool{false, true} {
		w := world(t, ecs.Options{})
		p, v := ecs.Register[Position](w, "p"), ecs.Register[Velocity](w, "v")
		a := ecs.GroupOf[body](w, "a", p, v)
		p2, v2 := ecs.Register[Position](w, "p2"), ecs.Register[Velocity](w, "v2")
		b := ecs.GroupOf[body](w, "b", p2, v2)
		var options []ecs.SystemOption
		if over {
			options = append(options, ecs.OnlyIn(a, b))
		}
		ecs.System(w, "move", func(c *struct {
			P ecs.Write[Position] `ashlar:"p"`
			V []Velocity          `ashlar:"v"`
		}) {
			for i := range c.P {
				c.P[i].X += c.V[i].X
			}
		}, options...)
		as, bs := make([]ecs.Entity, 5000), make([]ecs.Entity, 5000)
		one := []body{{Velocity: Velocity{1, 2}}}
		ok(0, a.SpawnN(as, one))
		ok(0, b.SpawnN(bs, one))
		want := make(map[ecs.Entity]float64)
		for frame := range 8 {
			for i := range as {
				if (i+frame)%[]int{3, 100, 1000}[frame%3] == 0 {
					v.SetEnabled(as[i], frame%2 == 0)
					v2.SetEnabled(bs[i], frame%2 == 1)
					w.SetEnabled(as[(i+1)%5000], frame%3 == 0)
				}
			}
			for i := range as {
				if v.Enabled(as[i]) && w.Enabled(as[i]) {
					want[as[i]]++
				}
				if over && v2.Enabled(bs[i]) {
					want[bs[i]]++
				}
			}
			ok(0, w.Run(t.Context()))
		}
		for i := range as {
			if p.Get(as[i]).X != want[as[i]] || p2.Get(bs[i]).X != want[bs[i]] {
				t.Fatalf("over groups: %v: row %d was moved %v and %v times, want %v and %v", over, i, p.Get(as[i]).X, p2.Get(bs[i]).X, want[as[i]], want[bs[i]])
			}
		}
	}
}

// B7: A chunk with disabled rows alone is passed over, and is not marked as written.
func TestDisabledChunks(t *testing.T) {
	w := world(t, unstriped())
	p := ecs.Register[Position](w, "p", ecs.Stable)
	es := make([]ecs.Entity, 20_000)
	ok(0, ecs.SpawnerOf[struct{ Position }](w).SpawnN(es, []struct{ Position }{{}}))
	write := ecs.QueryOf[struct {
		P ecs.Write[Position]
	}](w)
	changed := ecs.QueryOf[struct {
		E []ecs.Entity
		_ ecs.Changed[Position]
	}](w)
	parts := func() (sizes []int) {
		for c := range write.All() {
			sizes = append(sizes, len(c.P))
		}
		return sizes
	}
	chunks := parts()
	if len(chunks) < 4 {
		t.Fatalf("%d chunks: too few to tell", len(chunks))
	}
	for range changed.All() {
	}
	from, to := chunks[0], chunks[0]+chunks[1]+chunks[2]
	for _, e := range es[from:to] {
		ok(0, p.SetEnabled(e, false))
	}
	if got := parts(); !slices.Equal(got, append([]int{chunks[0]}, chunks[3:]...)) {
		t.Errorf("%d rows are passed, of chunks of %d of which two are disabled", got, chunks)
	}
	for _, e := range es[from:to] {
		ok(0, p.SetEnabled(e, true))
	}
	seen := 0
	for c := range changed.All() {
		seen += len(c.E)
		for _, e := range c.E {
			if slices.Contains(es[from:to], e) {
				t.Fatalf("%v is in a chunk that was passed over, and counts as written", e)
			}
		}
	}
	if want := len(es) - (to - from); seen != want {
		t.Errorf("%d rows count as written, want %d", seen, want)
	}
}

// A change while something iterates would be seen by some rows and not by others.
func TestSetEnabledWhileIterating(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[Position](w, "p")
	e := ok(w.Spawn())
	p.Add(e, Position{})
	for range p.All() {
		panics(t, "SetEnabled while Pool(p).All iterates", func() { p.SetEnabled(e, false) })
		panics(t, "SetEnabled while", func() { w.SetEnabled(e, false) })
		p.Later(w.Commands()).SetEnabled(e, false)
	}
	if ok(0, w.SafePoint()); p.Enabled(e) {
		t.Error("a command was not applied")
	}
	other := world(t, ecs.Options{})
	panics(t, "Commands of another world", func() { p.Later(other.Commands()).SetEnabled(e, true) })
}

// A call without a meaning is refused with its remedy.
func TestDisabledFieldsThatAreRefused(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[Position](w, "p")
	for want, err := range map[string]error{
		"it has ecs.Present and ecs.Disabled of the same component": refusal(w, ecs.QueryMade[struct {
			_ ecs.Present[Position]
			_ ecs.Disabled[Position]
		}](w)),
		"Disabled leaves out enabled rows": refusal(w, ecs.QueryMade[struct {
			P []Position
			_ ecs.Disabled[ecs.Entity]
			_ ecs.Present[ecs.Entity]
		}](w)),
		"excluded by another": refusal(w, ecs.QueryMade[struct {
			_ ecs.Present[Position]
			_ ecs.Without[Position]
		}](w)),
		"requires no component": refusal(w, ecs.QueryMade[struct {
			E []ecs.Entity
			_ ecs.Disabled[ecs.Entity]
		}](w)),
		"says write, which means nothing here: a tag is a name; remove the word": refusal(w, ecs.QueryMade[struct {
			_ ecs.Present[Position] `ashlar:"write"`
		}](w)),
		"is a pointer": refusal(w, ecs.QueryMade[struct {
			_ *ecs.Disabled[Position]
		}](w)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The same twice is no contradiction.
func TestDisabledTwice(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[Position](w, "p")
	e := ok(w.Spawn())
	ok(0, p.Add(e, Position{}))
	ok(0, p.SetEnabled(e, false))
	q := ecs.QueryOf[struct {
		_, B ecs.Present[Position]
	}](w)
	d := ecs.QueryOf[struct {
		_, B ecs.Disabled[Position]
	}](w)
	if q.Len() != 1 || d.Len() != 1 {
		t.Error(q.Len(), d.Len())
	}
}

// Entities may be values of a component: then a name says which is meant.
func TestDisabledEntityComponents(t *testing.T) {
	w := world(t, ecs.Options{})
	target := ecs.Register[ecs.Entity](w, "target")
	a, b := ok(w.Spawn()), ok(w.Spawn())
	target.Add(a, b)
	target.Add(b, a)
	target.SetEnabled(a, false)
	w.SetEnabled(b, false)
	named := ecs.QueryOf[struct {
		E ecs.Entity
		_ ecs.Disabled[ecs.Entity] `ashlar:"target"`
	}](w)
	for s := range named.All() {
		if s.E != a {
			t.Errorf("%v, want %v", s.E, a)
		}
	}
	plain := ecs.QueryOf[struct {
		E ecs.Entity
		_ ecs.With[ecs.Entity]
		_ ecs.Disabled[ecs.Entity]
	}](w)
	for s := range plain.All() {
		if s.E != b {
			t.Errorf("%v, want %v", s.E, b)
		}
	}
	if named.Len() != 1 || plain.Len() != 1 {
		t.Error(named.Len(), plain.Len())
	}
}
