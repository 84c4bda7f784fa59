package arena

import (
	"fmt"
	"sync/atomic"
)

// Budget is one limit on the committed memory of several arenas: those that name it in
// Options.Budget. Arenas take from it as they commit, in regions of 2 MiB for slots, and
// from 64 KiB on for positions of striped regions and for arrays, and give it back as they purge regions, free arrays and
// close. An arena that finds it used up gives back its own empty regions first; it can't
// touch the others'. Their own adapting gives it back, and Purge does at once: in package
// memmgr that is Manager.Purge, in package ecs World.Purge.
//
// A Budget may be used by arenas on several goroutines. It must not be copied. What a
// forgotten arena held stays taken.
type Budget struct {
	limit uint64
	used  atomic.Uint64
}

// NewBudget makes a budget of so many bytes; 0 means no limit, to count only.
func NewBudget(bytes uint64) *Budget { return &Budget{limit: bytes} }

// Limit is what the budget was made with.
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

// charge accounts for bytes about to be committed, or refuses.
func (a *Arena) charge(p Purpose, bytes uint64) error {
	switch {
	case a.closed:
		return ErrClosed
	case a.limit != 0 && a.stats.Committed+bytes > a.limit:
		return fmt.Errorf("%w (%d bytes committed, %d more wanted, limit %d)", ErrLimit, a.stats.Committed, bytes, a.limit)
	case !a.budget.take(bytes):
		return fmt.Errorf("%w (%d of the %d bytes of the shared Options.Budget are taken, %d more wanted; Purge of another world or manager gives back what it holds idle)", ErrLimit, a.budget.Used(), a.budget.Limit(), bytes)
	}
	a.stats.Committed += bytes
	a.stats.CommittedBy[p] += bytes
	return nil
}

// discharge is the reverse of charge.
func (a *Arena) discharge(p Purpose, bytes uint64) {
	a.budget.give(bytes)
	a.stats.Committed -= bytes
	a.stats.CommittedBy[p] -= bytes
}

// over is how much more than bytes has to be given back before they can be charged: 0,
// but after SetLimit below what is committed.
func (a *Arena) over() uint64 {
	if a.limit == 0 {
		return 0
	}
	return a.stats.Committed - min(a.stats.Committed, a.limit)
}

// missing is how much has to be given back before bytes more can be charged.
func (a *Arena) missing(bytes uint64) (n uint64) {
	beyond := func(used, limit uint64) uint64 {
		if limit == 0 {
			return 0
		}
		return used + bytes - min(used+bytes, limit)
	}
	if a.budget != nil {
		n = beyond(a.budget.Used(), a.budget.limit)
	}
	return max(n, beyond(a.stats.Committed, a.limit))
}

// spare is how much of what a region counts giveBack can give back.
func (a *Arena) spare(r Range, g *region) uint64 {
	switch {
	case g.free == allSlots && g.mapped:
		return g.charged()
	case !g.plain() && a.idle(r, g) != 0:
		return g.charged() - g.with(g.committed&^(g.free&g.dirty))
	}
	return 0
}

// giveBack decommits regions without a slot in use, of any range, and purges idle positions of
// striped ones. It stops when at least bytes have been given back, or more if a limit is
// exceeded. It tells whether it gave any back: if so, a refused request is worth repeating. It
// gives back nothing where limits would refuse the request after all. A region that the system
// refuses to decommit is left.
func (a *Arena) giveBack(bytes uint64) (any bool) {
	if a.missing(bytes) > a.spares {
		return false
	}
	bytes += a.over()
	for r := range ranges {
		for i := range a.tables[r].regions {
			if bytes == 0 {
				return any
			}
			g := &a.tables[r].regions[i]
			was := a.stats.Committed
			switch {
			case g.free == allSlots && g.mapped:
				any = a.shut(r, i) == nil || any
			case !g.plain() && a.idle(r, g) != 0:
				freed, _ := a.purgePositions(r, i)
				any = any || freed != 0
			}
			bytes -= min(bytes, was-a.stats.Committed)
		}
	}
	return any
}
