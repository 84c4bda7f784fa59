// Package spot keeps book of where chunks lie. It takes memory from package arena, cuts it up, and
// knows which chunk is in which part. It knows nothing of sequences, rows or directories.
//
// # Picture
//
//	form      a chunk has                                 who shares the 64 KiB
//	block     a part of a slot that is cut into blocks    chunks with few rows, of any sequence
//	whole     a slot                                      nobody
//	striped   a position of a 2 MiB region                nobody; columns of 32 chunks are side by side
//
//	region of slots       | whole | b b b · b | free | annex | whole | …
//	striped region        | column 0: 0 1 2 … 31 | column 1: 0 1 2 … 31 | …
//
// # States of a spot
//
//	free     ─Block, Slot, Enter, …→ taken ─Settle→ settled: the book knows the chunk there
//	settled  ─Unsettle→ taken
//	taken    ─Retire→ in quarantine ─Release, two epochs later→ free
//	taken    ─Discard→ free; in quarantine in checked builds
//
// Only the owner of the chunk table takes and settles spots. A slot of blocks is the arena's again
// when its last block is free, a striped region when its last position is.
//
// # Invariants
//
//   - A spot is one chunk's, or in quarantine, or free.
//   - New chunks go to the lowest slot that has a free block, so that others may empty. Slots in
//     regions that are held take none.
//   - Nothing here allocates a substitute after a refusal: errors are the arena's, and the caller
//     frees something and asks again.
package spot
