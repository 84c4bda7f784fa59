package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// retired is a slot that nobody should look at any more; it is free for others
// from the next safe point on.
type retired struct {
	slot  arena.Slot
	epoch uint64
}

// poison is what checked builds write over a slot that went out of use.
const poison = 0xDB

// retireMax bounds the quarantine of programs that never come to a safe point.
const retireMax = 1024

// retire takes a slot out of use that somebody may still hold an address of.
func (m *Manager) retire(slot arena.Slot) {
	m.arena.Quarantine(slot)
	if arena.Checked {
		m.arena.Fill(slot, poison)
	}
	if len(m.retired) >= retireMax {
		n := len(m.retired) / 2
		for _, r := range m.retired[:n] {
			m.arena.Free(r.slot)
		}
		m.retired = append(m.retired[:0], m.retired[n:]...)
	}
	m.retired = append(m.retired, retired{slot, m.epoch})
}

// discard takes a slot out of use in a structural change, after which nobody may
// hold an address: it is free at once, and in checked builds poisoned and retired.
func (m *Manager) discard(slot arena.Slot) {
	if arena.Checked {
		m.retire(slot)
		return
	}
	m.arena.Free(slot)
}

// SafePoint says that nobody holds an address into a chunk. It ends the quarantine
// of slots that went out of use before the last safe point, frees spare chunks,
// makes moves that are due within the budget (see Adapt), and under Options.Stress
// moves every chunk instead. With nothing to do it costs a few
// comparisons. The error is the operating system's, from giving memory back; it
// leaves everything usable.
func (m *Manager) SafePoint() error {
	m.epoch++
	if len(m.retired) != 0 {
		m.release(m.epoch - 1)
	}
	if len(m.spares) != 0 {
		m.trimSpares()
	}
	if m.stress {
		return m.stressAll()
	}
	if m.adapt != nil && len(m.adapt.queue) != 0 {
		m.adapt.work()
	}
	return nil
}

// release frees the slots that were retired before an epoch.
func (m *Manager) release(before uint64) {
	n := 0
	for n < len(m.retired) && m.retired[n].epoch < before {
		m.arena.Free(m.retired[n].slot)
		n++
	}
	m.retired = append(m.retired[:0], m.retired[n:]...)
}

func (m *Manager) trimSpares() {
	keep := m.spares[:0]
	for _, s := range m.spares {
		if s.spare != 0 && s.tailRows() <= s.full.Capacity()/2 && m.table[s.spare].pins == 0 {
			s.freeSpare()
		}
		if m.table[s.tail.Chunk()].pins == 0 {
			s.freeEmpty()
		}
		if s.listed = s.spare != 0 || s.tail != 0 && s.next == s.tail; s.listed {
			keep = append(keep, s)
		} else {
			s.floor = s.tail
		}
	}
	clear(m.spares[len(keep):])
	m.spares = keep
}

// Move copies a chunk to another slot and publishes it there. Only at safe points.
// It returns false for a pinned chunk, which stays and is counted. After an error,
// which is the arena's, the old place is in force.
func (m *Manager) Move(id chunk.ID) (bool, error) {
	e := &m.table[id]
	if e.seq == nil {
		panic(fmt.Sprintf("memmgr: Move of chunk %d, which is not in use", id))
	}
	if e.pins != 0 {
		m.counts.SkippedPinned++
		return false, nil
	}
	old, err := m.relocate(id, e.small)
	if err != nil {
		return false, err
	}
	m.retire(old)
	m.counts.Moved++
	return true, nil
}

// relocate copies a chunk's rows to a new slot, laid out small or full, and
// publishes that. It returns the old slot, which is still in use.
func (m *Manager) relocate(id chunk.ID, small bool) (arena.Slot, error) {
	s := m.table[id].seq
	slot, err := m.slotFor(s, int(m.table[id].order), small)
	if err != nil {
		return 0, fmt.Errorf("memmgr: moving chunk %d of %q: %w", id, s.name, err)
	}
	return m.settle(id, small, slot), nil
}

// settle copies a chunk's rows to a slot taken for it, laid out small or full, and
// publishes that. It returns the old slot, which is still in use. Rows must fit.
func (m *Manager) settle(id chunk.ID, small bool, slot arena.Slot) arena.Slot {
	e := &m.table[id]
	old := *e
	e.small = small
	m.place(id, slot)
	e.moves++
	e.copied += m.copyRows(id, &old)
	if s := e.seq; small != old.small && s.tail.Chunk() == id {
		s.laidOut(s.layout(small))
		s.end = s.tail.Plus(s.layout(small).Capacity())
	}
	return old.slot
}

// rowsOf is the number of rows in a chunk.
func (m *Manager) rowsOf(id chunk.ID) uint32 {
	e := &m.table[id]
	switch {
	case e.order == spareOrder:
		return 0
	case int(e.order) == len(e.seq.chunks)-1:
		return e.seq.tailRows()
	}
	return e.seq.full.Capacity()
}

// stressAll moves every chunk that it can, then gives back all that is free. A
// move that finds no room is skipped: memory is somebody else's to miss.
func (m *Manager) stressAll() error {
	for _, s := range m.seqs {
		for _, id := range s.chunks {
			if _, err := m.Move(id); err != nil {
				m.counts.SkippedFull++
			}
		}
	}
	_, err := m.arena.Purge(^uint64(0))
	return err
}

// Reclaim gives free memory back to the operating system, whole regions first, at
// most about maxBytes of it, and returns how much. Only at safe points.
func (m *Manager) Reclaim(maxBytes uint64) (uint64, error) {
	for _, s := range m.spares {
		if s.spare != 0 && m.table[s.spare].pins == 0 {
			s.freeSpare()
		}
	}
	m.trimSpares()
	m.release(m.epoch + 1)
	return m.arena.Purge(maxBytes)
}
