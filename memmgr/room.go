package memmgr

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A new chunk goes to the first of these places that is to be had:
//
//	its position in a striped region      if its sequence is long enough
//	the slot behind the chunk before it   if that costs no region and no page
//	a block                               if it is the only chunk, and its rows fit
//	a slot                                also after makeSpace
//	a position that others have left      in a region of the same columns
//
// A chunk that leaves a region goes behind the one before it, too, and never opens a region. All
// of it is about addresses. Numbers, rows and order stay the same wherever a chunk goes.

// room finds a spot for a new chunk by its place in the order, for so many rows.
func (m *Manager) room(s *Sequence, order uint32, rows int) (spot.At, error) {
	stripes := s.stripes(int(order - s.first))
	if stripes {
		if at, ok := m.enter(s, order); ok {
			return at, nil
		}
	}
	if at, ok := m.beside(s, order); ok {
		return at, nil
	}
	at, err := m.plainRoom(s, rows, len(s.chunks) == 0)
	if err != nil && stripes { // space was made, which may do for a position
		if at, ok := m.enter(s, order); ok {
			return at, nil
		}
	}
	if err != nil { // positions that rows have left serve until their region is empty
		if at, ok := m.book.LastPosition(s.shape); ok {
			return at, nil
		}
	}
	return at, err
}

// enter takes the position of the chunk of an order in a striped region; ok is false if there is
// no memory for that, or if another chunk is there.
func (m *Manager) enter(s *Sequence, order uint32) (at spot.At, ok bool) {
	return m.book.Enter(&s.home, s.shape, s.kind(), order, len(s.chunks))
}

// plainRoom takes a block for the only chunk of a sequence, if it fits into one, or a slot.
func (m *Manager) plainRoom(s *Sequence, rows int, only bool) (spot.At, error) {
	f := spot.Whole
	if only {
		f = s.shape.FormFor(uint32(min(max(uint64(rows), s.expected, 1), chunk.MaxRows)))
	}
	return m.takeOrMakeSpace(s, f)
}

// takeOrMakeSpace takes a block or a slot. If that is refused, it makes space and tries again.
func (m *Manager) takeOrMakeSpace(s *Sequence, f spot.Form) (spot.At, error) {
	at, err := m.book.Take(s.shape, f, s.kind())
	if err != nil && m.makeSpace(s) {
		at, err = m.book.Take(s.shape, f, s.kind())
	}
	return at, err
}

// lodging finds a spot for a chunk of a region that is held. It takes no new region; ok is false
// if the others are full.
func (m *Manager) lodging(e *entry) (at spot.At, ok bool) {
	s, kind := e.seq, m.book.Range(e.spot)
	if e.order > s.first {
		at, ok = m.beside(s, e.order)
	} else if before := m.nearest(s); before != nil && e.spot.Form == spot.Whole {
		at, ok = m.book.SlotBehind(m.table.at(before.tail.Chunk()).spot, s.kind())
	}
	if ok {
		return at, true
	}
	return m.book.TakeNear(s.shape, e.spot.Form, kind)
}

// beside takes the slot behind the chunk before the one of an order, if that is a spot that costs
// no more than others.
func (m *Manager) beside(s *Sequence, order uint32) (at spot.At, ok bool) {
	if i := order - s.first; i > 0 {
		return m.book.SlotBehind(m.table.at(s.chunks[i-1]).spot, s.kind())
	}
	return spot.At{}, false
}

// nearest returns the sequence before another one, as they are walked, that has its last chunk in a slot
// of its own: the nearest one, or nil.
func (m *Manager) nearest(s *Sequence) *Sequence {
	left, rank := candidatesMost, m.walk.rank(s)
	is := func(t *Sequence) bool {
		return t != nil && m.walk.rank(t) == rank && len(t.chunks) > 0 && m.table.at(t.tail.Chunk()).spot.Form == spot.Whole
	}
	for at := s.place; at > 0 && rank == len(m.walk.names) && left > 0; left-- {
		if at--; is(m.seqs[at]) {
			return m.seqs[at]
		}
	}
	for ; rank > 0 && left > 0; left-- {
		rank--
		if t := m.names[m.walk.names[rank]]; is(t) {
			return t
		}
	}
	return nil
}

func walkOf(names []string) walk {
	w := walk{names, make(map[string]int, len(names))}
	for i, name := range slices.Backward(names) {
		w.ranks[name] = i
	}
	return w
}

// rank is a sequence's place among the names, or behind them.
func (w *walk) rank(s *Sequence) int {
	if i, named := w.ranks[s.name]; named {
		return i
	}
	return len(w.names)
}
