// Package store keeps entities and the values of their components. It knows which entity
// has which components, and where the values are. It knows nothing of queries, systems
// and views, which go over its rows.
//
// # Words
//
// A component is stored in one of three ways:
//
//	fixed     a column of the tables in which all entities have it
//	optional  a column that a table has for all its rows, with a presence bit a row
//	thin      a table of its own, for a component that few entities have
//
// A [Table] is a sequence of rows with a column for each of its components. An [Owner] keeps
// tables. In them an entity has at most one row, its home, with all components of that owner
// that it has, except thin ones. A group owns the components that it was declared with, and
// the commons own all others. [Words] are entries: they say by index of an entity where its
// row is. Those of the commons are the records of package entities. An owner has one group, or several nested ones, its levels ([Level]). A family is
// the tables of one owner that have the same fixed components. They differ in optional ones,
// and rows move on to the current one.
//
// # States of a component
//
//	stored      fixed, optional or thin; stated in code, or as the policy says
//	moving      new values are stored in the new way; old ones move, some in each frame
//
//	stored ─the policy, or a call, asks for another way→ moving
//	moving ─no value is left in the old way→ stored
//
// # Layout
//
//	entries of the commons          table {Pos, Vel} + optional Poison
//	┌─────────┬─────┬───────┐       │ entities │ Pos │ Vel │ Poison │   bits of Poison
//	│ version │ row │ chunk │ ────→ │ e7       │ …   │ …   │        │   0
//	└─────────┴─────┴───────┘       │ e3       │ …   │ …   │ …      │   1
//	entries of Quest                table of Quest, which is thin
//	│ version │ row │ chunk │ ────→ │ e3       │ …     │
//
// A component is found through its owner's entries and its directory. The directory tells
// whether the row's chunk has the column, and whether that is an optional one: then the row's
// bit decides. So an entity that moves from one table to another changes one entry. Thin
// components have entries of their own. [Find] is the look-up; Pool.Get does its first half
// without a call.
//
// # Indexes
//
// Package entities gives out indexes in blocks that belong to a home. A family of the
// commons is one, a group is one, and there is a common one. An entity that is spawned
// from a [Bundle] has its index from the first group that owns one of the components;
// otherwise from the family that the fixed ones make. An entity that is spawned bare, or
// with thin components alone, has an index of the common home, whatever it gets later. So
// the entries of a group or component are on few pages, which other entities do not share. An
// index stays with its entity when that moves, and goes back to its home's blocks. When a
// family is dropped, its home leaves its blocks to the common one.
//
// # When rows move
//
// Adding or removing a fixed component moves the row to another table, along an edge that
// is looked up once. Adding or removing an optional one is a bit and a value. When a
// component changes over, values follow at some thousand rows a frame ([Store.EndFrame]).
//
// A disabled component is a bit by index, which follows its entity wherever the rows go.
// Tables have it by row for queries, found again for chunks with changed rows.
//
// # Files
//
// The files stand on floors, and refer to their own floor and lower ones:
//
//	upkeep, check   store tidy check: making and emptying a store, giving memory back, proving it
//	groups          level transfer group: nested groups, and values that change owners
//	storage         policy ways settle arrange: which way a component is stored in, rows that follow, and their order
//	verbs           give verbs bundle spawnall list mass exchange: one entity, a spawn, a list, the rows of a query
//	watching        lock holders enable mark watch subject ear told ends tellset lend prior find: locks, disabled bits, observers, copies
//	families        owner cap edge: tables with the same fixed components, and ways between tables
//	one change      holes carry change changerun closing order: rows given, moved, taken, closed up, in another order
//	columns         lane rows noted rowticks warm clocks: all that moves with a row, and stamps
//	entries, tables entries sets table component plane: where the row of an entity is
//	unseen          unseen: rows of entities that nobody has seen
//	model           model model_change model_told membership: all structs
//
// change.go and changerun.go give rows to entities, move them and take them away: they write entries, places,
// presence bits and stamps, and no others do. Rows that leave in a call that changes many are holes, which are closed
// together at its end (closing.go). order.go exchanges rows of one table. Verbs are thin above these.
//
// An [Observer] is told of each change of subjects that somebody asks about, when its verb has ended, and of
// entities that are about to be destroyed (ends.go). Groups that observe components of
// others have their rows moved first. A [Lock] is asked before both: a change that it prevents is
// told to nobody.
//
// # Clocks and caches
//
// Package clock has the types. A cache keeps the reading of its clock, and asks whether that is
// stale.
//
//	cache                                   clock                                  belongs to
//	tables and home of a Bundle             ways                                   the store
//	members' tables of an owner (walk)      ways                                   the store
//	that all rows are settled               ways                                   the store
//	plans of queries                        ways: Layout, Version, Made, Dropped   the store
//	that a walk has nothing to ask (calm)   ways: Layout, Finding                  the store
//	edges of a table, alone of a component  ways                                   the owner
//	addresses of a contract                 rows: RowClocks                        the table
//	bases of chunks in a schema             places: Places                         the manager
//	disabled bits, marks                    values: stamps of the entity column    the chunk
//	Changed, Added                          values: stamps of the column, noted    the chunk, the entity
//
// # Invariants
//
//   - An entity has at most one row in an owner's tables, and its entry there names it.
//   - The fixed components of the row's table, those optional ones whose bit is set, and
//     thin rows are all that the entity has. No value is stored twice.
//   - If a chunk's entity column has no newer stamp than its disabled bits, the bits are
//     the components of its rows. A component that an entity lacks is not disabled there.
//   - Either a row is unseen and the record of its entity is 0, or its place in the entity column has the handle. What
//     reads the column, or finds a record of 0, has the chunk seen first.
//   - The entries of a thin component are those of its rows, and its directory looks values up
//     there. Other directories have their owner's entries, and those of what is sealed none.
//   - The rows of a table and their order follow from the calls made, never from
//     addresses, profile, machine or time.
package store
