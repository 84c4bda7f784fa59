package memmgr

import (
	"fmt"
	"os"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// SetCacheRegion changes how many bytes of each chunk are kept free for views, and
// with it the chunks' capacity. The sequence must hold no chunks: call it before the
// first row. It fails, and changes nothing, if a row does not fit in what is left.
func (s *Sequence) SetCacheRegion(bytes uint32) error {
	if len(s.chunks) > 0 || s.spare != 0 {
		panic(fmt.Sprintf("memmgr: SetCacheRegion of %q, which holds chunks: their capacity can't change; call it before the first row", s.name))
	}
	specs := make([]chunk.Spec, len(s.dirs))
	for i := range specs {
		specs[i] = s.full.Spec(i)
	}
	full, err := chunk.New(specs, bytes)
	if err != nil {
		return fmt.Errorf("memmgr: sequence %q: %w", s.name, err)
	}
	s.full = full
	s.small, s.hasSmall = chunk.Small(specs, bytes)
	return nil
}

// CacheBytes is the size of the cache region in each chunk.
func (s *Sequence) CacheBytes() uint32 {
	_, n := s.full.CacheRegion()
	return n
}

// CacheAt returns the address of a byte of a chunk's cache region: good until the
// chunk moves, which leaves the region's contents behind. See Gen.
func (m *Manager) CacheAt(id chunk.ID, offset uint32) address {
	e := &m.table[id]
	at, _ := e.seq.full.CacheRegion()
	return plus(e.base, at+offset)
}

// DropCache gives pages of a chunk's cache region back, whose contents are undefined
// then: so many bytes from an offset in the region on. Freed is what the system took,
// retained what stays: where pages are too large to tell the region from the rows, in huge
// pages, and on the Go heap. After an error, which is the arena's, all of it stays.
func (m *Manager) DropCache(id chunk.ID, offset, bytes uint32) (freed, retained uint64, err error) {
	e := &m.table[id]
	at, n := e.seq.full.CacheRegion()
	if offset > n || bytes > n-offset {
		panic(fmt.Sprintf("memmgr: DropCache of %d bytes at %d of a region of %d of %q: stay within CacheBytes", bytes, offset, n, e.seq.name))
	}
	if freed, retained, err = m.purgePart(e.slot, at+offset, bytes); err != nil {
		err = fmt.Errorf("memmgr: dropping views of chunk %d of %q: %w", id, e.seq.name, err)
	}
	return freed, retained, err
}

// purgePart gives a part of a slot back if it is whole pages.
func (m *Manager) purgePart(slot arena.Slot, offset, bytes uint32) (freed, retained uint64, err error) {
	if page := uint32(os.Getpagesize()); offset%page == 0 && bytes%page == 0 {
		freed, err = m.arena.PurgePart(slot, offset, bytes)
	}
	return freed, uint64(bytes) - freed, err
}
