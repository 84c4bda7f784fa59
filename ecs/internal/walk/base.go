package walk

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Base is the part that all plans of a world share. The world owns it, and its goroutine alone
// writes it. Between Parallel and its end, parallel cursors only read it, but for fields that finding
// guards. The world sets the fields that it names once, but for Frame; walks change Walks and byHand, which ByHand empties.
type Base struct {
	// Store has the tables, and Manager their chunks.
	Store   *store.Store
	Manager *memmgr.Manager
	// Frame is how many frames have ended.
	Frame uint64
	// Walks are the iterations under way, of cursors and of others that range over rows.
	Walks Walks
	// RunLength is the shortest run of consecutive matching rows that is passed in place.
	// Shorter runs are gathered. No result depends on it. In rows; at least 1.
	RunLength int
	// PieceRows is about how many rows a piece of work has: see Split. At least 1. Handles of entities that
	// pieces spawn depend on it.
	PieceRows int
	// Guard has each call be looked at: see guard.go.
	Guard bool

	byHand  handy
	finding sync.Mutex // guards notes of plans and tables against parallel cursors
}

// ByHand goes over the visits of queries by hand since the last call.
func (b *Base) ByHand(yield func(store.Visit) bool) { b.byHand.each(yield) }

// RunLength is Base.RunLength in programs (go -C bench run . -programs -rows combinations). A run in place costs a call,
// and a gathered row costs a copy, and another one if it is written.
const RunLength = 16

// PieceRows is Base.PieceRows in programs. Smaller pieces cost a memory-bound sweep the prefetcher's streams, and larger ones
// leave workers without work (go -C bench run . -ablation -rows threads).
const PieceRows = 8192

// Walks are the iterations that are under way. Iterators that are pulled may end in another
// order than they began, so each has a number to end it by.
//
//	nothing      Busy "", first.number 0
//	one          first; within is empty: the common case, without an append
//	several      first and within, in the order in which they began
//	first ended  first.number 0, and within goes on
//
// Structural changes are refused while Busy is not "". The message names the walk.
type Walks struct {
	// Busy is the last of them, as messages name it; "" if nothing iterates.
	Busy string
	// Split is set while several goroutines may pass pieces of a walk. No other walk may begin then.
	Split  bool
	first  walk   // that nothing was under way before; number 0: it has ended
	within []walk // the walks after it
	begun  uint64
}

// walk is one of them.
type walk struct {
	number uint64
	name   string
	passes passes // nil: it passes rows of another kind
}

// passes tells whether a walk passes a component, and it or the one that asks writes it. Two walks
// that only read a component don't disturb each other. Copies are asked for apart: see
// Component.Lent.
type passes func(of *store.Component, write bool) bool

// Begin notes that something iterates and returns the number to end it by.
func (w *Walks) Begin(name string) uint64 {
	w.mustBeOne(name)
	return w.begin(name, nil)
}

// mustBeOne panics if another goroutine may have the walk under way.
func (w *Walks) mustBeOne(name string) {
	if w.Split {
		panic(fmt.Sprintf("ecs: %s iterates within %s, which several workers may run (ecs.Parallel): what the function needs has to be a field of its struct; leave the option out, or reach other entities by an ecs.Look", name, w.Busy))
	}
}

func (w *Walks) begin(name string, p passes) uint64 {
	w.begun++
	if w.Busy == "" {
		w.first = walk{w.begun, name, p}
	} else {
		w.within = append(w.within, walk{w.begun, name, p})
	}
	w.Busy = name
	return w.begun
}

// Beside notes that several split walks go on at the same time, under one name, and returns the function that
// ends that.
func (b *Base) Beside(name string) (end func()) {
	number := b.Walks.begin(name, nil)
	b.Walks.Split = true
	return func() {
		b.Walks.Split = false
		b.Walks.End(number)
	}
}

// Alone tells whether no more than one is under way. A walk that asks counts itself, because it has
// begun before it asks.
func (w *Walks) Alone() bool {
	return len(w.within) == 0 || len(w.within) == 1 && w.first.number == 0
}

// End notes that an iteration is over.
func (w *Walks) End(number uint64) {
	if w.first.number == number && len(w.within) == 0 { // most are alone
		w.first.number, w.Busy = 0, ""
	} else {
		w.endWithin(number)
	}
}

func (w *Walks) endWithin(number uint64) {
	if w.first.number == number {
		w.first.number = 0
	}
	w.within = slices.DeleteFunc(w.within, func(x walk) bool { return x.number == number })
	w.Busy = ""
	if n := len(w.within); n > 0 {
		w.Busy = w.within[n-1].name
	} else if w.first.number != 0 {
		w.Busy = w.first.name
	}
}

// has tells whether a walk under way passes a component, and it or the one that asks writes it. A
// walk asks before it is among them, so it does not find itself.
func (w *Walks) has(of *store.Component, write bool) bool {
	is := func(x walk) bool { return x.number > 0 && x.passes != nil && x.passes(of, write) }
	return is(w.first) || slices.ContainsFunc(w.within, is)
}
