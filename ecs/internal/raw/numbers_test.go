package raw

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers are those of the bits that are set, in words with few of them and with many, behind
// what dst has already; it needs no more room than it asks for.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, words := range []int{0, 1, 2, 128, 1024} {
		for share := range 17 { // of 16 bits
			bits, want := make([]uint64, words), []uint16{9}
			for i := range words * 64 {
				if r.IntN(16) < share {
					bits[i/64] |= 1 << (i % 64)
					want = append(want, uint16(i))
				}
			}
			if got := Numbers([]uint16{9}, bits); !slices.Equal(got, want) {
				t.Errorf("%d words with %d bits: %v, want %v", words, len(want)-1, got, want)
			}
			again := make([]uint16, 1, 4096)
			again[0] = 9
			if got := Numbers(again, bits); !slices.Equal(got, want) {
				t.Errorf("%d words with %d bits, again: %v, want %v", words, len(want)-1, got, want)
			}
		}
	}
	for x := range uint64(1 << 16) { // every four bits among others
		w := x | 0xFFFF<<40
		var want []uint16
		for i := range 64 {
			if w>>i&1 != 0 {
				want = append(want, uint16(i))
			}
		}
		if got := Numbers(nil, []uint64{w}); !slices.Equal(got, want) {
			t.Fatalf("%#x: %v, want %v", w, got, want)
		}
	}
}
