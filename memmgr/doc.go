// Package memmgr stores rows of fixed size in chunks of 64 KiB, column by column, outside of
// the Go heap. It knows where each chunk is, and moves chunks at safe points. It needs neither
// entities nor systems: package ecs is one engine on top of it, and yours may be another.
// docs/embedding.md teaches it by programs.
//
// # For programs
//
//	New Manager(Arena NewSequence EndFrame Idle Purge Adapt OnRefusal Advance Stats Check Close) Options AdaptOptions(With)
//	Sequence(Append AppendRun SwapRemove RemoveRange RemoveFunc RemoveMarked DropFirst Drop Len At Runs Stretches Columns Values SetLimit Pin)
//	Col(At Set Slice Chunks Slices Stretch MutStretch Written Changed) Column Named ColumnOfType ColumnOf
//	Loc(Plus)
//	Recorder(Watch Read Write Took EndInterval Profile)
//	Stats SequenceStats Adapting
//	ErrChunks ErrPinned ErrSequenceLimit
//
// All other names are for engines, and may change.
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
// point (a sync point, elsewhere) is a moment when no code keeps a slice or a pointer into a
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
//	a call of the owner meanwhile                readers of pinned chunks see
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
// A [Recorder] notes the columns that a program touches, as a profile that its next start can load.
// Package arena has limits and back ends, package chunk says how many rows a chunk has room for,
// package views gathers values of rows in any order. Package clock has the types of clocks, and
// package frames the lengths of looks.
//
// # For engines
//
// Numbers of chunks and locations of rows stay good when a chunk moves. An engine calls SafePoint
// between systems and CloseFrame after each frame, where a program calls EndFrame.
//
// A chunk is up to 64 KiB of rows, known by its number. A [Sequence] is a list of chunks
// with the same columns; its rows are dense, so that every chunk but the last is full. A
// [Loc] is a chunk number and a row in it. A [Directory] has the address of one column
// by chunk number. Several sequences may share it, so that one column is found the same
// way in all of them. A safe point is a moment when no caller keeps an address. Chunks move
// only there.
//
// # Where a chunk is
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
// A chunk has one of three forms, which differ in addresses alone:
//
//	rows     form      where
//	few      block     a part of a slot, which other chunks of few rows share
//	         whole     a slot of its own
//	many     striped   a position of a 2 MiB region, in which the columns of the
//	                   sequence's chunks are side by side
//
// A first chunk begins in the smallest block that holds its rows. It goes to a larger one
// when that is full, and at last to a slot: where it is, if it has its slot to itself. As its
// rows go, it goes back at a safe point.
// From some length on a sequence's new chunks are striped. The ones before them follow at
// safe points, within the budget. Regions of very long sequences are advised to have huge
// pages. Everything else is in pages of the usual size, which are resident once touched.
//
// # Floors
//
// References between files go down only. Package spot is below all of them.
//
//	the program's door frame columns named stretch recorder map asked
//	giving back       adapt decay pressure evacuate
//	the manager       create manager check stats
//	leaving           leave (regions that are emptied, Reclaim)
//	moves             move (safe points) astray (chunks where they do not belong)
//	sequences         read append refusal remove pack, room and space for their chunks, pin annex seqlimit
//	chunks            table chunks (made, freed, moved) tail (the last one of a sequence)
//	the model         the structs and their states; guard budget
//	words             loc marks directory leakprofile
//
// # States of a chunk
//
//	state    meaning                              ends when
//	free     no chunk has the number              a sequence needs rows: used
//	used     it is in a sequence                  the sequence drops it: free
//	                                              its last row goes: spare
//	                                              Pin: pinned
//	spare    empty, kept for the next row of      a row comes: used
//	         its sequence                         another spare comes, half of the last chunk
//	                                              is empty at a safe point, memory is refused,
//	                                              many sequences have lost their rows,
//	                                              or 512 frames have gone by: free
//	pinned   used, and readers keep addresses:    last pin ends: used
//	         it does not move                     its last row goes: left
//	left     empty and pinned: no longer          last pin ends: free, with the owner's next
//	         written to                           new chunk or safe point
//
// Moving a chunk copies its columns, rewrites its line of the table and one cell per column,
// and puts the old place in quarantine until the safe point after the next. The chunk's
// number, its position in the sequence and all locations stay as they are. Its annex, slots
// bound to it as room for views, stays where it is.
//
// # Moves
//
// Each chunk belongs somewhere. A chunk that is elsewhere is astray, and a safe point brings
// it there. Nothing else moves chunks:
//
//	a chunk belongs                                         it is astray since
//	at the position that its order gives it in a region     its sequence is long enough, or it was moved
//	in a slot, or in a smaller block                        its sequence has become shorter
//	in the cold range                                       Keep names its sequence
//	in another region                                       Leave names its region
//
// The frame of an engine:
//
//	frame
//	│ system                       chunks that are astray
//	│ SafePoint ─→ bring ←──────── made, dropped, grown, shrunk, cold
//	│ system       within the
//	│ SafePoint ─→ budget
//	└ CloseFrame ─→ spare chunks that are old are freed
//
// A safe point makes as many moves as its budgets of time and bytes allow, at least
// one if any is due. The next safe point goes on. A pinned chunk waits. A chunk for which
// memory is refused stays where it is. A sequence is cold if its user says so, never because it
// was not seen to be used. The adapter gives idle memory back, and says which regions to leave.
//
// # Giving back
//
// A manager fits its program: it gives idle memory back, and says which chunks are to be moved.
// What to do is decided by functions of what is known and of the time, which change nothing else:
// due, hurried, toEmpty. An adapter does it at the end of each frame:
//
//	adapter                              the manager
//	 decay        how much idle memory ─→ Arena, Purge
//	 pressure     … and how fast
//	 evacuate     which region to empty → leave, stay
//	 AdaptOptions cold, budgets → keep, setBudget
//	 Walk         in which order       ─→ leave
//
//	frame
//	│ system
//	│ SafePoint  ─→ chunks that are astray come where they belong, within the budget
//	│ system
//	│ SafePoint
//	└ CloseFrame ─→ idle memory goes back by its age: whole regions first
//	             ─→ a region to empty, now and then, where memory goes back by whole ones
//
// No end of a frame takes longer than the budget and one step of giving back, which is one system
// call. A look for a region costs a pass over regions, never over chunks.
//
// # Order
//
// Chunks have one order: sequences as they are walked, which Leave is told, then the others as they
// were made; within a sequence its own. Nothing moves for order alone. It says where chunks go that
// are moved or made anyway:
//
//	a chunk                  goes
//	of a long sequence       to its position in a region
//	any other new one        behind the one before it in its sequence, if that costs no region
//	one that leaves a region there; a first one behind the last of the sequence that is walked before
//
// # Invariants of the engine
//
//   - No two chunks share a slot, unless in different blocks or positions, and every live
//     slot has a chunk in it or is an annex.
//   - A chunk is in one sequence, at the place that its line in the table says.
//   - A cell's address is where the chunk's form and place put the column.
//   - A failure leaves the old place in force. Nothing is published before the
//     copy is whole.
//   - A pinned chunk does not move.
//   - No safe point takes longer than its budget and one move.
//   - Moving never changes what Append, SwapRemove, Truncate and Chunks return. It may
//     change how many rows AppendRun takes at once.
//
// # Chunks that readers keep
//
// A chunk that has lost all its rows while it was pinned, or has outgrown its block, is not
// written to any more. Its memory and its number wait for the end of the pin. They are free with
// the owner's next call that makes a chunk, or its next safe point. Close fails while there are
// pins. A pin ends before that next call, so -race has nothing to report.
package memmgr
