package memmgr

import (
	"fmt"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Snapshot is the rows that a sequence has at one moment, for other goroutines to read
// while the owner goes on: it may append, drop chunks in front, drop the sequence, come
// to safe points and move what else there is. The snapshot keeps its chunks pinned, in
// place and in memory, until Release. It holds addresses, not copies: a row that the
// owner overwrites or removes changes for its readers, too (see the package comment).
//
// The owner makes it; any goroutine may read it, and release it.
type Snapshot struct {
	m        *Manager
	name     string
	shape    *shape
	ids      []chunk.ID
	addrs    []address // of each chunk's columns, one after the other
	capacity int       // rows of all chunks but the last
	last     int       // rows of the last one
	released atomic.Bool
}

// Snapshot pins all chunks that hold rows and returns them with where they lie. It costs
// a few nanoseconds a chunk and column, and two words of Go memory. For fewer chunks, see
// SnapshotOf.
func (s *Sequence) Snapshot() *Snapshot { return s.SnapshotOf(0, s.ChunkCount()) }

// SnapshotOf is Snapshot for the chunks from lo up to, not including, hi in logical order.
func (s *Sequence) SnapshotOf(lo, hi int) *Snapshot {
	defer s.m.use("Snapshot")()
	if lo < 0 || lo > hi || hi > s.ChunkCount() {
		panic(fmt.Sprintf("memmgr: SnapshotOf of chunks %d to %d of %q, which has %d: look at ChunkCount first", lo, hi, s.name, s.ChunkCount()))
	}
	n := hi - lo
	p := &Snapshot{m: s.m, name: s.name, shape: s.shape, ids: make([]chunk.ID, 0, n), addrs: make([]address, 0, n*len(s.dirs)), capacity: s.Capacity()}
	for i := lo; i < hi; i++ {
		id, rows := s.Chunk(i)
		s.m.pin(id, s.m.table.at(id))
		p.ids, p.last = append(p.ids, id), rows
		for _, d := range s.dirs {
			p.addrs = append(p.addrs, d.Addr(id))
		}
	}
	return p
}

// Chunks is how many chunks there are.
func (p *Snapshot) Chunks() int { return len(p.ids) }

// Len is how many rows there are.
func (p *Snapshot) Len() int { return max(len(p.ids)-1, 0)*p.capacity + p.last }

// Release takes the pins back. Addresses from the snapshot are good until then. A second
// call does nothing.
func (p *Snapshot) Release() {
	if p.released.Swap(true) {
		return
	}
	for _, id := range p.ids {
		p.m.Unpin(id)
	}
}

// place returns where a column of a chunk lies, and its rows.
func (p *Snapshot) place(column, i int) (address, int) {
	switch {
	case p.released.Load():
		panic(fmt.Sprintf("memmgr: SnapshotSlice of a snapshot of %q after Release: release it when all its readers are done", p.name))
	case uint(i) >= uint(len(p.ids)):
		panic(fmt.Sprintf("memmgr: SnapshotSlice of chunk %d of a snapshot of %q, which has %d: look at Chunks first", i, p.name, len(p.ids)))
	case uint(column) >= uint(p.shape.Full.Columns()):
		panic(fmt.Sprintf("memmgr: SnapshotSlice of column %d of %q, which has %d: count from 0", column, p.name, p.shape.Full.Columns()))
	}
	rows := p.capacity
	if i == len(p.ids)-1 {
		rows = p.last
	}
	return p.addrs[i*p.shape.Full.Columns()+column], rows
}
