package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

// A span is handles of one version whose indexes go up by one from each to the next, or
// down by one: what is freed in a batch comes out of the free list like that. Its records
// lie side by side, and so do its slots; loops over them go by addition and look nothing
// up:
//
//	handles   7v3  6v3  5v3  4v3         step -1
//	records   … │ 4 → 5 │ 5 → 6 │ 6 → 7 │ 7 → head │ …   once they are free
//	slots     … │ row+3 │ row+2 │ row+1 │   row    │ …   while they have rows
type span struct {
	n    int
	step Entity // 1 or -1; 0: any handles, to be looked up one by one
}

const (
	spanMin = 8  // fewer are not worth the loops' set-up
	spanGap = 64 // how many handles go one by one before a span is looked for again
)

// spanOf returns what handles begin with, at least one of them.
func spanOf(handles []Entity) span {
	if len(handles) < spanMin {
		return span{len(handles), 0}
	}
	step := handles[1] - handles[0]
	if step != 1 && step != ^Entity(0) {
		return span{min(len(handles), spanGap), 0}
	}
	n, next := 2, handles[1]+step
	for ; n+4 <= len(handles); n += 4 {
		h := (*[4]Entity)(unsafe.Add(unsafe.Pointer(&handles[0]), n*8))
		if h[0] != next || h[1] != next+step || h[2] != next+2*step || h[3] != next+3*step {
			break
		}
		next += 4 * step
	}
	for ; n < len(handles) && handles[n] == next; n++ {
		next += step
	}
	if n < spanMin {
		return span{min(len(handles), spanGap), 0}
	}
	return span{n, step}
}

// point points the slots of entities at consecutive rows of a chunk, in all of the columns.
func point(cols []groupColumn, handles []Entity, l memmgr.Loc) {
	for len(handles) > 0 {
		s := spanOf(handles)
		first := (*groupColumn)(nil) // the first one whose slots are flat: the others' are copies
		for i := range cols {
			c := &cols[i]
			switch {
			case c.base == nil:
				l := l
				for _, e := range handles[:s.n] {
					*c.pool.slots.Ptr(e.Index()) = makeSlot(e, l)
					l = l.Plus(1)
				}
			case first == nil:
				first = c
				c.pointSpan(s, handles, l)
			case s.step != 0:
				copy(c.spanSlots(s, handles), first.spanSlots(s, handles))
			default:
				for _, e := range handles[:s.n] {
					*slotAt(c.base, e) = *slotAt(first.base, e)
				}
			}
		}
		handles, l = handles[s.n:], l.Plus(uint32(s.n))
	}
}

// pointSpan is point for those that handles begin with and one column, a flat one.
func (c *groupColumn) pointSpan(s span, handles []Entity, l memmgr.Loc) {
	if s.step == 0 {
		for _, e := range handles[:s.n] {
			*slotAt(c.base, e) = makeSlot(e, l)
			l = l.Plus(1)
		}
		return
	}
	v, step := makeSlot(handles[0], l), uint64(l.Plus(1)-l)
	if s.step != 1 { // the lowest index has the last row
		v, step = makeSlot(handles[0], l.Plus(uint32(s.n-1))), -step
	}
	slots := c.spanSlots(s, handles)
	for i := range slots {
		slots[i] = v
		v += step
	}
}

// spanSlots is the slots of a span, lowest index first, where they are flat.
func (c *groupColumn) spanSlots(s span, handles []Entity) []uint64 {
	low := min(handles[0].Index(), handles[s.n-1].Index())
	return unsafe.Slice((*uint64)(unsafe.Add(c.base, uintptr(low)*8)), s.n)
}

// clearSlots empties the slots of those that handles begin with.
func (c *groupColumn) clearSlots(s span, handles []Entity) {
	handles = handles[:s.n]
	switch {
	case c.base == nil:
		for _, e := range handles {
			*c.pool.slots.Ptr(e.Index()) = 0
		}
	case s.step == 0:
		for _, e := range handles {
			*slotAt(c.base, e) = 0
		}
	default:
		clear(c.spanSlots(s, handles))
	}
}

// releaseSpan is release for those that handles begin with, as long as their set is the
// given one: it returns for how many that was so.
func (w *World) releaseSpan(s span, handles []Entity, set uint64) (n int) {
	handles = handles[:s.n]
	if w.options.Recycle != LIFO {
		for n, e := range handles {
			r := w.recordAt(e.Index())
			if r.set != set {
				return n
			}
			w.release(r)
		}
		return s.n
	}
	head := w.freeHead
	if head == 0 {
		w.freeTail = handles[0].Index()
	}
	if s.step == 0 {
		for ; n < s.n; n++ {
			e := handles[n]
			r := w.recordAt(e.Index())
			if r.set != set {
				break
			}
			*r = record{id: e.next()>>versionShift<<versionShift | flagFree | Entity(head)}
			head = e.Index()
		}
	} else {
		first, stride := w.recordAt(handles[0].Index()), int(s.step)*int(unsafe.Sizeof(record{}))
		free := handles[0].next()>>versionShift<<versionShift | flagFree
		id := free | Entity(handles[0].Index()) - s.step // each links to the one before it
		for ; n < s.n; n++ {
			r := (*record)(unsafe.Add(unsafe.Pointer(first), n*stride)) // never beyond the span
			if r.set != set {
				break
			}
			*r = record{id: id}
			id += s.step
		}
		if n > 0 {
			first.id, head = free|Entity(head), handles[n-1].Index()
		}
	}
	w.freeHead = head
	w.alive -= uint32(n)
	return n
}

// recall undoes the release of entities that had a set; the free list went from head
// to tail before.
func (w *World) recall(handles []Entity, set uint64, head, tail uint32) {
	for _, e := range handles {
		*w.recordAt(e.Index()) = record{e, set}
	}
	w.alive += uint32(len(handles))
	if w.freeHead, w.freeTail = head, tail; head != 0 {
		end := w.recordAt(tail)
		end.id = end.id >> indexBits << indexBits
	}
}
