package memmgr

import (
	"fmt"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Pin pins all chunks that hold rows, and returns a function that unpins them: slices of the
// rows that are there now are good until then, for any goroutine, while the owner goes on. A
// row that it overwrites or removes changes for readers, too. It costs a few nanoseconds a
// chunk. Any goroutine may call what it returns; a second call does nothing.
func (s *Sequence) Pin() (unpin func()) {
	defer s.m.use("Sequence.Pin")()
	lines := make([]*entry, s.ChunkCount()) // which stay where they are while the table grows
	for i := range lines {
		lines[i] = s.m.table.at(s.chunks[i])
		lines[i].pins.Add(1)
	}
	s.floor = s.tail // dropTail is to see it when the last row goes
	var done atomic.Bool
	return func() {
		if done.Swap(true) {
			return
		}
		for _, e := range lines {
			e.pins.Add(-1)
		}
	}
}

// waiting is a place that a pinned chunk has left, or with the chunk itself all that
// is left of it.
type waiting struct {
	id    chunk.ID
	shape *shape
	at    spot
	whole bool // the chunk was freed: its number waits, too
}

// freeUnpinned frees the places of chunks that are no longer pinned.
func (m *Manager) freeUnpinned() {
	keep := m.waiting[:0]
	for _, w := range m.waiting {
		if m.table.at(w.id).pins.Load() != 0 {
			keep = append(keep, w)
			continue
		}
		m.discard(w.shape, w.at)
		if w.whole {
			m.table.free = append(m.table.free, w.id)
		}
	}
	clear(m.waiting[len(keep):])
	m.waiting = keep
}

func (m *Manager) mustUse(id chunk.ID, what string) *entry {
	e := m.table.in(id)
	if e == nil {
		panic(fmt.Sprintf("memmgr: %s of chunk %d, which is not in use: its rows were removed, or the manager was closed", what, id))
	}
	return e
}

// pinned iterates over the pinned chunks and how often each is pinned.
func (m *Manager) pinned() iter.Seq2[chunk.ID, int] {
	return func(yield func(chunk.ID, int) bool) {
		for i := range m.table.count {
			id := chunk.ID(i)
			if n := m.table.at(id).pins.Load(); n != 0 && !yield(id, int(n)) {
				return
			}
		}
	}
}

// pins is how many pins of chunks have not ended.
func (m *Manager) pins() (n uint64) {
	for _, k := range m.pinned() {
		n += uint64(k)
	}
	return n
}

// pinList names at most eight pinned chunks, for messages.
func (m *Manager) pinList() string {
	var b strings.Builder
	left := 8
	for id, n := range m.pinned() {
		if left--; left < 0 {
			b.WriteString(", …")
			break
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		name := "no sequence any more"
		if s := m.table.at(id).seq; s != nil {
			name = fmt.Sprintf("%q", s.name)
		}
		fmt.Fprintf(&b, "chunk %d of %s pinned %d times", id, name, n)
	}
	return b.String()
}
