package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

func (e *entry) annexSlot() arena.Slot { return arena.Slot(e.annex - 1) }

// Annex returns the start of a slot that is bound to a chunk: room for views that
// were asked for when the chunk's geometry was settled already. It is made at the first
// call, in normal pages, and is good until DropAnnex or until the chunk is freed; it
// stays where it is when the chunk moves. Errors are the arena's.
func (m *Manager) Annex(id chunk.ID) (address, error) {
	m.mustUse(id, "Annex")
	e := &m.table[id]
	if e.annex == 0 {
		slot, err := m.arena.Alloc(arena.Normal)
		if err != nil {
			return nil, fmt.Errorf("memmgr: an annex for chunk %d of %q: %w", id, e.seq.name, err)
		}
		e.annex = uint32(slot) + 1
		m.annexes++
	}
	return m.arena.Base(e.annexSlot()), nil
}

// DropAnnex gives a chunk's annex back, if it has one, pages first: freed is what the
// system took, retained what stays resident until the arena gives it back, or until
// others use it. The slot is free in any case, with an error, which is the arena's, too.
func (m *Manager) DropAnnex(id chunk.ID) (freed, retained uint64, err error) {
	freed, retained, err = m.PurgeAnnex(id, 0, chunk.Bytes)
	m.freeAnnex(id)
	return freed, retained, err
}

// PurgeAnnex gives pages of a chunk's annex back, if it has one: their contents are
// undefined then. What it returns is as for DropCache.
func (m *Manager) PurgeAnnex(id chunk.ID, offset, bytes uint32) (freed, retained uint64, err error) {
	m.mustUse(id, "PurgeAnnex")
	e := &m.table[id]
	if e.annex == 0 {
		return 0, 0, nil
	}
	freed, retained, err = m.purgePart(e.annexSlot(), offset, bytes)
	if err != nil {
		err = fmt.Errorf("memmgr: dropping views in the annex of chunk %d of %q: %w", id, e.seq.name, err)
	}
	return freed, retained, err
}

// freeAnnex makes the slot of a chunk's annex free, if it has one.
func (m *Manager) freeAnnex(id chunk.ID) {
	if e := &m.table[id]; e.annex != 0 {
		m.discard(e.annexSlot())
		e.annex = 0
		m.annexes--
	}
}
