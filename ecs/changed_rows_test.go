package ecs_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// byRows is a world of 300 entities: each has a weight, stored in some way; every second one a
// position, every third a mark. Two queries see the rows of weights that change.
type byRows struct {
	w       *ecs.World
	weights *ecs.Pool[weight]
	shapes  *ecs.Pool[b24]
	marks   *ecs.Pool[mark]
	es      []ecs.Entity
	changed *ecs.Query[rowsChanged]
	added   *ecs.Query[rowsAdded]
}

type rowsChanged struct {
	Ents []ecs.Entity
	W    []weight
	_    ecs.ChangedRows[weight]
}

type rowsAdded struct {
	E ecs.Entity
	W *weight
	_ ecs.AddedRows[weight] `ashlar:"weight"`
}

func newByRows(t *testing.T, o ecs.Options, how ecs.Storage) *byRows {
	x := &byRows{w: world(t, o)}
	x.weights, x.shapes = ecs.Register[weight](x.w, "weight", how), ecs.Register[b24](x.w, "shape")
	x.marks = ecs.Register[mark](x.w, "mark")
	x.es = make([]ecs.Entity, 300)
	fine(ecs.SpawnerOf[struct{ W weight }](x.w).SpawnN(x.es, []struct{ W weight }{{}}))
	for i, e := range x.es {
		if i%2 == 0 {
			fine(x.shapes.Add(e, b24{}))
		}
		if i%3 == 0 {
			fine(x.marks.Add(e, mark{}))
		}
	}
	x.changed, x.added = ecs.QueryOf[rowsChanged](x.w), ecs.QueryOf[rowsAdded](x.w)
	x.seen()
	return x
}

// seen is the numbers of the entities that the queries see.
func (x *byRows) seen() (changed, added []int) {
	n := x.changed.Len()
	for c := range x.changed.All() {
		for _, e := range c.Ents {
			changed = append(changed, slices.Index(x.es, e))
		}
	}
	if len(changed) != n {
		panic(fmt.Sprintf("Len is %d, and the walk saw %d", n, len(changed)))
	}
	for c := range x.added.All() {
		added = append(added, slices.Index(x.es, c.E))
	}
	slices.Sort(changed)
	slices.Sort(added)
	return changed, added
}

// every is the numbers of matching rows.
func every(match func(i int) bool) (list []int) {
	for i := range 300 {
		if match(i) {
			list = append(list, i)
		}
	}
	return list
}

func isEven(i int) bool { return i%2 == 0 }

// A write or an added component is seen row by row, whichever way it is written, however the
// component is stored, and nothing else is.
func TestChangedRows(t *testing.T) {
	type writes struct {
		W ecs.WriteOne[weight]
		S ecs.MaybeOne[b24]
	}
	for _, c := range []struct {
		name           string
		do             func(x *byRows)
		changed, added []int
	}{
		{"nothing", func(x *byRows) {}, nil, nil},
		{"read", func(x *byRows) {
			x.weights.Get(x.es[3])
			for range ecs.QueryOf[struct{ W []weight }](x.w).All() {
			}
			ok(ecs.SchemaOf[writes](x.w).Bind(x.es[3]))
		}, nil, nil},
		{"Mut", func(x *byRows) { x.weights.Mut(x.es[7]) }, []int{7}, nil},
		{"Set and Put", func(x *byRows) {
			fine(x.weights.Set(x.es[250], weight{}))
			fine(x.weights.Put(x.es[0], weight{}))
		}, []int{0, 250}, nil},
		{"removed, and put", func(x *byRows) {
			fine(x.weights.Remove(x.es[4]))
			fine(x.weights.Put(x.es[4], weight{}))
		}, []int{4}, []int{4}},
		{"removed", func(x *byRows) { fine(x.weights.Remove(x.es[4])) }, nil, nil},
		{"a batch removed, and added", func(x *byRows) {
			ok(x.weights.RemoveAll(ecs.Handles(x.es[40:60])))
			ok(x.weights.AddAll(ecs.Handles(x.es[50:60]), weight{}))
		}, []int{50, 51, 52, 53, 54, 55, 56, 57, 58, 59}, []int{50, 51, 52, 53, 54, 55, 56, 57, 58, 59}},
		{"all of a query set", func(x *byRows) {
			ok(x.weights.SetAll(ecs.QueryOf[struct{ _ ecs.With[mark] }](x.w), weight{1}))
		}, every(func(i int) bool { return i%3 == 0 }), nil},
		{"all of a query removed, and added", func(x *byRows) {
			q := ecs.QueryOf[struct{ _ ecs.With[b24] }](x.w)
			ok(x.weights.RemoveAll(q))
			ok(x.weights.AddAll(q, weight{1}))
		}, every(isEven), every(isEven)},
		{"set for all that have changed", func(x *byRows) {
			x.weights.Mut(x.es[5])
			if n := ok(x.weights.SetAll(x.changed, weight{2})); n != 1 {
				panic(fmt.Sprintf("%d were set", n))
			}
		}, []int{5}, nil},
		{"commands", func(x *byRows) {
			c := x.w.Commands()
			x.weights.Later(c).Remove(x.es[9])
			x.weights.Later(c).Add(x.es[9], weight{})
			fine(x.w.SafePoint())
		}, []int{9}, []int{9}},
		{"slices that write", func(x *byRows) {
			for range ecs.QueryOf[struct {
				W ecs.Write[weight]
				_ ecs.Without[b24]
			}](x.w).All() {
			}
		}, every(func(i int) bool { return !isEven(i) }), nil},
		{"slices that write, over rows that lack some", func(x *byRows) {
			for c := range ecs.QueryOf[struct {
				Rows ecs.Rows
				W    ecs.MaybeWrite[weight]
				_    ecs.With[mark]
				_    ecs.With[b24]
			}](x.w).All() {
				_ = c
			}
		}, every(func(i int) bool { return i%6 == 0 }), nil},
		{"a part", func(x *byRows) {
			for range ecs.QueryOf[struct {
				V ecs.Write[int64] `ashlar:"weight.V"`
				_ ecs.With[mark]
			}](x.w).All() {
			}
		}, every(func(i int) bool { return i%3 == 0 }), nil},
		{"pointers that write, until one is found", func(x *byRows) {
			n := 0
			for range ecs.QueryOf[struct {
				W ecs.WriteOne[weight]
				_ ecs.Without[mark]
			}](x.w).All() {
				if n++; n == 1 {
					break
				}
			}
		}, []int{-1}, nil}, // some one
		{"one of a query", func(x *byRows) {
			_, is := ecs.QueryOf[writes](x.w).Get(x.es[11])
			if !is {
				panic("it does not match")
			}
		}, []int{11}, nil},
		{"a contract", func(x *byRows) {
			s := ecs.SchemaOf[writes](x.w)
			k := ok(s.Bind(x.es[12]))
			if _, is := s.Mut(&k); !is {
				panic("it does not hold")
			}
		}, []int{12}, nil},
		{"a field of a contract", func(x *byRows) {
			s := ecs.SchemaOf[writes](x.w)
			k := ok(s.Bind(x.es[13]))
			f := ecs.FieldOf[weight](s)
			if err := x.w.Err(); err == nil && s.Valid(&k) {
				f.Mut(&k)
			} else { // it need not stay where it is
				s.Mut(&k)
			}
		}, []int{13}, nil},
		{"a tool", func(x *byRows) {
			ecs.SchemaOfPools(x.w, x.weights).MutValue(x.es[14], "weight")
		}, []int{14}, nil},
		{"a system", func(x *byRows) {
			fine(systemRefusal(x.w, "writer", func(*struct {
				W ecs.Write[weight]
				_ ecs.With[b24]
				_ ecs.With[mark]
			}) {
			}))
			for range 3 {
				fine(x.w.Run(context.Background()))
			}
		}, every(func(i int) bool { return i%6 == 0 }), nil},
		{"a system of all", func(x *byRows) {
			fine(systemRefusal(x.w, "writer", func(*struct {
				W ecs.Write[weight]
			}) {
			}))
			for range 3 {
				fine(x.w.Run(context.Background()))
				x.w.Manager().Advance()
			}
		}, every(func(int) bool { return true }), nil},
		{"written, and moved in all ways", func(x *byRows) {
			x.weights.Mut(x.es[100])
			for _, e := range x.es[:150] {
				if x.shapes.Has(e) {
					fine(x.shapes.Remove(e))
				} else {
					fine(x.shapes.Add(e, b24{}))
				}
			}
			ok(x.marks.RemoveAll(x.marks2()))
			x.weights.Sort(func(a, b *weight) int { return 0 })
			g := ecs.GroupOf[struct{ W weight }](x.w, "weights")
			g.Sort(backwards)
			fine(g.Dissolve())
			fine(x.w.Run(context.Background()))
		}, []int{100}, nil},
		{"written in a group's rows", func(x *byRows) {
			g := ecs.GroupOf[struct{ W weight }](x.w, "weights")
			fine(systemRefusal(x.w, "over", func(*struct {
				W ecs.Write[weight]
			}) {
			}, ecs.OnlyIn(g)))
			fine(x.w.Run(context.Background()))
		}, every(func(int) bool { return true }), nil},
		{"given back", func(x *byRows) {
			x.weights.Mut(x.es[20])
			ok(x.w.Purge())
		}, []int{20}, nil},
		{"disabled and enabled", func(x *byRows) {
			x.weights.Mut(x.es[21])
			x.weights.Mut(x.es[22])
			fine(x.weights.SetEnabled(x.es[21], false))
		}, []int{22}, nil},
	} {
		for name, o := range map[string]ecs.Options{"plain": {}, "gather": ecs.WithRunLength(ecs.Options{}, 1<<20), "stress": ecs.WithRunLength(ecs.Options{Memory: memmgr.Options{Stress: true, Arena: arena.Options{Backend: arena.Heap}}}, 1)} {
			for _, how := range []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin} {
				x := newByRows(t, o, how)
				c.do(x)
				fine(x.w.Check())
				changed, added := x.seen()
				if len(c.changed) == 1 && c.changed[0] < 0 && len(changed) == 1 {
					changed[0] = -1
				}
				if !slices.Equal(changed, c.changed) || !slices.Equal(added, c.added) {
					t.Errorf("%s, %s, %v: %v changed and %v were added, want %v and %v", c.name, name, how, changed, added, c.changed, c.added)
				}
				if changed, added = x.seen(); len(changed)+len(added) > 0 {
					t.Errorf("%s, %s, %v: %v and %v are seen again", c.name, name, how, changed, added)
				}
				fine(x.w.Close())
			}
		}
	}
}

// marks2 is all that are marked.
func (x *byRows) marks2() *ecs.Query[struct{ _ ecs.With[mark] }] {
	return ecs.QueryOf[struct{ _ ecs.With[mark] }](x.w)
}

// The word that asks for rows names no component, and whatever else.
func TestNamedRows(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[weight](w, "rows")
	refused(t, w.Err(), "is a reserved word of tags")
	w = world(t, ecs.Options{})
	ecs.Register[weight](w, "weight")
	ecs.GroupMade[struct{ W weight }](w, "rows")
	fine(systemRefusal(w, "rows", func(*struct{ W []weight }) {}))
	fine(w.Run(context.Background()))
}

// A query of chunks and one of rows see the same component, each in its way, and from
// elsewhere, too. A copy that a panic leaves behind is a change of rows and chunks alike.
func TestChangedRowsBesideChunks(t *testing.T) {
	x := newByRows(t, ecs.Options{}, ecs.Stable)
	chunks := ecs.QueryOf[struct {
		Ents []ecs.Entity
		_    ecs.Changed[weight]
	}](x.w)
	shapes := ecs.QueryOf[struct {
		Ents []ecs.Entity
		S    []b24
		_    ecs.ChangedRows[weight]
		_    ecs.AddedRows[b24]
	}](x.w)
	ecs.GroupMade[struct{ S b24 }](x.w, "shapes")
	look := func() (n, of int) {
		for c := range chunks.All() {
			n += len(c.Ents)
		}
		for c := range shapes.All() {
			of += len(c.Ents)
		}
		return n, of
	}
	look()
	x.weights.Mut(x.es[0])
	fine(x.shapes.Add(x.es[1], b24{}))
	if n, of := look(); n < 10 || of != 0 {
		t.Errorf("%d rows of chunks that have changed, and %d that changed and were added", n, of)
	}
	x.weights.Mut(x.es[1])
	fine(x.shapes.Remove(x.es[1]))
	fine(x.shapes.Add(x.es[1], b24{}))
	if _, of := look(); of != 1 {
		t.Errorf("%d changed and were added, want 1", of)
	}
	for _, q := range []func(){
		func() {
			for range ecs.QueryOf[struct {
				V ecs.Write[int64] `ashlar:"weight.V"`
			}](x.w).All() {
				panic("given up")
			}
		},
		func() {
			for range ecs.QueryOf[struct {
				S []b24
				W ecs.Write[weight]
			}](x.w).All() {
				panic("given up")
			}
		},
	} {
		panics(t, "given up", q)
		fine(x.w.Check())
	}
	x.w.Reset()
	fine(x.w.Check())
	if changed, _ := x.seen(); len(changed) > 0 {
		t.Errorf("%v changed, and nobody is alive", changed)
	}
}
