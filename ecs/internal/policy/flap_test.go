package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// overs checks change-overs against the promises of the package comment.
type overs struct {
	t      *testing.T
	o      policy.Options
	ways   []policy.Way
	frames [][]int64 // of the change-overs, by component
}

func (v *overs) check(frame int64, ds []policy.Decision) {
	v.t.Helper()
	seen := map[int]bool{}
	for _, d := range ds {
		c := d.Component
		if seen[c] || d.From != v.ways[c] || d.From == d.To {
			v.t.Fatalf("frame %d: %+v, stored as %v, seen %v", frame, d, v.ways[c], seen[c])
		}
		seen[c], v.ways[c] = true, d.To
		f := append(v.frames[c], frame)
		v.frames[c] = f
		if n := len(f); n > 1 && f[n-1]-f[n-2] < int64(v.o.Frames) {
			v.t.Fatalf("component %d changes over in frames %d and %d, less than %d apart", c, f[n-2], f[n-1], v.o.Frames)
		}
		if n := len(f); n > 3 && f[n-1]-f[n-4] < int64(v.o.Hold) {
			v.t.Fatalf("component %d changes over in frames %d, in less than %d", c, f[n-4:], v.o.Hold)
		}
	}
}

// Whatever the counts, no component changes over more often than is promised.
func TestRandomCounts(t *testing.T) {
	const components = 20
	total, hard := 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		o := policy.Options{Share: 1 + rng.IntN(200), Frames: 1 + rng.IntN(10), Hold: 1 + rng.IntN(60), TableRows: 1 + rng.IntN(100), ThinPart: 1 + rng.IntN(20)}
		number := func() int {
			switch rng.IntN(20) {
			case 0:
				return math.MaxInt
			case 1:
				return -rng.IntN(1000)
			}
			return rng.IntN(1 << rng.IntN(20))
		}
		p := policy.New(o, func(int, bool) policy.Counts {
			return policy.Counts{Required: number(), Excluded: number(), Have: number(), Among: number(), Merges: number()}
		})
		v := &overs{t: t, o: p.Options(), ways: make([]policy.Way, components), frames: make([][]int64, components)}
		for range components {
			p.Add()
		}
		p.State(3, policy.Thin)
		v.ways[3] = policy.Thin
		busy := [components]bool{}
		for frame := int64(1); frame <= 1500; frame++ {
			for c := range components {
				if rng.IntN(30) == 0 {
					busy[c] = !busy[c]
				}
				if busy[c] {
					p.Removed(c, max(1, number()))
				}
			}
			v.check(frame, p.EndFrame(policy.Tables{Living: number(), Rows: number(), Busy: rng.IntN(10) == 0}))
		}
		if len(v.frames[3]) > 0 {
			t.Errorf("seed %d: a stated component changed over in frames %d", seed, v.frames[3])
		}
		for c := range components {
			total += len(v.frames[c])
			if p.Way(c) != v.ways[c] {
				t.Errorf("seed %d: component %d is stored as %v, decided as %v", seed, c, p.Way(c), v.ways[c])
			}
			for f := v.frames[c]; len(f) > 3; f = f[1:] {
				if f[3]-f[0] <= int64(v.o.Hold)+int64(3*v.o.Frames) {
					hard++
				}
			}
		}
	}
	if total < 5000 || hard < 100 {
		t.Errorf("%d change-overs, %d close to what is allowed: the counts are too tame to prove anything", total, hard)
	}
}

// An adversary sees the way and does what makes it wrong. It cannot make a component
// that many have change over more than twice in Hold frames.
func TestAdversary(t *testing.T) {
	const frames = 20_000
	s := newOne(policy.Options{})
	o := s.p.Options()
	v := &overs{t: t, o: o, ways: make([]policy.Way, 1), frames: make([][]int64, 1)}
	for frame := int64(1); frame <= frames; frame++ {
		switch s.p.Way(0) {
		case policy.Fixed:
			s.counts = policy.Counts{Have: 1, Among: 1000}
			s.p.Removed(0, 1000)
		case policy.Thin:
			s.counts = policy.Counts{Have: 100_000, Among: 100_000}
			s.p.Removed(0, 1000)
		case policy.Optional:
			s.counts = policy.Counts{}
		}
		v.check(frame, s.p.EndFrame(s.tables))
	}
	if n := len(v.frames[0]); n < 3*frames/(o.Hold*2) || n > 3*frames/o.Hold+3 {
		t.Errorf("%d change-overs in %d frames", n, frames)
	}
}

// By turns busy and quiet: what the policy costs, against what it would cost to know
// the turns and to store both components the best way throughout. Costs are in rows
// moved: by adds and removes, by change-overs, and what bits cost systems.
func TestByTurns(t *testing.T) {
	for _, tt := range []struct {
		busy, quiet, rounds int
		overs               int // of each of the two components, at most
	}{
		{10, 10, 60, 1},
		{40, 80, 20, 1},
		{10, 240, 12, 1},
		{40, 600, 5, 10},
		{40, 3000, 2, 4},
		{300, 300, 5, 1},
	} {
		run := func(o policy.Options, w policy.Way) *world {
			s := newWorld(o, 3)
			s.anySets(65536)
			if o.Off {
				for _, c := range []int{3, 7} {
					s.p.State(c, w)
					if w != policy.Fixed {
						s.fixed &^= 1 << c
					}
				}
			}
			step := byTurns(50, tt.busy, tt.quiet)
			for f := range tt.rounds * (tt.busy + tt.quiet) {
				step(s, f)
				s.end()
			}
			return s
		}
		w := run(policy.Options{}, 0)
		fixed, optional := run(policy.Options{Off: true}, policy.Fixed).cost(), run(policy.Options{Off: true}, policy.Optional).cost()
		t.Logf("busy %d, quiet %d: cost %d in %d change-overs; fixed %d, optional %d", tt.busy, tt.quiet, w.cost(), w.total(), fixed, optional)
		if tt.quiet >= 3000 && w.p.Way(3) != policy.Fixed {
			t.Errorf("busy %d, quiet %d: %v after the quiet time", tt.busy, tt.quiet, w.p.Way(3))
		}
		if n := max(w.overs[3], w.overs[7]); n > tt.overs {
			t.Errorf("busy %d, quiet %d: %d change-overs, want %d at most: %q", tt.busy, tt.quiet, n, tt.overs, w.log)
		}
		if best := min(fixed, optional) + w.have(3) + w.have(7); w.cost() > best*2 {
			t.Errorf("busy %d, quiet %d: cost %d, the best way throughout %d with one change-over", tt.busy, tt.quiet, w.cost(), best)
		}
	}
}
