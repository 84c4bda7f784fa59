package ecs

import "math/bits"

func lowest(m uint64) int { return bits.TrailingZeros64(m) }
func ones(m uint64) int   { return bits.OnesCount64(m) }

// appendRows appends the rows of a word's bits.
func appendRows(rows []uint16, base int, m uint64) []uint16 {
	if m == ^uint64(0) {
		for i := range 64 {
			rows = append(rows, uint16(base+i))
		}
		return rows
	}
	for ; m != 0; m &= m - 1 {
		rows = append(rows, uint16(base+bits.TrailingZeros64(m)))
	}
	return rows
}
