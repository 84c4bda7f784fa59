package query

import "github.com/ashlar-go/ashlar/internal/memmgr"

// A tally is what was passed of a source of one chunk since Visit was told last. Most walks
// pass the same rows as the one before. They are only counted, because groups of a few rows
// take less time than a note about each.
type tally struct {
	seq   *memmgr.Sequence
	rows  int // in the last walk
	sum   int // rows of all walks but those that were the same again
	walks int // how many these are
}

// passed is what tells two walks apart. No row has left a sequence if shifts are the same, and
// none has a chunk more or less if the layout is. So each source that is not tested has as many
// rows as before if all of these together have.
type passed struct {
	layout, shifts uint64
	rows           int
}

// tellEvery is the number of walks after which tallies are told. A chunk has less than 2¹⁶
// rows, so the sums have room in 32 bits.
const tellEvery = 1 << 14

// count notes that a walk has passed all of the sources that are noted at the manager's layout,
// which are of one chunk each. All that are not tested have so many rows together.
func (c *Cursor) count(rows int) {
	if c.counted++; c.counted == tellEvery {
		c.Tell()
	}
	layout := c.base.M.Layout() + 1
	now := passed{layout, *c.base.M.Shifts(), rows}
	if c.passed == now {
		c.again++
		return
	}
	c.passed = now
	for len(c.tallies) < len(c.notes) {
		c.tallies = append(c.tallies, tally{})
	}
	for i := range c.tallies {
		t := &c.tallies[i]
		t.add(c.again)
		if i >= len(c.notes) || c.notes[i].layout != layout || c.notes[i].seq.Len() == 0 {
			t.rows = 0
			continue
		}
		seq := c.notes[i].seq
		if t.rows = seq.Len(); t.seq == seq {
			t.add(1)
			continue
		}
		t.tell(c.Visit)
		t.seq = seq
		c.Visit(seq, t.rows, 1)
	}
	c.again = 0
}

// tellFirst tells at once of a source that was not passed before, so that those come in their
// order. The walk's count is to come, and takes nothing for it.
func (c *Cursor) tellFirst(i int, seq *memmgr.Sequence, rows int) {
	for len(c.tallies) <= i {
		c.tallies = append(c.tallies, tally{})
	}
	if t := &c.tallies[i]; t.seq != seq {
		t.add(c.again)
		t.tell(c.Visit)
		*t = tally{seq: seq, sum: -rows, walks: -1}
		c.passed = passed{}
		c.Visit(seq, rows, 1)
	}
}

// Tell tells Visit what it was not told yet, and lets go of the sources.
func (c *Cursor) Tell() {
	for i := range c.tallies {
		c.tallies[i].add(c.again)
		c.tallies[i].tell(c.Visit)
	}
	clear(c.tallies)
	c.again, c.counted, c.passed = 0, 0, passed{}
}

// add adds walks that were the same as the last one.
func (t *tally) add(walks int) {
	if t.rows > 0 {
		t.sum += t.rows * walks
		t.walks += walks
	}
}

func (t *tally) tell(visit func(seq *memmgr.Sequence, rows, chunks int)) {
	if t.sum > 0 {
		visit(t.seq, t.sum, t.walks)
	}
	t.sum, t.walks = 0, 0
}
