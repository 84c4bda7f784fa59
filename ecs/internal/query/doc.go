// Package query finds the rows that have some components and walks them. It knows nothing
// of systems, their order and the views that they share.
//
// # Words
//
// A [Spec] is a struct of slices or of pointers, field by field: what is asked for. A
// [Plan] is a spec and the tables where rows match. A [Source] is one of these tables,
// and what is left to test there. A [Cursor] walks a plan: it fills a struct and calls a
// function with it, batch by batch or row by row. It has all scratch, and notes where the columns
// of small tables lie.
//
// # Layout
//
//	Spec {Pos, Vel, without Far}           Plan                                   Cursor
//	┌─────┬──────┬───────┐      table pos+vel       nothing to test       whole chunks
//	│ Pos │ Vel… │ …     │  →   table pos+vel~far   bits of far           runs, or rows gathered
//	└─────┴──────┴───────┘      group body{pos}     look vel and far up   vel gathered
//
// # What a walk passes
//
// An entity has a component in exactly one row. So the tables that have a column of one
// required component, the driver, have each match once. In a table a component of the same
// owner is fixed: nothing is left to test; or optional: a bit a row; or neither: only a thin
// row may have it. Rows that have one of another owner are marked from its side, if these
// are fewer, and the bits are kept while rows stay. Otherwise it is looked up, row by row.
//
// Something that a row has may be disabled, which is a bit a row of any table: that is tested
// last, and only while something of what is asked for is disabled somewhere.
//
// Where nothing is left to test, a batch is the columns of a chunk, or of several chunks
// side by side. Elsewhere long runs of matching rows are passed as they lie, and short ones
// are gathered, and put back where the struct writes them: a chunk's, or those of several
// chunks side by side if they are few. A column that the table does not have is gathered from
// where its values lie; see [Serving]. If no row of the table can have it, it is zeros, and nothing
// is looked up. If it is optional and few have it, only these are looked up, as marked from its side.
// A field of a component that the table has is copied from the rows.
//
// A column may be optional in the struct and in the table. Rows that lack it have gaps there,
// of bytes that are never read. They are cleared before the column is passed, so that they read
// as zero.
//
// # Invariants
//
//   - A plan depends on counts and on the order in which tables were made, never on
//     addresses or time.
//   - A plan changes between walks only: its sources are made anew before the first row is
//     passed, if tables have come or gone, a component has changed over, or another driver
//     has become the rarest. Sources that a walk has are never written again.
//   - A walk changes its cursor, the values that its struct writes and their stamps. It may
//     have to find bits that tables keep for all walks ([store.Table.Marked],
//     [store.Table.Disabled]). This happens before the first row of a source is passed.
//   - Any number of cursors may walk one plan, one within another. On several goroutines,
//     cursors that [NewParallel] made may, between [Base.Parallel] and its end. No structure
//     changes meanwhile, and what one writes no other has.
//   - What a walk passes holds matching rows only, each once.
package query
