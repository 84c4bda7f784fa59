// Package source says where the values of a struct's fields come from, fills the struct with
// them batch by batch, and puts written copies back.
//
// # Words
//
// A [Column] is a field that gets values of a component, and [Fields] are all that a struct asks
// for. A [Batch] is rows of a table: all of a chunk, a run, or numbers. A source is a column as a
// table has it. A [Set] has the sources of one walk, with their scratch.
//
// # Files, downwards
//
//	set.go                 a set: Enter, Bring, Fill, Put, Leave; the kinds, and who chooses them
//	far.go, scarce.go      columns of other tables: gathered, kept, scarce
//	spread.go, points.go   values in place one by one: stretches, and structs of pointers
//	presence.go            bits of optional columns, and zeros for gaps
//	lend.go, parts.go      handles find copies, and fields the values that handles write
//	batch.go               rows that are filled together
//	serving.go             the seam to package shared, which keeps views
//	shelf.go               kept columns for walks that run at the same time
//	column.go              fields of a struct, as package ecs has found them
//
// # Kinds of sources
//
//	kind      values are                                            written values are
//	inPlace   the table's own column: one run of rows               there already
//	picked    copied from it: a field of a wider value, rows that   copied back
//	          lie apart, gaps where others may look
//	gathered  found by handle in other tables and copied            found again and copied back
//	scarce    the same where few rows can have the component:       likewise
//	          only these are looked up, the others are zeros
//	kept      a copy that outlives the walk: see [Serving]          never
//	spread    passed where each lies, as far as they lie side by    there already
//	          side: one batch becomes several calls
//	asked     fields of such, copied one by one                     copied back one by one
//	zeros     none: no row of the table has the component           never
//
// The kind is chosen when a table is entered. Rows of a column that lies in place are picked
// where a batch is numbers. A column that may be kept or spread is gathered where it is not.
//
// # One batch
//
//	Bring   finds the values of a batch: copies the ones that lie elsewhere, marks the written ones
//	Fill    writes slices of them into the struct, once for all rows or for each run of them
//	Put     copies back
//
// One batch of 4 rows, and the slices that a struct gets of it:
//
//	table pos+vel+far      run of rows 2..5        numbers 1 4 5 9
//	┌───┬───┬───┐          Pos  inPlace  &pos[2]   Pos  picked    copies of 1 4 5 9
//	│pos│vel│far│          Vel.X picked  copies    Vel.X picked   likewise
//	└───┴───┴───┘          Body gathered by handle Body gathered  by handle of 1 4 5 9
//
// All columns of a call are equally long, and their k-th values belong to the k-th row.
//
// A new kind of field is a new kind of source: a case of bring, and one of Put if it is copied.
//
// # Gaps
//
// A column may be optional in the struct and in the table. Rows that lack it have gaps there, of
// bytes that are never read. They are cleared before the column is passed, so that they read as
// zero. Columns of other tables read as zero, too, and a bit of a [Presence] field tells.
//
// # Copies and handles
//
// While copies of a component's values are passed, handles and other walks find these: see
// lend.go. So no result depends on where values were passed. Copies of a field can't stand for the
// component: they and the row are kept equal, see parts.go.
//
// # Invariants
//
//   - A set belongs to one cursor. It changes itself, the values that the struct writes, and
//     their stamps.
//   - Values that Bring has found are good until the next Bring, and until rows change.
//   - A batch of which Bring says that a row lacks something has marked nothing.
package source
