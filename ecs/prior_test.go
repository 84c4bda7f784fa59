package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	cell struct {
		Left, Right ecs.Entity
	}
	heat  struct{ V int32 }
	empty struct{}
	three [3]byte // a chunk of them ends within a word
)

// A system sees the values of when it began, however the component is stored, and whatever it has written since.
func TestPrior(t *testing.T) {
	for name, how := range map[string]ecs.Storage{"stable": ecs.Stable, "volatile": ecs.Volatile, "thin": ecs.Thin, "counted": ecs.Counted} {
		t.Run(name, func(t *testing.T) {
			w := world(t, ecs.Options{Workers: 2, Record: true})
			hot, cells := ecs.Register[heat](w, "heat", how), ecs.Register[cell](w, "cell")
			tags, odds := ecs.Register[empty](w, "empty"), ecs.Register[three](w, "odd")
			es := make([]ecs.Entity, 5000)
			for i := range es {
				es[i] = ok(w.Spawn())
			}
			want := make([]int32, len(es))
			for i, e := range es {
				ok(0, cells.Add(e, cell{es[(i+len(es)-1)%len(es)], es[(i+1)%len(es)]}))
				ok(0, odds.Add(e, three{byte(i), byte(i >> 8)}))
				if i%3 > 0 {
					want[i] = int32(i * i % 1000)
					ok(0, hot.Add(e, heat{want[i]}))
				}
				if i%7 == 0 {
					ok(0, tags.Add(e, empty{}))
				}
				if i%15 == 1 {
					ok(0, hot.SetEnabled(e, false))
				}
			}
			tagged := 0
			ecs.System(w, "spread", func(c *struct {
				Heat ecs.Write[heat]
				Cell []cell
				Was  ecs.Prior[heat]
				Tag  ecs.Prior[empty]
				E    []ecs.Entity
				_    ecs.Present[heat]
			}) {
				was := c.Was.Rows(c.E)
				if tags := c.Tag.Rows(c.E); len(tags) != len(was) || cap(was) != len(c.E) {
					t.Errorf("%d values of %d rows, and %d tags", len(was), len(c.E), len(tags))
				}
				defer func() {
					for i, e := range c.E {
						if was[i] != *c.Was.Get(e) {
							t.Errorf("%v had %v by handle, and %v by row", e, *c.Was.Get(e), was[i])
						}
					}
				}()
				for i := range c.Heat {
					for _, e := range []ecs.Entity{c.Cell[i].Left, c.Cell[i].Right} {
						if v := c.Was.Get(e); v != nil {
							c.Heat[i].V += v.V
						}
					}
				}
			}, ecs.Parallel())
			ecs.System(w, "count", func(c *struct {
				Tag  ecs.Prior[empty]
				Heat ecs.Prior[heat]
			}) {
				tagged = 0
				for n := range 5 { // lists that the program makes: of all, of few, of one, of none
					list := es[min(n*n*n*37, len(es)):][:max(0, min(len(es)-n*n*n*37, 100>>n))]
					for i, v := range c.Heat.Rows(list) {
						if had := c.Heat.Get(list[i]); had == nil && v.V != 0 || had != nil && *had != v {
							t.Errorf("%v had %v, and %v in a list", list[i], had, v)
						}
					}
				}
				if len(c.Heat.Rows(nil)) > 0 {
					t.Error("values of no rows")
				}
				for _, e := range es {
					if c.Tag.Get(e) != nil {
						tagged++
					}
				}
			})
			ecs.System(w, "look", func(c *struct {
				Odd  []three
				E    []ecs.Entity
				Was  ecs.Prior[three]
				Heat ecs.Prior[heat]
			}) {
				odds, heats := c.Was.Rows(c.E), c.Heat.Rows(c.E)
				for i, e := range c.E {
					if had := c.Heat.Get(e); odds[i] != c.Odd[i] || had == nil && heats[i].V != 0 || had != nil && heats[i] != *had {
						t.Errorf("%v had %v and %v, and %v and %v by row", e, c.Odd[i], had, odds[i], heats[i])
						return
					}
				}
			})
			for range 5 {
				was := append([]int32(nil), want...)
				for i := range want {
					if i%3 > 0 {
						want[i] += was[(i+len(es)-1)%len(es)] + was[(i+1)%len(es)]
					}
				}
				ok(0, w.Run(t.Context()))
			}
			for i, e := range es {
				if v := hot.Get(e); (v != nil) != (i%3 > 0) || v != nil && v.V != want[i] {
					t.Fatalf("entity %d has %v, want %d", i, v, want[i])
				}
			}
			if tagged != (len(es)+6)/7 {
				t.Errorf("%d are tagged", tagged)
			}
			for i, e := range es {
				if i%3 > 0 && i%5 == 2 {
					ok(0, hot.Remove(e))
				}
			}
			// rows that go take their values with them, and none is found before the first row
			ok(0, w.Destroy(es[1]))
			ok(0, w.Run(t.Context()))
			for _, e := range es[2:] {
				ok(0, w.Destroy(e))
			}
			ok(0, w.Run(t.Context()))
			if tagged != 1 {
				t.Errorf("%d are tagged", tagged)
			}
		})
	}
}

// Rows stay while a system without rows has values of before, and the field is for systems alone.
func TestPriorHolds(t *testing.T) {
	w := world(t, ecs.Options{})
	hot := ecs.Register[heat](w, "heat")
	e := ok(w.Spawn())
	var err error
	ecs.System(w, "adds", func(c *struct{ Was ecs.Prior[heat] }) {
		if c.Was.Get(e) != nil {
			t.Error("there was a value")
		}
		err = hot.Add(e, heat{1})
	})
	func() {
		defer func() {
			if v := recover(); v == nil && err == nil {
				t.Error("rows can move")
			}
		}()
		_ = w.Run(t.Context())
	}()
	for name, make := range map[string]func(*ecs.World){
		"query": func(w *ecs.World) {
			ecs.QueryMade[struct {
				H   []heat
				Was ecs.Prior[heat]
			}](w)
		},
		"observer": func(w *ecs.World) {
			ecs.Observe(w, "o", func(*struct {
				In  ecs.Arrived[heat]
				Was ecs.Prior[heat]
			}) {
			})
		},
	} {
		w := ecs.New(ecs.Options{})
		ecs.Register[heat](w, "heat")
		make(w)
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), "ecs.Look") {
			t.Errorf("%s: %v", name, err)
		}
		ok(0, w.Close())
	}
}

// A steady frame copies values and allocates nothing. Memory of a peak goes back.
func TestPriorAllocates(t *testing.T) {
	w := world(t, ecs.Options{Workers: 1, Adapt: memmgr.AdaptOptions{Clock: standing}})
	hot := ecs.Register[heat](w, "heat")
	es := make([]ecs.Entity, 20_000)
	hots := ecs.SpawnerOf[struct{ H heat }](w)
	ok(0, hots.SpawnN(es, []struct{ H heat }{{heat{3}}}))
	sum := int32(0)
	ecs.System(w, "sum", func(c *struct {
		H   ecs.Write[heat]
		E   []ecs.Entity
		Was ecs.Prior[heat]
	}) {
		for i, e := range c.E {
			c.H[i].V++
			sum += c.H[i].V - c.Was.Get(e).V
		}
	})
	const settling = 200 // entries and chunks are tidied meanwhile
	for range settling {
		ok(0, w.Run(t.Context()))
	}
	if n := testing.AllocsPerRun(20, func() { ok(0, w.Run(t.Context())) }); n > 0 && !race.Enabled {
		t.Errorf("%v allocations a frame", n)
	}
	if want := int32(settling+21) * int32(len(es)); sum != want {
		t.Errorf("sum %d", sum)
	}
	if hot.Len() != len(es) {
		t.Errorf("%d rows", hot.Len())
	}
}
