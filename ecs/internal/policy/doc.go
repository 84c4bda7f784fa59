// Package policy decides how each component of a store is stored: as a fixed column of
// tables, or as an optional column with presence bits. It only decides: counts go in,
// change-overs come out, and the store carries them out. It knows neither entities nor
// memory nor time. It uses integers throughout, so the same calls give the same decisions
// on every machine.
//
// # Picture
//
//	store ─ removes ────────→ changes a frame ┐
//	      ─ Facts ──────────→ sets of rows    ├→ cost of a frame, for any assignment
//	                          systems, rows   ┘        │
//	                                                   ↓
//	      ←─ change-overs ─── the loss since exceeds the price
//
// # Words
//
// An assignment says which components are fixed, and which of the others order rows. Its cost is
// the predicted time of a frame with the same changes and visits: cost.go has the terms.
//
//	a change     fixed: a row with all its columns       optional: a bit and a value
//	             ordered: a bit, a value, and half of two rows that change places
//	a system     a visit of each table or area that matches; where a component that it asks about
//	             is optional, further tables cost more, and so does each run of rows, or each
//	             value that is gathered
//	rows         that come or go are out of order at each border between areas
//	tables       as many as rows differ in fixed components, and more are made as rows change
//	memory       room for values that rows lack
//
// The loss is by how much the present assignment is dearer than the best, summed over
// frames. The price is the cost of rows that move, tables that are made, and edges that are found.
//
// # When components change over
//
// A look comes every 8 frames, and less often while counts stay alike and nothing is to be
// gained. It descends from the present assignment, one component at a time, to one that
// costs least. Where that saves a twentieth, it counts as loss. Once the loss exceeds the
// price, all components that differ change over together, because a row then moves once for
// all of them. So a component that is busy and quiet by turns costs at most about twice
// the better of the two ways, and one burst moves nothing.
//
// The same facts give the same decision. So a store says by one number that its rows are as they
// were, and counts them no further. Where changes and systems are the same, too, nothing is weighed.
//
// An order is entered and left without a move to another table. To enter it costs the rows that
// change places, and to leave it counts as much, so that it is not left for a burst.
//
// Components count that are removed or optional, and all where tables have few rows.
// Others are fixed, and a frame costs them nothing.
//
// Removes alone are counted: most adds happen once in an entity's life, and a component that
// comes and goes is counted as it goes. Births and deaths cost the same in every way but order.
// Queries by hand count in a world that has no systems, and in no other: a tool would change its own readings.
//
// A thin component is never chosen, because it loses wherever few have it: code states it,
// for rare components that would make thousands of tables.
//
// A change-over moves at the end of a frame as much as the frame is predicted to cost, so frames
// take at most about twice as long meanwhile. Where that would take more than 32 frames it
// moves more. Rows are put in order before the systems of a frame, within the same limit.
package policy
