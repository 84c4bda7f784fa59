package memmgr

import (
	"fmt"
	"iter"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
)

// Pin holds a chunk in place until as many calls of Unpin. Its address is good
// beyond safe points meanwhile. A row in it may still be moved by SwapRemove.
func (m *Manager) Pin(id chunk.ID) {
	m.mustUse(id, "Pin")
	m.table[id].pins++
	m.pins++
}

// Unpin takes one Pin back. It panics if there is none.
func (m *Manager) Unpin(id chunk.ID) {
	m.mustUse(id, "Unpin")
	if m.table[id].pins == 0 {
		panic(fmt.Sprintf("memmgr: Unpin of chunk %d, which is not pinned: each Pin takes one Unpin", id))
	}
	m.table[id].pins--
	m.pins--
}

func (m *Manager) mustUse(id chunk.ID, what string) {
	if id == 0 || int(id) >= len(m.table) || m.table[id].seq == nil {
		panic(fmt.Sprintf("memmgr: %s of chunk %d, which is not in use", what, id))
	}
}

// Pinned iterates over the pinned chunks and how often each is pinned.
func (m *Manager) Pinned() iter.Seq2[chunk.ID, int] {
	return func(yield func(chunk.ID, int) bool) {
		for id := range m.table {
			if n := m.table[id].pins; n != 0 && !yield(chunk.ID(id), int(n)) {
				return
			}
		}
	}
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
		fmt.Fprintf(&b, "chunk %d of %q pinned %d times", id, m.table[id].seq.name, n)
	}
	return b.String()
}
