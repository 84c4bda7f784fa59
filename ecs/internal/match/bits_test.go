package match

import (
	"math/rand/v2"
	"testing"
)

// B1: Runs are found whatever words they begin and end in.
func TestNextRun(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		words := make([]uint64, r.IntN(4))
		for i := range words {
			words[i] = []uint64{0, ^uint64(0), r.Uint64(), ^uint64(0) << r.IntN(64), ^uint64(0) >> r.IntN(64)}[r.IntN(5)]
		}
		is := func(i int) bool { return i < len(words)*64 && words[i/64]>>(i%64)&1 != 0 }
		at := 0
		for {
			first, n := NextRun(words, at)
			for ; at < first; at++ {
				if is(at) {
					t.Fatalf("%x: the run of bit %d is left out", words, at)
				}
			}
			for ; at < first+n; at++ {
				if !is(at) {
					t.Fatalf("%x: bit %d is not set, and in a run", words, at)
				}
			}
			if n == 0 {
				break
			}
			if is(at) {
				t.Fatalf("%x: the run before bit %d ends too early", words, at)
			}
		}
		for ; at < len(words)*64; at++ {
			if is(at) {
				t.Fatalf("%x: bit %d is left out", words, at)
			}
		}
	}
}
