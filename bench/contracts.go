package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// Contracts against plain pointers to the same values, and against the Gets that they
// replace. Objects lie in the order of their entities and are visited at random.

type (
	part  struct{ X, Y float64 }
	parts struct {
		A part `ashlar:"a"`
		B part `ashlar:"b"`
		C part `ashlar:"c"`
		D part `ashlar:"d"`
	}
	bound1 struct {
		A *part `ashlar:"a"`
	}
	bound4 struct {
		A *part `ashlar:"a"`
		B *part `ashlar:"b"`
		C *part `ashlar:"c"`
		D *part `ashlar:"d"`
	}
)

// actors is entities with four components, as each of the ways to them has them. It is filled once; rows of the benchmark change values alone.
type actors struct {
	pools  [4]*ecs.Pool[part]
	other  *ecs.Pool[Position] // of elsewhere, which comes and goes
	order  []int32
	es     []ecs.Entity
	one    []bound1 // plain pointers
	four   []bound4
	in1    []ecs.Contract[bound1]
	in4    []ecs.Contract[bound4]
	s1     *ecs.Schema[bound1]
	s4     *ecs.Schema[bound4]
	field  ecs.Field[bound1, part]
	fields [4]ecs.Field[bound4, part]
	loose  ecs.Entity             // it gets and loses a component
	stray  ecs.Entity             // so does it, and has none of the four
	listed []ecs.Contract[bound4] // in4, in the order of visits
}

func newActors(n int) *actors {
	w := ecs.New(options())
	x := &actors{
		order: make([]int32, n), es: make([]ecs.Entity, n), one: make([]bound1, n), four: make([]bound4, n),
		in1: make([]ecs.Contract[bound1], n), in4: make([]ecs.Contract[bound4], n),
	}
	names := [4]string{"a", "b", "c", "d"}
	for i, name := range names {
		x.pools[i] = ecs.Register[part](w, name, ecs.Stable)
	}
	x.other = ecs.Register[Position](w, "other", ecs.Stable)
	s := ecs.SpawnerOf[parts](w)
	check(s.SpawnN(x.es, []parts{{part{1, 2}, part{1, 2}, part{1, 2}, part{1, 2}}}))
	x.loose, x.stray = must(s.Spawn(parts{})), must(w.Spawn())
	x.s1, x.s4 = ecs.SchemaOf[bound1](w), ecs.SchemaOf[bound4](w)
	x.field = ecs.FieldOf[part](x.s1)
	for i, name := range names {
		x.fields[i] = ecs.FieldOf[part](x.s4, name)
	}
	for i, e := range x.es {
		x.order[i] = int32(i)
		x.four[i] = bound4{x.pools[0].Get(e), x.pools[1].Get(e), x.pools[2].Get(e), x.pools[3].Get(e)}
		x.one[i] = bound1{x.four[i].A}
		x.in1[i], x.in4[i] = must(x.s1.Bind(e)), must(x.s4.Bind(e))
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { x.order[i], x.order[j] = x.order[j], x.order[i] })
	for _, i := range x.order {
		x.listed = append(x.listed, x.in4[i])
	}
	return x
}

func (x *actors) pointer1(order []int32) (sum float64) {
	for _, i := range order {
		sum += x.one[i].A.X
	}
	return sum
}

func (x *actors) pointer4(order []int32) (sum float64) {
	for _, i := range order {
		p := &x.four[i]
		sum += p.A.X + p.B.X + p.C.X + p.D.X
	}
	return sum
}

func (x *actors) get1(order []int32) (sum float64) {
	a := x.pools[0]
	for _, i := range order {
		if v := a.Get(x.es[i]); v != nil {
			sum += v.X
		}
	}
	return sum
}

func (x *actors) get4(order []int32) (sum float64) {
	a, b, c, d := x.pools[0], x.pools[1], x.pools[2], x.pools[3]
	for _, i := range order {
		e := x.es[i]
		va, vb, vc, vd := a.Get(e), b.Get(e), c.Get(e), d.Get(e)
		if va != nil && vb != nil && vc != nil && vd != nil {
			sum += va.X + vb.X + vc.X + vd.X
		}
	}
	return sum
}

func (x *actors) field1(order []int32) (sum float64) {
	s, a := x.s1, x.field
	for _, i := range order {
		if c := &x.in1[i]; s.Valid(c) {
			sum += a.At(c).X
		}
	}
	return sum
}

func (x *actors) field4(order []int32) (sum float64) {
	s, fa, fb, fc, fd := x.s4, x.fields[0], x.fields[1], x.fields[2], x.fields[3]
	for _, i := range order {
		if c := &x.in4[i]; s.Valid(c) {
			sum += fa.At(c).X + fb.At(c).X + fc.At(c).X + fd.At(c).X
		}
	}
	return sum
}

func (x *actors) struct1(order []int32) (sum float64) {
	s := x.s1
	for _, i := range order {
		if v, ok := s.Get(&x.in1[i]); ok {
			sum += v.A.X
		}
	}
	return sum
}

func (x *actors) struct4(order []int32) (sum float64) {
	s := x.s4
	for _, i := range order {
		if v, ok := s.Get(&x.in4[i]); ok {
			sum += v.A.X + v.B.X + v.C.X + v.D.X
		}
	}
	return sum
}

// all4 and listed4 go over the list, behind a structural change.
func (x *actors) all4([]int32) (sum float64) {
	x.toggle()
	for _, v := range x.s4.All(x.listed) {
		sum += v.A.X + v.B.X + v.C.X + v.D.X
	}
	return sum
}

func (x *actors) listed4([]int32) (sum float64) {
	x.toggle()
	for i := range x.listed {
		if v, ok := x.s4.Get(&x.listed[i]); ok {
			sum += v.A.X + v.B.X + v.C.X + v.D.X
		}
	}
	return sum
}

// toggle is a structural change in the table of all others.
func (x *actors) toggle() { x.turn(x.loose) }

// turn gives an entity a component and takes it away.
func (x *actors) turn(e ecs.Entity) {
	check(x.other.Add(e, Position{}))
	check(x.other.Remove(e))
}

func (x *actors) bind4(order []int32) (sum float64) {
	s := x.s4
	for _, i := range order {
		c, err := s.Bind(x.es[i])
		if err == nil {
			sum += float64(c.Entity().Index())
		}
	}
	return sum
}

func contractRows() (all []row) {
	type way = func(*actors, []int32) float64
	add := func(name string, n int, bar float64, ashlar, baseline, floor way) {
		all = append(all, row{name: fmt.Sprintf("contract, %s, %d", name, n), ops: n, times: repeat(n), bar: bar, ratio: true, allocs: true,
			make: func() (o, r, l piece) {
				x := newActors(n)
				o.work, r.work = func() { keep(ashlar(x, x.order)) }, func() { keep(baseline(x, x.order)) }
				if floor != nil {
					l.work = func() { keep(floor(x, x.order)) }
				}
				return o, r, l
			}})
	}
	// disturbed is f for one after the other, each after a structural change elsewhere.
	disturbed := func(f way) way {
		return func(x *actors, order []int32) (sum float64) {
			for i := range order {
				x.toggle()
				sum += f(x, order[i:i+1])
			}
			return sum
		}
	}
	// amid is f while a row of another table comes and goes at each 256th access.
	amid := func(f way) way {
		return func(x *actors, order []int32) (sum float64) {
			for some := range slices.Chunk(order, 256) {
				x.turn(x.stray)
				sum += f(x, some)
			}
			return sum
		}
	}
	for _, n := range []int{1 << 10, k16} {
		add("1 component, against a pointer", n, 1.5, (*actors).field1, (*actors).pointer1, nil)
		add("4 components, against pointers", n, 1.5, (*actors).field4, (*actors).pointer4, nil)
		add("1 component, against Get", n, 0.7, (*actors).field1, (*actors).get1, (*actors).pointer1)
		add("4 components, against Gets", n, 0.7, (*actors).field4, (*actors).get4, (*actors).pointer4)
		add("a struct of 1 pointer, against Get", n, 0.7, (*actors).struct1, (*actors).get1, (*actors).pointer1)
		add("a struct of 4 pointers, against Gets", n, 0.7, (*actors).struct4, (*actors).get4, (*actors).pointer4)
		add("1 component, after a change elsewhere, against Get", n, 1.3, disturbed((*actors).field1), disturbed((*actors).get1), disturbed((*actors).pointer1))
		add("4 components, after a change elsewhere, against Gets", n, 1.3, disturbed((*actors).field4), disturbed((*actors).get4), disturbed((*actors).pointer4))
		add("4 components, amid changes of another table, against Gets", n, 0.5, amid((*actors).field4), amid((*actors).get4), nil)
		add("binding 4 components, against Gets", n, 2, (*actors).bind4, (*actors).get4, nil)
	}
	for _, n := range []int{k262, m1} {
		add("a list of 4 components behind a change, All against Get", n, 0.9, (*actors).all4, (*actors).listed4, nil)
		all[len(all)-1].allocs = false // an iterator is some
	}
	return all
}
