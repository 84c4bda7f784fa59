// Package chunk is the geometry of a chunk: where each column of a row is in
// 64 KiB of memory, how many rows fit, and typed slices over it. It owns no
// memory and makes no system calls. Everything in it is arithmetic.
//
// # For programs
//
// Package memmgr lays chunks out by itself, within these limits:
//
//	Bytes MaxRows MaxColumns
//
// All other names are for engines, and may change.
//
// # Words
//
// A chunk has rows, stored column by column (structure of arrays), in up to 64 KiB. A
// Spec has the size and alignment of one column. A Layout says where the columns of a list of Specs are.
// A Shape is all layouts of the same columns: over a whole slot, over a block, or in
// Stripes. A colour is a number of cache lines by which all columns of one chunk are
// shifted, so that columns of different chunks do not start in the same cache set.
//
// # Layout
//
//	a slot, 65,536 bytes, three columns of 8, 16 and 16 bytes:
//
//	0     colour·64
//	|▒▒▒▒▒|— column 0 —|·|——— column 1 ———|·|——— column 2 ———|▒▒|
//	       ↑             ↑ one line further than alignment asks
//	       shift            wherever two starts would share an L1 set
//
//	a slot cut into blocks, for chunks of few rows (eight sizes, 1 KiB to 32 KiB):
//
//	| 0 1 2 | 0 1 2 | 0 1 2 | 0 1 2 | …
//
//	a region of 32 chunks in stripes, for long sequences:
//
//	| column 0 of chunks 0 … 31 | column 1 of chunks 0 … 31 | column 2 of …
//
// A column in stripes is one run over 32 chunks, so a hardware prefetcher reads on into the
// next chunk. In slots it would fetch beyond the column's end for nothing.
//
// # Invariants
//
//   - The capacity follows from the Specs alone. Colour and machine move columns and
//     never change how many rows fit. A chunk in stripes has room for as many as one in a slot.
//   - No two columns overlap, and every column is aligned as its Spec asks. For
//     every colour all columns end within the slot, the block, or the region.
//   - No two columns of a layout start in the same set of a 64-set, 64 B-line L1
//     cache, if there are no more columns than sets.
//   - A full layout loses at most 2 %. If rows are wider than 512 B, or columns are more
//     than 64, it loses at most one row and half a line per column more. Rows
//     narrower than 8 B are limited by their number, 8,192 a chunk.
package chunk
