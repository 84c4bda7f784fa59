package memmgr

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/chunk"
)

// ErrSequenceLimit is returned by Append and AppendRun where the sequence would take more
// memory than SetLimit allows it.
var ErrSequenceLimit = errors.New("memmgr: limit of a sequence reached")

// bytes returns how much memory the sequence's chunks take, the one kept for the next row too.
// Annexes of its chunks, and the few hundred bytes on the Go heap that any sequence takes, are
// not in it. It costs a few additions.
func (s *Sequence) bytes() uint64 {
	taken := uint64(max(len(s.chunks)-1, 0)) * chunk.Bytes
	for _, id := range [...]chunk.ID{s.spare, s.tail.Chunk()} {
		if id != 0 {
			taken += s.shape.Bytes(s.manager.table.at(id).spot.Form)
		}
	}
	return taken
}

// SetLimit bounds the memory of the sequence's chunks, in bytes. A row that needs another
// chunk is then refused with ErrSequenceLimit. 0 is no limit. Chunks beyond it stay.
func (s *Sequence) SetLimit(bytes uint64) { s.limit = bytes }

// mayTake returns an error if chunks of so many bytes in all are more than the limit.
func (s *Sequence) mayTake(bytes uint64) error {
	if s.limit == 0 || bytes <= s.limit {
		return nil
	}
	return fmt.Errorf("%w: the chunks of %q would take %d bytes for another row, and its limit is %d: remove rows, or raise it by SetLimit",
		ErrSequenceLimit, s.name, bytes, s.limit)
}
