package ecs_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	shape  struct{ A [2 << 10]byte } // some thirty rows a chunk
	weight struct{ V int64 }
	mark   struct{}
)

// fine panics with an error.
func fine(err error) {
	if err != nil {
		panic(err)
	}
}

// watching is a world of entities with a shape, and a query that has seen them all.
type watching struct {
	w       *ecs.World
	shapes  *ecs.Pool[shape]
	weights *ecs.Pool[weight]
	es      []ecs.Entity
	q       *ecs.Query[changedShape]
}

type changedShape struct {
	Ents []ecs.Entity
	_    ecs.Changed[shape]
}

func newWatching(t *testing.T) *watching {
	w := world(t, ecs.Options{})
	x := &watching{w: w, shapes: ecs.Register[shape](w, "shape"), weights: ecs.Register[weight](w, "weight")}
	x.q = ecs.QueryOf[changedShape](w)
	x.es = make([]ecs.Entity, 100)
	fine(ecs.SpawnerOf[struct{ S shape }](w).SpawnN(x.es, []struct{ S shape }{{}}))
	if got := x.seen(); len(got) != 100 {
		t.Fatalf("the first walk saw %d of 100", len(got))
	}
	return x
}

// seen is the entities that the query passes.
func (x *watching) seen() (es []ecs.Entity) {
	for c := range x.q.All() {
		es = append(es, c.Ents...)
	}
	return es
}

// group declares that shapes are owned.
func (x *watching) group() *ecs.Group[struct{ S shape }] {
	return ecs.GroupOf[struct{ S shape }](x.w, "shapes")
}

// anywhere is added to the number of an entity that may be seen with all others: swaps of
// rows spread changes over many chunks.
const anywhere = 1000

func backwards(a, b ecs.Entity) int { return int(b.Index()) - int(a.Index()) }

// C1, C3, C6: Mut, Set and additions count as changes. Get, removals, moves, sorts and
// change-overs do not. A change that was seen once is not seen again.
func TestChanged(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		do   func(x *watching)
		some int // entity that must be seen, and not many others; -1: none is seen
	}{
		{"nothing", func(x *watching) {}, -1},
		{"Get", func(x *watching) { x.shapes.Get(x.es[50]) }, -1},
		{"Mut", func(x *watching) { x.shapes.Mut(x.es[50]) }, 50},
		{"Set", func(x *watching) { fine(x.shapes.Set(x.es[99], shape{})) }, 99},
		{"a frame", func(x *watching) { fine(x.w.Run(ctx)) }, -1},
		{"removed and added again", func(x *watching) {
			fine(x.shapes.Remove(x.es[1]))
			fine(x.shapes.Add(x.es[1], shape{}))
		}, 1},
		{"another component, and so another table, by hundreds", func(x *watching) {
			ok(x.weights.AddAll(ecs.Handles(x.es), weight{}))
		}, -1},
		{"another component, one by one", func(x *watching) {
			for _, e := range x.es {
				fine(x.weights.Add(e, weight{}))
			}
		}, -1},
		{"written, then to another table", func(x *watching) {
			x.shapes.Mut(x.es[7])
			fine(x.weights.Add(x.es[7], weight{}))
		}, 7},
		{"written, then to another table by hundreds", func(x *watching) {
			x.shapes.Mut(x.es[7])
			ok(x.weights.AddAll(ecs.Handles(x.es), weight{}))
		}, 7},
		{"written, then into a hole", func(x *watching) {
			x.shapes.Mut(x.es[99])
			fine(x.w.Destroy(x.es[0]))
		}, 99},
		{"written, then into a hole of many", func(x *watching) {
			x.shapes.Mut(x.es[99])
			ok(x.weights.AddAll(ecs.Handles(x.es[:10]), weight{}))
		}, 99},
		{"written last, then sorted", func(x *watching) {
			g := x.group()
			x.shapes.Mut(x.es[99])
			g.Sort(backwards)
		}, 99 + anywhere},
		{"added to many", func(x *watching) {
			more := make([]ecs.Entity, 20)
			fine(ecs.SpawnerOf[struct{ W weight }](x.w).SpawnN(more, []struct{ W weight }{{}}))
			ok(x.shapes.AddAll(ecs.Handles(more), shape{}))
			x.es = append(x.es, more...)
		}, 110},
		{"another component for all", func(x *watching) { ok(x.weights.AddAll(x.q, weight{})) }, -1},
		{"written, then another component for all", func(x *watching) {
			all := ecs.QueryOf[struct{ S []shape }](x.w)
			x.shapes.Mut(x.es[7])
			ok(x.weights.AddAll(all, weight{}))
			ok(x.weights.RemoveAll(all))
		}, 7},
		{"set for all that have changed", func(x *watching) {
			x.shapes.Mut(x.es[50])
			if n := ok(x.shapes.SetAll(x.q, shape{})); n == 0 || n > 40 {
				panic("it was set for others, or for none")
			}
		}, 50},
		{"added to all of some", func(x *watching) {
			more := make([]ecs.Entity, 20)
			fine(ecs.SpawnerOf[struct{ W weight }](x.w).SpawnN(more, []struct{ W weight }{{}}))
			ok(x.shapes.AddAll(ecs.QueryOf[struct{ W []weight }](x.w), shape{}))
			x.es = append(x.es, more...)
		}, 110},
		{"another dies", func(x *watching) { fine(x.w.Destroy(x.es[0])) }, -1},
		{"relocated", func(x *watching) { fine(x.w.Manager().SafePoint()) }, -1},
		{"declared a group", func(x *watching) {
			x.group()
		}, -1},
		{"written, then declared a group", func(x *watching) {
			x.shapes.Mut(x.es[3])
			x.group()
		}, 3},
		{"sorted", func(x *watching) {
			x.group().Sort(backwards)
		}, -1},
		{"written, then sorted", func(x *watching) {
			g := x.group()
			x.shapes.Mut(x.es[2])
			g.Sort(backwards)
		}, 2 + anywhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newWatching(t)
			c.do(x)
			n := x.q.Len()
			got := x.seen()
			if n != len(got) {
				t.Errorf("Len is %d, and the walk saw %d", n, len(got))
			}
			some := c.some % anywhere
			switch {
			case c.some < 0 && len(got) > 0:
				t.Errorf("saw %d entities, want none", len(got))
			case c.some >= 0 && !slices.Contains(got, x.es[some]):
				t.Errorf("saw %d entities, and not the one that has changed", len(got))
			case len(got) > 70 && c.some < anywhere:
				t.Errorf("saw %d of 100 entities, which lie in four chunks: those of one or two are to be seen", len(got))
			}
			if again := x.seen(); len(again) > 0 {
				t.Errorf("saw %d entities again", len(again))
			}
		})
	}
}

// C7: A walk that is broken off counts for nothing: the next one sees the same again.
func TestChangedBrokenOff(t *testing.T) {
	x := newWatching(t)
	x.shapes.Mut(x.es[0])
	x.shapes.Mut(x.es[99])
	for range x.q.All() {
		break
	}
	if got := x.seen(); !slices.Contains(got, x.es[0]) || !slices.Contains(got, x.es[99]) {
		t.Error("what a walk that was broken off has seen was not seen again")
	}
}

// A write while a walk goes on is not new to the next one, unless a command made it.
func TestChangedMeanwhile(t *testing.T) {
	x := newWatching(t)
	x.shapes.Mut(x.es[0])
	for c := range x.q.All() {
		x.shapes.Mut(c.Ents[0])
		x.shapes.Later(x.w.Commands()).Add(x.es[0], shape{}) // dropped: it has one
	}
	if got := x.seen(); len(got) > 0 {
		t.Errorf("a walk saw %d entities that were written in the one before", len(got))
	}
	x.shapes.Mut(x.es[0])
	for range x.q.All() {
		for c := range x.q.All() { // within a walk of the same query: sees the same
			if !slices.Contains(c.Ents, x.es[0]) {
				t.Error("a walk within the walk did not see what has changed")
			}
		}
	}
	if got := x.seen(); len(got) > 0 {
		t.Errorf("saw %d entities again after a walk within the walk", len(got))
	}
}

// A chunk that begins with rows which lack a component has no change of it when unchanged
// values move there. A spawned entity is seen though the spawner is older than the query.
func TestChangedSpawned(t *testing.T) {
	for _, batch := range []bool{false, true} {
		w := world(t, ecs.Options{})
		marks := ecs.Register[mark](w, "mark")
		ecs.Register[weight](w, "weight", ecs.Volatile)
		ecs.Register[shape](w, "shape")
		type marked struct {
			S shape
			M mark
		}
		all := ecs.SpawnerOf[struct {
			S shape
			M mark
			W weight
		}](w)
		some := ecs.SpawnerOf[marked](w)
		weighed := ecs.SpawnerOf[struct {
			S shape
			W weight
		}](w)
		var v struct {
			S shape
			W weight
		}
		e := ok(weighed.Spawn(v))
		q := ecs.QueryOf[struct {
			Ents []ecs.Entity
			_    ecs.Changed[weight]
		}](w)
		seen := func(step string, want ...ecs.Entity) {
			t.Helper()
			var got []ecs.Entity
			for c := range q.All() {
				got = append(got, c.Ents...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("batch %v, %s: saw %v, want %v", batch, step, got, want)
			}
		}
		seen("first", e)
		f := ok(weighed.Spawn(v))
		seen("spawned", e, f) // they share a chunk
		fine(w.Destroy(ok(all.Spawn(struct {
			S shape
			M mark
			W weight
		}{})))) // so that there is a table of all three
		fine(w.Run(context.Background()))
		seen("gone")
		if batch {
			fine(some.SpawnN(make([]ecs.Entity, 2), []marked{{}}))
		} else {
			ok(some.Spawn(marked{}))
		}
		fine(marks.Add(e, mark{}))
		seen("moved")
	}
}

// Systems see changes of others since they ran: of systems before them in this frame, and after
// them in the last, and commands.
func TestChangedSystems(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[weight](w, "weight")
	marks := ecs.Register[mark](w, "mark")
	e := ok(ecs.SpawnerOf[struct{ W weight }](w).Spawn(struct{ W weight }{}))
	writes := false
	var calls []string
	addSystem(t, w, "first", func(c *struct {
		W []weight
		_ ecs.Changed[weight]
	}) {
		calls = append(calls, "first")
	})
	addSystem(t, w, "writer", func(c *struct {
		W ecs.Write[weight]
	}) {
	}, ecs.When(func() bool { return writes }))
	addSystem(t, w, "second", func(c *struct {
		W ecs.WriteOne[weight]
		_ ecs.Changed[weight]
	}) {
		calls = append(calls, "second")
	})
	addSystem(t, w, "third", func(c *struct {
		Rows ecs.Rows
		W    []weight
		_    ecs.Added[mark]
	}) {
		calls = append(calls, "third")
	})
	addSystem(t, w, "both", func(c *struct {
		W []weight
		_ ecs.Added[mark]
		_ ecs.Changed[weight]
	}) {
		calls = append(calls, "both")
	})
	for i, want := range []string{
		"first second", // never ran
		"first",        // second wrote in the last frame, after first
		"",
		"second",
		"first",
		"",
		"third", // not both: the weight has not changed
		"second",
		"first third",
		"second third both",
		"first",
	} {
		calls = nil
		writes = i == 3 || i == 7 || i == 9
		if i == 8 || i == 9 {
			marks.Later(w.Commands()).Remove(e)
		}
		if i == 6 || i == 8 || i == 9 {
			marks.Later(w.Commands()).Add(e, mark{})
		}
		if err := w.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("frame %d ran %q, want %q", i, got, want)
		}
	}
}

// Changed and Added of components that lie elsewhere than the columns that are read.
func TestChangedElsewhere(t *testing.T) {
	for _, how := range []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin} {
		w := world(t, ecs.Options{})
		weights := ecs.Register[weight](w, "weight", how)
		shapes := ecs.Register[shape](w, "shape")
		ecs.GroupMade[struct{ S shape }](w, "shapes")
		q := ecs.QueryOf[struct {
			Ents []ecs.Entity
			S    []shape
			_    ecs.Changed[weight]
		}](w)
		added := ecs.QueryOf[struct {
			Ent ecs.Entity
			S   *shape
			_   ecs.Added[weight]
		}](w)
		var es []ecs.Entity
		for range 40 {
			e := ok(w.Spawn())
			fine(shapes.Add(e, shape{}))
			es = append(es, e)
		}
		look := func(step string, changes, adds []ecs.Entity) {
			t.Helper()
			var got, gotAdded []ecs.Entity
			for c := range added.All() {
				gotAdded = append(gotAdded, c.Ent)
			}
			for _, e := range es {
				if _, ok := added.Get(e); ok {
					t.Errorf("%v, %s: Get finds %v after the walk", how, step, e)
				}
			}
			for c := range q.All() {
				got = append(got, c.Ents...)
			}
			if !slices.Equal(got, changes) || !slices.Equal(gotAdded, adds) {
				t.Errorf("%v, %s: changed %v, want %v; added %v, want %v", how, step, got, changes, gotAdded, adds)
			}
		}
		fine(weights.Add(es[3], weight{}))
		look("first", es[3:4], es[3:4])
		look("nothing", nil, nil)
		weights.Mut(es[3])
		look("written", es[3:4], nil)
		fine(weights.Remove(es[3]))
		look("removed", nil, nil)
		fine(weights.Add(es[5], weight{}))
		if _, ok := added.Get(es[5]); !ok {
			t.Errorf("%v: Get does not find what was added", how)
		}
		look("added", es[5:6], es[5:6])
	}
}

func TestChangedRefused(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[weight](w, "weight")
	g := ecs.GroupOf[struct{ W weight }](w, "weights")
	ecs.QueryMade[struct {
		_ ecs.Changed[weight] `ashlar:"write"`
	}](w)
	refused(t, w.Err(), "remove the word")
	ecs.QueryMade[struct {
		_ ecs.Changed[weight]
		_ ecs.Without[weight]
	}](w)
	refused(t, w.Err(), "excluded by another")
	ecs.QueryMade[struct{ _ ecs.Added[shape] }](w)
	refused(t, w.Err(), "not registered")
	ecs.System(w, "over", func(*struct {
		W []weight
		_ ecs.Changed[weight]
	}) {
	}, ecs.OnlyIn(g))
	refused(t, w.Err(), "leave that field out")
}

func refused(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("error %v, want one with %q", err, words)
	}
}
