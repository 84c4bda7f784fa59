// Package memmgr owns chunks: it knows where each of them lies, keeps them in
// sequences of rows, and moves them at safe points without anyone who holds a
// chunk's number or a row's location noticing.
//
// # Words
//
// A chunk is a slot of the arena in use, known by its number. A [Sequence] is a
// list of chunks with the same columns; its rows are dense, so that every chunk
// but the last is full. A [Loc] is a chunk number and a row in it. A [Directory]
// holds the address of one column by chunk number; several sequences may share
// it, so that one column is found the same way wherever its rows lie. A safe
// point is a moment when nobody holds an address: only there do chunks move.
//
// # Layout
//
//	Sequence "bodies"            chunk table (Go heap)         arena
//	 rows 0 …                    number base  slot gen pins
//	┌────┬────┬────┐               1 ───────→ slot 7         |…|slot 3|…|slot 7|…
//	│ 1  │ 4  │ 2  │── numbers ──→ 2 ───────→ slot 3
//	└────┴────┴────┘               4 ───────→ slot 9
//	 full full tail
//
//	Directory "position":  [1] → address of its column in chunk 1, stamp
//	                       [2] → …
//
// Moving a chunk copies its columns, rewrites its line of the table and one cell
// per column, and puts the old slot in quarantine until the next safe point. The
// chunk's number, its place in the sequence and all locations stay as they are.
//
// The first chunk of a sequence starts small (chunk.Small) and is laid out anew in
// a slot of its own when it is full. Row numbers stay the same there too.
//
// # Invariants
//
//   - No two chunks share a slot, and every live slot is a chunk's.
//   - A chunk is in one sequence, at the place that its line in the table says.
//   - A cell's address is base + the layout's offset for the chunk's colour.
//   - A failure leaves the old place in force: nothing is published before the
//     copy is whole.
//   - A pinned chunk does not move.
//
// A Manager and all that belongs to it are used by one goroutine at a time.
package memmgr
