package memmgr

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/chunk"
)

// BenchmarkCost is the cost of adapting, side by side: moving a chunk against copying its
// bytes from slot to slot, and a frame of five safe points with nothing to do against the
// same with adapting off. Plans are in it, which find nothing.
func BenchmarkCost(b *testing.B) {
	b.Run("what=move", func(b *testing.B) {
		m := open(b, Options{})
		s := sequence(b, m, "s", 8, 16, 16)
		grow(b, s, 3)
		copied := func(from, to chunk.ID) {
			for c := range s.Layout().Columns() {
				n := uintptr(s.Capacity()) * uintptr(s.Layout().Spec(c).Size)
				chunk.CopyBytes(s.directory(c).Addr(to), s.directory(c).Addr(from), n)
			}
		}
		var ratios, alike []float64
		for b.Loop() {
			for range 1000 {
				move := took(func() {
					if _, err := m.Move(chunksOf(s)[0]); err != nil {
						b.Fatal(err)
					}
				})
				safePoint(b, m)
				once := took(func() { copied(chunksOf(s)[1], chunksOf(s)[2]) })
				again := took(func() { copied(chunksOf(s)[2], chunksOf(s)[1]) })
				ratios, alike = append(ratios, move/once), append(alike, again/once)
			}
		}
		b.ReportMetric(mid(ratios), "x")
		b.ReportMetric(mid(alike), "alike-x")
		b.ReportMetric(0, "ns/op")
	})
	b.Run("what=idle", func(b *testing.B) {
		var ms [2]*Manager
		for i := range ms {
			l := &swept{m: open(b, Options{})}
			ms[i] = l.m
			for _, s := range l.groups(b, 4) {
				grow(b, s, 64)
			}
			for range 100 { // all chunks come to their positions
				safePoint(b, l.m)
			}
			if _, err := l.m.Reclaim(^uint64(0)); err != nil {
				b.Fatal(err)
			}
		}
		ms[1].Adapt(AdaptOptions{})
		const frames = 20000
		var ns [2][]float64
		for b.Loop() {
			for i, m := range ms {
				ns[i] = append(ns[i], took(func() {
					for range frames {
						for range 5 {
							safePoint(b, m)
						}
						if err := m.CloseFrame(); err != nil {
							b.Fatal(err)
						}
					}
				})/frames)
			}
		}
		b.ReportMetric(mid(ns[0]), "off-ns")
		b.ReportMetric(mid(ns[1]), "on-ns")
		b.ReportMetric(0, "ns/op")
	})
}

// BenchmarkSettled is a sweep after a peak: a million rows in twenty groups, grown in
// turns, nine in ten of which die at random; then adapting settles. It is compared with
// a sweep of the same rows in a manager that never had more.
func BenchmarkSettled(b *testing.B) {
	const alike, fresh, settled = 0, 1, 2
	var ratios, alikes []float64
	var longest, spent time.Duration
	var moves uint64
	for turn := 0; b.Loop(); turn++ {
		var ls [3]*swept
		for i := range ls {
			i = (i + turn) % len(ls)
			ls[i] = &swept{m: made(b, Options{})}
		}
		peak := ls[settled]
		peak.m.adapter.begin(AdaptOptions{Decay: 100 * time.Millisecond})
		peak.swept = peak.groups(b, 20)
		r := rand.New(rand.NewPCG(11, 12))
		var serial uint64
		for range 200 {
			appendRows(b, peak.swept[r.IntN(20)], 5000, &serial)
		}
		for _, s := range peak.swept {
			for n := s.Len() * 9 / 10; n > 0; n-- {
				s.SwapRemove(s.At(r.IntN(s.Len())))
			}
		}
		for range 1000 {
			sweep(peak.swept)
			safePoint(b, peak.m)
			if err := peak.m.CloseFrame(); err != nil {
				b.Fatal(err)
			}
		}
		st, _ := peak.m.adapter.sum()
		longest, spent, moves = max(longest, st.Longest), max(spent, st.Time), st.Moves
		for _, i := range [2]int{alike, fresh} {
			ls[i].swept = ls[i].groups(b, 20)
			for g, s := range ls[i].swept {
				appendRows(b, s, peak.swept[g].Len(), &serial)
			}
		}
		for n := range 1000 {
			var times [3]float64
			for i := range ls {
				i = (i + n) % len(ls)
				times[i] = took(func() { sweep(ls[i].swept) })
			}
			ratios, alikes = append(ratios, times[settled]/times[fresh]), append(alikes, times[alike]/times[fresh])
		}
		for _, l := range ls {
			l.close(b)
		}
	}
	b.ReportMetric(mid(ratios), "x")
	b.ReportMetric(mid(alikes), "alike-x")
	b.ReportMetric(float64(moves), "moves")
	b.ReportMetric(float64(longest.Microseconds()), "longest-us")
	b.ReportMetric(float64(spent.Microseconds()), "spent-us")
	b.ReportMetric(0, "ns/op")
}
