package arena

import (
	"fmt"
	"math"
)

// Memory is accounted for in the order in which it is taken, so that a failure leaves the former state:
//
//	charge → commit → dirty         a request that succeeds
//	charge → commit ✗ → discharge   one that the system refuses
//	decommit → clean → discharge    a return; if the system refuses, nothing is noted
//
// Charged bytes are compared with limits. Dirty bytes bound what can be resident. They differ where
// a region counts as a whole, and after Purge, which makes slots clean but leaves pages mapped.

// charge accounts for bytes about to be committed, or refuses. The shared budget is asked last,
// because a grant is taken from other arenas at once.
func (a *Arena) charge(p Purpose, bytes uint64) error {
	switch {
	case a.closed:
		return ErrClosed
	case a.limit != 0 && a.stats.Committed+bytes > a.limit:
		return fmt.Errorf("%w (%d bytes committed, %d more wanted, limit %d: it is Options.Memory.Arena.Limit of ecs, Options.Arena.Limit of memmgr; Arena.SetLimit raises it later)", ErrLimit, a.stats.Committed, bytes, a.limit)
	case !a.budget.take(bytes):
		return fmt.Errorf("%w (%d of the %d bytes of the shared Options.Budget are taken, %d more wanted; Purge of another world or manager gives back what it holds idle, and only a new Budget can be larger)", ErrLimit, a.budget.Used(), a.budget.Limit(), bytes)
	}
	a.stats.Committed += bytes
	a.stats.committedBy[p] += bytes
	return nil
}

// discharge is the reverse of charge.
func (a *Arena) discharge(p Purpose, bytes uint64) {
	a.budget.give(bytes)
	a.stats.Committed -= bytes
	a.stats.committedBy[p] -= bytes
}

// over is how much more than bytes has to be given back before they can be charged: 0,
// but after SetLimit below the committed bytes. A refused request is repeated once only, so giveBack
// frees this together with the bytes of the request.
func (a *Arena) over() uint64 {
	if a.limit == 0 {
		return 0
	}
	return a.stats.Committed - min(a.stats.Committed, a.limit)
}

// Left is how much limits would still let be charged; without any it is as good as endless.
func (a *Arena) Left() uint64 {
	left := uint64(math.MaxInt64)
	if a.limit != 0 {
		left = a.limit - min(a.stats.Committed, a.limit)
	}
	if a.budget != nil && a.budget.limit != 0 {
		left = min(left, a.budget.limit-min(a.budget.Used(), a.budget.limit))
	}
	return left
}

// missing is how much has to be given back before bytes more can be charged. It looks at both
// limits, since giving back serves both: the larger shortage decides.
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

// spare is how many of a region's charged bytes giveBack can give back. It is the result of giveBack as a
// number: a region without a slot in use goes whole, and of others the free slots that are dirty.
func (a *Arena) spare(r Range, g *region) uint64 {
	switch {
	case g.free == allSlots && g.mapped:
		return g.charged()
	case a.byPieces(r) && a.idle(r, g) != 0:
		return g.charged() - g.with(g.committed&^(g.free&g.dirty))
	}
	return 0
}

// dirty accounts for bytes that may become resident from now on. The committed bytes of an array count
// as live too; slots become live one by one.
func (a *Arena) dirty(p Purpose, bytes uint64) {
	a.stats.Dirty += bytes
	a.stats.dirtyBy[p] += bytes
	if p != PurposeChunks {
		a.stats.Live += bytes
	}
}

// clean is the reverse of dirty.
func (a *Arena) clean(p Purpose, bytes uint64) {
	a.stats.Dirty -= bytes
	a.stats.dirtyBy[p] -= bytes
	if p != PurposeChunks {
		a.stats.Live -= bytes
	}
}

// Idle and spare bytes follow from a region's masks in ways that depend on the whole of it. So no
// change adjusts them by a difference: they are taken off before it, and added anew behind it.

// count adds a region's idle and spare bytes to the accounting, uncount takes them off: around
// every change of a free or committed bit.
func (a *Arena) count(r Range, g *region) {
	n := a.idle(r, g)
	a.stats.Idle += n
	a.spares += a.spare(r, g)
	if g.free == allSlots {
		a.stats.idleRegions += n
	}
}

func (a *Arena) uncount(r Range, g *region) {
	n := a.idle(r, g)
	a.stats.Idle -= n
	a.spares -= a.spare(r, g)
	if g.free == allSlots {
		a.stats.idleRegions -= n
	}
}
