package crew

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVictim: a thief comes to each of the others once, and to its neighbours first.
func TestVictim(t *testing.T) {
	for workers := 1; workers <= 20; workers++ {
		for near := 1; near <= workers+2; near++ {
			for thief := range workers {
				var order []int
				for i := 1; i < workers; i++ {
					order = append(order, victim(thief, i, workers, near))
				}
				far := slices.IndexFunc(order, func(v int) bool { return v/near != thief/near })
				if far >= 0 && slices.ContainsFunc(order[far:], func(v int) bool { return v/near == thief/near }) {
					t.Errorf("%d of %d workers, %d near: %v", thief, workers, near, order)
				}
				if order = append(order, thief); len(order) != workers {
					t.Errorf("%d of %d workers, %d near: %v", thief, workers, near, order)
				}
				slices.Sort(order)
				for i, v := range order {
					if v != i {
						t.Fatalf("%d of %d workers, %d near: %v", thief, workers, near, order)
					}
				}
			}
		}
	}
}

// machine is a model of processors in clusters that share a cache each. A piece that a worker runs moves to the cache of
// its cluster, and the one that was used longest ago leaves it.
//
//	time of a piece    1 if it lies in the worker's cache, else miss
type machine struct {
	workers, near int
	room          int // pieces that a cache holds
	miss          float64
	caches        [][]int // by cluster, the last used last
	misses        int
}

// touch has a worker of a cluster run a piece, and returns the time that this takes.
func (m *machine) touch(cluster, piece int) float64 {
	took := m.miss
	for i := range m.caches {
		if at := slices.Index(m.caches[i], piece); at >= 0 {
			if m.caches[i] = slices.Delete(m.caches[i], at, at+1); i == cluster {
				took = 1
			}
		}
	}
	c := append(m.caches[cluster], piece)
	if len(c) > m.room {
		c = c[1:]
	}
	if m.caches[cluster] = c; took > 1 {
		m.misses++
	}
	return took
}

// frame runs all pieces of a job by the workers of the machine, where near of them are taken for neighbours. One in some
// is interrupted for a time. It returns how long it takes.
func (m *machine) frame(pieces, near int, placed []int, r *rand.Rand) (end float64) {
	j := &Job{pieces: pieces, ranges: make([]span, m.workers), near: near}
	j.share()
	at := make([]float64, m.workers)
	for i := range at {
		if at[i] = r.Float64(); r.IntN(4) == 0 {
			at[i] += r.Float64() * float64(pieces/m.workers)
		}
	}
	for {
		first := 0
		for i := range at {
			if at[i] < at[first] {
				first = i
			}
		}
		piece, ok := j.next(first)
		if !ok {
			return slices.Max(at)
		}
		at[first] += m.touch(placed[first]/m.near, piece)
	}
}

// simulate returns the time of a frame, and the pieces that come from elsewhere.
func simulate(room, near int, scattered bool) (time, misses float64) {
	const frames, pieces = 200, 256
	m := &machine{workers: 16, near: 8, room: room, miss: 4, caches: make([][]int, 2)}
	r := rand.New(rand.NewPCG(7, 7))
	placed := make([]int, m.workers)
	for i := range placed {
		placed[i] = i
	}
	if scattered {
		placed = r.Perm(m.workers)
	}
	for range frames {
		time += m.frame(pieces, near, placed, r)
	}
	return time / frames, float64(m.misses) / frames
}

// TestNeighbours: in the model, thieves that come to neighbours first are never slower, whatever the caches hold and
// wherever workers run.
func TestNeighbours(t *testing.T) {
	for _, room := range []int{32, 64, 128, 256} {
		for _, scattered := range []bool{false, true} {
			ring, was := simulate(room, 16, scattered)
			near, is := simulate(room, 8, scattered)
			t.Logf("caches of %d pieces, scattered %v: %.1f → %.1f, misses %.1f → %.1f", room, scattered, ring, near, was, is)
			if near > 1.02*ring {
				t.Errorf("caches of %d pieces, scattered %v: %.1f, in a ring %.1f", room, scattered, near, ring)
			}
		}
	}
}

// The model of 16 workers in two clusters, with caches that hold so many of 256 pieces.
func BenchmarkNeighbours(b *testing.B) {
	for _, scattered := range []bool{false, true} {
		for _, room := range []int{32, 64, 128, 256} {
			for _, near := range []int{16, 8} {
				b.Run(fmt.Sprintf("scattered=%v/room=%d/near=%d", scattered, room, near), func(b *testing.B) {
					var time, misses float64
					for b.Loop() {
						time, misses = simulate(room, near, scattered)
					}
					b.ReportMetric(time, "pieces/frame")
					b.ReportMetric(misses, "misses/frame")
				})
			}
		}
	}
}
