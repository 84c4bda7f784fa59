package arena

import "sync/atomic"

// Budget is one limit on the committed memory of several arenas: the arenas that name it in
// Options.Budget. Arenas take from it as they commit, 64 KiB for a slot, from 64 KiB on for dense
// arrays and a page for sparse ones, and give it back as they purge, free arrays and close. Slots of huge pages, and of the
// heap back end, are taken by regions of 2 MiB. An arena that finds it used up gives back its own empty regions first; it can't
// touch the others'. Their own adapting gives it back, and Purge does at once: in package
// memmgr that is Manager.Purge, in package ecs World.Purge.
//
// A Budget may be used by arenas on several goroutines. It must not be copied. Bytes that a
// forgotten arena held stay taken.
type Budget struct {
	limit uint64
	used  atomic.Uint64
}

// NewBudget makes a budget of so many bytes; 0 means no limit, to count only.
func NewBudget(bytes uint64) *Budget { return &Budget{limit: bytes} }

// Limit is the number of bytes that NewBudget was called with.
func (b *Budget) Limit() uint64 { return b.limit }

// Used is how many bytes the arenas have committed now.
func (b *Budget) Used() uint64 { return b.used.Load() }

// take takes bytes, if they are left.
func (b *Budget) take(bytes uint64) bool {
	if b == nil {
		return true
	}
	for {
		used := b.used.Load()
		if b.limit != 0 && (used > b.limit || bytes > b.limit-used) {
			return false
		}
		if b.used.CompareAndSwap(used, used+bytes) {
			return true
		}
	}
}

// give is the reverse of take.
func (b *Budget) give(bytes uint64) {
	if b != nil {
		b.used.Add(-bytes)
	}
}
