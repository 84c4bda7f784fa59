package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
)

// Clear destroys all entities in the order of their indexes; their handles become stale.
// It costs a pass over the records and over each component's slots.
func (w *World) Clear() {
	w.made("Clear").mustIdle("Clear")
	for _, p := range w.pools {
		p.emptySlots()
	}
	for i := range w.planes {
		sets := used(&w.planes[i], w.next)
		for j := range sets {
			if sets[j] != 0 { // pages that were never written stay out of memory
				sets[j] = 0
			}
		}
	}
	for _, p := range w.pools {
		for s := range p.sequences() {
			s.Truncate(0)
		}
	}
	if records := used(&w.records, w.next); len(records) > 0 {
		w.releaseAlive(1, records)
	}
	w.alive = 0
}

// emptySlots empties the slots of all entities that have the component. Where those are
// less than half of all, it goes by the rows: pages without slots stay out of memory.
func (p *pool) emptySlots() {
	if uint32(p.Len()) > p.w.next/2 {
		clear(used(p.slots, p.w.next))
		return
	}
	for s := range p.sequences() {
		for id, n := range s.Chunks() {
			p.clearSlots(unsafe.Slice((*Entity)(p.w.ids.Addr(id)), n))
		}
	}
}

// releaseAlive is release for the live entities among records, of which the first has
// index i. Their components are gone.
func (w *World) releaseAlive(i uint32, records []record) {
	if w.options.Recycle != LIFO {
		for j := range records {
			if r := &records[j]; r.id&flagFree == 0 {
				w.release(r)
			}
		}
		return
	}
	if w.freeHead == 0 { // all are alive, and the first one is freed first
		w.freeTail = 1
	}
	link, at := flagFree|Entity(w.freeHead), flagFree|Entity(i)
	for j := range records {
		r := &records[j]
		if id := r.id; id&flagFree == 0 {
			next := id + 1<<versionShift
			if next&(countMask<<versionShift) == 0 || next>>versionShift == slotMark {
				next = id.next()
			}
			r.id, r.set = next>>versionShift<<versionShift|link, 0
			link = at
		}
		at++
	}
	w.freeHead = link.Index()
}

// used is the elements from 1 to below end that are addressable.
func used[T any](a *arena.Array[T], end uint32) []T {
	all := a.Span(1)
	return all[:min(len(all), int(end-1))]
}
