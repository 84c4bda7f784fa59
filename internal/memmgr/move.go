package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// retired is a place that no caller should look at any more. It is free for others from the
// second safe point on, or sooner if the quarantine is full.
type retired struct {
	shape *shape
	at    spot
	epoch uint64
	moved bool // somebody may hold an address until the next safe point
}

// poison is what checked builds write over a place that went out of use.
const poison = 0xDB

// retireMax bounds the quarantine of programs that never come to a safe point.
const retireMax = 1024

// spareFrames is for how many frames at least a spare chunk waits for a row. It is counted in
// frames, with adapting and without, since free numbers decide which one a chunk gets.
const spareFrames = 256

// retire takes a place out of use of which a caller may still hold an address.
func (m *Manager) retire(s *shape, at spot) {
	block := at.form.inBlock()
	if !block {
		m.arena.Quarantine(at.slot)
	}
	if arena.Checked {
		if block {
			m.poisonBlock(s, at)
		} else {
			m.arena.Fill(at.slot, poison)
		}
	}
	if len(m.retired) >= retireMax {
		n := len(m.retired) / 2
		for _, r := range m.retired[:n] {
			m.free(r.shape, r.at)
		}
		m.retired = append(m.retired[:0], m.retired[n:]...)
	}
	m.retired = append(m.retired, retired{s, at, m.epoch, true})
}

// discard takes a place out of use in a structural change. No caller may hold an address
// afterwards, so the place is free at once. In checked builds it is poisoned and retired.
func (m *Manager) discard(s *shape, at spot) {
	if arena.Checked {
		m.retire(s, at)
		m.retired[len(m.retired)-1].moved = false
		return
	}
	m.free(s, at)
}

// makeSpace frees what is not needed, after memory was refused: chunks that are kept for the
// next row, those of sequences without rows, and places that no chunk is pinned for any more. In
// checked builds it also frees places that structural changes have left. A sequence whose chunk is
// being moved keeps that. It tells whether it freed any.
func (m *Manager) makeSpace(moving *Sequence) bool {
	any := m.trimSpares(true, moving)
	waited := len(m.waiting)
	m.freeUnpinned()
	any = any || len(m.waiting) < waited
	keep := m.retired[:0]
	for _, r := range m.retired {
		if r.moved {
			keep = append(keep, r)
		} else {
			m.free(r.shape, r.at)
			any = true
		}
	}
	m.retired = keep
	return any
}

// SafePoint declares that no caller holds an address into a chunk. It ends the quarantine of
// places that went out of use before the last safe point, and frees spare chunks. It brings
// chunks to their places within the budget (see SetBudget); under Options.Stress it moves every
// chunk instead. With nothing to do it costs a few comparisons. The error is the operating
// system's, from giving memory back, and leaves everything usable.
func (m *Manager) SafePoint() error {
	m.epoch++
	if m.atRest() {
		return nil
	}
	return m.safePoint()
}

// safePoint is SafePoint where there is something to do.
func (m *Manager) safePoint() error {
	defer m.use("SafePoint")()
	if m.closed {
		return m.isClosed("SafePoint")
	}
	if len(m.retired) != 0 {
		m.release(m.epoch - 1)
	}
	if len(m.waiting) != 0 {
		m.freeUnpinned()
	}
	if len(m.spares) != 0 {
		m.trimSpares(false, nil)
	}
	if m.stress {
		return m.stressAll()
	}
	if len(m.astray) != 0 {
		m.straighten()
	}
	return nil
}

// atRest tells whether a safe point has nothing to do. It is all that one costs then: a
// call of use would cost several times as much.
func (m *Manager) atRest() bool {
	return m.ready && len(m.retired)|len(m.waiting)|len(m.spares)|len(m.astray) == 0 && !m.using.Load()
}

// release frees the places that were retired before an epoch.
func (m *Manager) release(before uint64) {
	n := 0
	for n < len(m.retired) && m.retired[n].epoch < before {
		m.free(m.retired[n].shape, m.retired[n].at)
		n++
	}
	m.retired = append(m.retired[:0], m.retired[n:]...)
}

// trimSpares frees the chunks of sequences without rows, but for that of one whose chunk is being
// moved. It frees spare chunks that are not pinned: all, or those that are not likely to be used
// soon. It tells whether it freed any.
func (m *Manager) trimSpares(all bool, moving *Sequence) (any bool) {
	keep := m.spares[:0]
	for _, s := range m.spares {
		if s.gone {
			continue
		}
		if s.spare != 0 && (all || s.tailRows() <= uint32(s.Capacity())/2) && m.table.at(s.spare).pins.Load() == 0 {
			s.freeSpare()
			any = true
		}
		if s != moving && s.tail != 0 && s.next == s.tail {
			s.freeEmpty()
			any = true
		}
		if s.listed = s.spare != 0 || s.tail != 0 && s.next == s.tail; s.listed {
			keep = append(keep, s)
		} else {
			s.watch()
		}
	}
	clear(m.spares[len(keep):])
	m.spares = keep
	return any
}

// freeOldSpares frees the spare chunks that are not pinned and were there when it was last called.
func (m *Manager) freeOldSpares() {
	for _, s := range m.spares {
		if s.spare != 0 && s.old && m.table.at(s.spare).pins.Load() == 0 {
			s.freeSpare()
		}
		s.old = s.spare != 0
	}
}

// Move copies a chunk to another place and publishes it there. A chunk of a striped region
// goes to a free position of a region with the same columns, or to a slot, and back to its own
// position with the next move. Only at safe points. It returns false for a pinned chunk, which
// stays and is counted. After an error, which is the arena's, the old place is in force.
func (m *Manager) Move(id chunk.ID) (bool, error) {
	defer m.use("Move")()
	return m.move(id)
}

func (m *Manager) move(id chunk.ID) (bool, error) {
	e := m.mustUse(id, "Move")
	if e.pins.Load() != 0 {
		m.counts.SkippedPinned++
		return false, nil
	}
	at, err := m.elsewhere(e)
	if err != nil {
		return false, fmt.Errorf("memmgr: moving chunk %d of %q: %w", id, e.seq.name, err)
	}
	m.retire(e.seq.shape, m.moveTo(id, at))
	if s := e.seq; e.order != spareOrder && s.stripes(int(e.order-s.first)) && !s.isHome(e) {
		m.goAstray(id)
	}
	m.counts.Moved++
	return true, nil
}

// moveTo copies a chunk's rows to a place taken for it and publishes that. It returns
// the old place, which is still in use. Rows must fit.
func (m *Manager) moveTo(id chunk.ID, at spot) (old spot) {
	e := m.table.at(id)
	old = e.spot
	m.moveOut(old)
	m.publish(id, at)
	e.moves++
	e.copied += m.copyRows(id, old)
	if s := e.seq; s.tail.Chunk() == id {
		s.end = s.tail.Plus(s.shape.capacity(at.form))
		s.watch()
	}
	return old
}

// rowsOf is the number of rows in a chunk.
func (m *Manager) rowsOf(id chunk.ID) uint32 {
	e := m.table.at(id)
	switch s := e.seq; {
	case e.order == spareOrder:
		return 0
	case e.order-s.first == uint32(len(s.chunks)-1):
		return s.tailRows()
	default:
		return s.shape.Full.Capacity()
	}
}

// stressAll moves every chunk that it can, then gives back all free memory. It skips a move
// that finds no room, because an error would be about memory that no call has asked for.
func (m *Manager) stressAll() error {
	for _, s := range m.live() {
		for _, id := range s.chunks {
			if _, err := m.move(id); err != nil {
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
	defer m.use("Reclaim")()
	if m.closed {
		return 0, m.isClosed("Reclaim")
	}
	m.makeSpace(nil)
	m.release(m.epoch + 1)
	return m.arena.Purge(maxBytes)
}
