// Package shared serves systems over a group with values of components that the group does not
// own. It keeps them in views, which are gathered once for all systems that ask for the same.
//
// # Words
//
// A reader is a system whose rows are a group's. A view is a component, or a field of one,
// in the order of the group's rows. It lies in annexes of the group's chunks. A choice says
// for a reader and a column how its values come about:
//
//	direct    the owner's own column, if its rows are in this order already
//	gathered  copied just before each call, kept nowhere
//	cached    copied into the view, and again only what has changed
//
// A place is where a row of the group has the component. The first reader in a frame finds the
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
// An annex is made when a view is first cached. What has no room in it is gathered. Places are
// 4 bytes a row, on the Go heap. They are forgotten after some frames without use, as views are.
//
// # Invariants
//
//   - What a reader gets equals what Get says, whichever way it came.
//   - A choice depends on time, and no result depends on a choice.
//   - A place that is known is where the entity has the component now.
//   - A view that was not used for some frames is dropped, and its pages are given back.
package shared
