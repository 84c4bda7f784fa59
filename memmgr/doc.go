// Package memmgr stores rows of fixed size in chunks of 64 KiB, column by column, outside of
// the Go heap. It needs neither entities nor systems: package ecs is one engine on top of it,
// and yours may be another. docs/embedding.md teaches it by programs.
//
// # Picture
//
//	Manager
//	 ├─ Sequence "track"         chunks: rows in order, all but the last chunk full
//	 │    times  Col[int64]     ┌ 0 … ──────┐ ┌───────────┐ ┌──── · · ·┐
//	 │    points Col[point]     └───────────┘ └───────────┘ └──── · · ·┘
//	 ├─ Sequence …                    ↑ Loc: chunk and row; good when the chunk moves
//	 └─ memory: reserved → committed → given back
//
//	rows, err := m.NewSequence("track", &times, &points)
//	l, err := rows.Append()
//	times.Set(l, now)
//	for l, ts := range times.Chunks(rows) { ps := points.Slice(l); … }
//
// # Words
//
// A [Sequence] is a table: rows in order, dense, with the same columns. A [Col] is a handle
// of one column. A chunk is up to 64 KiB of rows. A [Loc] is the location of a row. A safe
// point (a sync point, elsewhere) is a moment when no code holds a slice or a pointer into a
// chunk: only there do chunks move. A tick is a period between two calls of Advance: each
// column of each chunk knows the tick in which it was last written.
//
// # Invariants
//
//   - Order and values of rows follow from calls alone, never from time, limits, profiles or
//     the machine.
//   - A location stays good when its chunk moves. A slice or a pointer is good until the next
//     safe point, and until the sequence changes.
//   - An error leaves everything as it was before the call.
//   - A pinned chunk does not move.
//
// # Several goroutines
//
// A Manager, its sequences and columns are used by one goroutine at a time, its owner. A
// second one within a call that takes, frees or moves a chunk panics. [Sequence.Pin] lets
// other goroutines read slices while the owner goes on:
//
//	what the owner does meanwhile                what readers of pinned chunks see
//	Append, AppendRun                            the rows that were there
//	EndFrame, Idle, Purge, Adapt                 the same rows, at the same addresses
//	DropFirst, Drop                              the same rows: their memory waits for unpin
//	RemoveRange at the end                       the same rows, until others are appended there
//	SwapRemove, RemoveRange, RemoveFunc,         a data race, if a reader looks at that row
//	RemoveMarked, writing values
//	Close                                        fails with ErrPinned
//
// # Where things are
//
// A [Recorder] notes what a program touches, as a profile that its next start can load.
// Package arena has limits and back ends, package chunk says how many rows a chunk holds,
// package views gathers values of rows in any order.
package memmgr
