package policy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// crowd is entities of many sets in tables too small, none of which change. Each
// component is required by systems of its own.
type crowd struct {
	of      map[uint64]int // entities by mask
	rows    int
	readers []int // systems that require each component
	fixed   uint64
	p       *policy.Policy
	rounds  int
}

func (w *crowd) have(c int) (n int) {
	for m, k := range w.of {
		if m>>c&1 != 0 {
			n += k
		}
	}
	return n
}

func (w *crowd) living(columns uint64) int {
	seen := make(map[uint64]bool, len(w.of))
	for m := range w.of {
		seen[m&columns] = true
	}
	return len(seen)
}

func (w *crowd) merges(c int) int { return w.living(w.fixed) - w.living(w.fixed&^(1<<c)) }

func (w *crowd) count(c int, merges bool) policy.Counts {
	n := policy.Counts{Have: w.have(c), Among: w.rows}
	n.Required = n.Have * w.readers[c]
	if merges {
		n.Merges = w.merges(c)
	}
	return n
}

// newCrowd spawns n entities, each of which has each component by its part in 1,000.
func newCrowd(n int, seed uint64, parts, readers []int) *crowd {
	w := &crowd{of: map[uint64]int{}, rows: n, readers: readers, fixed: 1<<len(parts) - 1}
	rng := rand.New(rand.NewPCG(seed, 3))
	for range n {
		m := uint64(0)
		for c, part := range parts {
			if rng.IntN(1000) < part {
				m |= 1 << c
			}
		}
		w.of[m]++
	}
	w.p = policy.New(policy.Options{}, w.count)
	for range parts {
		w.p.Add()
	}
	return w
}

func (w *crowd) small() bool {
	n := w.living(w.fixed)
	return n > 16 && w.rows < n*64
}

// visited is rows a frame that systems visit of components that are not fixed.
func (w *crowd) visited() (n int) {
	for c := range w.readers {
		if w.fixed>>c&1 == 0 {
			n += w.have(c) * w.readers[c]
		}
	}
	return n
}

// settle lets the policy decide until tables are large enough.
func (w *crowd) settle(frames int) {
	for range frames {
		ds := w.p.EndFrame(policy.Tables{Living: w.living(w.fixed), Rows: w.rows})
		for _, d := range ds {
			if d.To == policy.Fixed {
				w.fixed |= 1 << d.Component
			} else {
				w.fixed &^= 1 << d.Component
			}
		}
		if len(ds) > 0 {
			w.rounds++
		}
	}
}

// greedy takes, one at a time, the component with the least score.
func (w *crowd) greedy(score func(c int) float64) {
	for w.small() {
		best, least := -1, 0.0
		for c := range w.readers {
			if w.fixed>>c&1 == 0 || w.merges(c) == 0 {
				continue
			}
			if s := score(c); best < 0 || s < least {
				best, least = c, s
			}
		}
		w.fixed &^= 1 << best
	}
}

// Which components cease to be fixed where tables are too small and none is removed:
// those whose bits cost least for each table merged. Neither the rarest first nor the
// one first that merges most does better on all of these worlds.
func TestTablesTooSmall(t *testing.T) {
	same := func(n, part int) (out []int) {
		for range n {
			out = append(out, part)
		}
		return out
	}
	for _, tt := range []struct {
		name           string
		parts, readers []int
		n              int
	}{
		{"twelve that half have", same(12, 500), same(12, 2), 16384},
		{"four that half have, sixteen rare", append(same(4, 500), same(16, 20)...), same(20, 2), 16384},
		{"rare ones read often", append(same(6, 500), same(6, 30)...), append(same(6, 1), same(6, 20)...), 8192},
		{"one that all have", append([]int{1000}, same(10, 300)...), append([]int{9}, same(10, 1)...), 8192},
		{"from rare to common", []int{10, 20, 40, 80, 160, 320, 500, 640, 800, 900, 950, 990}, same(12, 3), 16384},
	} {
		t.Run(tt.name, func(t *testing.T) {
			build := func() *crowd { return newCrowd(tt.n, 7, tt.parts, tt.readers) }
			w, rarest, most := build(), build(), build()
			tables := w.living(w.fixed)
			if !w.small() {
				t.Fatal("tables are not too small to begin with")
			}
			w.settle(100)
			rarest.greedy(func(c int) float64 { return float64(rarest.have(c)) })
			most.greedy(func(c int) float64 { return -float64(most.merges(c)) })
			t.Logf("%d tables → %d in %d rounds, visited %d; rarest first %d, most merges first %d",
				tables, w.living(w.fixed), w.rounds, w.visited(), rarest.visited(), most.visited())
			if w.small() {
				t.Errorf("%d tables of %d rows are still too small", w.living(w.fixed), w.rows)
			}
			if best := min(rarest.visited(), most.visited()); w.visited() > best+best/20 {
				t.Errorf("systems visit %d rows with bits, %d at best", w.visited(), best)
			}
			before := w.fixed
			w.settle(2000)
			if w.fixed != before {
				t.Errorf("fixed columns %b became %b although nothing happened", before, w.fixed)
			}
			for c := range tt.parts {
				if r := w.p.Report(c); r.Way != policy.Fixed && r.Reason != policy.TablesTooSmall {
					t.Errorf("component %d is %v because %v", c, r.Way, r.Reason)
				}
			}
		})
	}
}

// Where nothing can be merged, rounds become rare, since each asks for all components.
func TestRoundsThatFindNothing(t *testing.T) {
	asked := 0
	p := policy.New(policy.Options{}, func(_ int, merges bool) policy.Counts {
		if merges {
			asked++
		}
		return policy.Counts{Have: 50, Among: 100}
	})
	for range 10 {
		p.Add()
	}
	small := policy.Tables{Living: 100, Rows: 100}
	for range 4096 {
		p.EndFrame(small)
	}
	if rounds := asked / 10; rounds < 8 || rounds > 12 {
		t.Errorf("%d rounds in 4,096 frames", rounds)
	}
	p.EndFrame(policy.Tables{Living: 1, Rows: 100}) // large enough: begins anew
	asked = 0
	for range 2048 {
		p.EndFrame(small)
	}
	if rounds := asked / 10; rounds < 5 {
		t.Errorf("%d rounds in 2,048 frames after tables had been large enough", rounds)
	}
}

// A round takes eight components at most, so that change-overs stay short.
func TestRoundTakesFew(t *testing.T) {
	p := policy.New(policy.Options{}, func(int, bool) policy.Counts {
		return policy.Counts{Have: 10, Among: 1000, Merges: 1}
	})
	for range 100 {
		p.Add()
	}
	for frame := 1; frame <= 24; frame++ {
		want := 0
		if frame%8 == 0 {
			want = 8
		}
		if ds := p.EndFrame(policy.Tables{Living: 1000, Rows: 1000}); len(ds) != want {
			t.Fatalf("frame %d: %d decisions, want %d", frame, len(ds), want)
		}
	}
}
