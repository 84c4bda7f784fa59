// Package contract has the machinery of contracts: ways to one entity that cost little
// while nothing changes, and never lead to another entity's values.
//
// # Words
//
// A [Schema] is a list of components. A [Lane] is one of them. The home of a schema is the
// rows that store its first component that is not optional. An [Instance] binds one entity
// to a schema. It is plain bytes: the entity, the reading of a clock, its row, and the place of the bases of
// the row's chunk. The store keeps no list of instances. So there may be any
// number, anywhere, and none has to be closed.
//
// # How an instance stays valid
//
//	instance                               store          schema: bases of chunks
//	┌────────┬──────┬──────┬─────┬───────┐ ┌─────────┐    chunk 4 │ pos │ vel │
//	│ entity │ seen │  4   │ row │ table │ │ clocks  │    chunk 5 │ pos │ vel │
//	└────────┴──┬───┴──┬───┴──┬──┴───┬───┘ └────┬────┘          ↑    │
//	            │      │      │      └─ which ──┤               │    │
//	            └──────│──────│── equal? ───────┘               │    │
//	                   └──────┴─────────────────────────────────┘    └─→ + row × size: a value
//
// Each table has a clock of its rows (store.RowClocks). It counts everything that changes the address
// of a value there: a row that moves or goes, a component that is removed or changes over, a chunk
// that moves. While it does not change, an access is a compare, and a load and an addition for each
// component. One compare serves all components of the home. Rows of other tables do not matter.
//
// After the clock has moved, the entry of the entity is read again. That entry tells whether
// this very entity was affected: it says version, chunk and row, and is written when the
// entity moves or goes. Reading does not use it up, so any number of instances see it. Bases
// are noted again only after a chunk was made, freed or moved: by the first instance that has
// its row in the chunk.
//
// A component that is optional in its table can be in the home: the entry's row has it if its bit is
// set, and clearing a bit moves the clock. Components outside the home are away. They are looked up at
// each access, by entity. If one of these is required, the instance is scattered: Seen, which is
// inlined, never answers for it.
//
// A [Point] is a schema for queries: it fills a struct for one entity after another, without instances.
//
// # States of an instance
//
//	valid      seen equals the table's clock: its addresses are good
//	suspect    seen is older: the next access reads the entry
//	ended      the entity is gone, or lacks a required component
//
//	valid   ─the clock moves→ suspect
//	suspect ─the entry and the components are there→ valid; ─they are not→ ended
//	ended   ─the component comes back→ valid; that of a dead entity never is
//
// # Invariants
//
//   - An instance with a seen that is its table's clock has the row that its entity has in the schema's
//     home, and the bases of that chunk are the addresses of its columns.
//   - The entity of such an instance is alive and has all required components that are not away.
//   - Addresses are in the schema alone, and are read only by instances that are valid.
package contract
