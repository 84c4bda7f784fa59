package arena

import (
	"fmt"
	"math"
	"os"
	"slices"
)

// An array's piece of the array space is carved when it first grows, at its greatest length: address
// space costs nothing until it is committed. So an array in reserved space never moves, and pieces
// need no free list. A piece stays its array's until Close.
//
// A sparse array makes as much usable, and accounts for a page with the first write that is announced
// by Take. Entries of a group, by the index of an entity, lie in a few pages of many.
//
//	usable     ████████████████████████│
//	accounted  ██  █      ████   █     │   sparse
//
// Commits grow with the array, so that the number of requests is logarithmic at first and then one
// for each huge page. Where limits refuse such a step, the least that serves is tried.

// carve takes a piece of the array space; ok is false if there is not enough left.
func (a *Arena) carve(bytes uint64) (i int, ok bool) {
	// 5 is prime to the number of places: arrays made one after the other start far apart.
	const places = RegionBytes / arrayStagger
	start := a.carved + uint64(len(a.extents)*5%places)*arrayStagger
	end := (start + bytes + RegionBytes - 1) / RegionBytes * RegionBytes
	if a.closed || end > a.arraySpace {
		return 0, false
	}
	a.extents = append(a.extents, extent{offset: start, bytes: end - start})
	a.carved = end
	return len(a.extents) - 1, true
}

// extend commits an extent so that want bytes are usable: as nextCommit says, or no more than
// is needed if that is refused. If need be it takes the place of empty regions.
func (a *Arena) extend(i int, want uint64, p Purpose, dense, sparse bool) error {
	e := &a.extents[i]
	to := nextCommit(e.committed, want, e.lead(), e.bytes)
	if !sparse {
		to = min(to, max(e.committed+a.Left()/stepsLeft, want)+arrayStep-1) / arrayStep * arrayStep
	}
	err := a.extendTo(e, to, p, dense, sparse)
	if err == nil {
		return nil
	}
	// A step is for speed. Before anything of others is given up for it, less is asked for.
	least := min((want+arrayStep-1)/arrayStep*arrayStep, e.bytes)
	if least < to {
		err = a.extendTo(e, least, p, dense, sparse)
	}
	if err != nil && a.giveBack(least-e.committed) {
		err = a.extendTo(e, least, p, dense, sparse)
	}
	return err
}

// extendTo commits an extent up to its byte number to. After a refusal nothing has changed, and
// it may be called with less.
func (a *Arena) extendTo(e *extent, to uint64, p Purpose, dense, sparse bool) error {
	more := to - e.committed
	counts := more
	if sparse {
		counts = 0
	}
	if err := a.charge(p, counts); err != nil {
		return err
	}
	at := a.arrayBase(e.offset + e.committed)
	if err := a.commit(at, more); err != nil {
		a.discharge(p, counts)
		return fmt.Errorf("arena: growing an array: %w", err)
	}
	// The first 2 MiB stay in small pages: most arrays end there, and a huge page is resident whole.
	if a.huge && dense && e.committed >= RegionBytes {
		a.advise(at, more)
	}
	e.taken = slices.Grow(e.taken, int((to/pageBytes+63)/64)-len(e.taken))[:(to/pageBytes+63)/64]
	e.charged += e.mark(e.committed, counts, true)
	a.dirty(p, counts)
	e.committed = to
	return nil
}

// takePage accounts for the page at a byte of an extent, in place of idle memory if need be.
func (a *Arena) takePage(e *extent, at uint64, p Purpose) error {
	if e.isTaken(at) {
		return nil
	}
	page := max(uint64(os.Getpagesize()), pageBytes)
	err := a.charge(p, page)
	if err != nil && a.giveBack(page) {
		err = a.charge(p, page)
	}
	if err != nil {
		return err
	}
	e.charged += e.mark(at/page*page, page, true)
	a.dirty(p, page)
	return nil
}

// leavePages takes pages of a sparse array that were given back off the accounts. A page of an array
// that is not sparse stays accounted for, since a write makes it resident again unseen.
func (a *Arena) leavePages(e *extent, at, bytes uint64, p Purpose) {
	n := e.mark(at, bytes, false)
	e.charged -= n
	a.clean(p, n)
	a.discharge(p, n)
}

// chargeSlice accounts for bytes of an array's Go slice that is about to be copied to one of
// length bytes, or refuses. Both slices are there during the copy, so the Go heap must have room
// for all of the new one, though only the difference counts against limits.
func (a *Arena) chargeSlice(p Purpose, bytes, length uint64) error {
	if a.sliced+bytes > math.MaxInt {
		return fmt.Errorf("%w: %d bytes of Go memory for arrays", ErrFull, a.sliced+bytes)
	}
	if err := a.heapRoom(length); err != nil {
		return fmt.Errorf("arena: growing an array: %w", err)
	}
	if err := a.charge(p, bytes); err != nil {
		return err
	}
	a.stats.Reserved += bytes
	a.sliced += bytes
	a.dirty(p, bytes)
	return nil
}

// dischargeSlice is the reverse of chargeSlice.
func (a *Arena) dischargeSlice(p Purpose, bytes uint64) {
	a.clean(p, bytes)
	a.discharge(p, bytes)
	a.stats.Reserved -= bytes
	a.sliced -= bytes
}
