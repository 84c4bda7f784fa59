// Package memmgr owns chunks: it knows where each of them lies, keeps them in
// sequences of rows, and moves them at safe points without anyone who holds a
// chunk's number or a row's location noticing.
//
// # Words
//
// A chunk is up to 64 KiB of rows, known by its number. A [Sequence] is a list of chunks
// with the same columns; its rows are dense, so that every chunk but the last is full. A
// [Loc] is a chunk number and a row in it. A [Directory] holds the address of one column
// by chunk number; several sequences may share it, so that one column is found the same
// way wherever its rows lie. A safe point is a moment when nobody holds an address: only
// there do chunks move.
//
// # Layout
//
//	Sequence "bodies"            chunk table (Go heap)         arena
//	 rows 0 …                    number spot  gen pins
//	┌────┬────┬────┐               1 ───────→ slot 7         |…|slot 3|…|slot 7|…
//	│ 1  │ 4  │ 2  │── numbers ──→ 2 ───────→ slot 3
//	└────┴────┴────┘               4 ───────→ slot 9, block 5
//	 full full tail
//
//	Directory "position":  [1] → address of its column in chunk 1, stamp
//	                       [2] → …
//
// A chunk lies in one of three forms, which differ in addresses alone:
//
//	rows     form      where
//	few      block     a part of a slot, which other chunks of few rows share
//	         whole     a slot of its own
//	many     striped   a position of a 2 MiB region, in which the columns of the
//	                   sequence's chunks lie side by side
//
// A first chunk begins in the smallest block that holds what is asked for, goes to a larger
// one when that is full, and at last to a slot; and back, at a safe point, as its rows go. From some length on a sequence's new
// chunks are striped; the ones before them follow at safe points, within the budget.
// Regions of very long sequences are advised to have huge pages. All else lies in pages of
// the usual size: what is not touched is not resident.
//
// Moving a chunk copies its columns, rewrites its line of the table and one cell
// per column, and puts the old place in quarantine until the safe point after the next. The
// chunk's number, its place in the sequence and all locations stay as they are. Its annex,
// slots bound to it as room for views, stays where it is.
//
// # Adapting
//
// Each chunk belongs somewhere. One that is not there is astray, and is brought there at a
// safe point. That is the only mover:
//
//	a chunk belongs                                         it is astray since
//	at the position that its order gives it in a region     its sequence is long enough, or it was moved
//	in a slot, or in a smaller block                        its sequence has become shorter
//	in the cold range                                       AdaptOptions.Cold names its sequence
//	in another region                                       its region is to be given back as a whole
//
// A user calls SafePoint between systems and EndFrame after each frame.
//
//	frame
//	│ system                       chunks that are astray
//	│ SafePoint ─→ bring ←──────── made, dropped, grown, shrunk, cold
//	│ system       within the      ↑
//	│ SafePoint ─→ budget          │
//	└ EndFrame  ─→ a region to empty, now and then, where memory goes back by whole ones
//	            ─→ idle memory goes back by its age: whole regions first
//
// A safe point makes as many moves as its budgets of time and bytes allow, at least
// one if any is due. The next safe point goes on. A chunk that is pinned waits. One that
// there is no memory for stays where it is. Nothing moves for order: chunks of long
// sequences lie in order by their stripes. A sequence is cold if its user says so, never
// because it was not seen to be used.
//
// # Invariants
//
//   - No two chunks share a slot, unless in different blocks or positions, and every live
//     slot has a chunk in it or is an annex.
//   - A chunk is in one sequence, at the place that its line in the table says.
//   - A cell's address is where the chunk's form and place put the column.
//   - A failure leaves the old place in force: nothing is published before the
//     copy is whole.
//   - A pinned chunk does not move.
//   - No safe point takes longer than its budget and one move.
//   - Adapting never changes what Append, SwapRemove, Truncate and Chunks return, but for
//     how many rows AppendRun takes at once.
//
// Chunks that a program forgets are found with Options.TraceChunks: each chunk in use is
// in the runtime profile [ProfileChunks] then, with the stack that made it.
//
// # Several goroutines
//
// A Manager and all that belongs to it are used by one goroutine at a time, its owner. A
// second one within a call that takes, frees or moves a chunk is told so by a panic. What
// other goroutines may do meanwhile is read rows of pinned chunks, and end the pins:
//
//	owner                                any goroutine
//	unpin := s.Pin()
//	values := …        ── channel, go ──→ for _, v := range values { … }
//	s.Append(), m.SafePoint(), …          …
//	                                      unpin()
//	next call: the chunks are its own again
//
// [Sequence.Pin] pins all chunks of a sequence; [Manager.Pin] and [Manager.Unpin] pin one. What the owner does while
// rows are pinned, and what their readers see:
//
//	Append, AppendRun                    the rows that were there; new ones lie behind them
//	a chunk outgrows its block           the rows as they were: new ones go to the new place
//	SafePoint, EndFrame, Reclaim, Move   the same rows: pinned chunks stay
//	DropFirst, Drop, Truncate(0)         the same rows: their memory waits for Unpin
//	Truncate, DropLast                   the same rows, until rows are appended in their place
//	SwapRemove, RemoveOrdered, RemoveRange, writing values
//	                                     a race, if a reader looks at that row
//
// A chunk that has lost all its rows while it was pinned, or has outgrown its block, is not
// written to any more: its memory, and its number, wait for Unpin and are free with the
// owner's next call that makes a chunk, or its next safe point. Close fails while there are
// pins. Unpin happens before that next call, so that -race has nothing to report.
package memmgr
