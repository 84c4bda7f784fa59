package arena

import (
	"fmt"
	"unsafe"
)

// The system's count of resident pages is read for tests, statistics and maps. Nothing is decided by
// it, so results do not depend on the system.

// Resident measures how much of the committed memory is in physical pages. It
// asks the operating system once per committed region and array, and returns an
// error that wraps errors.ErrUnsupported where that can't be measured; Stats.Dirty
// is an upper bound everywhere.
func (a *Arena) Resident() (uint64, error) {
	if a.closed {
		return 0, ErrClosed
	}
	// Go memory is not asked about: the runtime may have given pages back, or may keep them.
	if a.backend == Heap {
		return a.stats.Dirty, nil
	}
	var total uint64
	measure := func(p unsafe.Pointer, bytes uint64) error {
		n, err := sysResident(p, uintptr(bytes))
		total += n
		return err
	}
	for r := range ranges {
		for i := range a.tables[r].regions {
			if !a.tables[r].regions[i].mapped {
				continue
			}
			if err := measure(a.regionBase(r, i), RegionBytes); err != nil {
				return 0, fmt.Errorf("arena: measuring resident memory: %w", err)
			}
		}
	}
	for _, e := range a.extents {
		// Pages that are not taken may have been read: then they are one page of zeros of the system.
		for at := uint64(0); at < e.committed; {
			n := uint64(0)
			for at+n < e.committed && e.isTaken(at+n) {
				n += pageBytes
			}
			if n == 0 {
				at += pageBytes
				continue
			}
			if err := measure(unsafe.Add(a.base, a.chunkSpace+e.offset+at), n); err != nil {
				return 0, fmt.Errorf("arena: measuring resident memory: %w", err)
			}
			at += n
		}
	}
	return total, nil
}

// Fill writes b over a whole slot, or over the pieces of a position: poison, or a mark
// in tests.
func (a *Arena) Fill(s Slot, b byte) {
	fill := func(p unsafe.Pointer, n uint32) {
		mem := unsafe.Slice((*byte)(p), n)
		for i := range mem {
			mem[i] = b
		}
	}
	g, _, _ := a.find(s)
	if g.plain() {
		fill(a.Base(s), SlotBytes)
		return
	}
	for _, run := range g.runs {
		fill(unsafe.Add(a.Base(s-s%SlotsPerRegion), run.Offset+uint32(s%SlotsPerRegion)*run.Step), run.Step)
	}
}
