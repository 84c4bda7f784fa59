package raw

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"
)

// eights are the numbers of the bits that are set in a byte, side by side, and spans how many bytes these take. They are
// listed when they are first needed, so that no process waits for them as it starts.
var (
	eights [256][8]uint16
	spans  [256]uint8
	listed sync.Once
)

func listEights() {
	for b := range eights {
		n := uint8(0)
		for i := range uint16(8) {
			if b>>i&1 != 0 {
				eights[b][n] = i
				n++
			}
		}
		spans[b] = 2 * n
	}
}

const (
	fewBits  = 4                  // of a word, which are found one by one: 0.15 of the time (BenchmarkNumbers)
	eachLane = 0x0001000100010001 // 1 in each of four numbers
)

// Numbers appends the numbers of the bits that are set to dst, counted from first on: at most
// 65,535. If a word has more than a few, eight bits are looked at together: all their numbers are
// two additions and two stores. No branch depends on the bits, which a processor could not guess.
func Numbers(dst []uint16, words []uint64, first int) []uint16 {
	listed.Do(listEights)
	n := len(dst)
	// Eight numbers are stored at once, and some are none, but not beyond 64 a word. One more is for the
	// address behind the last of them, which must lie in the allocation (checkptr).
	dst = slices.Grow(dst, len(words)*64+1)
	dst = dst[:cap(dst)]
	for i, m := range words {
		to, k := unsafe.Add(Data(dst), 2*n), bits.OnesCount64(m)
		n += k
		if k <= fewBits {
			if k > 0 {
				few((*[fewBits]uint16)(to), m, first+i*64)
			}
			continue
		}
		base := uint64(first+i*64) * eachLane
		for range 64 / 8 {
			e := (*[2]uint64)(unsafe.Pointer(&eights[uint8(m)]))
			*(*uint64)(to) = e[0] + base
			*(*uint64)(unsafe.Add(to, 8)) = e[1] + base
			to = unsafe.Add(to, uintptr(spans[uint8(m)]))
			base += 8 * eachLane
			m >>= 8
		}
	}
	return dst[:n]
}

// few stores the numbers of so many bits, from the first that is set on. Where fewer are set, the
// rest are no numbers.
func few(to *[fewBits]uint16, m uint64, base int) {
	to[0] = uint16(base + bits.TrailingZeros64(m))
	m &= m - 1
	to[1] = uint16(base + bits.TrailingZeros64(m))
	m &= m - 1
	to[2] = uint16(base + bits.TrailingZeros64(m))
	m &= m - 1
	to[3] = uint16(base + bits.TrailingZeros64(m))
}
