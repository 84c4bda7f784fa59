package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// filled makes a herd with so many rows of two components, 24 bytes each row.
func filled(b *testing.B, n int) (*herd, *Bundle, []Entity) {
	h := makeHerd(b, Options{MaxEntities: 1 << 22}, memmgr.Options{}, false)
	two := h.NewBundle([]*Component{h.l, h.r}, []uintptr{0, 8})
	es := make([]Entity, n)
	if err := two.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
		b.Fatal(err)
	}
	return h, two, es
}

// Cost of a call that destroys one in so many entities, for each of them: it shows where rows
// that move up (packShare) begin to cost more than rows that fill holes.
func BenchmarkHoles(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 14, 1 << 18} {
		for _, every := range []int{2, 4, 8, 16, 32, 64} {
			for _, packs := range []bool{false, true} {
				b.Run(fmt.Sprintf("rows=%d/every=%d/packs=%v", n, every, packs), func(b *testing.B) {
					h, two, es := filled(b, n)
					t := h.l.tables[0]
					dead := make([]Entity, 0, n/every)
					for i := 0; i < n; i += every {
						dead = append(dead, es[i])
					}
					for b.Loop() {
						var list holes
						for _, e := range dead {
							list.mark(t, span{t.Seq.Index(locOf(t.words.Load(e.Index()))), 1})
						}
						g := &list.list[0]
						g.few = joined(g.few)
						if packs {
							g.spill()
							g.pack(0)
						} else {
							g.fill()
						}
						b.StopTimer()
						h.Clear()
						clear(es)
						if err := two.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
							b.Fatal(err)
						}
						dead = dead[:0]
						for i := 0; i < n; i += every {
							dead = append(dead, es[i])
						}
						b.StartTimer()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dead)), "ns/hole")
				})
			}
		}
	}
}

// Cost of the death of one in so many entities, in any order, by one call.
func BenchmarkDeaths(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 12, 1 << 15, 1 << 18, 1 << 20} {
		for _, every := range []int{20, 56} {
			b.Run(fmt.Sprintf("rows=%d/every=%d", n, every), func(b *testing.B) {
				h, two, es := filled(b, n)
				dead := make([]Entity, n/every)
				took := time.Duration(0)
				for b.Loop() {
					for i := range dead {
						j := i + rand.IntN(n-i)
						es[i], es[j] = es[j], es[i]
					}
					copy(dead, es)
					began := time.Now()
					h.DestroyEach(dead, nil)
					took += time.Since(began)
					if err := two.SpawnBatch(es[:len(dead)], raw.Of(&both{}), 0); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(took.Nanoseconds())/float64(b.N*len(dead)), "ns/death")
			})
		}
	}
}

// Cost of adding a component to entities in runs of so many rows and remove it again, for
// each of them: it shows from how many rows on a run pays (runMin).
func BenchmarkRuns(b *testing.B) {
	for _, n := range []int{2, 4, 8, 16, 64} {
		b.Run(fmt.Sprint("rows=", n), func(b *testing.B) {
			h, _, es := filled(b, 1<<14)
			for i := 0; i+n < len(es); i += 2 * n { // the other runs stay
				copy(es[i/2:], es[i:i+n])
			}
			es = es[:len(es)/2/n*n]
			for b.Loop() {
				for _, op := range []int{adding, removing} {
					for i := 0; i < len(es); i += n {
						part := es[i : i+n]
						var err error
						if op == adding {
							_, err = h.AddBatch(h.more, part, raw.Of(&whole{}))
						} else {
							_, err = h.RemoveBatch(h.more, part)
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(es)), "ns/entity")
		})
	}
}
