// Package views brings values to readers with rows in another order: it
// gathers a field of a component into one contiguous column, tells when gathered values
// are out of date, and chooses how a system gets components that its group does not
// own. It owns no memory and runs no systems.
//
// # For programs
//
// A program that embeds package memmgr alone makes a [View] of a column, or [Bounds]. Package ecs does
// the same for systems, by itself, with shared fields.
//
//	View(Values) New
//	Bounds(Of) NewBounds
//
// All other names are for engines, and may change.
//
// # Words
//
// The owner of a component keeps its values, in chunks; a reader is a system that
// goes over rows of another group. A view chunk has the values gathered for the rows of
// one of the reader's chunks. An entry says where the row of an entity is that may have
// its value; entries are found by the handle's index. A cell is a chunk as the component's
// directory sees it, and a [Place] is a cell and a row: where a value was found. A [Source]
// gathers and scatters. A [Mark] and the owner's [Changes] say which rows are stale. [Choose] says
// which [Strategy] is used, from [Counts].
//
// # Picture
//
//	reader's chunk                                owner's chunks
//	 handles ──→ entries ──────────┐             ┌────────────┐
//	 (places, once noted) ─────────┴→ cells ──→  │ ▒ ▒ ▒   ▒  │
//	                                             │   ▒   ▒ ▒  │
//	 view  ←── copy ←── addresses of 128 rows ←──└────────────┘
//	                    prefetched as they become known
//
//	 stamps of the owner's chunks ──→ Changes ┐
//	 stamp of the reader's chunk  ────────────┼→ Mark.Judge → valid | some rows |
//	 Mark: tick, the cells it came from ──────┘               all by place | all by handle
//
//	 rows, chunks, readers, frames with moves ──→ Choose → direct | gathered | cached
//
// Rows are located in blocks of 128 and then copied. Entries and
// values, which lie far apart, are prefetched, so that many loads are under way at a time.
// Places save a view that is gathered again the look at the entries: half of the loads from
// far apart.
//
// # Invariants
//
//   - A view chunk with a Mark that is Valid equals the values read one by one.
//   - Absent values read as zero, and nothing is written for them.
//   - Kernels in assembly do the same as their Go twins, bit for bit, and read and
//     write nothing outside of their arguments; prefetches are no reads.
//   - The result of Choose follows from counts alone. It changes time and memory, never a
//     value that is read.
//   - A write in the tick of a gather counts as a change.
//
// Addresses are good until the next safe point or structural change, and none is
// kept here beyond a call: places are, and marks know when they are not good.
package views
