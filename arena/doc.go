// Package arena owns address space: one reservation per manager, the slots in
// it, and flat arrays that grow in place. No other package asks the operating
// system for memory.
//
// # For programs
//
// A program says how memory is asked for in memmgr.Options.Arena, or in
// ecs.Options.Memory.Arena: limits, back ends, and budgets that several managers share.
//
//	Options Backend Auto OS Heap
//	Budget(Used Limit) NewBudget
//	Arena(SetLimit)
//	Stats
//	ErrLimit ErrFull ErrClosed
//
// All other names are for engines, which own an [Arena] themselves. They may change.
//
// # Words
//
// A slot is 64 KiB. A region is 2 MiB or 32 slots, the size of a huge page. A range is a
// part of the reservation under one kind of advice; a place is a slot by its number within
// its range. A held region gives slots only to callers that ask for a place in it, or when
// nothing else is left. An array is a flat run of elements that is committed from its start
// as it grows.
//
// # Layout
//
//	reservation, one mmap, never unmapped before Close
//	|——————————— chunk space ———————————|———————— array space ————————|
//	| h0 → Huge … … c0 ← Cold … r1 r0 ← Normal | records | slots | slots | … →
//	   regions of 32 slots, opened        carved upward, one piece an array,
//	   from both ends and the middle      committed from the piece's start
//
// # Floors
//
// A file refers only to files of floors below its own, and to files left of it on its floor:
//
//	6  array_unsafe · measure · check · new    elements of arrays; proofs; the beginning and the end
//	5  alloc place stripes · array             the requests of callers: slots, positions, bytes of arrays
//	4  purge · commit                          memory goes back; slots become usable, in place of it
//	3  heaproom system · account · mapping     requests; sums; pages of a region as a whole
//	2  forgotten pressure · ranges             arenas that were dropped, memory that is short; regions by number
//	1  arena                                   the Arena: all state is here
//	0  address budget groups kinds os ·        words, pure decisions, and the operating system
//	   backend extent gauge options region
//	   stats · reserve · machine
//
// Whatever takes memory may have to give some back first. So purge is below commit, and neither of
// them opens or closes pages itself: mapping does, and knows no limit.
//
// # States
//
// Each slot has one bit in each of four masks of its region. The legal combinations are the
// states on [RegionInfo]. Memory goes
//
//	reserved → committed → dirty (live | quarantined | free) → purged → reserved
//
// # Invariants
//
//   - dirty ≥ live + quarantined + idle. Idle are the bytes that Purge could give back.
//   - reserved ≥ committed ≥ dirty ≥ live. The operating system's count of resident bytes is
//     at most dirty, except for regions of huge pages and for positions in use that are
//     not side by side. Check recomputes the others.
//   - The limit and the shared budget are compared with committed bytes before the
//     operating system is asked. Before an error is returned, as many regions without a
//     slot in use are decommitted as are needed, and free slots of all ranges serve. If
//     there are too few, none is: a refusal leaves every number as it was.
//   - No state is in the memory that it describes: all of it is on the Go heap.
//   - On the heap back end (race builds, 32 bit, js/wasm, or by option) regions
//     are slabs of Go memory. Arrays are Go slices, whose elements move when they
//     grow. Everything else is the same. Under a limit on the address space of the process,
//     slabs and slices are refused before the Go runtime would end the process.
//
// # Huge pages
//
// The reservation is advised to have no huge pages before anything is committed. Small
// chunks touch one page of a slot, and sparse arrays one page here and there. Under the
// system's setting "always", each of these pages would hold 2 MiB. Regions of the Huge range
// are advised to have huge pages, and so are dense arrays after their first 2 MiB.
//
// # Stripes
//
// AllocStriped takes a region as a whole and stripes it. Its 32 slots are positions then:
// each has a piece of every run that the region is cut into. Positions are accounted for as
// slots are: a position is committed while it is in use, and afterwards
// until it is purged. For pages at the borders of runs one slot or so is accounted for, which is
// enough while positions in use are side by side. A region of the Huge range is committed
// and resident as a whole.
//
// # Pressure
//
// A control group (cgroup) bounds the memory of its processes without refusing any: the kernel
// kills a process that exceeds it. [Arena.Pressure] reads how near the limit is, and how long tasks waited for memory. It
// decides nothing here but the address space of an arena on a large machine, and the words of
// an error.
//
// # Many arenas
//
// The package's global that matters is the count of address space that all arenas of the process
// hold. Address space belongs to the process, and Go's own heap needs some of it. The count
// decides how much the next arena reserves by default, and nothing else. A [Budget] bounds
// the committed memory of several arenas together. An arena that was dropped without Close is reported
// to Options.Log with its stack, once it is garbage; the first of a process in checked builds alone. Its
// memory stays mapped, because slices may point there.
//
// An Arena is not safe for concurrent use. A Budget is.
package arena
