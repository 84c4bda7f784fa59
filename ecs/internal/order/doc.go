// Package order puts rows into the order that code asks for: at once, or in steps.
//
// # At once
//
// [Sort] sorts the rows of one table, by a component's values, by keys, or by entities. It
// finds the order first, as a list of row numbers. It moves rows after the last comparison:
//
//	rows now       │ 3  1  2 │      to row 0 comes row 1, to row 1 row 2, …
//	the list       │ 1  2  0 │
//
// A [Way] says how. A pure function chooses it from the result of a look at the rows.
// [Respect] makes the list from other rows.
//
// # In steps
//
// A [Sorter] lets rows follow the rows of their readers:
//
//	readers  │ C  A  x  B │ …       x has no row among the sorted ones
//	            ↓  ↓     ↓
//	sorted   │ C  A  B │ rest …     rest: rows that no reader has
//	                 ↑ cursor: the reader's row that is looked at next, and the row
//	                   that its entity belongs in
//
// At the end of each frame the cursor goes on from where it stopped, at most to the last
// reader. After that the next frame begins with the first. If a reader's entity is not in the
// row where it belongs, the two rows are swapped. Rows before the cursor are in order if none
// came or went meanwhile. So one whole round without changes reaches order.
//
// # Invariants
//
//   - The cursor stops after a number of rows, in any chunks, however long it takes.
//   - Rows that have not changed since they were found in order are skipped, by their
//     stamps, and count as looked at. No result depends on it.
package order
