package memmgr

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A new chunk goes behind the one before it if that slot is free, in the range of its sequence.
// Otherwise it goes where any chunk would.
func TestNewChunkBeside(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	var all []*Sequence
	for i := range 20 {
		s := sequence(t, m, fmt.Sprint(i), 8, 8000)
		fillRows(t, s, s.Capacity())
		all = append(all, s)
	}
	slot := func(s *Sequence, i int) arena.Slot { return m.table.at(s.chunks[i]).spot.Slot }
	grow := func(s *Sequence, want arena.Slot) {
		t.Helper()
		fillRows(t, s, s.Capacity())
		if got := slot(s, len(s.chunks)-1); got != want {
			t.Errorf("chunk %d of %q is in slot %d, want %d", len(s.chunks)-1, s.name, got, want)
		}
	}
	low, behind := slot(all[4], 0), slot(all[11], 0)
	all[4].Drop()
	all[11].Drop()
	safePoints(t, m, 4)
	grow(all[10], behind)
	grow(all[8], low) // there is a chunk behind it
	grow(all[8], slot(all[19], 0)+1)
	grow(all[8], slot(all[19], 0)+2)
	if !slices.Equal(rowsOf(all[8]), numbers(0, all[8].Len())) {
		t.Error("rows differ")
	}
	cold := slot(all[12], 0)
	all[12].Drop()
	safePoints(t, m, 4)
	m.keep([]string{"10"}, nil)
	fillRows(t, all[10], 1)
	if got := slot(all[10], 2); got == cold || m.book.Range(spot.At{Slot: got}) != arena.Cold {
		t.Errorf("a chunk of a cold sequence is in slot %d, beside one that has not been moved yet", got)
	}
}

// BenchmarkBeside is the largest gain of chunks side by side: 64 sequences of eight
// chunks are grown one after the other, or in turn, and swept. It gained nothing.
func BenchmarkBeside(b *testing.B) {
	var all [4][]*Sequence
	for i := range all {
		m := open(b, Options{Arena: arena.Options{SmallPages: true}})
		for k := range 64 {
			all[i] = append(all[i], sequence(b, m, fmt.Sprint(k), 8, 16, 16))
		}
		for k := range 64 * 8 {
			s := all[i][k/8]
			if i%2 == 1 {
				s = all[i][k%64]
			}
			fillRows(b, s, s.Capacity())
		}
	}
	var took [4][]time.Duration
	for turn := 0; b.Loop(); turn++ {
		for i := range all {
			i = (i + turn) % len(all)
			start := time.Now()
			for _, s := range all[i] {
				for id := range s.Chunks() {
					at, by := Slice[[2]uint64](s, 1, id), Slice[[2]uint64](s, 2, id)
					for j := range at {
						at[j][0] += by[j][0]
						at[j][1] += by[j][1]
					}
				}
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	for i, what := range []string{"beside-ns", "apart-ns", "beside-again-ns", "apart-again-ns"} {
		slices.Sort(took[i])
		b.ReportMetric(float64(took[i][len(took[i])/2]), what)
	}
	b.ReportMetric(0, "ns/op")
}
