// Package match says which rows of a table match a query. Such rows have some components, lack
// others, and were changed or disabled as the query asks. The package knows nothing of columns, of
// the structs that these fill, and of systems.
//
// # Words
//
// A [Query] is a list of conditions on an entity. An [Extent] says which rows of a table have a
// component. A [Filter] is a table and the tests that are left there, found once for a table.
// [Tests] carry a filter out in one walk, and yield bits, one for each row of a chunk.
//
// # Files, downwards
//
//	query.go      the question, and the answer for one entity
//	filter.go     the question for one table: decided once, read by every walk
//	tests.go      a filter in one walk: Begin, Find, Match
//	any.go        the part of both for "one of these components"
//	disabled.go   the part of both for disabled entities and components
//	change.go     the part of both for changes since a tick
//	extent.go     where a table has a component
//	bits.go       words of bits: AND, count, next run
//
// # Picture
//
//	Query {A, B, without C, any of D E}
//	   │ a table fixes A, has B and C by bits, and D lies elsewhere
//	   ▼
//	Filter {with B, sans C, any {D}}          kept while tables stay
//	   │ bits of D are marked from its side
//	   ▼
//	Tests   11111111…  all rows of a chunk    64 rows at a time
//	      & 11011011…  B
//	      &^01000001…  C
//	      & 11111011…  D or E
//	      = 10011010…  the rows that match
//
// # How a component is tested
//
// An entity has a component in exactly one row. In a table, a component of the same owner is in
// every row, in some, or in none. Only if it is in some, a bit of each row is tested. A component
// of another owner is marked from its own side, if it has fewer rows than the table. The bits
// are kept while rows stay. Otherwise each row that is left is looked up. A component that is
// disabled counts as absent. Its bits are tested only while something that the query names is
// disabled somewhere.
//
// # Invariants
//
//   - A filter depends on tables and ways of storing, never on rows, addresses or time.
//   - A filter that a walk has is never written again.
//   - Bits behind a chunk's last row are 0.
//   - Tests hold until something changes, and belong to one walk. Finding them may find bits
//     that tables keep for all ([store.Table.Marked], [store.Table.Disabled]).
package match
