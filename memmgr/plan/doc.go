// Package plan decides what a memory manager should do about where its chunks lie.
// It only decides: [Plan] is a pure function of a profile and a placement, with no
// clock, no addresses, no maps walked in their own order and no floating point. The
// same input gives the same plan on every machine.
//
// # Words
//
// A [Placement] says which groups there are and at which place each of their chunks
// lies. A [Place] is a slot by its number within a range (normal, huge or cold); 32
// places are a region. Only chunks that have a slot of their own can be moved. A slot
// that is cut into blocks for several chunks, and a region of stripes, count as used.
// An [Action] is a list of moves with a reason, the bytes that it gives back and the
// bytes that it copies.
//
// # Picture
//
//	intent ───→ wishes     cold, pinned: by group
//	               │
//	placement ─→ state ──→ try: cold → evacuate ──────────┐
//	               ↑        moves on a copy; what does    │
//	               │        not pay is dropped            │
//	               └──────── again, until nothing pays ←──┘
//
// # What an action is worth
//
// An action pays if it gives back at least as many bytes as it copies. Time is not
// planned for: no order of chunks was shown to make a program faster.
//
// Evacuating a region pays only where memory goes back by whole regions
// (Placement.Whole), as on the Go heap. Elsewhere free slots go back one by one,
// without moves.
//
// # Why plans come to an end
//
// Each action leaves fewer resident bytes, so no two plans undo each other, and a
// plan that was carried out is followed by the empty plan. The exception is what
// intent asks for outright, cold groups: it comes first and is asked for once.
//
// # Advice
//
// [Advice] says in words what only code can change: the order of rows.
package plan
