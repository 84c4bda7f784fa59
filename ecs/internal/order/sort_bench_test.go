package order

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// BenchmarkSort is a row of 200,000, which are sorted by their only component: in random
// order, by comparison and by key; with few rows out of order, near and far; and of 100, in random order or with two that changed places.
func BenchmarkSort(b *testing.B) {
	const n = 200_000
	for _, c := range []struct {
		name   string
		n, far int // rows, and how far one of many goes; 0: all are in random order
		oneIn  int
		byKey  bool
	}{
		{name: "random", n: n},
		{name: "random/key", n: n, byKey: true},
		{name: "near", n: n, far: 64, oneIn: 100},
		{name: "far", n: n, far: n, oneIn: 100},
		{name: "far/many", n: n, far: n, oneIn: 36},
		{name: "few", n: 100},
		{name: "few/one", n: 100, far: 50, oneIn: 100},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := newFixture(b, c.n)
			f.give(0, f.es)
			r := rand.New(rand.NewPCG(3, 3))
			keys := make([]uint64, c.n)
			for i := range keys {
				if keys[i] = uint64(i); c.far == 0 {
					keys[i] = uint64(r.Uint32())
				}
			}
			for i := 0; c.far > 0 && i < c.n; i += c.oneIn {
				j := min(c.n-1, i+r.IntN(c.far))
				keys[i], keys[j] = keys[j], keys[i]
			}
			by := By{Name: "Sort", Comp: f.comps[0], Size: 8, Compare: raw.Comparison(func(a, b *uint64) int { return cmp.Compare(*a, *b) })}
			if c.byKey {
				by = By{Name: "SortKey", Comp: f.comps[0], Size: 8, Key: raw.Key(func(v *uint64) uint64 { return *v })}
			}
			seq := f.of[0].Main.Seq
			for b.Loop() {
				rest := keys
				for id := range seq.Chunks() {
					rest = rest[copy(raw.Slice[uint64](f.comps[0].Dir.Addr(id), int(seq.Layout().Capacity())), rest):]
				}
				Sort(&f.Base, f.of[0].Main, by, c.n, Auto)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.n), "ns/row")
		})
	}
}
