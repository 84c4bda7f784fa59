package arena

import (
	"fmt"
	"math/bits"
)

// A slot is taken in three steps, and the first two can fail without a trace:
//
//	roomy    a region with a free slot; a line of the table for a new one
//	ready    the region as a whole, where it counts as a whole
//	admit    the slot, where slots count one by one; pages of its region
//	takeBit  the slot is live
//
// In the Normal and Cold ranges a region's pages are made usable together, at its first slot, but
// count one by one: that keeps mappings few, and a program of three slots pays for three. In the
// Huge range and on the Go heap the first slot makes all of a region resident, so all of it counts.

// roomy returns the first region of a range that has a free slot and is not
// held, a new one if need be.
func (a *Arena) roomy(r Range) (i int, ok bool) {
	// The hint moves forward here and back in Free. A held region does not move it, because it may
	// serve again without a Free.
	t := &a.tables[r]
	for t.first < len(t.regions) && (t.regions[t.first].free == 0 || !t.regions[t.first].plain()) {
		t.first++
	}
	for i = t.first; i < len(t.regions); i++ {
		if g := &t.regions[i]; g.free != 0 && !g.held && g.plain() {
			return i, true
		}
	}
	return i, a.enter(r, i)
}

// ready commits a region as a whole if it is not, in place of others that are empty if need be.
// One whose slots are accounted for one by one is left to admit.
func (a *Arena) ready(r Range, i int) error {
	g := &a.tables[r].regions[i]
	if g.committed == allSlots || a.bySlots(r, g) {
		return nil
	}
	err := a.open(r, i)
	if err != nil && a.giveBack(RegionBytes) && !a.bySlots(r, g) { // it may be one that was given back
		err = a.open(r, i)
	}
	// A region that was striped can't be paid for as a whole. Without its pages it is plain again,
	// and admit asks for one slot of it.
	if err != nil && a.byPieces(r) && (g.laid == nil || a.shut(r, i) == nil) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("arena: committing a region: %w", err)
	}
	return nil
}

// take marks a free slot of a region as live, dirty ones first: their pages are there already,
// and accounted for. Errors are those of admit.
func (a *Arena) take(r Range, i int) (Slot, error) {
	g := &a.tables[r].regions[i]
	pick := g.free & g.dirty
	if pick == 0 {
		pick = g.free
	}
	pick &= -pick
	if err := a.admit(r, i, pick); err != nil {
		return noSlot, err
	}
	return a.takeBit(r, i, pick), nil
}

// admit accounts for free slots of a region that are about to be taken, and makes its pages
// usable, where that is not so yet. Idle memory of others serves if need be. Errors: ErrLimit,
// ErrClosed, or the operating system's refusal; nothing has changed then.
func (a *Arena) admit(r Range, i int, slots uint32) error {
	g := &a.tables[r].regions[i]
	if g.committed&slots == slots {
		return nil
	}
	// Anew each time: giveBack may have purged free slots of this very region.
	more := func() uint64 { return g.with(g.committed|slots) - g.charged() }
	err := a.charge(PurposeChunks, more())
	if err != nil && a.giveBack(more()) {
		err = a.charge(PurposeChunks, more())
	}
	if err != nil {
		return err
	}
	// The system may refuse a request within limits. The request is for a region, so as much goes.
	err = a.mapRegion(r, i)
	if err != nil && a.giveBack(RegionBytes) {
		err = a.mapRegion(r, i)
	}
	if err != nil {
		a.discharge(PurposeChunks, more())
		return fmt.Errorf("arena: committing a region: %w", err)
	}
	a.uncount(r, g)
	g.committed |= slots
	a.count(r, g)
	return nil
}

// takeBit marks one free slot of a committed region as live.
func (a *Arena) takeBit(r Range, i int, bit uint32) Slot {
	g := &a.tables[r].regions[i]
	a.uncount(r, g)
	if g.plain() && g.laid != nil { // touched pages lie here and there
		was := g.dirtied()
		g.dirty, g.borders, g.laid = g.committed, 0, nil
		a.dirty(PurposeChunks, g.dirtied()-was)
	}
	g.free &^= bit
	a.count(r, g)
	if g.dirty&bit == 0 {
		was := g.dirtied()
		g.dirty |= bit
		a.dirty(PurposeChunks, g.dirtied()-was)
	}
	a.stats.Live += SlotBytes
	return a.firstSlot(r, i) + Slot(bits.TrailingZeros32(bit))
}

// open commits a region, or the missing part of one that was striped.
func (a *Arena) open(r Range, i int) error {
	g := &a.tables[r].regions[i]
	more := RegionBytes - g.charged()
	if err := a.charge(PurposeChunks, more); err != nil {
		return err
	}
	if err := a.mapRegion(r, i); err != nil {
		a.discharge(PurposeChunks, more)
		return err
	}
	// Borders go, since they are part of the region that counts now.
	a.uncount(r, g)
	a.clean(PurposeChunks, g.dirtied())
	g.committed, g.borders = allSlots, 0
	a.dirty(PurposeChunks, g.dirtied())
	a.count(r, g)
	return nil
}
