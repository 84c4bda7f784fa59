// Package ecs is an entity component system with storage that may move. Entities,
// components and queries define which values belong together. Tables define which are stored side by
// side, and the chunks of package memmgr where. A program begins with [Register],
// [SpawnerOf] and [System].
//
// # Words
//
// An [Entity] is a handle. A component is a registered Go type with a name. Its [Pool]
// reaches the values, entity by entity. A table is rows of entities that have the same
// components, column by column. The store makes tables by itself. The one row that
// an entity has in a table is its home.
//
// A component is stored in one of three ways: fixed, as a column of tables in which all rows
// have it; optional, as a column with a presence bit for each row; or thin, in rows
// of its own. The way follows from the program's use of the component. [Stable],
// [Volatile] and [Thin] state it instead.
//
// A [Group] owns components. It keeps them in rows of its own once it is sorted, sliced or named by OnlyIn.
// The fields of a query's struct name components. A system is a function of such a
// struct. A safe point, or sync point, is a moment when no system runs. Only there do
// chunks move and commands take effect.
//
// # Layout
//
//	record (8 B an index)          directory of "vel"
//	┌─────────┬─────┬───────┐      chunk → address
//	│ version │ row │ chunk │ ────→ ┌──────────┬─────┬─────┐
//	└─────────┴─────┴───────┘       │ entities │ pos │ vel │
//	free lists in dead ones,        └──────────┴─────┴─────┘
//	a block each                    a chunk of table pos+vel
//
// A record is the home entry of its entity, with chunk 0 where that has no row.
// [Pool.Get] of a fixed component is: home entry, version equal?, directory cell, add.
// The cell tells whether the row's chunk has the column at all. All fixed components
// share the home entry, so a row that moves to another table changes one entry. An optional
// component is found through it, too, and then by a bit; thin components and groups have
// entries of their own. Package ecs/internal/store has the details, docs/design/store.md the costs.
//
// # Queries
//
// A query goes over the tables that have its components. If all rows of a table match, a
// batch is a chunk's columns in place, or those of several adjacent chunks of a long table.
// If presence bits decide, long runs of matching rows are passed in place, and shorter ones
// are gathered. Where a batch ends is no part of the result.
//
// # Shared components
//
// A system may ask for a component that its rows do not have beside the others, or for
// a field of one (`ashlar:"transform.Position"`), in the same struct of slices. It gets a
// contiguous column all the same. For a system, a rule in counts chooses the way
// (see [Views]):
//
//	direct    the owner's own column, if its rows are in this order already
//	gathered  copied just before each call, kept nowhere; scattered back if written
//	cached    copied into the annexes of the rows' chunks, and again only where it has
//	          changed; shared by all systems that ask for the same
//
// Queries outside of systems always gather.
//
// # Order
//
// Rows are in the order in which they came, except that the last row moves into the hole
// that a removed row leaves. [Pool.Sort] and [Group.Sort] sort rows at once. [Group.SortAs]
// brings rows into the order of other rows, some at the end of each frame, and keeps them so.
// Only code reorders rows, never a profile. When a component changes from one way of storing
// to another, the rows that have it move, some at the end of each frame.
//
// # Invariants
//
//   - An entity has at most one row in the tables, one in each group and one for each
//     thin component. The entry there names it, and each row's entity is alive.
//   - No value is stored twice. The components of an entity follow from its rows and
//     their bits alone.
//   - An entity that has all components of a group, optional ones aside, has them in one
//     row of the group's sequence. An entity that lacks any has no row there.
//   - The rows of a table and their order follow from the calls made, never from
//     addresses, profile, machine or time.
//   - Each column of each chunk has a stamp: the tick of the last write to its
//     values. A change of which rows entities have stamps the entity column, so
//     values may have changed if either stamp is new.
//   - A system gets the values through a view that Get returns, by every strategy.
//   - Changing structure while a query or a system iterates panics. The message says
//     to use Commands.
//
// A World is not safe for concurrent use.
//
// # Floors
//
// This package is the door for programs. Internal packages do the work. Each imports
// packages below it:
//
//	field  promise           the structs of systems and queries; promises of Parallel systems
//	record  schedule         columns touched, for profiles; systems in order, on workers (crew, legs)
//	shared  order  news      views; rows as code asks; who came and who went
//	walk                     plans and cursors: which rows, and how they are passed (match, source)
//	contract  queue  events  ways to one entity; changes that wait; events
//	store                    entities, tables, entries, and moves between them
//	policy  entities  raw    how components are stored; handles and records; addresses
//
// In this package itself, model.go and model_commands.go have the structs of a world, which refer to each other. Calls of
// worlds, pools, groups and commands stand above them, then constructors, fields, systems, observers and reports. No two of
// these files refer to each other, but for the ones of fields and queries, which contain each other, and of commands.
package ecs
