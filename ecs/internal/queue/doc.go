// Package queue has the changes that wait for a safe point.
//
// A *command* is one change. It has no pointers: its *value* is a copy in the queue's words, its component a number, and its
// *bundle* and the system that *asks* are places in lists. The reader knows the meaning of a command; this package keeps their order.
//
//	Ops      [add e1 hp ·][destroy e2 e3 ·][fill e4 body ·]
//	values   0 │ 9 ─┘ │ e2 e3 ───┘ │ x y vx vy ──────┘          word 0 is no value
//	askers   "fight" "spawn"      bundles   body
//
// In a Parallel system each worker has a queue. The commands of a *piece* of work lie side by side there, from one *mark* to the
// next. When the pieces have ended, the world's queue adopts them in the order of pieces. Entities that pieces spawn are taken
// before, from a Stock.
//
// Invariants: Waiting is Changes of all commands, in a queue that one goroutine fills alone. The values of commands
// have their order, so the words of a piece are side by side, too.
package queue
