package main

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// layer is the sort key of rows.
type layer struct{ Depth, Tint uint32 }

type drawn struct {
	Position
	Layer layer
}

// plainDrawn is a row as a slice of structs has it.
type plainDrawn struct {
	E ecs.Entity
	drawn
}

// sortRows are 1M rows that are sorted by one of their components, against
// slices.SortFunc of an array of the same structs. Nearly sorted: one row in 100 has changed
// places with one of the next 64; or with any.
func sortRows() []row {
	byValue := func(p *ecs.Pool[layer]) { p.Sort(func(a, b *layer) int { return cmp.Compare(a.Depth, b.Depth) }) }
	byKey := func(p *ecs.Pool[layer]) { p.SortKey(func(v *layer) uint64 { return uint64(v.Depth) }) }
	return []row{
		sortRow("nearly sorted", 0.5, 64, byValue),
		sortRow("1 in 100 anywhere", 1.2, m1, byValue),
		sortRow("random, by comparison", 1.2, 0, byValue),
		sortRow("random, by a 32-bit key", 0.3, 0, byKey),
	}
}

// nearlySorted is n depths in order, but for one in 100, which has changed places with one at
// most so many behind it; 0: depths in no order.
func nearlySorted(n, within int) []uint32 {
	r := rand.New(rand.NewPCG(3, 3))
	depths := make([]uint32, n)
	for i := range depths {
		if depths[i] = uint32(i) * 4000; within == 0 {
			depths[i] = r.Uint32()
		}
	}
	for range n / 100 * min(within, 1) {
		i := r.IntN(n)
		j := min(n-1, i+r.IntN(within))
		depths[i], depths[j] = depths[j], depths[i]
	}
	return depths
}

func sortRow(name string, bar float64, within int, sort func(*ecs.Pool[layer])) row {
	return row{name: "sort of 1M rows, " + name, ops: m1, unit: nanoseconds, bar: bar, ratio: true, make: func() (ashlar, baseline, floor piece) {
		depths := nearlySorted(m1, within)
		w := ecs.New(options())
		ecs.Register[Position](w, "position")
		layers := ecs.Register[layer](w, "layer")
		es := make([]ecs.Entity, len(depths))
		check(ecs.SpawnerOf[drawn](w).SpawnN(es, []drawn{{}}))
		ashlar.prepare = func() {
			i := 0
			for _, v := range layers.All() {
				v.Depth = depths[i]
				i++
			}
		}
		ashlar.work = func() { sort(layers) }
		flat := make([]plainDrawn, len(depths))
		baseline.prepare = func() {
			for i := range flat {
				flat[i].Layer.Depth = depths[i]
			}
		}
		baseline.work = func() {
			slices.SortFunc(flat, func(a, b plainDrawn) int { return cmp.Compare(a.Layer.Depth, b.Layer.Depth) })
		}
		return ashlar, baseline, floor
	}}
}
