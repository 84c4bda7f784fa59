package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Values of all sizes come to their columns by each kind of spawn, whichever way their
// components are stored, and are there still after their entities have moved between
// tables and other rows have moved into their place.
func TestSpawnsOfAllSizes(t *testing.T) {
	for _, how := range [][]ecs.Storage{
		{ecs.Counted}, {ecs.Volatile}, {ecs.Thin},
		{ecs.Stable, ecs.Volatile}, {ecs.Thin, ecs.Stable, ecs.Stable}, {ecs.Volatile, ecs.Thin, ecs.Stable, ecs.Counted},
	} {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			w, r := world(t, ecs.Options{}), rand.New(rand.NewPCG(4, 2))
			parts := partsStored(w, func(i int) ecs.Storage { return how[i%len(how)] })
			s := ecs.SpawnerOf[allSized](w)
			values := map[ecs.Entity]*allSized{}
			lacks := map[ecs.Entity]int{} // a bit for each component that was taken
			var es []ecs.Entity
			born := func(e ecs.Entity, v allSized) { es, values[e] = append(es, e), &v }
			for i, n := range []int{1, 2, 300} {
				list := make([]allSized, n)
				for k := range list {
					list[k] = sizedOf(uint64(i*1000 + k))
				}
				each, same := make([]ecs.Entity, n), make([]ecs.Entity, n)
				ok(0, s.SpawnN(each, list))
				ok(0, s.SpawnN(same, list[:1]))
				for k := range list {
					born(each[k], list[k])
					born(same[k], list[0])
				}
				born(ok(s.Spawn(list[n-1])), list[n-1])
			}
			check := func(when string) {
				for _, e := range es {
					for i, p := range parts {
						if has := lacks[e]>>i&1 == 0; p.has(e) != has || p.is(e, values[e]) != has {
							t.Fatalf("%s: component %d of %v: there %v, as it was %v, want %v", when, i, e, p.has(e), p.is(e, values[e]), has)
						}
					}
				}
				ok(0, w.Check())
			}
			check("spawned")
			for step := range 4000 {
				k := r.IntN(len(es))
				e, i := es[k], r.IntN(len(parts))
				switch {
				case step%20 == 0:
					ok(0, w.Destroy(e))
					es[k] = es[len(es)-1]
					es = es[:len(es)-1]
				case step%50 == 7:
					ok(0, w.Run(t.Context()))
				case lacks[e]>>i&1 == 0:
					ok(0, parts[i].remove(e))
					lacks[e] |= 1 << i
				default:
					ok(0, parts[i].add(e, values[e]))
					lacks[e] &^= 1 << i
				}
				if step%500 == 0 {
					check(fmt.Sprint("step ", step))
				}
			}
			check("at the end")
		})
	}
}

// partsStored is partsOf with components that are stored as how says.
func partsStored(w *ecs.World, how func(i int) ecs.Storage) []part {
	return []part{
		partOf(w, "v0", func(v *allSized) *size0 { return &v.V0 }, how(0)),
		partOf(w, "v1", func(v *allSized) *size1 { return &v.V1 }, how(1)),
		partOf(w, "v4", func(v *allSized) *size4 { return &v.V4 }, how(2)),
		partOf(w, "v7", func(v *allSized) *size7 { return &v.V7 }, how(3)),
		partOf(w, "v8", func(v *allSized) *size8 { return &v.V8 }, how(4)),
		partOf(w, "v12", func(v *allSized) *size12 { return &v.V12 }, how(5)),
		partOf(w, "v16", func(v *allSized) *size16 { return &v.V16 }, how(6)),
		partOf(w, "v24", func(v *allSized) *size24 { return &v.V24 }, how(7)),
		partOf(w, "v32", func(v *allSized) *size32 { return &v.V32 }, how(8)),
		partOf(w, "v50", func(v *allSized) *size50 { return &v.V50 }, how(9)),
		partOf(w, "v64", func(v *allSized) *size64 { return &v.V64 }, how(10)),
		partOf(w, "v100", func(v *allSized) *size100 { return &v.V100 }, how(11)),
		partOf(w, "v1k6", func(v *allSized) *size1k6 { return &v.V1k6 }, how(12)),
	}
}
