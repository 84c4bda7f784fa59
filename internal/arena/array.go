package arena

import (
	"fmt"
	"math"
)

const (
	// PageLen is what the lengths of arrays that are Go slices are rounded up to.
	PageLen = 512

	arrayStep    = 64 << 10    // the first commit of an array
	arrayStepMax = RegionBytes // later ones double up to this

	// Arrays start at different places of a region, so that those that grow together
	// do not all come to a new huge page with the same element.
	arrayStagger = 128 << 10
)

// extent is an array's piece of the array space.
type extent struct {
	offset    uint64 // from the start of the array space
	bytes     uint64
	committed uint64
}

// lead is what an array has up to the end of the region that it starts in.
func (e *extent) lead() uint64 { return RegionBytes - e.offset%RegionBytes }

// carve takes a piece of the array space; ok is false if there is not enough left.
func (a *Arena) carve(bytes uint64) (i int, ok bool) {
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

// nextCommit returns how many bytes an array should commit that has committed bytes and needs
// want. It doubles from 64 KiB, and then goes on in steps that end where regions do. The first
// such step ends after lead bytes. It never goes past bytesMax. It is pure, so that growth can
// be tested as a table.
func nextCommit(committed, want, lead, bytesMax uint64) uint64 {
	to := max(committed, arrayStep)
	if committed != 0 {
		to = committed + min(committed, arrayStepMax)
	}
	if to < want {
		to = (want + arrayStep - 1) / arrayStep * arrayStep
	}
	if to > lead {
		to = lead + (to-lead+RegionBytes-1)/RegionBytes*RegionBytes
	}
	return min(to, bytesMax)
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
	least := min((want+arrayStep-1)/arrayStep*arrayStep, e.bytes)
	if least < to {
		err = a.extendTo(e, least, p, dense)
	}
	if err != nil && a.giveBack(least-e.committed) {
		err = a.extendTo(e, least, p, dense)
	}
	return err
}

// extendTo commits an extent up to its byte number to.
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
	if a.huge && dense && e.committed >= RegionBytes {
		a.advise(at, more)
	}
	a.dirty(p, more)
	e.committed = to
	return nil
}

// roundPage rounds a number of elements up to a multiple of PageLen, or to most.
func roundPage(n uint64, most uint32) uint64 {
	return min((n+PageLen-1)/PageLen*PageLen, uint64(most))
}

// chargeSlice accounts for an array's Go slice that is about to become longer, or
// refuses.
func (a *Arena) chargeSlice(p Purpose, bytes uint64) error {
	if a.sliced+bytes > math.MaxInt {
		return fmt.Errorf("%w: %d bytes of Go memory for arrays", ErrFull, a.sliced+bytes)
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
