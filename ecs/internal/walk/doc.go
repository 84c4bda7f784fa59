// Package walk goes over the rows that match a struct and calls a function with it, batch by
// batch. It knows nothing of systems, their order and the views that they share.
//
// # Words
//
// A [Spec] is the question of a struct: which rows (package match), and which values of them
// (package source). A [Plan] is a spec and the tables where rows match. A [Table] is one of
// these, with its filter and the extents of the columns. A [Cursor] walks a plan. It has all
// scratch, and notes where the columns of small tables lie.
//
// # Files, downwards
//
//	cursor.go, mass.go       a walk from its begin to its end; counts and lists without values
//	witness.go, guard.go     Each with sums around each call
//	split.go, kept.go        a walk in pieces, and the columns that views keep for it
//	parallel.go              several walks at the same time
//	plan.go, spec.go         the question
//	found.go                 the tables where rows match
//	whole.go, tally.go       the fast path, and its reports
//	fast.go, plain.go        whether there is a fast path
//	table.go, held.go        any other table: rows become batches
//	base.go                  shared by all walks of a world: which are under way
//
// # Layout
//
//	Spec {Pos, Vel, without Far}           Plan                                   Cursor
//	┌─────┬──────┬───────┐      table pos+vel       nothing to test       whole tables
//	│ Pos │ Vel… │ …     │  →   table pos+vel~far   bits of far           runs, or rows gathered
//	└─────┴──────┴───────┘      group body{pos}     look vel and far up   vel gathered
//
// # The loop
//
//	for each table of the plan
//	    for each chunk: match rows → batches    table.go, held.go
//	        bring, fill, call, put              Cursor.pass
//
//	match   bits 0011110000101000        which rows of the chunk
//	bring   columns of the batch          found, or copied side by side
//	fill    struct{Pos: [4], Vel: [4]}    slices of one run, or of all numbers
//	call    the system                    reads and writes the slices
//	put     written copies                back to their rows
//
// An entity has a component in exactly one row. So the tables that have a column of one
// required component, the driver, have each match once. Where nothing is left to test, a batch
// is a chunk. Elsewhere long runs of matching rows are passed as they lie, and short ones are
// gathered. Few rows of a chunk are gathered together with rows of chunks beside it.
//
// There is one fast path, for whole tables (whole.go). There a batch is the columns of a chunk, or of
// several side by side, as they lie. The tag ashlarplain leaves it out.
//
// # States
//
// A cursor rests or walks. Each begins a walk and ends it, after a panic too. A Each within
// is a walk of another cursor over the same plan. Between walks, Tell tells Visit which rows were
// passed.
//
// # Invariants
//
//   - A plan depends on counts and on the order in which tables were made, never on
//     addresses or time.
//   - A plan changes between walks only. Its tables are found anew before the first row is
//     passed, if tables have come or gone or a component has changed over. So they are if
//     another driver has become the rarest. Tables that a walk has are never written again.
//   - A walk changes its cursor, the values that its struct writes and their stamps. It may
//     have to find bits that tables keep for all walks. This happens before the first row of a
//     table is passed.
//   - Any number of cursors may walk one plan, one within another. On several goroutines,
//     cursors that [NewParallel] made may, between [Base.Parallel] and its end. No structure
//     changes meanwhile, and values that one writes no other has.
//   - A walk passes matching rows only, each once.
//   - Values are the same for all that see them during a walk, by handle and in walks within. See
//     package source on spread values and on copies.
package walk
