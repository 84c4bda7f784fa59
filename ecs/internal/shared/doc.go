// Package shared serves systems with values of components that the rows of a table do not have.
// It keeps them in views, which are gathered once for all systems that ask for the same.
//
// # Words
//
// A reader is a system. A view is a component, or a field of one, in the order of a table's rows,
// whether the table is a group's or not. It lies in annexes of the table's chunks. A strategy
// says for a reader, a column and a table how values come about:
//
//	direct    the owner's own column, if its rows are in this order already
//	gathered  copied just before each call, kept nowhere
//	cached    copied into the view, and again only where it has changed
//
// A place is where a row of the table has the component. The first reader in a frame finds the
// places of a chunk's rows. Other readers and other fields go by them until rows of either side
// come, go or move.
//
// # Layout
//
//	chunk of group "sprites"   its places            owner's chunks
//	┌──────────┬───────┐       ┌─────────────┐       ┌────────────────┐
//	│ entities │ Tint… │ ────→ │ where where │ ────→ │ transforms     │
//	└──────────┴───────┘       └─────────────┘       └───────┬────────┘
//	                           its annex                     │
//	                           ┌─────────────┐               │
//	                    ······ │ Pos Pos …   │ ←─────────────┘ transform.Position, row by row
//	                           └─────────────┘
//
// A table and its views are noted when a reader first meets the table. An annex is made when a
// view is first cached. A view without room in it is gathered. Places are 4 bytes a row, on the Go
// heap. They are forgotten after some frames without use, as views are.
//
// # Invariants
//
//   - A reader gets the values that Get returns, by every strategy.
//   - A strategy follows from counts and hints, so it is the same on every machine. No result
//     depends on it.
//   - A place that is known is where the entity has the component now.
//   - A view that was not used for some frames is dropped, and its pages are given back.
package shared
