package arena

import (
	"fmt"
	"math/bits"
)

// Stats is the accounting of an arena, in bytes unless said otherwise.
type Stats struct {
	Reserved    uint64           // address space
	Committed   uint64           // usable
	CommittedBy [Purposes]uint64 // the same by purpose
	Dirty       uint64           // may be resident: an upper bound of Resident
	DirtyBy     [Purposes]uint64 // the same by purpose
	Live        uint64           // slots in use, and arrays
	Quarantined uint64           // slots out of use and not yet free
	Idle        uint64           // free and dirty slots that Purge could give back now
	IdleRegions uint64           // of these, in regions without a slot in use
	Calls       [Ops]uint64      // requests to the operating system, by kind
	Refused     [Ops]uint64      // those that it, or Options.Fault, refused
}

// Stats returns the accounting. It costs a copy.
func (a *Arena) Stats() Stats { return a.stats }

// Idle is Stats().Idle and Stats().IdleRegions without the copy.
func (a *Arena) Idle() (all, regions uint64) { return a.stats.Idle, a.stats.IdleRegions }

// CommittedChunks is Stats().CommittedBy[PurposeChunks] without the copy.
func (a *Arena) CommittedChunks() uint64 { return a.stats.CommittedBy[PurposeChunks] }

// DirtyChunks is Stats().DirtyBy[PurposeChunks] without the copy.
func (a *Arena) DirtyChunks() uint64 { return a.stats.DirtyBy[PurposeChunks] }

// Check recomputes the accounting from the regions and compares: an error names
// the first invariant that does not hold. It costs a pass over the region table.
func (a *Arena) Check() error {
	var live, quarantined, dirty, committed, idle, idleRegions, spares uint64
	for r := range ranges {
		for i := range a.tables[r].regions {
			g := &a.tables[r].regions[i]
			idle += a.idle(r, g)
			spares += a.spare(r, g)
			if g.free == allSlots {
				idleRegions += a.idle(r, g)
			}
			dirty += g.dirtied()
			committed += g.charged()
		}
	}
	for r := range a.Regions() {
		switch {
		case r.Quarantined&r.Free != 0:
			return fmt.Errorf("arena: region %d: slots %032b quarantined and free", r.First/SlotsPerRegion, r.Quarantined&r.Free)
		case ^r.Free&^r.Committed != 0:
			return fmt.Errorf("arena: region %d: slots %032b in use and not committed", r.First/SlotsPerRegion, ^r.Free&^r.Committed)
		case ^r.Free&^r.Dirty != 0:
			return fmt.Errorf("arena: region %d: slots %032b in use and not dirty", r.First/SlotsPerRegion, ^r.Free&^r.Dirty)
		case r.Dirty&^r.Committed != 0:
			return fmt.Errorf("arena: region %d: slots %032b dirty and not committed", r.First/SlotsPerRegion, r.Dirty&^r.Committed)
		}
		live += uint64(bits.OnesCount32(^r.Free&^r.Quarantined)) * SlotBytes
		quarantined += uint64(bits.OnesCount32(r.Quarantined)) * SlotBytes
	}
	s := a.stats
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"live", s.Live, live + s.liveArrays()},
		{"quarantined", s.Quarantined, quarantined},
		{"idle", s.Idle, idle},
		{"idle regions", s.IdleRegions, idleRegions},
		{"what a refusal gives back", a.spares, spares},
		{"dirty chunks", s.DirtyBy[PurposeChunks], dirty},
		{"committed chunks", s.CommittedBy[PurposeChunks], committed},
		{"committed", s.Committed, sum(s.CommittedBy)},
		{"dirty", s.Dirty, sum(s.DirtyBy)},
	} {
		if c.got != c.want {
			return fmt.Errorf("arena: %s: accounted %d, recomputed %d", c.what, c.got, c.want)
		}
	}
	switch {
	case s.Reserved < s.Committed:
		return fmt.Errorf("arena: committed %d exceeds reserved %d", s.Committed, s.Reserved)
	case s.Committed < s.Dirty:
		return fmt.Errorf("arena: dirty %d exceeds committed %d", s.Dirty, s.Committed)
	case s.Dirty < s.Live:
		return fmt.Errorf("arena: live %d exceeds dirty %d", s.Live, s.Dirty)
	}
	arrays := a.sliced
	for _, e := range a.extents {
		arrays += e.committed
		if e.committed > e.bytes || e.offset+e.bytes > a.carved {
			return fmt.Errorf("arena: the array at %d has %d bytes committed of %d, and %d are carved in all", e.offset, e.committed, e.bytes, a.carved)
		}
	}
	if n := s.Committed - s.CommittedBy[PurposeChunks]; n != arrays {
		return fmt.Errorf("arena: arrays: accounted %d, recomputed %d", n, arrays)
	}
	if a.budget != nil && a.budget.Used() < s.Committed {
		return fmt.Errorf("arena: committed %d exceeds what is taken of the budget, %d", s.Committed, a.budget.Used())
	}
	return nil
}

// liveArrays is the bytes that arrays hold. They are live if they may be resident.
func (s *Stats) liveArrays() uint64 { return s.Dirty - s.DirtyBy[PurposeChunks] }

func sum(by [Purposes]uint64) (n uint64) {
	for _, b := range by {
		n += b
	}
	return n
}
