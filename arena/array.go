package arena

import (
	"fmt"
	"math"
)

// An array's piece of the array space is carved when it first grows, at its greatest length: address
// space costs nothing until it is committed. So an array in reserved space never moves, and pieces
// need no free list. A piece stays its array's until Close.
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
func (a *Arena) extend(i int, want uint64, p Purpose, dense bool) error {
	e := &a.extents[i]
	to := nextCommit(e.committed, want, e.lead(), e.bytes)
	err := a.extendTo(e, to, p, dense)
	if err == nil {
		return nil
	}
	// A step is for speed. Before anything of others is given up for it, less is asked for.
	least := min((want+arrayStep-1)/arrayStep*arrayStep, e.bytes)
	if least < to {
		err = a.extendTo(e, least, p, dense)
	}
	if err != nil && a.giveBack(least-e.committed) {
		err = a.extendTo(e, least, p, dense)
	}
	return err
}

// extendTo commits an extent up to its byte number to. After a refusal nothing has changed, and
// it may be called with less.
func (a *Arena) extendTo(e *extent, to uint64, p Purpose, dense bool) error {
	more := to - e.committed
	if err := a.charge(p, more); err != nil {
		return err
	}
	at := a.arrayBase(e.offset + e.committed)
	if err := a.commit(at, more); err != nil {
		a.discharge(p, more)
		return fmt.Errorf("arena: growing an array: %w", err)
	}
	// The first 2 MiB stay in small pages: most arrays end there, and a huge page is resident whole.
	if a.huge && dense && e.committed >= RegionBytes {
		a.advise(at, more)
	}
	a.dirty(p, more)
	e.committed = to
	return nil
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
