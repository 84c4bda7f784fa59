package ecs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Costs that grow with the number of groups, systems and components: see the bars of each.

// manyGroups makes groups of a component each, with some rows in each.
func manyGroups(tb testing.TB, w *ecs.World, groups, rows int) []ecs.AnyGroup {
	tb.Helper()
	list := make([]ecs.AnyGroup, groups)
	es := make([]ecs.Entity, rows)
	for i := range list {
		p := ecs.Register[hp](w, fmt.Sprint("hp", i))
		g := ecs.GroupOf[struct{ HP hp }](w, fmt.Sprint("g", i), p)
		ok(0, g.SpawnN(es, []struct{ HP hp }{{}}))
		list[i] = g
	}
	return list
}

// BenchmarkOverSmallGroups is a frame of one system over 512 groups of three rows.
func BenchmarkOverSmallGroups(b *testing.B) {
	w := ecs.New(ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}})
	defer w.Close()
	groups := manyGroups(b, w, 512, 3)
	ecs.System(w, "s", func(c *struct {
		HP ecs.Write[hp] `ashlar:"hp0"`
	}) {
		for i := range c.HP {
			c.HP[i].V++
		}
	}, ecs.OnlyIn(groups...))
	for b.Loop() {
		ok(0, w.Run(b.Context()))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512, "ns/group")
}

// BenchmarkFrame is a frame of one system over a few rows, without idle memory and with
// some that is given back later: it should cost the same.
func BenchmarkFrame(b *testing.B) {
	for _, on := range []bool{true, false} {
		for _, idle := range []bool{false, true} {
			b.Run(fmt.Sprintf("adapt=%v/idle=%v", on, idle), func(b *testing.B) {
				w := ecs.New(ecs.Options{Adapt: memmgr.AdaptOptions{Off: !on, Decay: time.Hour}, Memory: memmgr.Options{Arena: arena.Options{Reserve: 8 << 30}}})
				defer w.Close()
				ecs.Register[hp](w, "hp")
				big := ecs.Register[b8K](w, "big")
				g := ecs.GroupOf[struct{ HP hp }](w, "g")
				bigs := ecs.GroupOf[struct{ B b8K }](w, "bigs", big)
				ok(0, g.SpawnN(make([]ecs.Entity, 8), []struct{ HP hp }{{}}))
				if idle {
					es := make([]ecs.Entity, 2000)
					ok(0, bigs.SpawnN(es, []struct{ B b8K }{{}}))
					w.DestroyAll(ecs.Handles(es))
				}
				ecs.System(w, "s", func(c *struct {
					HP ecs.Write[hp]
				}) {
				})
				for range 100 {
					ok(0, w.Run(b.Context()))
				}
				if all, _ := w.Manager().Arena().Idle(); (all > 0) != idle && w.Manager().Arena().Backend() == arena.OS {
					b.Fatalf("%d bytes are idle", all)
				}
				for b.Loop() {
					ok(0, w.Run(b.Context()))
				}
			})
		}
	}
}

// BenchmarkRegister is 2,000 systems over 50 groups, in both orders; the bar is 50 ms.
func BenchmarkRegister(b *testing.B) {
	const systems, groups = 2000, 50
	for _, first := range []string{"groups", "systems"} {
		b.Run("first="+first, func(b *testing.B) {
			for b.Loop() {
				w := ecs.New(ecs.Options{})
				var pools []*ecs.Pool[hp]
				for i := range groups {
					pools = append(pools, ecs.Register[hp](w, fmt.Sprint("hp", i)))
				}
				ecs.Register[frozen](w, "frozen")
				ecs.Register[b4](w, "shared")
				group := func() {
					for i, p := range pools {
						ecs.GroupOf[struct{ HP hp }](w, fmt.Sprint("g", i), p)
					}
				}
				if first == "groups" {
					group()
				}
				for i := range systems {
					system(b, w, fmt.Sprint("s", i), i%groups)
				}
				if first == "systems" {
					group()
				}
				ok(0, w.Close())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms/op")
		})
	}
}

// system registers one that goes over the k-th of some groups, and reads a component of another.
func system(tb testing.TB, w *ecs.World, name string, k int) {
	tb.Helper()
	type s0 struct {
		HP ecs.Write[hp] `ashlar:"hp0"`
		B  []b4
	}
	type s1 struct {
		HP ecs.Write[hp] `ashlar:"hp1"`
		B  []b4
	}
	type s7 struct {
		HP []hp `ashlar:"hp7"`
	}
	type s49 struct {
		HP []hp `ashlar:"hp49"`
		B  []b4
		_  ecs.Without[frozen]
	}
	switch k % 4 {
	case 0:
		ecs.System(w, name, func(*s0) {})
	case 1:
		ecs.System(w, name, func(*s1) {})
	case 2:
		ecs.System(w, name, func(*s7) {})
	default:
		ecs.System(w, name, func(*s49) {})
	}
}

// BenchmarkCheck is Check of 4,000 groups; the bar is 100 ms.
func BenchmarkCheck(b *testing.B) {
	for _, rows := range []int{1, 4} {
		b.Run(fmt.Sprintf("groups=4000/rows=%d", rows), func(b *testing.B) {
			w := ecs.New(ecs.Options{})
			defer w.Close()
			manyGroups(b, w, 4000, rows)
			for b.Loop() {
				ok(0, w.Check())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms/op")
		})
	}
}

// BenchmarkFacts is Facts of a system over 2,000 groups.
func BenchmarkFacts(b *testing.B) {
	w := ecs.New(ecs.Options{Record: true})
	defer w.Close()
	groups := manyGroups(b, w, 2000, 1)
	ecs.System(w, "s", func(c *struct {
		HP ecs.Write[hp] `ashlar:"hp0"`
	}) {
	}, ecs.OnlyIn(groups...))
	ok(0, w.Run(b.Context()))
	for b.Loop() {
		if f := w.Facts(); len(f.Groups) != 2000 || len(f.Systems[0].Access) != 2000 {
			b.Fatalf("%d groups, %d accesses", len(f.Groups), len(f.Systems[0].Access))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms/op")
}
