// Package reference has the stores that Ashlar is measured against, in plain Go: sparse sets, and
// archetypes. Both are as fast as their kind allows without unsafe code.
//
// An *entity* is a handle with a version, as in every library, so that a stale handle is recognised.
// There are no events, locks, change clocks or filters by bit.
//
//	Sparse      a set for each component: paged array by index → row, and dense values; and a graph
//	            of components and queries, which keep their members
//	Archetypes  a table for each set of components: columns, and a graph of edges to tables
//	            with one component more or less, found once and kept
//
// A component has a number. Masks have the bit 1<<number, so there are at most 32.
package reference

// Entity is an index and a version. The zero value is no entity's.
type Entity uint64

func entity(index, version uint32) Entity { return Entity(version)<<32 | Entity(index) }

// Index is the number that the entity has while it lives.
func (e Entity) Index() uint32 { return uint32(e) }

func (e Entity) version() uint32 { return uint32(e >> 32) }
