package walk

import "github.com/ashlar-go/ashlar/memmgr"

// A tally counts the rows passed of a table of one chunk since Visit was told last. Most walks
// pass the same rows as the one before. They are only counted, because groups of a few rows
// take less time than a note about each.
//
//	walk 1   tellFirst for each table     Visit at once, so that tables come in their order
//	walk 1   count: differs from before   rows noted for each table
//	walk 2…  count: the same              again++, whatever the number of tables
//	walk n   count: differs, or Tell      rows × again added to sum, then told
type tally struct {
	seq   *memmgr.Sequence
	rows  int // in the last walk
	sum   int // rows of all walks but the repeated ones
	walks int // how many these are
}

// passed tells two walks apart. No row has left a sequence if shifts are the same, and
// none has a chunk more or less if the layout is. So each table that is not tested has as many
// rows as before if all of these together have.
type passed struct {
	layout, shifts uint64
	rows           int
}

// tellEvery is the number of walks after which tallies are told. A chunk has less than 2¹⁶
// rows, so the sums have room in 32 bits.
const tellEvery = 1 << 14

// tallies are a cursor's counts of noted tables that it has not told yet.
type tallies struct {
	list    []tally // by table
	passed  passed  // by the last walk that was counted
	again   int     // how many walks were the same as that one since
	counted int     // and all walks since Tell
}

// count notes that a walk has passed all of the tables whose columns lie as noted,
// which are of one chunk each. All that are not tested have so many rows together. It costs one
// comparison if nothing has changed, and a step for each table otherwise.
func (c *Cursor) count(rows int) {
	a, notes := &c.wholes.tally, c.wholes.notes
	if a.counted++; a.counted == tellEvery {
		c.Tell()
	}
	now := passed{c.base.Manager.Layout(), c.base.Manager.Shifts(), rows}
	if a.passed == now {
		a.again++
		return
	}
	a.passed = now
	for len(a.list) < len(notes) {
		a.list = append(a.list, tally{})
	}
	for i := range a.list {
		t := &a.list[i]
		t.add(a.again)
		if i >= len(notes) || !notes[i].valid() || notes[i].seq.Len() == 0 {
			t.rows = 0
			continue
		}
		seq := notes[i].seq
		if t.rows = seq.Len(); t.seq == seq {
			t.add(1)
			continue
		}
		t.tell(c.Visit)
		t.seq = seq
		c.Visit(seq, t.rows, 1, 0)
	}
	a.again = 0
}

// tellFirst tells at once of a table that was not passed before, so that new tables come in their
// order. The walk's count is to come, and takes nothing for it.
func (c *Cursor) tellFirst(i int, seq *memmgr.Sequence, rows int) {
	a := &c.wholes.tally
	for len(a.list) <= i {
		a.list = append(a.list, tally{})
	}
	if t := &a.list[i]; t.seq != seq {
		t.add(a.again)
		t.tell(c.Visit)
		*t = tally{seq: seq, sum: -rows, walks: -1}
		a.passed = passed{}
		c.Visit(seq, rows, 1, 0)
	}
}

// Tell tells Visit the rest, and lets go of the tables. The recorder calls it before
// it reads its sums. Afterwards each table counts as one that was not passed before.
func (c *Cursor) Tell() {
	a := &c.wholes.tally
	for i := range a.list {
		a.list[i].add(a.again)
		a.list[i].tell(c.Visit)
	}
	clear(a.list)
	a.again, a.counted, a.passed = 0, 0, passed{}
}

// add adds walks that were the same as the last one.
func (t *tally) add(walks int) {
	if t.rows > 0 {
		t.sum += t.rows * walks
		t.walks += walks
	}
}

func (t *tally) tell(visit func(seq *memmgr.Sequence, rows, chunks, tested int)) {
	if t.sum > 0 {
		visit(t.seq, t.sum, t.walks, 0)
	}
	t.sum, t.walks = 0, 0
}
