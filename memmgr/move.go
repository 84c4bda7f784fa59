package memmgr

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/frames"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A safe point does, in this order, what has come up since the last one:
//
//	spots in quarantine for two epochs   → free
//	chunks that are pinned no more       → free
//	spares that are not likely to serve  → free
//	chunks that are astray               → where they belong, within the budget: see astray.go
//
// Freeing comes first, so that moves find room. With nothing to do it costs a few loads.

// SafePoint declares that no caller keeps an address into a chunk. It ends the quarantine of
// places that went out of use before the last safe point, and frees spare chunks. It brings
// chunks to their places within the budget (see setBudget); under Options.Stress it moves every
// chunk instead. With nothing to do it costs a few comparisons. The error is the operating
// system's, from giving memory back, and leaves everything usable. It panics as EndFrame does.
func (m *Manager) SafePoint() error {
	m.mustRest("SafePoint")
	if m.atRest() {
		m.book.NextEpoch()
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
	m.book.NextEpoch()
	defer m.book.NextEpoch()
	if m.book.Retired() != 0 {
		m.book.Release(false)
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
	return m.ready && m.book.Retired()|len(m.waiting)|len(m.spares)|len(m.astray) == 0 && !m.using.Load()
}

// move copies a chunk to another place and publishes it there. A chunk of a striped region
// goes to a free position of a region with the same columns, or to a slot, and back to its own
// position with the next move. Only at safe points. It returns false for a pinned chunk, which
// stays and is counted. After an error, which is the arena's, the old place is in force.
func (m *Manager) move(id chunk.ID) (bool, error) {
	e := m.mustUse(id, "Move")
	if e.pins.Load() != 0 {
		m.counts.skippedPinned++
		return false, nil
	}
	at, err := m.elsewhere(e)
	if err != nil {
		return false, fmt.Errorf("memmgr: moving chunk %d of %q: %w", id, e.seq.name, err)
	}
	m.book.Retire(e.seq.shape, m.moveTo(id, at))
	if s := e.seq; e.order != spareOrder && s.stripes(int(e.order-s.first)) && !s.home.Has(e.order, e.spot) {
		m.goAstray(id)
	}
	m.counts.moved++
	return true, nil
}

// stressAll moves every chunk that it can, then gives back all free memory. It skips a move
// that finds no room, because an error would be about memory that no call has asked for.
func (m *Manager) stressAll() error {
	for _, s := range m.live() {
		for _, id := range s.chunks {
			if _, err := m.move(id); err != nil {
				m.counts.skippedFull++
			}
		}
	}
	_, err := m.arena.Purge(^uint64(0))
	return err
}

// elsewhere finds another spot for a chunk that move is asked to move: home, if it is not there;
// otherwise the last free position of a region of the same shape; otherwise a slot.
func (m *Manager) elsewhere(e *entry) (spot.At, error) {
	s := e.seq
	if e.order != spareOrder && !s.home.Has(e.order, e.spot) && s.stripes(int(e.order-s.first)) {
		if at, ok := m.enter(s, e.order); ok {
			return at, nil
		}
	}
	if e.spot.Form == spot.Striped {
		if at, ok := m.book.LastPosition(s.shape); ok {
			return at, nil
		}
		return m.takeOrMakeSpace(s, spot.Whole)
	}
	return m.takeOrMakeSpace(s, e.spot.Form)
}

// nextFrame says that a frame is over, and returns how much time its budget has left. The next
// one has a budget of its own. Spare chunks that no row has wanted for frames.Many frames are freed,
// with any budget. Their time is counted in frames, with adapting and without, since free numbers
// decide which one a chunk gets.
func (m *Manager) nextFrame() (left time.Duration, err error) {
	m.mustBeMade("EndFrame")
	if m.closed {
		return 0, m.isClosed("EndFrame")
	}
	m.frame++
	left, m.pacing.spent = m.left(), 0
	if m.frame%frames.Many == 0 && len(m.spares) != 0 {
		defer m.use("EndFrame")()
		m.freeOldSpares()
	}
	return left, nil
}
