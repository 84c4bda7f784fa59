// Package contract is the floor of package ecs beneath contracts: ways to one entity that
// cost little while nothing changes, and never lead to another entity's values.
//
// # Words
//
// A [Schema] is a list of components. A [Lane] is one of them. Its home is where the first
// component lies that is not optional: the rows that the same words name. An [Instance]
// binds one entity to a schema. It is plain bytes: the entity, a count, the word of its row
// and where the bases of the row's chunk are. No store knows of it, so there may be any
// number, anywhere, and none has to be closed.
//
// # How an instance holds
//
//	instance                     manager          schema: bases of chunks
//	┌────────┬──────┬─────┬────┐ ┌────────┐       chunk 4 │ pos │ vel │
//	│ entity │ seen │ row │  4 │ │ shifts │       chunk 5 │ pos │ vel │
//	└────────┴──┬───┴──┬──┴──┬─┘ └───┬────┘             ↑    │
//	            └─ equal? ───┼───────┘                  │    └─→ + row × size: a value
//	                   └─────┴──────────────────────────┘
//
// shifts counts all that takes a value away from where it lay: a row that moves or goes, a
// component that is removed or stored otherwise, a chunk that moves. While it stands still,
// an access is a compare, and for each component a load and an addition. One compare serves
// all components, wherever they lie.
//
// When the count has moved, the word of the entity is read again. That word is the mark of
// whether this very entity was hit: it says version, chunk and row, and is written when the
// entity moves or goes. Reading does not use it up, so any number of instances see it. The
// bases of a chunk are noted again by the first instance that has its row there.
//
// Components that lie elsewhere are away. They are looked up at each access, by entity.
//
// # Invariants
//
//   - An instance whose seen is shifts has the word that its entity has in the schema's home,
//     and the bases of that chunk are the addresses of its columns.
//   - The entity of such an instance is alive and has all components that are not optional.
//   - Addresses are in the schema alone, and are read only by instances that hold.
package contract
