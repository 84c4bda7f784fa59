package order

import (
	"math/bits"
	"slices"
)

// digit is how many bits a pass of byKeys sorts by.
const digit = 11

// byKeys returns the numbers of keys in ascending order of these; equal ones in their own
// order. It goes over the keys once for each 11 bits by which the largest differs from the
// smallest. The keys are lost; it takes 12 bytes a key, and 8 more for keys that differ by more
// than 32 bits.
func byKeys(keys []uint64) []uint32 {
	least, most := ^uint64(0), uint64(0)
	for _, k := range keys {
		least, most = min(least, k), max(most, k)
	}
	rows := make([]uint32, len(keys))
	if len(keys) == 0 {
		return rows
	}
	span := bits.Len64(most - least)
	a, tmp, upper := keys, make([]uint64, len(keys)), keys
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

// radix sorts numbers by so many bits from bit 32 on; equal ones stay as they are. It returns
// them, and the room that is left.
func radix(a, tmp []uint64, n int) (sorted, room []uint64) {
	for shift := 32; shift < 32+n; shift += digit {
		var at [1 << digit]uint32
		for _, x := range a {
			at[x>>shift%(1<<digit)]++
		}
		sum := uint32(0)
		for i, count := range at {
			at[i] = sum
			sum += count
		}
		for _, x := range a {
			to := &at[x>>shift%(1<<digit)]
			tmp[*to] = x
			*to++
		}
		a, tmp = tmp, a
	}
	return a, tmp
}
