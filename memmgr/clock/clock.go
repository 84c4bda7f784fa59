// Package clock has the four clocks of the library. A clock is a count that moves when something
// changes. A cache keeps the reading that it was made at, and asks the clock whether that is stale.
//
//	clock    moves when                                             caches that ask
//	Ways     a table, a group or a way of storing comes or goes     plans, edges, bound structs
//	Rows     rows moved or went                                     contracts, lists of row numbers
//	Places   chunks got new addresses, or came and went             bound columns
//	Values   somebody may write: it stamps a write                  kept bits, cached columns, Changed
//
// Ways and Places have one question: Stale, of the reading of a cache. The reading 0 is always
// stale, because a clock that runs is at least 1. Values is asked from the other side: a stamp is
// compared with the tick in which a cache was made.
//
// All names are for engines, and may change.
package clock

// Ways moves when a table, a group or a way of storing comes or goes.
type Ways uint64

// Stale tells whether the clock has moved since a cache was made.
func (now Ways) Stale(seen Ways) bool { return now != seen }

// Rows moves when rows moved to other places, or went. Contracts compare it themselves, beside a bit of their own.
type Rows uint64

// Places moves when a chunk is made, freed or moved.
type Places uint64

// Stale tells whether the clock has moved since a cache was made.
func (now Places) Stale(seen Places) bool { return now != seen }

// Values is the tick in which values were written.
type Values uint64

// Stale tells whether a value may have been written after a cache was made. Writers may follow in
// the tick in which it was made, so that tick counts as after it.
func (stamp Values) Stale(seen Values) bool { return stamp >= seen }
