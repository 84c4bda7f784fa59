package entities

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// The cost of an entity: one at a time with an index that is taken at once, and all of n
// that are taken and freed, in batches and one by one. freed is the order in which they
// were freed before: in that of their indexes, or at random.
func BenchmarkTake(b *testing.B) {
	for _, order := range []string{"fifo", "lifo"} {
		s := Make(open(b, arena.Options{SmallPages: true}), Options{Max: 1 << 22, FIFO: order == "fifo"})
		take(b, &s, s.Common(), 1000)
		b.Run("one/order="+order, func(b *testing.B) {
			h := s.Common()
			for b.Loop() {
				e := s.TryTake(h)
				if e == 0 {
					e, _ = s.Take(h)
				}
				s.Free(e)
			}
		})
	}
	for _, n := range []int{1000, 100_000} {
		for _, freed := range []string{"up", "random"} {
			for _, how := range []string{"batch", "calls"} {
				b.Run("all/how="+how+"/freed="+freed+"/n="+map[int]string{1000: "1k", 100_000: "100k"}[n], func(b *testing.B) {
					s := Make(open(b, arena.Options{SmallPages: true}), Options{Max: 1 << 22})
					h, es := s.Common(), make([]Entity, n)
					shuffled := rand.New(rand.NewPCG(1, 1)).Perm(n)
					for b.Loop() {
						if how == "batch" {
							if _, err := s.TakeN(h, es); err != nil {
								b.Fatal(err)
							}
						} else {
							for i := range es {
								es[i], _ = s.Take(h)
							}
						}
						if freed == "random" {
							b.StopTimer()
							slices.Sort(es)
							was := slices.Clone(es)
							for i, k := range shuffled {
								es[i] = was[k]
							}
							b.StartTimer()
						}
						if how == "batch" {
							s.FreeN(es)
						} else {
							for _, e := range es {
								s.Free(e)
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entity")
				})
			}
		}
	}
	b.Run("fresh", func(b *testing.B) {
		es := make([]Entity, 1<<20)
		for b.Loop() {
			b.StopTimer()
			a, err := arena.New(arena.Options{SmallPages: true})
			if err != nil {
				b.Fatal(err)
			}
			s := Make(a, Options{Max: 1 << 22})
			b.StartTimer()
			if _, err := s.TakeN(s.Common(), es); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			a.Close()
			b.StartTimer()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(es)), "ns/entity")
	})
	b.Run("clear", func(b *testing.B) {
		s := Make(open(b, arena.Options{SmallPages: true}), Options{Max: 1 << 22})
		es := make([]Entity, 100_000)
		for b.Loop() {
			b.StopTimer()
			if _, err := s.TakeN(s.Common(), es); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			s.Clear()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(es)), "ns/entity")
	})
}
