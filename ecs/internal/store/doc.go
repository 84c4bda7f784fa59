// Package store keeps entities and the values of their components: it knows who has
// what, and where that lies. It knows nothing of queries, systems and views, which go
// over what it has.
//
// # Words
//
// A component is stored in one of three ways. It is fixed: a column of the tables whose
// set has it. It is optional: a column that a table has for all its rows, with a bit a row
// that says who has it. Or it is thin: a table of its own, for a component that few have.
//
// A [Table] is a sequence of rows with a column for each of its components. An [Owner]
// keeps tables: in them an entity has at most one row, its home, which has all components
// of that owner that it has, but thin ones. The commons own what nobody else does; a
// group owns what it was declared with. [Words] say by index of an entity where its row is.
// An owner has one group or several within each other, its levels ([Level]).
// A family is the tables of one owner that have the same fixed components: they differ in
// optional ones, and rows move on to the current one.
//
// # Layout
//
//	words of the commons            table {Pos, Vel} + optional Poison
//	┌─────────┬─────┬───────┐       │ entities │ Pos │ Vel │ Poison │   bits of Poison
//	│ version │ row │ chunk │ ────→ │ e7       │ …   │ …   │        │   0
//	└─────────┴─────┴───────┘       │ e3       │ …   │ …   │ …      │   1 ←─┐
//	words of Poison                                                         │
//	│ version │ row │ chunk │ ──────────────────────────────────────────────┘
//
// A fixed component is found through its owner's words and its directory, which tells
// whether the row's chunk has the column. Optional and thin ones have words of their own.
// So an entity that moves from one table to another changes one word, and one for each
// optional component that it has.
//
// # Indexes
//
// Package entities gives out indexes in blocks that belong to a home. A family of the
// commons is one, a group is one, and there is a common one. An entity that is spawned
// from a [Bundle] has its index from the first group that owns one of the components;
// else from the family that the fixed ones make. What is spawned bare, or with thin
// components alone, has one of the common home, whatever it gets later. So the words of a
// group or component are on few pages, which nobody else's entities share. An index stays
// with its entity when that moves, and goes back to its home's blocks. The home of a
// family that goes leaves its blocks to the common one.
//
// # What moves when
//
// Adding or removing a fixed component moves the row to another table, along an edge that
// is looked up once. Adding or removing an optional one is a bit, a value and a word. A
// component may change over from one way to another: new values are stored in the new
// way at once, the others follow some thousand rows a frame ([Store.EndFrame]).
//
// What is disabled is a bit by index, and follows an entity wherever its rows go. Tables
// have it by row for queries, found again for chunks whose rows have changed.
//
// # Who is told
//
// [Hooks] are told when an entity gets a component, before it loses one, and when values
// move. Groups that observe components of others hang there (watch.go), and observers and
// relations are to; without them a call looks at one word more. A [Lock] comes before them: what it prevents, they are not
// told.
//
// # Invariants
//
//   - An entity has at most one row in an owner's tables, and its word there names it.
//   - The fixed components of the row's table, those optional ones whose bit is set, and
//     thin rows are all that the entity has. No value lies in two places.
//   - Where a chunk's entity column has no newer stamp than its disabled bits, they are those
//     of its rows. What nobody has is not disabled.
//   - A component that has words of its own has one for every entity that has it, once
//     they are complete.
//   - What is where, in which order, follows from the calls made, never from
//     addresses, profile, machine or time.
package store
