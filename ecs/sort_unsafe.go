package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// mover puts rows of a sequence into another order.
type mover struct {
	w    *World
	seq  *memmgr.Sequence
	cols []groupColumn
}

// mover returns one without a sequence if there is none yet.
func (r rows) mover() mover {
	m := mover{w: r.world(), seq: r.seq()}
	if r.group != nil {
		m.cols = r.group.cols
	} else if p := r.pool; m.seq != nil {
		m.cols = []groupColumn{{pool: p, dir: p.dir, size: p.size}}
	}
	return m
}

// handles are the entities of a chunk's n rows: good until rows change.
func (w *World) handles(id chunk.ID, n int) []Entity {
	return unsafe.Slice((*Entity)(w.ids.Addr(id)), n)
}

// arrange brings entities, as far as they have rows here, into the rows from the k-th
// on. It ends with the last swap that it may make, or at an entity for which no row is
// left. It returns how many entities it has done with, how many of these have rows
// here, and how many swaps that took. An entity that is in its row costs a load of its
// slot; a swap costs what a swap of each column costs.
func (m *mover) arrange(es []Entity, k, most int) (done, have, swaps int) {
	slots, last := m.cols[0].pool.slots, m.seq.Layout().Capacity()-1
	left := m.seq.Len() - k
	var at memmgr.Loc // row k+have; 0: not known
	for i, e := range es {
		s := slots.Load(e.Index())
		if at == 0 && have < left {
			at = m.seq.At(k + have)
		}
		if s != makeSlot(e, at) {
			l := slotLoc(s)
			if !slotIs(s, e) || m.w.m.Sequence(l.Chunk()) != m.seq {
				continue
			}
			if have >= left {
				return i, have, swaps
			}
			m.swap(at, l)
			swaps++
		}
		have++
		if at.Row() < last {
			at = at.Plus(1)
		} else {
			at = 0
		}
		if have >= left {
			at = 0
		}
		if swaps == most {
			return i + 1, have, swaps
		}
	}
	return len(es), have, swaps
}

// swap exchanges two rows: entities, values, and what their slots say. The columns of
// entities are stamped, as wherever rows change.
func (m *mover) swap(a, b memmgr.Loc) {
	w := m.w
	ea, eb := w.entityAt(a), w.entityAt(b)
	w.putEntity(a, eb)
	w.putEntity(b, ea)
	slotA, slotB := makeSlot(eb, a), makeSlot(ea, b)
	cols := m.cols
	for i := range cols {
		c := &cols[i]
		swapValues(c.at(a), c.at(b), c.size)
		*c.slot(eb.Index()), *c.slot(ea.Index()) = slotA, slotB
	}
}

// swapValues exchanges two values of n bytes.
func swapValues(a, b unsafe.Pointer, n uintptr) {
	i := uintptr(0)
	for ; i+8 <= n; i += 8 { // as in copyValue
		p, q := (*uint64)(unsafe.Add(a, i)), (*uint64)(unsafe.Add(b, i))
		*p, *q = *q, *p
	}
	for ; i < n; i++ {
		p, q := (*byte)(unsafe.Add(a, i)), (*byte)(unsafe.Add(b, i))
		*p, *q = *q, *p
	}
}
