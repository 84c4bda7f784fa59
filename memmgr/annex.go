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

// DropAnnex gives a chunk's annex back, if it has one.
func (m *Manager) DropAnnex(id chunk.ID) {
	if e := &m.table[id]; e.annex != 0 {
		m.discard(e.annexSlot())
		e.annex = 0
		m.annexes--
	}
}
