package memmgr

import (
	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// spot is the place of a chunk, in one of three forms: see the package comment. Rows, numbers and
// capacities are the same in all of them, but a block has room for fewer rows.
type spot struct {
	slot  arena.Slot
	block uint8 // of the slot
	form  form
}

// form is whole, striped, or 1 + the index of a block's layout in the shape.
type form uint8

const (
	whole   form = 0
	striped form = 255
)

func (f form) inBlock() bool { return f != whole && f != striped }

// capacity is how many rows have room.
func (s *shape) capacity(f form) uint32 {
	if f.inBlock() {
		return s.Blocks[f-1].Capacity()
	}
	return s.Full.Capacity()
}

// address is the address of column i of a chunk.
func (m *Manager) address(s *shape, at spot, i int) address {
	if at.form == striped {
		return plus(m.arena.RegionBase(at.slot), s.Stripes.Offset(i, uint32(at.slot)%chunk.RegionChunks))
	}
	return plus(m.arena.Base(at.slot), s.offset(at, i))
}

// offset is where column i of a chunk begins in its slot.
func (s *shape) offset(at spot, i int) uint32 {
	if at.form == whole {
		return s.Full.Offset(i, uint32(at.slot))
	}
	b := &s.Blocks[at.form-1]
	return uint32(at.block)*chunk.BlockBytes(b.Class) + b.Offset(i, 0)
}

// formFor is the form of an only chunk with so many rows: the smallest block that holds them, or a
// slot.
func (s *shape) formFor(rows uint32) form {
	if i, ok := s.BlockFor(rows); ok {
		return form(i + 1)
	}
	return whole
}

// takeBlock finds room for a chunk of few rows of a sequence.
func (m *Manager) takeBlock(s *Sequence, f form) (spot, error) {
	b := &m.blocks[s.shape.Blocks[f-1].Class]
	slot, block, err := b.take(m.arena)
	if err != nil && m.makeSpace(s) {
		slot, block, err = b.take(m.arena)
	}
	return spot{slot, block, f}, err
}

// takeSlot finds room for a chunk of a sequence in a slot of its own.
func (m *Manager) takeSlot(s *Sequence) (spot, error) {
	slot, err := m.arena.Alloc(s.kind())
	if err != nil && m.makeSpace(s) {
		slot, err = m.arena.Alloc(s.kind())
	}
	return spot{slot: slot}, err
}

// free gives a spot back. No caller may look there any more.
func (m *Manager) free(s *shape, at spot) {
	switch {
	case at.form == striped:
		m.leave(at.slot)
	case at.form == whole:
		m.arena.Free(at.slot)
	default:
		m.blocks[s.Blocks[at.form-1].Class].free(m.arena, at.slot, at.block)
	}
}

// room finds a spot for a new chunk by its place in the order, for so many rows.
func (m *Manager) room(s *Sequence, order uint32, rows int) (spot, error) {
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
		if at, ok := m.lastPosition(s.shape); ok {
			return at, nil
		}
	}
	return at, err
}

// plainRoom finds a block for the only chunk of a sequence, if it fits into one, or a slot.
func (m *Manager) plainRoom(s *Sequence, rows int, only bool) (spot, error) {
	if f := s.shape.formFor(uint32(min(max(rows, 1), chunk.MaxRows))); only && f.inBlock() {
		return m.takeBlock(s, f)
	}
	return m.takeSlot(s)
}
