package memmgr

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

func made(t testing.TB, o Options) *Manager {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func chunksOf(s *Sequence) (ids []chunk.ID) {
	for id := range s.Chunks() {
		ids = append(ids, id)
	}
	return ids
}

// slotOf is the slot in which a chunk is.
func slotOf(m *Manager, id chunk.ID) arena.Slot {
	for p := range m.placements() {
		if p.Chunk == id {
			return p.Slot
		}
	}
	return ^arena.Slot(0)
}

// rangeOf is the range in which a chunk is.
func rangeOf(m *Manager, id chunk.ID) arena.Range {
	r, _ := m.Arena().PlaceOf(slotOf(m, id))
	return r
}
