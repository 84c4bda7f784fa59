package arena

import "math/bits"

// A place is a slot by its number within a range, counted in the order in which the range's
// regions are opened: place 32×3+5 of Huge is slot 5 of its fourth region. Places are the same
// on every machine and in every run. The next place is beside it in memory, except that
// regions of Huge follow each other downwards.

// PlaceOf returns the range and place of a slot of an opened region; it panics for
// any other.
func (a *Arena) PlaceOf(s Slot) (Range, uint32) {
	g, r, i := a.find(s)
	if g == nil {
		panic("arena: PlaceOf a slot of no opened region: it is another arena's")
	}
	return r, uint32(i*SlotsPerRegion) + uint32(s%SlotsPerRegion)
}

// slotAt returns the slot at a place, whether or not its region was ever opened.
func (a *Arena) slotAt(r Range, place uint32) Slot {
	return a.firstSlot(r, int(place/SlotsPerRegion)) + Slot(place%SlotsPerRegion)
}

// The manager decides where a chunk goes, so it asks for slots by their use: AllocNext
// for a sweep that goes on without a jump, AllocFullest to empty other regions, AllocRun for several
// side by side. None of the first two opens a region. If it fails, Alloc serves.

// AllocNext takes the slot behind another one, if it is free in the same region. That must not
// be held, and must be half in use, so that it will stay. Where memory is idle, the slot must be
// of that. Otherwise ok is false, and nothing has changed.
func (a *Arena) AllocNext(before Slot) (s Slot, ok bool) {
	g, r, i := a.find(before)
	if a.closed || g == nil || !g.plain() || g.held || bits.OnesCount32(g.free) > SlotsPerRegion/2 {
		return noSlot, false
	}
	bit := g.free & (2 << (before % SlotsPerRegion))
	// While there is idle memory, to use it costs no new page, and beats a neighbour.
	if a.stats.Idle != 0 {
		bit &= g.dirty
	}
	if bit == 0 {
		return noSlot, false
	}
	if a.admit(r, i, bit) != nil {
		return noSlot, false
	}
	return a.takeBit(r, i, bit), true
}

// AllocFullest takes a free slot of the fullest region of a range that has one and is not held.
// It takes no region into use. It costs a pass over the regions.
func (a *Arena) AllocFullest(r Range) (s Slot, ok bool) {
	best, most := 0, 0
	for i := range a.tables[r].regions {
		g := &a.tables[r].regions[i]
		if n := bits.OnesCount32(^g.free); n > most && n < SlotsPerRegion && g.plain() && !g.held {
			best, most = i, n
		}
	}
	if most == 0 || a.closed {
		return noSlot, false
	}
	s, err := a.take(r, best)
	return s, err == nil
}

// AllocRun takes n free slots side by side within one region of a range, at most
// SlotsPerRegion, and returns the first; each is freed alone. Errors are those of Alloc;
// no other range serves.
func (a *Arena) AllocRun(r Range, n int) (Slot, error) {
	if a.closed {
		return noSlot, ErrClosed
	}
	r = a.serves(r)
	t := &a.tables[r]
	i, at := t.first, 0
	for ; i < len(t.regions); i++ {
		if g := &t.regions[i]; !g.held && g.plain() {
			if at = runOf(g.free, n); at >= 0 {
				break
			}
		}
	}
	if i >= len(t.regions) {
		if at = 0; !a.enter(r, i) {
			return noSlot, ErrFull
		}
	}
	if err := a.ready(r, i); err != nil {
		return noSlot, err
	}
	if err := a.admit(r, i, uint32(uint64(1)<<n-1)<<at); err != nil {
		return noSlot, err
	}
	for k := range n {
		a.takeBit(r, i, 1<<(at+k))
	}
	return a.firstSlot(r, i) + Slot(at), nil
}

// runOf returns where the first n adjacent set bits begin; -1 if there is no such run.
func runOf(mask uint32, n int) int {
	if n > SlotsPerRegion {
		return -1
	}
	starts := mask
	for k := 1; k < n; k++ {
		starts &= mask >> k
	}
	if starts == 0 {
		return -1
	}
	return bits.TrailingZeros32(starts)
}
