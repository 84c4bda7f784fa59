package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// BenchmarkChangedRows is the cost of changes by row, a row: a system's write of a column where
// none asks for changes, where a query asks for chunks, and for rows; Mut likewise; and a walk
// for rows with one in 100 changed, over the rows of all chunks.
func BenchmarkChangedRows(b *testing.B) {
	const n = 256 << 10
	type values struct {
		A b16
		W weight
	}
	for _, asks := range []string{"nothing", "chunks", "rows"} {
		w := world(b, ecs.Options{})
		ecs.Register[b16](w, "a")
		weights := ecs.Register[weight](w, "weight")
		es := make([]ecs.Entity, n)
		fine(ecs.SpawnerOf[values](w).SpawnN(es, []values{{}}))
		write := ecs.QueryOf[struct {
			W ecs.Write[weight]
		}](w)
		look := func() (rows int) { return 0 }
		switch asks {
		case "chunks":
			q := ecs.QueryOf[struct {
				W []weight
				_ ecs.Changed[weight]
			}](w)
			look = func() (rows int) {
				for c := range q.All() {
					rows += len(c.W)
				}
				return rows
			}
		case "rows":
			q := ecs.QueryOf[struct {
				W []weight
				_ ecs.ChangedRows[weight]
			}](w)
			look = func() (rows int) {
				for c := range q.All() {
					rows += len(c.W)
				}
				return rows
			}
		}
		look()
		perRow := func(b *testing.B, rows int) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
		}
		b.Run("write/asks="+asks, func(b *testing.B) {
			for b.Loop() {
				for c := range write.All() {
					for i := range c.W {
						c.W[i].V++
					}
				}
			}
			perRow(b, n)
		})
		b.Run("mut/asks="+asks, func(b *testing.B) {
			for b.Loop() {
				for i := 0; i < n; i += 97 {
					weights.Mut(es[i]).V++
				}
			}
			perRow(b, n/97)
		})
		look()
		b.Run("look/asks="+asks, func(b *testing.B) {
			for b.Loop() {
				for i := 0; i < n; i += 100 {
					weights.Mut(es[i]).V++
				}
				look()
			}
			perRow(b, n)
		})
	}
}
