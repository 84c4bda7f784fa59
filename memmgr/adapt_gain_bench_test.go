package memmgr

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// The gain of emptying regions alone. A layout that asks for it is built three times: as
// "without", as "alike", which is the same again, and as "with", where regions are emptied.
// Then all three are swept in turn:
//
//	without ┐
//	alike   ├─ sweep, sweep, …   alike / without: the noise
//	with    ┘                    with / without: the gain

// swept is a manager and the columns that a frame of its program sweeps.
type swept struct {
	m     *Manager
	swept []*Sequence
}

// vec is a value of a column.
type vec struct{ X, Y uint64 }

// groups makes n sequences of an entity and two vectors.
func (l *swept) groups(b *testing.B, n int) (seqs []*Sequence) {
	for range n {
		seqs = append(seqs, sequence(b, l.m, fmt.Sprintf("g%d", l.m.sequenceCount()), 8, 16, 16))
	}
	return seqs
}

// grow fills chunks of a sequence.
func grow(b *testing.B, s *Sequence, chunks int) {
	var serial uint64
	appendRows(b, s, chunks*int(s.Capacity()), &serial)
}

// sweep goes over the rows of sequences as a system does.
func sweep(seqs []*Sequence) {
	for _, s := range seqs {
		for id := range s.Chunks() {
			at := Slice[vec](s, 1, id)
			by := Slice[vec](s, 2, id)[:len(at)]
			for i := range at {
				at[i].X += by[i].X
				at[i].Y += by[i].Y
			}
		}
	}
}

// close gives the memory back, so that turns don't share it.
func (l *swept) close(b *testing.B) {
	if err := l.m.Close(); err != nil {
		b.Fatal(err)
	}
}

// empty has regions emptied until there are none to empty, and fails if there were none.
// It returns how many moves that took.
func (l *swept) empty(b *testing.B) (moves int) {
	l.m.adapter.begin(AdaptOptions{Every: 1, Decay: time.Hour, Budget: Budget{Time: time.Hour, Bytes: 1 << 40}})
	for idle := 0; idle < 20; idle++ {
		safePoint(b, l.m)
		if err := l.m.CloseFrame(); err != nil {
			b.Fatal(err)
		}
		if l.m.adapter.on {
			idle = 0
		}
	}
	st, _ := l.m.adapter.sum()
	l.m.adapter.begin(AdaptOptions{Off: true})
	if st.Moves == 0 {
		b.Fatal("nothing is to be moved")
	}
	return int(st.Moves)
}

func safePoint(b *testing.B, m *Manager) {
	if err := m.SafePoint(); err != nil {
		b.Fatal(err)
	}
}

// settle gives free memory back and returns resident bytes.
func (l *swept) settle(b *testing.B) float64 {
	if _, err := l.m.Reclaim(^uint64(0)); err != nil {
		b.Fatal(err)
	}
	n, err := l.m.Arena().Resident()
	if err != nil {
		n = l.m.Arena().DirtyBy(arena.PurposeChunks)
	}
	return float64(n) / (1 << 20)
}

// gain measures the worth of emptying regions to a layout.
func gain(b *testing.B, backend arena.Backend, times int, build func(b *testing.B, l *swept)) {
	const without, alike, with = 0, 1, 2
	var ratios, turns [3][]float64
	var resident [3]float64
	moves := 0
	for turn := 0; b.Loop(); turn++ {
		var ls [3]*swept
		for i := range ls { // in another order in each turn: the first gets the better memory
			i = (i + turn) % len(ls)
			ls[i] = &swept{m: made(b, Options{Arena: arena.Options{Backend: backend}})}
			build(b, ls[i])
			if i == with {
				moves = ls[i].empty(b)
			}
			resident[i] = ls[i].settle(b)
		}
		var of [3][]float64
		for n := range times {
			var ns [3]float64
			for i := range ls {
				i = (i + n) % len(ls)
				ns[i] = took(func() { sweep(ls[i].swept) })
			}
			if n >= times/10 { // warm
				for i := range ls {
					of[i] = append(of[i], ns[i]/ns[without])
				}
			}
		}
		for i, l := range ls {
			ratios[i] = append(ratios[i], of[i]...)
			turns[i] = append(turns[i], mid(of[i]))
			l.close(b)
		}
	}
	b.ReportMetric(mid(ratios[with]), "x")
	b.ReportMetric(slices.Min(turns[with]), "least-x")
	b.ReportMetric(slices.Max(turns[with]), "most-x")
	b.ReportMetric(mid(ratios[alike]), "alike-x")
	b.ReportMetric(slices.Min(turns[alike]), "alike-least-x")
	b.ReportMetric(slices.Max(turns[alike]), "alike-most-x")
	b.ReportMetric(resident[without], "MiB-without")
	b.ReportMetric(resident[with], "MiB-with")
	b.ReportMetric(float64(moves), "moves")
	b.ReportMetric(0, "ns/op")
}

func mid(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

func BenchmarkGain(b *testing.B) {
	// Groups that rose one after the other, with a tenth left, where memory
	// goes back by whole regions alone.
	b.Run("evacuate", func(b *testing.B) {
		gain(b, arena.Heap, 200, func(b *testing.B, l *swept) {
			l.swept = l.groups(b, 96)
			for _, s := range l.swept {
				grow(b, s, stripeFrom)
			}
			for _, s := range l.swept {
				s.Truncate(s.Len() / 10)
			}
			l.settle(b)
		})
	})
}

// took is how many nanoseconds a function takes.
func took(f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start))
}
