package arena

import (
	"fmt"
	"math/bits"
)

// Check recomputes the accounting from the regions and compares: an error names
// the first invariant that does not hold. It costs a pass over the region table.
func (a *Arena) Check() error {
	for r := range a.Regions() {
		if err := r.check(); err != nil {
			return err
		}
	}
	if err := a.checkSums(); err != nil {
		return err
	}
	s := &a.stats
	switch {
	case s.Reserved < s.Committed:
		return fmt.Errorf("arena: committed %d exceeds reserved %d", s.Committed, s.Reserved)
	case s.Committed < s.Dirty:
		return fmt.Errorf("arena: dirty %d exceeds committed %d", s.Dirty, s.Committed)
	case s.Dirty < s.Live:
		return fmt.Errorf("arena: live %d exceeds dirty %d", s.Live, s.Dirty)
	}
	if err := a.checkArrays(); err != nil {
		return err
	}
	if a.budget != nil && a.budget.Used() < s.Committed {
		return fmt.Errorf("arena: committed %d exceeds what is taken of the budget, %d", s.Committed, a.budget.Used())
	}
	return nil
}

// check tells which slots are in no legal state.
func (r *RegionInfo) check() error {
	for _, c := range [...]struct {
		wrong uint32
		state string
	}{
		{r.Quarantined & r.Free, "quarantined and free"},
		{^r.Free &^ r.Committed, "in use and not committed"},
		{^r.Free &^ r.Dirty, "in use and not dirty"},
		{r.Dirty &^ r.Committed, "dirty and not committed"},
	} {
		if c.wrong != 0 {
			return fmt.Errorf("arena: region %d: slots %032b %s", r.First/SlotsPerRegion, c.wrong, c.state)
		}
	}
	return nil
}

// sums are the totals of all regions, in bytes.
type sums struct {
	live, quarantined, dirty, committed, idle, idleRegions, spares uint64
}

func (a *Arena) sums() (n sums) {
	for r := range ranges {
		for i := range a.tables[r].regions {
			g := &a.tables[r].regions[i]
			idle := a.idle(r, g)
			n.idle += idle
			if g.free == allSlots {
				n.idleRegions += idle
			}
			n.spares += a.spare(r, g)
			n.dirty += g.dirtied()
			n.committed += g.charged()
			n.live += uint64(bits.OnesCount32(^g.free&^g.quarantined)) * SlotBytes
			n.quarantined += uint64(bits.OnesCount32(g.quarantined)) * SlotBytes
		}
	}
	return n
}

// checkSums compares the counts with the sums.
func (a *Arena) checkSums() error {
	s, n := &a.stats, a.sums()
	for _, c := range [...]struct {
		what      string
		got, want uint64
	}{
		{"live", s.Live, n.live + s.liveArrays()},
		{"quarantined", s.Quarantined, n.quarantined},
		{"idle", s.Idle, n.idle},
		{"idle regions", s.idleRegions, n.idleRegions},
		{"what a refusal gives back", a.spares, n.spares},
		{"dirty chunks", s.dirtyBy[PurposeChunks], n.dirty},
		{"committed chunks", s.committedBy[PurposeChunks], n.committed},
		{"committed", s.Committed, sum(s.committedBy)},
		{"dirty", s.Dirty, sum(s.dirtyBy)},
	} {
		if c.got != c.want {
			return fmt.Errorf("arena: %s: accounted %d, recomputed %d", c.what, c.got, c.want)
		}
	}
	return nil
}

// checkArrays compares the counts of arrays with their pieces and slices.
func (a *Arena) checkArrays() error {
	arrays := a.sliced
	for _, e := range a.extents {
		arrays += e.charged
		taken := 0
		for _, bits64 := range e.taken {
			taken += bits.OnesCount64(bits64)
		}
		if n := uint64(taken) * pageBytes; n != e.charged || n > e.committed {
			return fmt.Errorf("arena: arrays: the one at %d has %d bytes of pages taken, %d accounted for and %d usable", e.offset, n, e.charged, e.committed)
		}
		if e.committed > e.bytes || e.offset+e.bytes > a.carved {
			return fmt.Errorf("arena: the array at %d has %d bytes committed of %d, and %d are carved in all", e.offset, e.committed, e.bytes, a.carved)
		}
	}
	if n := a.stats.Committed - a.stats.committedBy[PurposeChunks]; n != arrays {
		return fmt.Errorf("arena: arrays: accounted %d, recomputed %d", n, arrays)
	}
	return nil
}
