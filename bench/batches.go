package main

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// kindOf is a component of 16 bytes. N, an array, tells ten kinds apart, and the ten that come and go.
type kindOf[N any] [2]uint64

// Structs of ten components. Nothing changes a value.
type (
	tenFirst struct {
		A kindOf[[0]int8]
		B kindOf[[1]int8]
		C kindOf[[2]int8]
		D kindOf[[3]int8]
		E kindOf[[4]int8]
		F kindOf[[5]int8]
		G kindOf[[6]int8]
		H kindOf[[7]int8]
		I kindOf[[8]int8]
		J kindOf[[9]int8]
	}
	tenMore struct {
		A kindOf[[0]int16]
		B kindOf[[1]int16]
		C kindOf[[2]int16]
		D kindOf[[3]int16]
		E kindOf[[4]int16]
		F kindOf[[5]int16]
		G kindOf[[6]int16]
		H kindOf[[7]int16]
		I kindOf[[8]int16]
		J kindOf[[9]int16]
		_ ecs.Without[fewer]
	}
	tenLess struct {
		fewer
		_ ecs.Without[kindOf[[0]int16]]
		_ ecs.Without[kindOf[[1]int16]]
		_ ecs.Without[kindOf[[2]int16]]
		_ ecs.Without[kindOf[[3]int16]]
		_ ecs.Without[kindOf[[4]int16]]
		_ ecs.Without[kindOf[[5]int16]]
		_ ecs.Without[kindOf[[6]int16]]
		_ ecs.Without[kindOf[[7]int16]]
		_ ecs.Without[kindOf[[8]int16]]
		_ ecs.Without[kindOf[[9]int16]]
	}
	fewer struct{} // a tag, since an exchange takes as well as it gives
)

func kind[N any](w *ecs.World, name string) { ecs.Register[kindOf[N]](w, name) }

// twentyKinds is a world with the twenty kinds and a tag, and a query over entities that have the first ten.
func twentyKinds() (w *ecs.World, tag *ecs.Pool[fewer], all *ecs.Query[struct{ A []kindOf[[0]int8] }]) {
	w = ecs.New(options())
	kind[[0]int8](w, "first0")
	kind[[1]int8](w, "first1")
	kind[[2]int8](w, "first2")
	kind[[3]int8](w, "first3")
	kind[[4]int8](w, "first4")
	kind[[5]int8](w, "first5")
	kind[[6]int8](w, "first6")
	kind[[7]int8](w, "first7")
	kind[[8]int8](w, "first8")
	kind[[9]int8](w, "first9")
	kind[[0]int16](w, "more0")
	kind[[1]int16](w, "more1")
	kind[[2]int16](w, "more2")
	kind[[3]int16](w, "more3")
	kind[[4]int16](w, "more4")
	kind[[5]int16](w, "more5")
	kind[[6]int16](w, "more6")
	kind[[7]int16](w, "more7")
	kind[[8]int16](w, "more8")
	kind[[9]int16](w, "more9")
	return w, ecs.Register[fewer](w, "fewer"), ecs.QueryOf[struct{ A []kindOf[[0]int8] }](w)
}

// batchRows are about many entities of ten components in one call, against tables in plain Go that
// copy each column once.
func batchRows() (list []row) {
	for _, n := range []int{k262, m1} {
		list = append(list,
			row{name: fmt.Sprintf("batch: spawn with 10 components, %d entities", n), ops: n, unit: nanoseconds, bar: 1.1, ratio: true, make: spawnTen(n)},
			row{name: fmt.Sprintf("batch: add and remove 10 more, %d entities", n), ops: n, unit: nanoseconds, bar: 1.1, ratio: true, make: moveTen(n)})
	}
	return list
}

// archetype is a table of an archetype store: entities, and columns of 16 bytes.
type archetype struct {
	entities []uint64
	columns  [][][2]uint64
}

// spawn appends n rows with one value; where says for each entity where its row is.
func (a *archetype) spawn(n int, where []uint32) {
	first := len(a.entities)
	a.entities = slices.Grow(a.entities, n)[:first+n]
	for i := range n {
		a.entities[first+i] = uint64(i)
		where[i] = uint32(first + i)
	}
	for k := range a.columns {
		a.columns[k] = filled(a.columns[k], n, [2]uint64{1, uint64(k)})
	}
}

// filled appends n equal values.
func filled(list [][2]uint64, n int, v [2]uint64) [][2]uint64 {
	from := len(list)
	list = slices.Grow(list, n)[:from+n]
	for i := range list[from:] {
		list[from+i] = v
	}
	return list
}

// pass moves all rows to the end of another table, and gives the columns that are new one value.
func (a *archetype) pass(to *archetype, where []uint32) {
	first, n := len(to.entities), len(a.entities)
	to.entities = append(to.entities, a.entities...)
	for i, e := range a.entities {
		where[e] = uint32(first + i)
	}
	for k := range to.columns {
		if k < len(a.columns) {
			to.columns[k] = append(to.columns[k], a.columns[k]...)
			continue
		}
		to.columns[k] = filled(to.columns[k], n, [2]uint64{1, uint64(k)})
	}
	a.clear()
}

func (a *archetype) clear() {
	a.entities = a.entities[:0]
	for k := range a.columns {
		a.columns[k] = a.columns[k][:0]
	}
}

// rest has chunks that went out of use be free for new rows, as two frames do.
func rest(w *ecs.World) {
	check(w.SafePoint())
	check(w.SafePoint())
}

func spawnTen(n int) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		w, _, all := twentyKinds()
		some := ecs.SpawnerOf[tenFirst](w)
		es := make([]ecs.Entity, n)
		ashlar.prepare = func() {
			must(w.DestroyAll(all))
			rest(w)
		}
		ashlar.work = func() { check(some.SpawnN(es, []tenFirst{{A: kindOf[[0]int8]{1, 2}}})) }
		a := &archetype{columns: make([][][2]uint64, 10)}
		where := make([]uint32, n)
		baseline.prepare = a.clear
		baseline.work = func() { a.spawn(n, where) }
		return ashlar, baseline, floor
	}
}

func moveTen(n int) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		w, tag, all := twentyKinds()
		some := ecs.SpawnerOf[tenFirst](w)
		check(some.SpawnN(make([]ecs.Entity, n), []tenFirst{{A: kindOf[[0]int8]{1, 2}}}))
		add, remove := ecs.ExchangeOf[tenMore](w), ecs.ExchangeOf[tenLess](w)
		must(tag.AddAll(all, fewer{}))
		ashlar.prepare = func() { rest(w) }
		ashlar.work = func() {
			must(add.All(all, tenMore{A: kindOf[[0]int16]{1, 2}}))
			must(remove.All(all, tenLess{}))
		}
		a, b := &archetype{columns: make([][][2]uint64, 10)}, &archetype{columns: make([][][2]uint64, 20)}
		where := make([]uint32, n)
		a.spawn(n, where)
		baseline.work = func() {
			a.pass(b, where)
			b.columns = b.columns[:10]
			b.pass(a, where)
			b.columns = b.columns[:20]
			for k := range b.columns {
				b.columns[k] = b.columns[k][:0]
			}
		}
		return ashlar, baseline, floor
	}
}
