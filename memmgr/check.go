package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// Check proves the invariants of the package comment and of the arena: an error
// names the first that does not hold. It costs a pass over everything but rows.
func (m *Manager) Check() error {
	if m.closed {
		return nil
	}
	if err := m.arena.Check(); err != nil {
		return err
	}
	owner := make(map[arena.Slot]chunk.ID)
	var pins uint64
	annexes := 0
	for i := range m.table {
		e, id := &m.table[i], chunk.ID(i)
		if e.seq == nil {
			continue
		}
		if other, taken := owner[e.slot]; taken {
			return fmt.Errorf("memmgr: chunks %d and %d share slot %d", other, id, e.slot)
		}
		owner[e.slot] = id
		if e.annex != 0 {
			if other, taken := owner[e.annexSlot()]; taken {
				return fmt.Errorf("memmgr: chunk %d and the annex of chunk %d share slot %d", other, id, e.annexSlot())
			}
			owner[e.annexSlot()] = id
			annexes++
		}
		pins += uint64(e.pins)
		if e.order == spareOrder {
			if e.seq.spare != id {
				return fmt.Errorf("memmgr: chunk %d says that it is the spare of %q, whose spare is %d", id, e.seq.name, e.seq.spare)
			}
		} else if int(e.order) >= len(e.seq.chunks) || e.seq.chunks[e.order] != id {
			return fmt.Errorf("memmgr: chunk %d is not at place %d of %q", id, e.order, e.seq.name)
		}
		if err := m.checkCells(id); err != nil {
			return err
		}
	}
	if annexes != m.annexes {
		return fmt.Errorf("memmgr: %d annexes counted, %d in the table", m.annexes, annexes)
	}
	if pins != m.pins {
		return fmt.Errorf("memmgr: %d pins counted, %d in the table", m.pins, pins)
	}
	for _, s := range m.seqs {
		if err := s.check(); err != nil {
			return err
		}
	}
	for _, r := range m.retired {
		if id, taken := owner[r.slot]; taken {
			return fmt.Errorf("memmgr: slot %d is in quarantine and chunk %d lies in it", r.slot, id)
		}
	}
	st := m.Stats()
	var arrays uint64 // arrays count as live
	for p := range arena.Purposes {
		if p != arena.PurposeChunks {
			arrays += st.Arena.DirtyBy[p]
		}
	}
	live := st.Arena.Live - arrays
	switch {
	case live != uint64(len(owner))*arena.SlotBytes:
		return fmt.Errorf("memmgr: %d bytes of slots are live, and chunks and annexes use %d slots", live, len(owner))
	case st.Arena.Quarantined != uint64(len(m.retired))*arena.SlotBytes:
		return fmt.Errorf("memmgr: %d bytes of slots are in quarantine, and %d slots are retired", st.Arena.Quarantined, len(m.retired))
	case live < st.Payload:
		return fmt.Errorf("memmgr: payload %d exceeds live %d", st.Payload, live)
	}
	return nil
}

// checkCells compares a chunk's cells with its line of the table.
func (m *Manager) checkCells(id chunk.ID) error {
	e := &m.table[id]
	if e.base != m.arena.Base(e.slot) {
		return fmt.Errorf("memmgr: chunk %d is not where its slot %d is", id, e.slot)
	}
	l := e.seq.layout(e.small)
	for i, d := range e.seq.dirs {
		if got, want := e.seq.offsets[i], uintptr(l.Offset(i, 0)-l.Offset(0, 0)); e.order != spareOrder && got != want {
			return fmt.Errorf("memmgr: column %d of %q is noted at offset %d, and it is at %d", i, e.seq.name, got, want)
		}
		if want := plus(e.base, l.Offset(i, e.colour)); !d.Has(id) || d.Addr(id) != want || d.Cell(id).Addr != want {
			return fmt.Errorf("memmgr: column %d of chunk %d of %q has a wrong address", i, id, e.seq.name)
		}
	}
	return nil
}

// check compares a sequence with the table.
func (s *Sequence) check() error {
	for i, id := range s.chunks {
		if e := &s.m.table[id]; e.seq != s || e.order != uint32(i) {
			return fmt.Errorf("memmgr: place %d of %q has chunk %d, which belongs elsewhere", i, s.name, id)
		}
		if e := &s.m.table[id]; e.small && len(s.chunks) > 1 {
			return fmt.Errorf("memmgr: chunk %d of %q is small and not alone", id, s.name)
		}
	}
	switch n := len(s.chunks); {
	case n == 0 && (s.tail != 0 || s.next != 0 || s.end != 0):
		return fmt.Errorf("memmgr: %q has no chunks and a tail", s.name)
	case n > 0 && (s.tail != MakeLoc(s.chunks[n-1], 0) || s.tailRows() == 0 && n > 1 || s.tailRows() > s.tailCap()):
		return fmt.Errorf("memmgr: the tail of %q is at %v with %d of %d rows", s.name, s.tail, s.tailRows(), s.tailCap())
	case n > 0 && s.tailCap() != s.layout(s.m.table[s.chunks[n-1]].small).Capacity():
		return fmt.Errorf("memmgr: the tail of %q has another capacity than its layout", s.name)
	}
	return nil
}
