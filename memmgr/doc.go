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
// chunk's number, its place in the sequence and all locations stay as they are. The
// contents of its cache region, room for views at the slot's end, stay behind; an annex,
// a slot for views that were asked for later, stays where it is.
//
// The first chunk of a sequence starts small (chunk.Small) and is laid out anew in
// a slot of its own when it is full. Row numbers stay the same there too.
//
// # Adapting
//
// A manager may adapt where chunks lie and what memory is kept. Its user calls two
// functions; what to do is decided by package plan, which is pure.
//
//	                   profile (facts, intent), topology
//	                        │ Adapt, EndFrame
//	frame                   ↓                          places kept for groups
//	│ system          ┌─ plan.Plan ─┐   plan.Start ──→ that are known: chunks are
//	│ SafePoint ─────→│ queue → job │                  made where they will stay
//	│ system          └──────↑──────┘
//	│ SafePoint ─────→ moves within the budget
//	└ EndFrame  ─────→ judge: did the gain come? ─→ no: moves back, asks less often
//	                 → idle memory, by its age: regions first
//	                 → a plan, if there may be waste
//
// A safe point does as many moves as its budgets of time and bytes allow, at least one
// if any is due, and stops; the next goes on. Actions are done one after the other,
// oldest first. An action is predicted to gain bytes, or time, or both; what it did
// gain is measured in resident bytes and in frame times, and [AdaptStats] has both. Pinned
// chunks are skipped and counted, and a chunk that was just put somewhere stays there
// for AdaptOptions.Cooling frames. What the user sees never depends on any of this:
// chunk numbers, order, locations and values are the same.
//
// # Invariants
//
//   - No two chunks share a slot, and every live slot is a chunk's or its annex.
//   - A chunk is in one sequence, at the place that its line in the table says.
//   - A cell's address is base + the layout's offset for the chunk's colour.
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
// A Manager and all that belongs to it are used by one goroutine at a time.
package memmgr
