package query

import "github.com/ashlar-go/ashlar/internal/memmgr"

// tally is what was passed of a source since Visit was told last. Groups of a few rows take
// less time than telling.
type tally struct {
	seq *memmgr.Sequence
	sum uint64 // rows and, in the lowest chunksBits, chunks: one of each walk
}

// A chunk has less than 2¹⁶ rows, so that the sum of tellEvery walks has room.
const (
	chunksBits = 24
	tellEvery  = 1 << (chunksBits - 1)
)

// tally makes room for what is passed of so many sources.
func (c *Cursor) tally(sources int) {
	if c.walk%tellEvery == 0 {
		c.Tell()
	}
	for len(c.tallies) < sources {
		c.tallies = append(c.tallies, tally{})
	}
}

// count notes that all of the i-th source is passed. What has more chunks than one, or had
// another number when it was passed last, is told at once.
func (c *Cursor) count(i int, seq *memmgr.Sequence, rows int) {
	t := &c.tallies[i]
	chunks := seq.ChunkCount()
	switch {
	case chunks > 1:
		c.Visit(seq, rows, chunks)
	case t.seq == seq:
		t.sum += uint64(rows)<<chunksBits + 1
	default:
		t.tell(c.Visit)
		t.seq = seq
		c.Visit(seq, rows, chunks)
	}
}

// Tell tells Visit what it was not told yet, and lets go of the sources.
func (c *Cursor) Tell() {
	for i := range c.tallies {
		c.tallies[i].tell(c.Visit)
	}
	clear(c.tallies)
}

func (t *tally) tell(visit func(seq *memmgr.Sequence, rows, chunks int)) {
	if t.sum > 0 {
		visit(t.seq, int(t.sum>>chunksBits), int(t.sum%(1<<chunksBits)))
	}
	t.sum = 0
}
