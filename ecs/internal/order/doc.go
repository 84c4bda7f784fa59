// Package order puts rows into the order that code asks for: at once, or in steps.
//
// # At once
//
// [Sort] sorts the rows of one table, by a component's values, by keys, or by entities. It
// finds the order first, as a list of row numbers, and moves rows when nothing is compared
// any more:
//
//	rows now       │ 3  1  2 │      to row 0 comes row 1, to row 1 row 2, …
//	the list       │ 1  2  0 │
//
// How is a [Way], chosen by a pure function from what a look at the rows has found. [Respect]
// makes the list from other rows, and [InOrder] merges what is sorted already.
//
// # In steps
//
// A [Sorter] lets rows follow those of their readers:
//
//	readers  │ C  A  x  B │ …       x has no row among the sorted ones
//	            ↓  ↓     ↓
//	sorted   │ C  A  B │ rest …     rest: rows that no reader has
//	                 ↑ cursor: the reader's row that is looked at next, and the row
//	                   that its entity belongs in
//
// At the end of each frame the cursor goes on from where it stopped, at most to the last
// reader; then the next frame begins with the first. Where a reader's entity is not in
// the row it belongs in, the two rows are swapped. What is before the cursor is in order
// if nothing came or went meanwhile; so order is reached at the latest by one whole round
// without changes.
//
// # Invariants
//
//   - Where the cursor stops is counted in rows, whatever chunks they lie in and however
//     long it takes.
//   - Rows that have not changed since they were found in order count as looked at, and are
//     not: stamps tell, and no result depends on it.
package order
