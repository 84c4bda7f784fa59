// Package chunk is the geometry of a chunk: where each column of a row lies in
// 64 KiB of memory, how many rows fit, and typed slices over it. It owns no
// memory and asks no operating system; everything in it is arithmetic.
//
// # Words
//
// A chunk is one slot of 64 KiB in use. It holds rows, stored column by column
// (structure of arrays). A Spec says what one column needs, a Layout says where
// the columns of a list of Specs lie. The cache region is a page-aligned tail of
// the chunk that a layout can leave free for views. A colour is a number of
// cache lines by which all columns of one chunk are shifted, so that the columns
// of different chunks do not start in the same cache set.
//
// # Layout
//
//	one chunk, 65,536 bytes, three columns of 8, 16 and 16 bytes:
//
//	0     colour·64                                            cache region
//	|▒▒▒▒▒|— column 0 —|·|——— column 1 ———|·|——— column 2 ———|▒▒|·········|
//	       ↑             ↑ one line further than alignment asks
//	       shift            wherever two starts would share an L1 set
//
// The same rows can lie in a small layout: a few rows in 2 KiB (or 4 … 16 KiB),
// for the first chunk of a group that has a handful of them. There the colour
// moves the block within its page and from page to page of the slot, since
// hundreds of such chunks are walked together and would else fight for a few
// cache sets.
//
// # Invariants
//
//   - The capacity follows from the Specs and the cache region alone. Colour and
//     machine move columns; they never change how many rows fit.
//   - No two columns overlap, every column is aligned as its Spec asks, and for
//     every colour all columns end before the cache region.
//   - No two columns of a layout start in the same set of a 64-set, 64 B-line L1
//     cache (as long as there are no more columns than sets).
//   - A full layout loses at most 2 % of what the cache region leaves; where rows
//     are wider than 512 B or columns more than 64, at most one row and half a
//     line per column more. (Rows
//     narrower than 8 B are limited by their number, 8,192 a chunk.)
package chunk
