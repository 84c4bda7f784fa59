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
// # Layout
//
//	chunk of group "sprites"   its annex             owner's chunks
//	┌──────────┬───────┐       ┌─────────────┐
//	│ entities │ Tint… │ ····· │ Pos Pos …   │ ←── transform.Position, row by row
//	└──────────┴───────┘       └─────────────┘
//
// An annex is made when a view is first cached. What has no room in it is gathered.
//
// # Invariants
//
//   - What a reader gets equals what Get says, whichever way it came.
//   - A choice depends on time, and no result depends on a choice.
//   - A view that was not used for some frames is dropped, and its pages are given back.
package shared
