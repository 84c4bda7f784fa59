package ecs

import (
	"fmt"
	"math/bits"
	"slices"
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

// checkSet compares an entity's set with its slots, and with the groups that own what it
// has: it is in one if it has all that the group owns. It costs what the entity has.
func (w *World) checkSet(e Entity, r *record) error {
	for plane := range len(w.planes) + 1 {
		for set := w.bitsOf(e, r, plane); set != 0; set &= set - 1 {
			id := plane*64 + bits.TrailingZeros64(set)
			if id >= len(w.pools) || !w.pools[id].Has(e) {
				return fmt.Errorf("ecs: the set of %v names component %d, which has no slot for it", e, id)
			}
			if p := w.pools[id]; p.group != nil {
				if err := p.group.checkMember(e, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkMember compares where an entity has an owned component with where it has the
// group's first, and that with whether it has all.
func (g *group) checkMember(e Entity, p *pool) error {
	l, first := slotLoc(p.slots.Load(e.Index())), g.pools[0]
	inside := g.ownsRow(l)
	if p == first {
		all := !slices.ContainsFunc(g.pools, func(p *pool) bool { return !p.Has(e) })
		if all != inside {
			return fmt.Errorf("ecs: %v has all components of group %q: %v; it is in the group: %v", e, g.name, all, inside)
		}
		return nil
	}
	s := first.slots.Load(e.Index())
	switch in := slotIs(s, e) && g.ownsRow(slotLoc(s)); {
	case in != inside:
		return fmt.Errorf("ecs: %v is in group %q with some of its components", e, g.name)
	case in && slotLoc(s) != l:
		return fmt.Errorf("ecs: %v has two rows in group %q", e, g.name)
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
	if slots := p.countSlots(); slots != rows {
		return fmt.Errorf("%d slots are set for %d rows", slots, rows)
	}
	return nil
}

// countSlots is how many slots are set. There may be thousands of pools with few rows
// each, so it goes over slots that are not in steps of a line.
func (p *pool) countSlots() (n int) {
	last := min(p.slots.Len(), p.w.next)
	slots := p.slots.Span(0)[:last]
	for ; len(slots) >= 8; slots = slots[8:] {
		if s := (*[8]uint64)(slots); s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7] != 0 {
			n += setSlots(s[:])
		}
	}
	return n + setSlots(slots)
}

func setSlots(slots []uint64) (n int) {
	for _, s := range slots {
		if s != 0 {
			n++
		}
	}
	return n
}

// ownerRows is the sequence of the group that owns the component, or nil.
func (p *pool) ownerRows() *memmgr.Sequence {
	if p.group == nil {
		return nil
	}
	return p.group.seq
}
