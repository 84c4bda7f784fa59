package ecs

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Check proves the invariants of the package comment, of the memory manager and
// of the arena: an error names the first that does not hold. It costs a pass over
// all entities and rows. Between frames only.
func (w *World) Check() error {
	w.made("Check").mustIdle("Check")
	if w.closed {
		return nil
	}
	if err := w.m.Check(); err != nil {
		return err
	}
	if err := w.checkRecords(); err != nil {
		return err
	}
	for _, p := range w.pools {
		if err := p.check(); err != nil {
			return fmt.Errorf("ecs: component %q: %w", p.name, err)
		}
	}
	return nil
}

// checkRecords counts live and free records, walks the free list, and compares
// each live entity's set with its slots and groups.
func (w *World) checkRecords() error {
	var alive, free uint32
	for i := uint32(1); i < w.next; i++ {
		r := w.records.Ptr(i)
		if r.id&flagFree != 0 {
			free++
			if r.set != 0 {
				return fmt.Errorf("ecs: free record %d has components %b", i, r.set)
			}
			continue
		}
		alive++
		if r.id.Index() != i {
			return fmt.Errorf("ecs: record %d holds %v", i, r.id)
		}
		if err := w.checkSet(r.id&^flagMask, r); err != nil {
			return err
		}
	}
	if alive != w.alive {
		return fmt.Errorf("ecs: %d entities counted as alive, %d are", w.alive, alive)
	}
	var listed, last uint32
	for i := w.freeHead; i != 0; i = w.records.Load(i).id.Index() {
		if listed++; listed > free {
			return fmt.Errorf("ecs: the free list is longer than the %d free records", free)
		}
		last = i
	}
	if listed != free || free > 0 && last != w.freeTail {
		return fmt.Errorf("ecs: %d records are free, %d are in the free list, which ends at %d and not %d", free, listed, last, w.freeTail)
	}
	return nil
}

// bitsOf returns a plane of an entity's set.
func (w *World) bitsOf(e Entity, r *record, plane int) uint64 {
	if plane == 0 {
		return r.set
	}
	return w.planes[plane-1].Load(e.Index())
}

func (w *World) checkSet(e Entity, r *record) error {
	for plane := range len(w.planes) + 1 {
		for set := w.bitsOf(e, r, plane); set != 0; set &= set - 1 {
			id := plane*64 + bits.TrailingZeros64(set)
			if id >= len(w.pools) || !w.pools[id].Has(e) {
				return fmt.Errorf("ecs: the set of %v names component %d, which has no slot for it", e, id)
			}
		}
	}
	for _, g := range w.groups {
		in := false
		for i, p := range g.pools {
			s := p.slots.Load(e.Index())
			inside := slotIs(s, e) && g.ownsRow(slotLoc(s))
			if i > 0 && inside != in {
				return fmt.Errorf("ecs: %v is in group %q with some of its components", e, g.name)
			}
			if inside && slotLoc(s) != slotLoc(g.pools[0].slots.Load(e.Index())) {
				return fmt.Errorf("ecs: %v has two rows in group %q", e, g.name)
			}
			in = inside
		}
		if in != g.has(e, r) {
			return fmt.Errorf("ecs: %v has all components of group %q: %v; it is in the group: %v", e, g.name, !in, in)
		}
	}
	return nil
}

// check compares the pool's rows with slots and sets, and counts slots.
func (p *pool) check() error {
	rows := 0
	for _, s := range []*memmgr.Sequence{p.loose, p.ownerRows()} {
		if s == nil {
			continue
		}
		for id, n := range s.Chunks() {
			for row, e := range unsafe.Slice((*Entity)(p.w.ids.Addr(id)), n) {
				l := memmgr.MakeLoc(id, uint32(row))
				r := p.w.record(e)
				switch {
				case r == nil:
					return fmt.Errorf("row %v is of %v, which is not alive", l, e)
				case p.slots.Load(e.Index()) != makeSlot(e, l):
					return fmt.Errorf("row %v is of %v, whose slot says %v", l, e, slotLoc(p.slots.Load(e.Index())))
				case p.w.bitsOf(e, r, p.plane)&p.bit == 0:
					return fmt.Errorf("row %v is of %v, whose set lacks the component", l, e)
				}
				rows++
			}
		}
	}
	slots := 0
	for i := range min(p.slots.Len(), p.w.next) {
		if p.slots.Load(i) != 0 {
			slots++
		}
	}
	if slots != rows {
		return fmt.Errorf("%d slots are set for %d rows", slots, rows)
	}
	return nil
}

// ownerRows is the sequence of the group that owns the component, or nil.
func (p *pool) ownerRows() *memmgr.Sequence {
	if p.group == nil {
		return nil
	}
	return p.group.seq
}
