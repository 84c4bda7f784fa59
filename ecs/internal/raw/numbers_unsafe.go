package raw

import (
	"math/bits"
	"slices"
	"unsafe"
)

// fours are the numbers of the bits that are set in four, side by side, and counts how many.
var (
	fours = [16][4]uint16{
		{}, {0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2},
		{3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
	}
	counts = [16]uint8{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}
)

const (
	fewBits  = 12                 // of a word, up to which one by one is faster
	eachLane = 0x0001000100010001 // 1 in each of four numbers
)

// Numbers appends the numbers of the bits that are set to dst: at most 65,535. If a word has
// more than a few, four bits are looked at together: all their numbers are one addition and
// one store, and there is no branch that a processor would have to guess.
func Numbers(dst []uint16, words []uint64) []uint16 {
	n := len(dst)
	dst = slices.Grow(dst, len(words)*64) // four numbers are stored at once, and some are none, but not beyond that
	dst = dst[:cap(dst)]
	for i, m := range words {
		if bits.OnesCount64(m) <= fewBits {
			for ; m != 0; m &= m - 1 {
				dst[n] = uint16(i*64 + bits.TrailingZeros64(m))
				n++
			}
			continue
		}
		to, base := unsafe.Add(Data(dst), 2*n), uint64(i*64)*eachLane
		n += bits.OnesCount64(m)
		for range 64 / 4 {
			four := m % 16
			*(*uint64)(to) = *(*uint64)(unsafe.Pointer(&fours[four])) + base
			to = unsafe.Add(to, 2*uintptr(counts[four]))
			base += 4 * eachLane
			m /= 16
		}
	}
	return dst[:n]
}
