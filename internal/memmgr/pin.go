package memmgr

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Pin holds a chunk in place until as many calls of Unpin. Its rows can be read at the
// addresses that it has now, beyond safe points, whatever happens to the sequence. A chunk
// that loses its rows meanwhile, or outgrows its block, keeps the old place until it is
// unpinned. SwapRemove may still put another row into it. Only the goroutine that uses the
// manager may call Pin. Any may call Unpin.
func (m *Manager) Pin(id chunk.ID) {
	defer m.use("Pin")()
	m.pin(id, m.mustUse(id, "Pin"))
}

func (m *Manager) pin(id chunk.ID, e *entry) {
	e.pins.Add(1)
	if s := e.seq; s.tail.Chunk() == id {
		s.floor = s.tail // dropTail is to see it when its last row goes
	}
}

// Pin pins all chunks that hold rows, and returns a function that unpins them: slices of the
// rows that are there now are good until then, for any goroutine, while the owner goes on. It
// may append, drop chunks in front, drop the sequence and come to safe points. A row that it
// overwrites or removes changes for readers, too (see the package comment). It costs a few
// nanoseconds a chunk. Any goroutine may call what it returns; a second call does nothing.
func (s *Sequence) Pin() (unpin func()) {
	defer s.m.use("Sequence.Pin")()
	ids := slices.Clone(s.chunks[:s.ChunkCount()])
	for _, id := range ids {
		s.m.pin(id, s.m.table.at(id))
	}
	var done atomic.Bool
	return func() {
		if done.Swap(true) {
			return
		}
		for _, id := range ids {
			s.m.Unpin(id)
		}
	}
}

// Unpin takes one Pin back. It panics if there is none. Any goroutine may call it.
func (m *Manager) Unpin(id chunk.ID) {
	pages := m.table.shared.Load()
	if pages == nil || id == 0 || int(id)>>pageBits >= len(*pages) {
		panic(fmt.Sprintf("memmgr: Unpin of chunk %d, which no manager has, or after Close: each Pin takes one Unpin", id))
	}
	e := &(*pages)[id>>pageBits][id&(1<<pageBits-1)]
	for {
		n := e.pins.Load()
		if n <= 0 {
			panic(fmt.Sprintf("memmgr: Unpin of chunk %d, which is not pinned: each Pin takes one Unpin", id))
		}
		if e.pins.CompareAndSwap(n, n-1) {
			return
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

// Pinned iterates over the pinned chunks and how often each is pinned.
func (m *Manager) Pinned() iter.Seq2[chunk.ID, int] {
	return func(yield func(chunk.ID, int) bool) {
		for i := range m.table.count {
			id := chunk.ID(i)
			if n := m.table.at(id).pins.Load(); n != 0 && !yield(id, int(n)) {
				return
			}
		}
	}
}

// pins is how many calls of Pin wait for Unpin.
func (m *Manager) pins() (n uint64) {
	for _, k := range m.Pinned() {
		n += uint64(k)
	}
	return n
}

// pinList names at most eight pinned chunks, for messages.
func (m *Manager) pinList() string {
	var b strings.Builder
	left := 8
	for id, n := range m.Pinned() {
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
