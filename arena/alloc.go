package arena

import (
	"cmp"
	"fmt"
)

// A slot is looked for in this order:
//
//	1  a region of the range that is not held: one with a free slot, else a new one
//	2  the same in the other ranges, if the range has no address space left
//	3  any free slot, where limits or the system refuse: accounted for before others, held ones last
//
// A slot in a range of other advice is slower than one asked for, and better than an error.

// Alloc takes a free slot of the range, in the first region that has one and is
// not held, and opens or commits a region if none has. Its contents are undefined.
// When the range can't grow, or may not even after empty regions were given back, free
// slots of the other ranges and then of held regions serve. Errors:
// ErrLimit, ErrFull, ErrClosed, or the operating system's refusal, wrapped; no slot
// has changed then.
func (a *Arena) Alloc(r Range) (Slot, error) {
	if a.closed {
		return noSlot, ErrClosed
	}
	// A range that has no space makes room for the next one. A refusal does not: limits and the
	// system would refuse in any range, and each attempt may give idle memory back.
	var refused error
	for _, r := range others[a.serves(r)] {
		i, ok := a.roomy(r)
		if !ok {
			continue
		}
		var s Slot
		if refused = a.ready(r, i); refused == nil {
			s, refused = a.take(r, i)
		}
		if refused == nil {
			return s, nil
		}
		break
	}
	if r, i, ok := a.roomLeft(a.serves(r)); ok {
		s, err := a.take(r, i)
		if err == nil {
			return s, nil
		}
		refused = cmp.Or(refused, err)
	}
	if refused != nil {
		return noSlot, refused
	}
	return noSlot, fmt.Errorf("%w (%d regions in use)", ErrFull, a.chunkSpace/RegionBytes)
}

// roomLeft finds a region that has a free slot, for a range that cannot open another one. A slot
// that is accounted for comes first. It looks in its own range and in the others, and takes a
// held region last.
func (a *Arena) roomLeft(want Range) (Range, int, bool) {
	for _, counted := range [...]bool{true, false} {
		for _, held := range [...]bool{false, true} {
			for _, r := range others[want] {
				for i := range a.tables[r].regions {
					g := &a.tables[r].regions[i]
					free := g.free
					if counted {
						free &= g.committed
					}
					if free != 0 && g.held == held && g.plain() && a.takable(r, g) {
						return r, i, true
					}
				}
			}
		}
	}
	return 0, 0, false
}

// Free makes a live or quarantined slot free; it stays committed and dirty until
// it is used again or purged. It panics if the slot is not in use.
func (a *Arena) Free(s Slot) {
	g, r, i, bit := a.mustUse(s, "Free")
	if g.quarantined&bit != 0 {
		a.stats.Quarantined -= SlotBytes
	} else {
		a.stats.Live -= SlotBytes
	}
	a.uncount(r, g)
	g.free |= bit
	g.quarantined &^= bit
	// A striped region that is empty hands out slots again. Its dirty pages lie where its runs
	// had their pieces, which is remembered until other use.
	if g.free == allSlots && !g.plain() {
		if a.byPieces(r) {
			g.laid = g.runs
		}
		g.runs = nil
	}
	a.count(r, g)
	// The lowest slots are used first, so that the highest regions empty and can go back.
	t := &a.tables[r]
	t.first = min(t.first, i)
}

// Quarantine takes a live slot out of use without making it free: it is not
// handed out again until Free. It panics if the slot is not live.
func (a *Arena) Quarantine(s Slot) {
	g, _, _, bit := a.mustUse(s, "Quarantine")
	if g.quarantined&bit != 0 {
		panic(fmt.Sprintf("arena: Quarantine of slot %d, which is in quarantine already", s))
	}
	g.quarantined |= bit
	a.stats.Live -= SlotBytes
	a.stats.Quarantined += SlotBytes
}
