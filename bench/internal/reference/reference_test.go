package reference

import (
	"math/rand/v2"
	"testing"
)

// store is what both references can do, for a test with a plain model.
type store struct {
	spawn   func() Entity
	destroy func(e Entity) bool
	add     [3]func(e Entity, v int) bool
	remove  [3]func(e Entity) bool
	get     [3]func(e Entity) *int
	count   func(with, without uint32) int
}

// sparseStore has queries that are kept from the start, and some that are made when they are asked for.
func sparseStore() store {
	w := &Sparse{}
	s := store{spawn: w.Spawn, destroy: w.Destroy}
	var sets [3]*Set[int]
	for i := range sets {
		sets[i] = SetOf[int](w)
		s.add[i], s.remove[i], s.get[i] = sets[i].Add, sets[i].Remove, sets[i].Get
	}
	early := map[[2]uint32]*Kept{{0b011, 0}: w.Keep(0b011, 0), {0b001, 0b010}: w.Keep(0b001, 0b010)}
	s.count = func(with, without uint32) (n int) {
		for _, e := range sets[0].Entities() {
			if m := w.masks[e.Index()]; m&with == with && m&without == 0 {
				n++
			}
		}
		for _, q := range []*Kept{early[[2]uint32{with, without}], w.Keep(with, without)} {
			if len(q.Rows(0)) != n || q.members.Entities() == nil {
				return -1
			}
			for i, e := range q.members.Entities() {
				if sets[0].Entities()[q.Rows(0)[i]] != e || with == 0b011 && sets[1].Entities()[q.Rows(1)[i]] != e {
					return -2
				}
			}
		}
		return n
	}
	return s
}

func tableStore(ungraphed bool) store {
	w := &Archetypes{Ungraphed: ungraphed}
	var s store
	for i := range 3 {
		p := PoolOf[int](w)
		s.add[i], s.remove[i], s.get[i] = p.Add, p.Remove, p.Get
	}
	root := w.Table(0)
	s.spawn, s.destroy = func() Entity { return w.Spawn(root) }, w.Destroy
	s.count = func(with, without uint32) (n int) {
		for _, t := range w.Query(with, without).Tables() {
			n += len(t.Entities())
		}
		return n
	}
	return s
}

// Random calls have the results that a map of maps has, and stale handles reach nothing.
func TestStoresAgreeWithMaps(t *testing.T) {
	for name, s := range map[string]store{"sparse": sparseStore(), "archetypes": tableStore(false), "no graph": tableStore(true)} {
		t.Run(name, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(1, 2))
			model := map[Entity]map[int]int{}
			var all []Entity
			for step := range 30_000 {
				if len(all) < 6000 && dice.IntN(3) == 0 { // more than a page of the sparse array
					e := s.spawn()
					if model[e] != nil {
						t.Fatal("a handle came twice")
					}
					model[e] = map[int]int{}
					all = append(all, e)
					continue
				}
				if len(all) == 0 {
					continue
				}
				e, c := all[dice.IntN(len(all))], dice.IntN(3)
				_, alive := model[e]
				_, has := model[e][c]
				switch dice.IntN(5) {
				case 0:
					if s.destroy(e) != alive {
						t.Fatal("destroy")
					}
					delete(model, e)
				case 1, 2:
					if alive {
						if s.add[c](e, step) == has {
							t.Fatal("add")
						}
						if !has {
							model[e][c] = step
						}
					}
				case 3:
					if s.remove[c](e) != has {
						t.Fatal("remove")
					}
					delete(model[e], c)
				}
			}
			want := [2]int{}
			for _, e := range all {
				for c := range 3 {
					v, has := model[e][c]
					if at := s.get[c](e); (at != nil) != has || has && *at != v {
						t.Fatalf("component %d of %x: %v, want %v %v", c, e, at, v, has)
					}
				}
				_, a := model[e][0]
				_, b := model[e][1]
				if a && b {
					want[0]++
				} else if a {
					want[1]++
				}
			}
			if got := [2]int{s.count(0b011, 0), s.count(0b001, 0b010)}; got != want || want[0] == 0 || want[1] == 0 {
				t.Errorf("queries find %v, want %v", got, want)
			}
		})
	}
}

// The rows of a group are those of the entities with both components, and lie in one order.
func TestGroup(t *testing.T) {
	w := &Sparse{}
	a, b := SetOf[int](w), SetOf[int](w)
	g := GroupOf(a, b)
	dice := rand.New(rand.NewPCG(5, 6))
	var list []Entity
	for i := range 500 {
		e := w.Spawn()
		list = append(list, e)
		a.Add(e, i)
		g.Enter(e)
	}
	for range 5000 {
		e := list[dice.IntN(len(list))]
		if b.Get(e) == nil {
			b.Add(e, *a.Get(e))
			g.Enter(e)
		} else {
			g.Leave(e)
			b.Remove(e)
		}
	}
	x, y := g.Values()
	if len(x) != len(b.Values()) || len(x) == 0 {
		t.Fatalf("%d rows, want %d", len(x), len(b.Values()))
	}
	for i := range x {
		if x[i] != y[i] || a.entities[i] != b.entities[i] || a.Row(a.entities[i]) != uint32(i) {
			t.Fatalf("row %d: %d and %d", i, x[i], y[i])
		}
	}
	for i, e := range list {
		if *a.Get(e) != i {
			t.Fatal("a value was lost")
		}
	}
}
