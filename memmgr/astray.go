package memmgr

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A chunk is astray if it may not be where it belongs. Structural changes only list it. A safe
// point decides, so that a sequence which grows and shrinks in between costs nothing:
//
//	bring    stays ─→ off the list          moved ─→ off the list, the old spot in quarantine
//	         must wait ─→ next safe point   refused ─→ off the list: it stays for good
//
// A chunk that has stayed is listed anew when its sequence changes its form again.

// brought is the outcome of bringing a chunk where it belongs.
type brought uint8

const (
	stays    brought = iota // it is there
	mustWait                // it is pinned, or its place is not free yet
	moved                   // it was moved
	refused                 // there is no memory for it
)

// bring moves a chunk to where it belongs: to its position; to a slot or a block if its
// sequence has shrunk; to the cold range; out of a region that is held.
func (m *Manager) bring(id chunk.ID, e *entry) brought {
	s := e.seq
	home, fits := s.stripes(len(s.chunks)-1), e.spot.Form != spot.Striped && !s.tooLarge()
	leaves := fits && !home && m.book.Held(e.spot.Slot)
	switch {
	case home && s.home.Has(e.order, e.spot), !home && fits && !leaves && m.warmEnough(e):
		s.watch()
		return stays
	case e.pins.Load() != 0, home && m.book.Occupied(&s.home, e.order):
		return mustWait // the chunk there is in quarantine, or goes home itself
	}
	at, ok := spot.At{}, false
	switch {
	case home:
		at, ok = m.enter(s, e.order)
	case leaves:
		at, ok = m.lodging(e)
	default:
		at, ok = m.plainSpot(id, e, fits)
	}
	if !ok {
		return refused
	}
	m.book.Retire(s.shape, m.moveTo(id, at))
	m.counts.moved++
	return moved
}

// plainSpot takes a block or a slot for a chunk. A slot in another range than its sequence's gains
// nothing for a chunk that fits where it is: then ok is false.
func (m *Manager) plainSpot(id chunk.ID, e *entry, fits bool) (at spot.At, ok bool) {
	s := e.seq
	at, err := m.plainRoom(s, int(withSlack(m.rowsOf(id))), len(s.chunks) == 1)
	if err == nil && fits && m.book.Range(at) != s.kind() {
		m.book.Free(s.shape, at)
		return at, false
	}
	return at, err == nil
}

// warmEnough tells whether a chunk may stay in the range where it is, given the cold
// sequences.
func (m *Manager) warmEnough(e *entry) bool {
	return !e.seq.cold || e.spot.Form != spot.Whole || m.book.Range(e.spot) == arena.Cold
}

// astrayMost is how many chunks a safe point looks at. At worst all are pinned and have to wait, and
// the budget is not looked at: 88 us, and 454 with 8192 (BenchmarkSafePointAstray).
const astrayMost = 1024

// straighten brings chunks that are astray where they belong, one after the other, until the
// budget of a safe point is spent. One that has to wait is looked at again next time. One that
// no memory can be had for is left where it is, and so are the others of its sequence.
func (m *Manager) straighten() {
	begin, most, bytes := m.now(), m.left(), m.pacing.budget.Bytes
	var did Adapting
	var poor *Sequence
	for range min(len(m.astray), astrayMost) {
		if m.turn >= len(m.astray) {
			m.turn = 0
		}
		id, was := m.astray[m.turn], stays
		e := m.table.at(id)
		s := e.seq
		if s != nil && s != poor && e.order != spareOrder {
			was = m.bring(id, e)
		}
		if was == mustWait {
			m.turn++
			continue
		}
		last := len(m.astray) - 1
		m.astray[m.turn], e.astray = m.astray[last], false
		m.astray = m.astray[:last]
		if was == refused {
			poor = s
			did.Refused++
		}
		if was != moved {
			continue
		}
		size := uint64(m.rowsOf(id)) * uint64(s.shape.Full.RowBytes())
		did.Moves++
		did.Bytes += size
		did.Longest = m.now().Sub(begin)
		if did.Bytes+size > bytes || did.Longest >= most {
			did.OverBudget = uint64(min(len(m.astray), 1))
			break
		}
	}
	m.pacing.moved(did)
}
