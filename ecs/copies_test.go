package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A child's place is its parent's and one more, whichever row comes first: a system writes a column
// and reads the same component by handle, in every way of storing, while the component and a tag
// come and go so often that they change over.
func TestChildrenFollowTheirParents(t *testing.T) {
	type place struct{ X int64 }
	type parent struct{ Of ecs.Entity }
	type hidden struct{}
	stress := ecs.Options{Memory: memmgr.Options{Stress: true}}
	for name, x := range map[string]struct {
		o    ecs.Options
		runs int
		how  []ecs.Storage
	}{
		"unstated": {}, "stable": {how: []ecs.Storage{ecs.Stable}}, "volatile": {how: []ecs.Storage{ecs.Volatile}},
		"gathered": {runs: 1 << 20}, "runs": {runs: 1}, "stress": {o: stress}, "stress, gathered": {o: stress, runs: 1 << 20, how: []ecs.Storage{ecs.Stable}},
	} {
		for _, captured := range []bool{false, true} {
			w := world(t, ecs.WithRunLength(x.o, x.runs))
			places, parents := ecs.Register[place](w, "place", x.how...), ecs.Register[parent](w, "parent")
			hide := ecs.Register[hidden](w, "hidden")
			r := rand.New(rand.NewPCG(3, 4))
			want := map[ecs.Entity]int64{}
			var es []ecs.Entity
			for i := range 600 {
				e := ok(w.Spawn())
				ok(0, places.Add(e, place{int64(i)}))
				if want[e] = int64(i); i > 0 {
					ok(0, parents.Add(e, parent{es[r.IntN(i)]}))
				}
				es = append(es, e)
			}
			rows := 0
			ecs.System(w, "follow", func(c *struct {
				At     ecs.Write[place]
				Parent []parent
				Ents   []ecs.Entity
				Look   *ecs.Pool[place]
				_      ecs.Without[hidden]
			}) {
				look := c.Look
				if captured {
					look = places
				}
				for i, e := range c.Ents {
					rows++
					p := look.Get(c.Parent[i].Of)
					if p == nil {
						continue
					}
					if p.X != want[c.Parent[i].Of] {
						t.Fatalf("%s: frame %d: the parent of %v is at %d, want %d", name, w.Frame(), e, p.X, want[c.Parent[i].Of])
					}
					c.At[i].X = p.X + 1
					want[e] = p.X + 1
				}
			})
			for range 150 {
				for range 30 {
					e := es[1+r.IntN(len(es)-1)]
					if r.IntN(2) == 0 && places.Has(e) {
						ok(0, places.Remove(e))
					} else if !places.Has(e) {
						ok(0, places.Add(e, place{want[e]}))
					}
					if e = es[r.IntN(len(es))]; hide.Has(e) {
						ok(0, hide.Remove(e))
					} else {
						ok(0, hide.Add(e, hidden{}))
					}
				}
				ok(0, w.Run(t.Context()))
			}
			for e, v := range places.All() {
				if v.X != want[e] {
					t.Fatalf("%s: %v is at %d, want %d", name, e, v.X, want[e])
				}
			}
			if rows == 0 {
				t.Errorf("%s: no rows", name)
			}
		}
	}
}

// seen is one batch of a system: values that it writes, and values that it reads.
type seen struct {
	ents   []ecs.Entity
	rows   []uint16 // matching ones; nil: all
	hp     []hp
	armour [][1]int32
}

// seeing registers a system of a way that calls f with each batch.
func (s *handleStage) seeing(way string, f func(b seen)) {
	switch way {
	case "filtered":
		ecs.System(s.w, "see", func(c *struct {
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			_      ecs.Without[frozen]
		}) {
			f(seen{c.Ents, nil, c.HP, c.Armour})
		})
	case "rows":
		ecs.System(s.w, "see", func(c *struct {
			Rows   ecs.Rows
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			_      ecs.Without[frozen]
		}) {
			f(seen{c.Ents, c.Rows, c.HP, c.Armour})
		})
	case "elsewhere":
		ecs.System(s.w, "see", func(c *struct {
			Spr    []sprite
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
		}) {
			f(seen{c.Ents, nil, c.HP, c.Armour})
		})
	case "rows elsewhere":
		ecs.System(s.w, "see", func(c *struct {
			Rows   ecs.Rows
			Spr    []sprite
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			_      ecs.Without[frozen]
		}) {
			f(seen{c.Ents, c.Rows, c.HP, c.Armour})
		})
	case "filtered elsewhere":
		ecs.System(s.w, "see", func(c *struct {
			Spr    []sprite
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			_      ecs.Without[frozen]
		}) {
			f(seen{c.Ents, nil, c.HP, c.Armour})
		})
	case "whole":
		ecs.System(s.w, "see", func(c *struct {
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
		}) {
			f(seen{c.Ents, nil, c.HP, c.Armour})
		})
	case "scarce":
		ecs.System(s.w, "see", func(c *struct {
			Spr    []sprite
			HP     ecs.MaybeWrite[hp]
			Armour ecs.Maybe[[1]int32]
			Ents   []ecs.Entity
		}) {
			f(seen{c.Ents, nil, c.HP, c.Armour})
		})
	}
}

// Columns, handles, contracts and walks within see one value of each component of an entity at any time,
// in each way in which a system is given its rows: a change by any of them is seen by all.
func TestAllSeeOneValue(t *testing.T) {
	t.Parallel()
	stress := ecs.Options{Memory: memmgr.Options{Stress: true}}
	for _, way := range []string{"whole", "filtered", "rows", "elsewhere", "filtered elsewhere", "rows elsewhere", "scarce"} {
		for i, o := range []ecs.Options{{}, {Views: ecs.Views{Always: true}}, {Views: ecs.Views{Off: true}}, stress} {
			for _, runs := range []int{0, 1, 1 << 20} {
				for _, how := range [][]ecs.Storage{nil, {ecs.Stable}, {ecs.Volatile}} {
					name := fmt.Sprintf("%s, %d, runs of %d, %v", way, i, runs, how)
					s := newHandleStage(t, ecs.WithRunLength(o, runs), 3, how...)
					r := rand.New(rand.NewPCG(5, uint64(i)))
					m := map[ecs.Entity]*[2]int32{}
					for i, e := range s.es {
						m[e] = &[2]int32{int32(i), int32(i)}
					}
					batches := 0
					s.seeing(way, func(b seen) {
						batches++
						for k, n := 0, len(b.ents); k < 12; k++ {
							i := r.IntN(n)
							if b.rows != nil {
								i = int(b.rows[r.IntN(len(b.rows))])
							}
							s.act(t, name, r, m, b, i)
						}
					})
					for range 3 {
						ok(0, s.w.Run(t.Context()))
					}
					for e, v := range m {
						if s.hp.Get(e).V != v[0] || s.armour.Get(e)[0] != v[1] {
							t.Fatalf("%s: %v has %d and %d, want %v", name, e, s.hp.Get(e).V, s.armour.Get(e)[0], *v)
						}
					}
					if batches == 0 {
						t.Errorf("%s: no batch", name)
					}
				}
			}
		}
	}
}

// act does one thing to the i-th row of a batch or to some entity, and looks at all there is.
func (s *handleStage) act(t *testing.T, name string, r *rand.Rand, m map[ecs.Entity]*[2]int32, b seen, i int) {
	t.Helper()
	any := s.es[r.IntN(len(s.es))]
	switch r.IntN(8) {
	case 0:
		b.hp[i].V += 1000
		m[b.ents[i]][0] += 1000
	case 1:
		s.hp.Mut(any).V++
		m[any][0]++
	case 2:
		s.armour.Mut(any)[0]++
		m[any][1]++
	case 3:
		ok(0, s.hp.Set(b.ents[i], hp{7}))
		m[b.ents[i]][0] = 7
	case 4:
		v, _ := s.armours.Mut(new(ok(s.armours.Bind(b.ents[i]))))
		v.Armour[0] += 10
		m[b.ents[i]][1] += 10
	case 5:
		for c := range s.heal.All() {
			for j := range c.HP {
				c.HP[j].V++
			}
			break
		}
		for c := range s.heal.All() { // which is the first batch is no part of the result: undo it
			for j := range c.HP {
				c.HP[j].V--
			}
			break
		}
	case 6:
		for c := range s.heal.All() {
			for j := range c.HP {
				c.HP[j].V += 2
			}
		}
		for _, v := range m {
			v[0] += 2
		}
	case 7:
		for c := range s.warm.All() {
			for j, e := range c.Ents {
				c.HP[j].V += 3
				m[e][0] += 3
			}
			for j, e := range b.ents {
				if b.hp[j].V != m[e][0] {
					t.Fatalf("%s: row %d has %d while a query within writes, want %d", name, j, b.hp[j].V, m[e][0])
				}
			}
		}
	}
	sum, want := int64(0), int64(0)
	for c := range s.hps.All() {
		for _, v := range c.HP {
			sum += int64(v.V)
		}
	}
	for _, v := range m {
		want += int64(v[0])
	}
	if sum != want {
		t.Fatalf("%s: a query within finds a sum of %d, want %d", name, sum, want)
	}
	for _, e := range []ecs.Entity{any, b.ents[i]} {
		if hp, armour := s.hp.Get(e).V, s.armour.Get(e)[0]; hp != m[e][0] || armour != m[e][1] {
			t.Fatalf("%s: handles find %d and %d, want %v", name, hp, armour, *m[e])
		}
		if v, _ := s.hpOf.Get(e); v.HP.V != m[e][0] {
			t.Fatalf("%s: a query's Get finds %d, want %d", name, v.HP.V, m[e][0])
		}
	}
	for j, e := range b.ents {
		if b.hp[j].V != m[e][0] || b.armour[j] != [1]int32{m[e][1]} {
			t.Fatalf("%s: row %d has %d and %d, want %v", name, j, b.hp[j].V, b.armour[j][0], *m[e])
		}
	}
}

// A value that a handle writes is seen in a later batch of the walk, though it is kept in a view.
func TestLaterBatchesSeeWhatHandlesWrite(t *testing.T) {
	w := world(t, ecs.Options{Views: ecs.Views{Always: true}})
	hps, spr := ecs.Register[hp](w, "hp"), ecs.Register[sprite](w, "sprite")
	ecs.Apart(ecs.GroupOf[struct{ S sprite }](w, "sprites"))
	var es []ecs.Entity
	for range 20_000 {
		e := ok(w.Spawn())
		ok(0, spr.Add(e, sprite{}))
		ok(0, hps.Add(e, hp{1}))
		es = append(es, e)
	}
	batches, frame := 0, int32(0)
	ecs.System(w, "see", func(c *struct {
		Spr []sprite
		HP  []hp
	}) {
		batches++
		for i := range c.HP {
			if c.HP[i].V != frame {
				t.Fatalf("batch %d, row %d: %d, want %d", batches, i, c.HP[i].V, frame)
			}
		}
		if batches == 1 {
			frame++
			for _, e := range es {
				hps.Mut(e).V = frame
			}
			for i := range c.HP {
				if c.HP[i].V != frame {
					t.Fatalf("row %d: %d is passed still, want %d", i, c.HP[i].V, frame)
				}
			}
		}
	})
	for frame = 1; frame < 6; {
		batches = 0
		if ok(0, w.Run(t.Context())); batches < 2 {
			t.Fatalf("%d batches", batches)
		}
	}
}

// A slice that one of two walks only reads shows the other one's writes at once, whichever is within
// the other, though the walk within would copy its rows.
func TestReadersSeeTheOtherWalk(t *testing.T) {
	s := newHandleStage(t, ecs.WithRunLength(ecs.Options{}, 1<<20), 3, ecs.Stable)
	cold := ecs.QueryOf[struct {
		HP   []hp
		Ents []ecs.Entity
		_    ecs.Without[frozen]
	}](s.w)
	seen := 0
	ecs.System(s.w, "reads", func(c *struct {
		HP   []hp
		Ents []ecs.Entity
	}) {
		for in := range s.warm.All() {
			for j, e := range in.Ents {
				in.HP[j].V += 3
				if i := slices.Index(c.Ents, e); c.HP[i] != in.HP[j] {
					t.Fatalf("the outer walk reads %d, while %d was written within", c.HP[i].V, in.HP[j].V)
				}
				seen++
			}
		}
	})
	ecs.System(s.w, "writes", func(c *struct {
		HP   ecs.Write[hp]
		Ents []ecs.Entity
	}) {
		for in := range cold.All() {
			for j, e := range in.Ents {
				i := slices.Index(c.Ents, e)
				if c.HP[i].V += 5; c.HP[i] != in.HP[j] {
					t.Fatalf("a walk within reads %d, while %d was written outside", in.HP[j].V, c.HP[i].V)
				}
				seen++
			}
		}
	})
	ok(0, s.w.Run(t.Context()))
	if seen != 2*handleRows*2/3 {
		t.Errorf("%d rows", seen)
	}
}
