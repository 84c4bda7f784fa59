package policy_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

var all = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}

// scenario is a world and what is done to it in each frame.
type scenario struct {
	name   string
	n      int
	setUp  func(w *world, n int)
	step   func(w *world, frame int)
	frames int
	ways   string // at the end, of what is not fixed
	overs  int    // change-overs
	digest uint64 // of all decisions with their frames
}

// holders gives the tag to perMille of the entities for as many frames.
func holders(perMille, frames int) func(w *world, frame int) {
	old := make([][]int, frames)
	return func(w *world, frame int) {
		turn := &old[frame%frames]
		for _, e := range *turn {
			w.toggle(e, comes)
		}
		*turn = (*turn)[:0]
		for range len(w.masks) * perMille / 1000 {
			if e := w.rng.IntN(len(w.masks)); w.masks[e]>>comes&1 == 0 {
				w.toggle(e, comes)
				*turn = append(*turn, e)
			}
		}
	}
}

// byTurns toggles two components for busy frames, and is quiet for others.
func byTurns(perMille, busy, quiet int) func(w *world, frame int) {
	return func(w *world, frame int) {
		if frame%(busy+quiet) < busy {
			w.toggleAny(perMille, 3, 7)
		}
	}
}

func churn(perMille int, components ...int) func(w *world, frame int) {
	return func(w *world, frame int) { w.toggleAny(perMille, components...) }
}

func scenarios() []scenario {
	anySets, game, few := (*world).anySets, (*world).game, (*world).few
	const (
		eleven = "optional 0 1 2 3 4 5 6 7 9 10 11"
		twelve = "optional 0 1 2 3 4 5 6 7 8 9 10 11"
		none   = 0xcbf29ce484222325
	)
	return []scenario{
		{"any 0 %", 16384, anySets, churn(0, all...), 500, "", 0, none},
		{"any 1 %", 16384, anySets, churn(10, all...), 500, "optional 5 6 7 10", 4, 0xb73285ffa0b3d1c3},
		{"any 5 %", 16384, anySets, churn(50, all...), 500, eleven, 11, 0x773aa0fd02fbfb2},
		{"any 20 %", 16384, anySets, churn(200, all...), 500, twelve, 12, 0x4efc9016dc183bb1},
		{"any 1 %, large", 262144, anySets, churn(10, all...), 200, "optional 2 11", 2, 0x67255e711253b750},
		{"any 5 %, large", 262144, anySets, churn(50, all...), 100, twelve, 12, 0x4b2d77cc6117d393},
		{"two 1 %", 65536, anySets, churn(10, 3, 7), 500, "optional 3 7", 2, 0x1411139e7f3c9c79},
		{"two 5 %", 65536, anySets, churn(50, 3, 7), 500, "optional 3 7", 2, 0x1411139e7f3c9c79},
		{"tag 0.3 %", 65536, game, churn(3, comes), 500, "", 0, none},
		{"tag 5 %", 65536, game, churn(50, comes), 500, "optional 11", 1, 0x1c30b5e5d2e74216},
		{"tag for two frames 1 %", 65536, game, holders(10, 2), 500, "", 0, none},
		{"tag for two frames 5 %", 65536, game, holders(50, 2), 500, "optional 11", 1, 0x6b873d49cf17d321},
		{"four frames 1 %", 65536, few, holders(10, 4), 500, "thin 11", 1, 0x6a1f8f56beb9ae28},
		{"four frames 5 %", 65536, few, holders(50, 4), 500, "optional 11", 1, 0x6a1c2956beb6caff},
		{"by turns 40, 80", 65536, anySets, byTurns(50, 40, 80), 500, "optional 3 7", 2, 0x1411139e7f3c9c79},
		{"busy 40, then quiet", 65536, anySets, byTurns(50, 40, 960), 1000, "optional 7", 3, 0xe1557b2ed5928afd}, // no system visits 7,
	}
}

// What the model's scenarios come to: who is stored how, after how many change-overs.
// The digests are the same on every machine.
func TestScenarios(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(policy.Options{}, 1)
			s.setUp(w, s.n)
			for f := range s.frames {
				s.step(w, f)
				w.end()
			}
			if got := w.ways(); got != s.ways || w.total() != s.overs {
				t.Errorf("%q after %d change-overs, want %q after %d", got, w.total(), s.ways, s.overs)
			}
			if w.digest != s.digest {
				t.Errorf("digest %#x, want %#x", w.digest, s.digest)
			}
			if t.Failed() {
				t.Log(strings.Join(w.log, "\n"))
			}
		})
	}
}
