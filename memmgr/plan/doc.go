// Package plan decides what a memory manager should do about where its chunks lie.
// It only decides: [Plan] is a pure function of a profile, a machine and a
// placement, with no clock, no addresses, no maps walked in their own order and no
// floating point, so that the same input gives the same plan on every machine.
//
// # Words
//
// A [Placement] says which groups there are and at which place each of their
// chunks lies. A [Place] is a slot by its number within a range (huge, normal or
// cold); 32 places are a region. A group's link is a pair of neighbours in its
// order; it is whole if the second lies at the place behind the first, else broken.
// An [Action] is a list of moves with a reason, what it should gain and what it
// costs. A [Run] is a stretch of places that a group known from a profile is to
// grow into, so that nothing has to be moved later.
//
// # Picture
//
//	profile ──→ knowledge   heat, walk, cold, pinned: by group
//	topology ─┐     │
//	placement ─→  state ──→ try: ranges → evacuate → tails → order → near ─┐
//	                ↑          moves on a copy; what does not pay is dropped │
//	                └────────────── again, until nothing pays ←──────────────┘
//
// # What an action is worth
//
// Memory is worth its bytes: an action pays if it gives back as many bytes as it
// copies. Time is worth what was measured on one machine and written down as
// constants in worth.go: all links of a group broken cost 4 ‰ of the time of a sweep
// that leaves the second level of cache and 7 ‰ of one that leaves the last level,
// so few groups are worth ordering. An action for time pays if what it saves over [Horizon]
// frames is at least twice what its copies take.
//
// # Why plans come to an end
//
// Of two placements the better one has fewer resident bytes; if these are equal,
// less time lost to broken links; then fewer walks from region to region. Each
// action makes the placement better in this order, so there is no going to and
// fro, and a plan that was carried out is followed by the empty plan. Exceptions are
// what intent asks for outright (hot, cold), which comes first and is asked once.
package plan
