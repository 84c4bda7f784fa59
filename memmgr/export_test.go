package memmgr

import (
	"github.com/ashlar-go/ashlar/chunk"
)

// Columns are columns with addresses of their own, as MakeSequence takes them.
func Columns(specs ...chunk.Spec) []ColumnSpec {
	columns := make([]ColumnSpec, len(specs))
	for i, spec := range specs {
		columns[i].Spec = spec
	}
	return columns
}

// Limit is what SetLimit has set; 0 is none.
func (s *Sequence) Limit() uint64 { return s.limit }

// pin pins one chunk until unpin.
func (m *Manager) pin(id chunk.ID) {
	e := m.mustUse(id, "Pin")
	e.pins.Add(1)
	if s := e.seq; s.tail.Chunk() == id {
		s.floor = s.tail
	}
}

// unpin ends a pin, on the goroutine of the manager.
func (m *Manager) unpin(id chunk.ID) { m.table.at(id).pins.Add(-1) }

// annexBytes is the size of a chunk's annex; 0 if it has none.
func (m *Manager) annexBytes(id chunk.ID) uint32 { return m.table.at(id).annex.slots * chunk.Bytes }
