package raw

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers are the positions of set bits, in words with few of them and with many, behind
// the numbers that dst has already; it needs no more room than it asks for.
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
			if got := Numbers([]uint16{9}, bits, 0); !slices.Equal(got, want) {
				t.Errorf("%d words with %d bits: %v, want %v", words, len(want)-1, got, want)
			}
			room := slices.Repeat([]uint16{9}, 1+words*64+8)
			again := room[: 1 : 1+words*64]
			if got := Numbers(again, bits, 0); !slices.Equal(got, want) {
				t.Errorf("%d words with %d bits, again: %v, want %v", words, len(want)-1, got, want)
			}
			if behind := room[1+words*64:]; !slices.Equal(behind, slices.Repeat([]uint16{9}, 8)) {
				t.Errorf("%d words with %d bits: %v behind the room for them", words, len(want)-1, behind)
			}
		}
	}
	for x := range uint64(1 << 16) { // every two bytes among others
		w := x | 0xFFFF<<40
		var want []uint16
		for i := range 64 {
			if w>>i&1 != 0 {
				want = append(want, uint16(i))
			}
		}
		if got := Numbers(nil, []uint64{w}, 0); !slices.Equal(got, want) {
			t.Fatalf("%#x: %v, want %v", w, got, want)
		}
	}
}

// Numbers begin where they are asked to.
// All bits of so many words fill an allocation to its end, and checkptr sees an address behind it.
func TestNumbersFillTheirRoom(t *testing.T) {
	words := slices.Repeat([]uint64{math.MaxUint64}, 85) // 10,880 bytes: a size of Go's allocator
	if got := Numbers(nil, words, 0); len(got) != 85*64 || got[85*64-1] != 85*64-1 {
		t.Errorf("%d numbers, %v", len(got), got)
	}
}

func TestNumbersFrom(t *testing.T) {
	words := []uint64{1 << 63, 0, 0xFF << 8, 1}
	want := []uint16{65343}
	for i := range uint16(8) {
		want = append(want, 65280+128+8+i)
	}
	if got := Numbers(nil, words, 65280); !slices.Equal(got, append(want, 65280+192)) {
		t.Errorf("%v", got)
	}
}

// BenchmarkNumbers is the rows of a chunk with some matches, so many of 64.
func BenchmarkNumbers(b *testing.B) {
	for _, set := range []int{1, 2, 4, 8, 32} {
		b.Run(fmt.Sprintf("set=%d", set), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			words := make([]uint64, 64)
			for i := range words {
				for bits.OnesCount64(words[i]) < set {
					words[i] |= 1 << r.IntN(64)
				}
			}
			var list []uint16
			for b.Loop() {
				list = Numbers(list[:0], words, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/row")
		})
	}
}
