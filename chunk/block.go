package chunk

// A block is a part of a slot, for a chunk of few rows. A slot is cut into blocks of one
// class. Class 0 has the smallest ones:
//
//	class        0     1     2     3     4      5      6      7
//	blocks      60    33    20    13     8      5      3      2   to a slot
//	bytes    1,088 1,984 3,264 4,928 8,128 12,992 21,824 32,704
//
// Each is an odd number of lines long. So the columns of neighbouring blocks start in
// different cache sets, which matters if hundreds of such chunks are walked together.

// Classes is the number of sizes of blocks.
const Classes = 8

var blockBytes = [Classes]uint32{17 * Line, 31 * Line, 51 * Line, 77 * Line, 127 * Line, 203 * Line, 341 * Line, 511 * Line}

// BlockBytes is the size of a block of a class.
func BlockBytes(class int) uint32 { return blockBytes[class] }

// Blocks is how many blocks of a class a slot has.
func Blocks(class int) int { return int(Bytes / blockBytes[class]) }

// blockRows is the fewest rows that a block is used for: wide rows start in a whole slot
// (TestBlocksAreKnown).
const blockRows = 8

// inBlock lays out columns over a block of a class; ok is false if too few rows would
// fit. Where columns start on lines of their own they hold fewer rows than packed, and
// are packed where that would cost more than an eighth.
func inBlock(specs []Spec, class int) (l Layout, ok bool) {
	if check(specs) != nil {
		return Layout{}, false
	}
	bytes := blockBytes[class]
	if mostRows(specs, bytes) < blockRows {
		return Layout{}, false
	}
	for _, align := range [...]uint32{Line, 16, 1} {
		if next, fits := densest(specs, bytes, bytes, align); fits && next.capacity > l.capacity+l.capacity/8 {
			l = next
		}
	}
	return l, l.capacity >= blockRows
}
