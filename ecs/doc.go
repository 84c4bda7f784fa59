// Package ecs is an entity component system whose storage may move. Entities,
// groups and queries say what belongs together; the chunks of package memmgr say
// where it lies.
//
// # Words
//
// An [Entity] is a handle. A component is a registered Go type with a name; its
// [Pool] is a sparse set (entity → row) and its rows. A [Group] owns components:
// entities that have all of them keep those values side by side in the group's
// chunks. Values of all other entities lie in the pool's own loose chunks. A query
// is a struct whose fields name components; a system is a function of such a
// struct. A safe point is a moment when no system runs: only there do chunks move
// and commands take effect.
//
// # Layout
//
//	                         pool "velocity"
//	record (16 B an index)   slots (8 B an index)       directory
//	┌────────────┬─────────┐ ┌─────────┬─────┬───────┐  chunk → address
//	│ id + flags │ set     │ │ version │ row │ chunk │─────→ ┌──────────────────┐
//	└────────────┴─────────┘ └─────────┴─────┴───────┘       │ entities │ pos │ vel │
//	     free list in dead ones     0: none                  └──────────────────┘
//	                                                     a chunk of group "body",
//	                                                     or a loose one
//
// A get is: slot, version equal?, directory cell, add. Whether the row is the
// group's or loose makes no difference. A record's set has a bit a component, so
// that destroying an entity costs what it has. Components from the 65th on have
// their bits in further planes.
//
// # Shared components
//
// A system may ask for a component that its group does not own, or for a field of it
// (`ashlar:"transform.Position"`), in the same struct of slices. It gets a contiguous
// column all the same, and which way is chosen by trial (see [Views]):
//
//	stream   gathered just ahead of the call, kept nowhere; scattered back if written
//	keep     gathered into the annexes of the group's chunks, and again only
//	         what has changed; shared by all systems that ask for the same
//	alias    the owner's own column, where its rows lie in this order already
//
// # Order
//
// Rows lie in the order in which entities came, as removal leaves it: the last row moves
// into the hole. Sort orders rows at once; SortAs brings an owner's rows into the order of
// its readers' rows, some at the end of each frame, and keeps them so. Only code asks for
// either: `ashlar plan` recommends, and no profile reorders rows.
//
// A system's batch is a chunk, or several chunks of a long table that lie side by side, or
// a stretch of the owner's rows under an alias. Where one ends is no part of the result.
//
// # Invariants
//
//   - Slots and rows are a bijection: each row's entity is alive, and its slot in
//     that pool names that row; the bit in its set is on.
//   - An entity that has all components of a group has them in the group's
//     sequence, in one row; one that lacks any has none there.
//   - What is where, in which order, follows from the calls made, never from
//     addresses, profile or machine.
//   - Each column of each chunk has a stamp: the tick of the last write to its
//     values. What changes rows (who is where) stamps the entity column alone, so
//     values may have changed if either stamp is new.
//   - What a system gets through a view equals what Get says, whichever way it came.
//   - Structural changes while a query or a system iterates are a panic that
//     names the remedy: Commands.
//
// A World is used by one goroutine at a time.
package ecs
