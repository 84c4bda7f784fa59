// Package arena owns address space: one reservation per manager, the slots in
// it, and flat arrays that grow in place. It is the one package that asks the
// operating system for memory.
//
// # Words
//
// A slot is 64 KiB, a region is 2 MiB or 32 slots (the size of a huge page). A
// range is a part of the reservation under one kind of advice; a place is a slot
// by its number within its range. A held region gives slots only to those who ask for
// a place in it, or when nothing else is left. An array is a
// flat run of elements that is committed from its start as it grows.
//
// # Layout
//
//	reservation, one mmap, never unmapped before Close
//	|——————————— chunk space ———————————|———————— array space ————————|
//	| Normal → r0 r1 … Cold → c0 … … h0 ← Huge | records | slots | slots | … →
//	   regions of 32 slots, opened        carved upward, one piece an array,
//	   from both ends and the middle      committed from the piece's start
//
// # States
//
// Each slot has one bit in each of four masks of its region; the legal
// combinations are the states on [RegionInfo]. Memory goes
//
//	reserved → committed → dirty (live | quarantined | free) → purged → reserved
//
// # Invariants
//
//   - dirty ≥ live + quarantined + idle, and idle is what Purge could give back.
//   - reserved ≥ committed ≥ dirty ≥ live, and what the operating system counts
//     as resident ≤ dirty, but for regions of huge pages, and for positions in use that
//     do not lie side by side. Check recomputes the others.
//   - The limit and the shared budget are compared with committed bytes before the
//     operating system is asked. A refusal of either leaves every number as it was, but
//     for what was given back: before an error is returned, as many regions without a
//     slot in use are decommitted as are needed, and free slots of all ranges serve.
//   - No state lies in the memory it describes: all of it is on the Go heap.
//   - On the heap back end (race builds, 32 bit, js/wasm, or by option) regions
//     are slabs of Go memory and arrays are Go slices, whose elements move when they
//     grow; everything else is the same.
//
// # Huge pages
//
// The reservation is advised to have none before anything is committed: small chunks
// touch a page of a slot, sparse arrays one here and there, and under the system's
// setting "always" each would hold 2 MiB. Regions of the Huge range are advised to have
// them, and so are dense arrays behind their first 2 MiB.
//
// # Stripes
//
// A region may be taken as a whole and be striped (AllocStriped): its 32 slots are
// positions then, each of which has a piece of every run that the region is cut into.
// Positions are accounted for as slots are, but for what is committed: that is those in
// use, and those that were and are not purged. For pages at the borders of runs a slot or so
// is accounted for, which is enough while positions in use lie side by side. A region of
// the Huge range is resident as a whole, and is committed as a whole.
//
// # Many arenas
//
// The package has one global, the count of address space that the arenas of the process
// hold. Address space belongs to the process, Go's own heap dies without it, and two
// arenas know of each other in no other way; it decides how much the next one reserves by
// default and nothing else. What several arenas commit is bounded by a [Budget], if they
// are given one. An arena that was dropped without Close is told to Options.Log with its
// stack, once it is garbage. Nothing of it is unmapped, since slices may point there.
//
// An Arena is used by one goroutine at a time; it has no locks. A Budget is safe for
// concurrent use.
package arena
