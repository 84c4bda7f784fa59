package arena

import (
	"fmt"
	"unsafe"
)

// Each request goes through do: a test may refuse it, it is counted, and so is its refusal. The
// functions called sys… are the only ones that differ from system to system.

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
		a.stats.refused[OpReserve]++
		return err
	}
	a.mapped = mapping{p, uintptr(bytes + 2*RegionBytes)}
	a.base = unsafe.Add(p, RegionBytes-uintptr(p)&(RegionBytes-1))
	reservedInProcess.Add(uint64(a.mapped.bytes))
	return nil
}

// release gives the reservation back. If the system refuses, the arena stays as it is, so that Close
// can be called again.
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
	// A system that refuses says no more than "cannot allocate memory". The remedy depends
	// on whether the control group or the machine is short.
	err := a.do(OpCommit, p, bytes, sysCommit)
	if now := a.pressureOf(err); now.near(bytes) {
		err = fmt.Errorf("%w (the limit of this process's control group is near: %d of %d bytes are used, %d more wanted; raise it, or free something first)", err, now.Used, now.Limit, bytes)
	}
	return err
}

// decommit gives pages back and makes them unusable: a stray access faults at once, where after purge
// it would read zeros.
func (a *Arena) decommit(p unsafe.Pointer, bytes uint64) error {
	return a.do(OpDecommit, p, bytes, sysDecommit)
}

// purge gives pages back and keeps them usable. It splits no mapping of the kernel.
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
		a.stats.refused[op]++
	}
	return err
}

// regionBase is where region i of a range starts, on the OS back end.
func (a *Arena) regionBase(r Range, i int) unsafe.Pointer {
	return a.at(a.firstSlot(r, i))
}

// at is where a slot starts, on the OS back end: regions go down from the array space in the order of their slots. So
// the first region is beside the first array, and a small world has one usable mapping and one set of page tables.
func (a *Arena) at(s Slot) unsafe.Pointer {
	offset := uint64(s) * SlotBytes
	return unsafe.Add(a.base, a.chunkSpace-RegionBytes-offset+2*(offset%RegionBytes))
}

// arrayBase is the address of a byte of the array space.
func (a *Arena) arrayBase(offset uint64) unsafe.Pointer {
	return unsafe.Add(a.base, a.chunkSpace+offset)
}

// newSlab allocates a region of Go memory, aligned to a slot. It has the type of words, not of pointers,
// so that the collector keeps it and does not look into it.
func newSlab() (unsafe.Pointer, []uint64) {
	keep := make([]uint64, (RegionBytes+SlotBytes)/8)
	p := unsafe.Pointer(unsafe.SliceData(keep))
	return unsafe.Add(p, -uintptr(p)&(SlotBytes-1)), keep
}

// Base returns the address of a slot, of which the region has a slot in use. It is good as long as that is so.
func (a *Arena) Base(s Slot) unsafe.Pointer {
	if a.backend == OS {
		return a.at(s)
	}
	g, _, _ := a.find(s)
	return unsafe.Add(g.slab, uintptr(s%SlotsPerRegion)*SlotBytes)
}
