package order

import (
	"math/bits"
	"slices"
)

const (
	// digit is how many bits a pass of radix sorts by: three passes sort 32 (BenchmarkSort).
	digit = 11
	// digits is how many passes there are at most.
	digits = (32 + digit - 1) / digit
)

// byKeys returns the numbers of keys in ascending order of these; equal ones in their own
// order. It goes over the keys once, and once for each 11 bits by which the largest differs
// from the smallest. The keys are lost, and so is tmp, which is as long. It takes 4 bytes a
// key, and 8 more for keys that differ by more than 32 bits.
func byKeys(keys, tmp []uint64) []uint32 {
	least, most := ^uint64(0), uint64(0)
	for _, k := range keys {
		least, most = min(least, k), max(most, k)
	}
	rows := make([]uint32, len(keys))
	if len(keys) == 0 {
		return rows
	}
	span := bits.Len64(most - least)
	a, upper := keys, keys
	if span > 32 {
		upper = slices.Clone(keys)
	}
	for i, k := range keys {
		a[i] = (k-least)<<32 | uint64(i)
	}
	a, tmp = radix(a, tmp, min(span, 32))
	if span > 32 { // the upper halves, in the order of the lower ones
		for i, x := range a {
			a[i] = (upper[uint32(x)]-least)>>32<<32 | uint64(uint32(x))
		}
		a, _ = radix(a, tmp, span-32)
	}
	for i, x := range a {
		rows[i] = uint32(x)
	}
	return rows
}

// radix sorts numbers by so many bits, at most 32, from bit 32 on; equal ones stay as they
// are. It returns them, and the room that is left. It counts the digits of all passes in one
// walk, which takes half the time of one that counts before each pass.
func radix(a, tmp []uint64, n int) (sorted, room []uint64) {
	var counts [digits][1 << digit]uint32
	for _, x := range a {
		counts[0][x>>32%(1<<digit)]++
		counts[1][x>>(32+digit)%(1<<digit)]++
		counts[2][x>>(32+2*digit)%(1<<digit)]++
	}
	for k := 0; k*digit < n; k++ {
		at, shift := &counts[k], 32+k*digit
		sum := uint32(0)
		for i, count := range at {
			at[i] = sum
			sum += count
		}
		for _, x := range a {
			d := x >> (shift & 63) % (1 << digit)
			to := at[d]
			tmp[to] = x
			at[d] = to + 1
		}
		a, tmp = tmp, a
	}
	return a, tmp
}
