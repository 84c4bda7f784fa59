package memmgr

import (
	"sync/atomic"
)

// Pins are counted by chunk, and any goroutine may end one. The owner looks at the count before it
// moves a chunk, or gives its memory to others:
//
//	owner                      a pinned chunk
//	moves chunks               waits
//	outgrows a block           goes on elsewhere; the old block waits for the end of the pin
//	removes the last row       leaves the sequence; number and memory wait
//	writes to a row            is written to: readers of that row have a data race

// Pin keeps all chunks where they are until the function that it returns is called: the
// slices that Col.Slices returns are good until then, for any goroutine, while the owner goes
// on. They are no copies: a row that the owner overwrites or removes changes for readers too.
// The package comment says which calls do that. Any goroutine may call unpin, and call it
// again. It costs a few nanoseconds a chunk.
func (s *Sequence) Pin() (unpin func()) {
	defer s.manager.use("Sequence.Pin")()
	lines := make([]*entry, s.ChunkCount()) // which stay where they are while the table grows
	for i := range lines {
		lines[i] = s.manager.table.at(s.chunks[i])
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
