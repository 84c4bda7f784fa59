package arena

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// mapping is a reservation as the operating system gave it.
type mapping struct {
	start unsafe.Pointer
	bytes uintptr
}

// reserve maps address space and aligns its start to a region, at least a page after the start
// of the mapping. So the kernel does not join committed memory with memory of others before
// it.
func (a *Arena) reserve(bytes uint64) error {
	err := a.ask(OpReserve, bytes)
	var p unsafe.Pointer
	if err == nil {
		p, err = sysReserve(uintptr(bytes + 2*RegionBytes))
	}
	if err != nil {
		a.stats.Refused[OpReserve]++
		return err
	}
	a.mapped = mapping{p, uintptr(bytes + 2*RegionBytes)}
	a.base = unsafe.Add(p, RegionBytes-uintptr(p)&(RegionBytes-1))
	reservedInProcess.Add(uint64(a.mapped.bytes))
	return nil
}

// release gives the reservation back.
func (a *Arena) release() error {
	if err := a.do(OpRelease, a.mapped.start, uint64(a.mapped.bytes), sysRelease); err != nil {
		return err
	}
	reservedInProcess.Add(-uint64(a.mapped.bytes))
	a.mapped = mapping{}
	return nil
}

// commit makes pages usable. Before the first ones, it keeps the whole reservation out of huge
// pages, which the system would otherwise give unasked. That is one request, because each
// border of advice costs a mapping. A refusal is counted, and costs memory only.
func (a *Arena) commit(p unsafe.Pointer, bytes uint64) error {
	if !a.small {
		a.small = true
		a.adviseSmall(a.mapped.start, uint64(a.mapped.bytes))
	}
	err := a.do(OpCommit, p, bytes, sysCommit)
	if now := a.pressureOf(err); now.near(bytes) {
		err = fmt.Errorf("%w (the limit of this process's control group is near: %d of %d bytes are used, %d more wanted; raise it, or free something first)", err, now.Used, now.Limit, bytes)
	}
	return err
}

// pressureOf reads the pressure where the system refused something.
func (a *Arena) pressureOf(err error) (p Pressure) {
	if err != nil {
		p = a.Pressure()
	}
	return p
}

func (a *Arena) decommit(p unsafe.Pointer, bytes uint64) error {
	return a.do(OpDecommit, p, bytes, sysDecommit)
}

func (a *Arena) purge(p unsafe.Pointer, bytes uint64) error {
	return a.do(OpPurge, p, bytes, sysPurge)
}

// advise asks for huge pages from now on; a refusal is counted and costs only speed.
func (a *Arena) advise(p unsafe.Pointer, bytes uint64) {
	_ = a.do(OpAdvise, p, bytes, sysAdviseHuge)
}

// adviseSmall asks for no huge pages from now on.
func (a *Arena) adviseSmall(p unsafe.Pointer, bytes uint64) {
	_ = a.do(OpAdvise, p, bytes, sysAdviseSmall)
}

func (a *Arena) do(op Op, p unsafe.Pointer, bytes uint64, sys func(unsafe.Pointer, uintptr) error) error {
	err := a.ask(op, bytes)
	if err == nil {
		err = sys(p, uintptr(bytes))
	}
	if err != nil {
		a.stats.Refused[op]++
	}
	return err
}

// regionBase is where region i of a range starts, on the OS back end.
func (a *Arena) regionBase(r Range, i int) unsafe.Pointer {
	return unsafe.Add(a.base, uintptr(a.firstSlot(r, i))*SlotBytes)
}

// newSlab allocates a region of Go memory, aligned to a slot.
func newSlab() (unsafe.Pointer, []uint64) {
	keep := make([]uint64, (RegionBytes+SlotBytes)/8)
	p := unsafe.Pointer(unsafe.SliceData(keep))
	return unsafe.Add(p, -uintptr(p)&(SlotBytes-1)), keep
}

// Base returns the address of a slot in use. It is good as long as the slot is in use.
func (a *Arena) Base(s Slot) unsafe.Pointer {
	if a.backend == OS {
		return unsafe.Add(a.base, uintptr(s)*SlotBytes)
	}
	g, _, _ := a.find(s)
	return unsafe.Add(g.slab, uintptr(s%SlotsPerRegion)*SlotBytes)
}

// RegionBase returns the address of the region of a slot in use. It is good as long as any of
// its slots is in use.
func (a *Arena) RegionBase(s Slot) unsafe.Pointer { return a.Base(s - s%SlotsPerRegion) }

// Contains tells whether p points into the reservation, or into a slab on the
// heap back end. It is for tests and assertions: there it looks at every region.
func (a *Arena) Contains(p unsafe.Pointer) bool {
	if a.backend == OS {
		return uintptr(p)-uintptr(a.base) < uintptr(a.chunkSpace+a.arraySpace)
	}
	for r := range ranges {
		for i := range a.tables[r].regions {
			g := &a.tables[r].regions[i]
			if g.slab != nil && uintptr(p)-uintptr(g.slab) < RegionBytes {
				return true
			}
		}
	}
	return false
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
		fill(unsafe.Add(a.RegionBase(s), run.Offset+uint32(s%SlotsPerRegion)*run.Step), run.Step)
	}
}

// ResidentAt measures how much of n slots from a place on, all of one region, is
// in physical pages. Errors are those of Resident.
func (a *Arena) ResidentAt(r Range, place, n uint32) (uint64, error) {
	if a.closed {
		return 0, ErrClosed
	}
	i := int(place / SlotsPerRegion)
	if t := &a.tables[r]; i >= len(t.regions) || !t.regions[i].mapped {
		return 0, nil
	}
	if a.backend == Heap {
		mask := a.tables[r].regions[i].dirty >> (place % SlotsPerRegion)
		return uint64(bits.OnesCount32(mask&(1<<n-1))) * SlotBytes, nil
	}
	bytes, err := sysResident(unsafe.Add(a.base, uintptr(a.SlotAt(r, place))*SlotBytes), uintptr(n)*SlotBytes)
	if err != nil {
		return 0, fmt.Errorf("arena: measuring resident memory: %w", err)
	}
	return bytes, nil
}

// Resident measures how much of the committed memory is in physical pages. It
// asks the operating system once per committed region and array, and returns an
// error that wraps errors.ErrUnsupported where that can't be measured; Stats.Dirty
// is an upper bound everywhere.
func (a *Arena) Resident() (uint64, error) {
	if a.closed {
		return 0, ErrClosed
	}
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
		if err := measure(unsafe.Add(a.base, a.chunkSpace+e.offset), e.committed); err != nil {
			return 0, fmt.Errorf("arena: measuring resident memory: %w", err)
		}
	}
	return total, nil
}
