package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// AddAll and RemoveAll of 16 bytes, for all entities with another component.
func BenchmarkAllOfAQuery(b *testing.B) {
	for _, n := range []int{16 << 10, 1 << 20} {
		for how, name := range []string{"fixed", "", "optional", "thin"} {
			if name == "" {
				continue
			}
			b.Run(fmt.Sprintf("way=%s/entities=%d", name, n), func(b *testing.B) {
				w := world(b, ecs.Options{})
				ecs.Register[vec](w, "pos")
				vel := ecs.Register[name16](w, "vel", ecs.Storage(how))
				s := ecs.SpawnerOf[struct{ Pos vec }](w)
				ok(0, s.SpawnN(make([]ecs.Entity, n), []struct{ Pos vec }{{}}))
				q := ecs.QueryOf[struct{ Pos []vec }](w)
				rounds := 0
				for b.Loop() {
					ok(vel.AddAll(q, name16{1}))
					ok(vel.RemoveAll(q))
					rounds++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rounds*n), "ns/pair")
			})
		}
	}
}

// AddAll with RemoveAll, and DestroyAll by a query and by handles, of so few entities that what a call
// costs by itself counts. Others are in the world, too.
func BenchmarkAllOfFew(b *testing.B) {
	for _, n := range []int{1, 16, 256} {
		w := world(b, ecs.Options{})
		ecs.Register[vec](w, "pos")
		mark := ecs.Register[frozen](w, "mark")
		vel := ecs.Register[name16](w, "vel", ecs.Stable)
		type one struct{ Pos vec }
		type marked struct {
			Pos  vec
			Mark frozen
		}
		ok(0, ecs.SpawnerOf[one](w).SpawnN(make([]ecs.Entity, 10_000), []one{{}}))
		s := ecs.SpawnerOf[marked](w)
		es := make([]ecs.Entity, n)
		ok(0, s.SpawnN(es, []marked{{}}))
		q := ecs.QueryOf[struct {
			Pos []vec
			_   ecs.With[frozen]
		}](w)
		b.Run(fmt.Sprintf("call=add+remove/entities=%d", n), func(b *testing.B) {
			for b.Loop() {
				ok(vel.AddAll(q, name16{1}))
				ok(vel.RemoveAll(q))
			}
		})
		for _, by := range []string{"query", "handles"} {
			b.Run(fmt.Sprintf("call=spawn+destroy/by=%s/entities=%d", by, n), func(b *testing.B) {
				for b.Loop() {
					if by == "query" {
						ok(w.DestroyAll(q))
					} else {
						ok(w.DestroyAll(ecs.Handles(es)))
					}
					ok(0, s.SpawnN(es, []marked{{}}))
				}
			})
		}
		ok(0, mark.Clear())
	}
}

// Four in five of 2 million entities of 40 bytes die in one call: by a list in order of rows, by one
// that is shuffled, by a query, and by hand in a slice of structs that keeps its order.
func BenchmarkMostDie(b *testing.B) {
	const n = 2_000_000
	type thing struct {
		Pos vec
		Vel name16
	}
	dies := func(i int) bool { return i*7%5 != 0 }
	b.Run("impl=slice", func(b *testing.B) {
		list := make([]struct {
			id uint64
			thing
		}, n)
		for b.Loop() {
			b.StopTimer()
			list = list[:n]
			for i := range list {
				list[i].id = uint64(i)
			}
			b.StartTimer()
			kept := list[:0]
			for i := range list {
				if !dies(int(list[i].id)) {
					kept = append(kept, list[i])
				}
			}
			list = kept
		}
	})
	w := world(b, ecs.Options{})
	ecs.Register[vec](w, "pos", ecs.Stable)
	ecs.Register[name16](w, "vel", ecs.Stable)
	mark := ecs.Register[frozen](w, "mark", ecs.Volatile)
	s := ecs.SpawnerOf[thing](w)
	es := make([]ecs.Entity, n)
	var dead []ecs.Entity
	refill := func(marked bool) {
		w.Reset()
		ok(0, s.SpawnN(es, []thing{{}}))
		dead = dead[:0]
		for i, e := range es {
			if dies(i) {
				dead = append(dead, e)
			}
		}
		if marked {
			ok(mark.AddAll(ecs.Handles(dead), frozen{}))
		}
	}
	b.Run("impl=list", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			refill(false)
			b.StartTimer()
			ok(w.DestroyAll(ecs.Handles(dead)))
		}
	})
	b.Run("impl=shuffled", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			refill(false)
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(dead), func(i, j int) { dead[i], dead[j] = dead[j], dead[i] })
			b.StartTimer()
			ok(w.DestroyAll(ecs.Handles(dead)))
		}
	})
	q := ecs.QueryOf[struct {
		_ ecs.With[vec]
		_ ecs.With[frozen]
	}](w)
	b.Run("impl=query", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			refill(true)
			b.StartTimer()
			ok(w.DestroyAll(q))
		}
	})
}
