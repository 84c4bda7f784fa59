// Package entities is the lowest floor of package ecs: handles, the record of each
// index, and which index is used next.
//
// # Words
//
// An entity's handle is its index and a version ([Entity]). A record is the word of a [Set]
// for an index: the version in force, above the location of the entity's row, which is the user's. While the index
// is free, it is the version that comes next, above a link. A
// [Home] takes indexes; it belongs to a table or group. A block is adjacent indexes of one
// home.
//
// # Layout
//
//	records  | –  1 … 63 | 64 … | … | 448 … 511 | 512 …… 1023 | 1024 …… 1535 | …
//	blocks   |    one    | two  | … |   eight   |    nine     |     ten      |
//	homes    |   bodies  | body | … |  no home  |   bodies    |   bullets    |
//	           page 0, in eight parts              page 1         page 2
//
// A page is 512 indexes: 4 KiB of records, or of any other array with a word an index.
// It is one block, or eight parts of 64 indexes. A home that has no block yet takes a
// part, so that many small homes share a page. Its later blocks are whole pages. A block
// without a home is taken before a new page. Page 0 is always in parts: a World with one
// home has its indexes in a row.
//
// # The life of an index
//
// A free index is in the list of its block, linked through the records. Take uses a
// list of the home's blocks. Free puts the index into the list of its block. A block without an index in
// use has no home, and the next home that needs a block takes it. In LIFO
// order a home keeps its last such block, so that one entity that comes and goes does not
// move a block each time. A home that is dropped leaves its blocks to the common home.
//
// # Order
//
// LIFO: the index that was freed last, in this home, comes first; then the others of its
// block, backwards, then the block in which one was freed before. FIFO: the
// blocks of the home take turns, and a turn is as many indexes as were free when it
// began, the one freed first first. So no index comes twice before all that were free came
// once, and versions wrap late. Indexes that were never used count as freed in ascending
// order.
//
// # Unseen entities
//
// The records of whole pages may stay unwritten while nobody has the handles: see TakeUnseen. Such a record is 0, which
// is no version's. Pages of the system that are never written take no memory.
//
// # Invariants
//
//   - A free index is in the list of its block and in no other. Check counts.
//   - A block with free indexes is its home's current one or among its waiting ones. A block
//     with free indexes alone has no home, unless it is a home's only one that has any.
//   - The number of indexes never exceeds Options.Max. If no page can be added, a home
//     takes over a block with free indexes from another. So Max entities can be alive with
//     any number of homes, and memory is not refused while an index is free.
package entities
