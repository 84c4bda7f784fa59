package memmgr

import (
	"fmt"
	"os"

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

// DropCache gives the pages of a chunk's cache region back, whose contents are
// undefined then, and returns the bytes; 0 where they stay: where pages are too large to
// tell the region from the rows, in huge pages, and on the Go heap.
func (m *Manager) DropCache(id chunk.ID) (uint64, error) {
	e := &m.table[id]
	at, n := e.seq.full.CacheRegion()
	if page := uint32(os.Getpagesize()); n == 0 || at%page != 0 || n%page != 0 {
		return 0, nil
	}
	freed, err := m.arena.PurgePart(e.slot, at, n)
	if err != nil {
		return 0, fmt.Errorf("memmgr: dropping views of chunk %d of %q: %w", id, e.seq.name, err)
	}
	return freed, nil
}
