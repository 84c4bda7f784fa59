package ecs

import (
	"iter"
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
		for _, sets := range stretches(&w.planes[i], w.next) {
			for j := range sets {
				if sets[j] != 0 { // pages that were never written stay out of memory
					sets[j] = 0
				}
			}
		}
	}
	for _, p := range w.pools {
		for s := range p.sequences() {
			s.Truncate(0)
		}
	}
	for i, records := range stretches(&w.records, w.next) {
		w.releaseAlive(i, records)
	}
	w.alive = 0
}

// emptySlots empties the slots of all entities that have the component. Where those are
// less than half of all, it goes by the rows: pages without slots stay out of memory.
func (p *pool) emptySlots() {
	if uint32(p.Len()) > p.w.next/2 {
		for _, slots := range stretches(p.slots, p.w.next) {
			clear(slots)
		}
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

// stretches iterates over the elements from 1 to below end that are addressable, as they
// lie side by side, with the index of the first.
func stretches[T any](a *arena.Array[T], end uint32) iter.Seq2[uint32, []T] {
	return func(yield func(uint32, []T) bool) {
		end = min(end, a.Len())
		for i := uint32(1); i < end; {
			run := a.Span(i)
			if len(run) == 0 {
				i = (i/arena.PageLen + 1) * arena.PageLen
				continue
			}
			run = run[:min(len(run), int(end-i))]
			if !yield(i, run) {
				return
			}
			i += uint32(len(run))
		}
	}
}
