package memmgr

import "fmt"

// DropFirst removes the first chunks of the sequence and all rows in them, for rows
// that are kept in the order of time. Rows behind keep their order, chunk numbers and
// locations; Chunk(i), At(i) and orders count from the new first chunk. It panics if
// there are fewer chunks, or if one of these is pinned.
func (s *Sequence) DropFirst(chunks int) {
	if chunks < 0 || chunks > s.ChunkCount() {
		panic(fmt.Sprintf("memmgr: DropFirst of %d chunks of %q, which has %d: ask for 0 to ChunkCount", chunks, s.name, s.ChunkCount()))
	}
	if chunks == s.ChunkCount() {
		s.Truncate(0)
		return
	}
	for _, id := range s.chunks[:chunks] {
		s.m.freeChunk(id)
	}
	s.chunks = append(s.chunks[:0], s.chunks[chunks:]...)
	for i, id := range s.chunks {
		s.m.table[id].order = uint32(i)
	}
}
