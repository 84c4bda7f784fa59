package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// moves are rows and the holes that they move into, in this order.
type moves struct {
	n        int
	to, from [WarmMost]memmgr.Loc
}

// fillHoles removes spans of rows, which are sorted. The last rows of the table move there. Spans are closed from the
// last to the first, so all rows behind a span are live:
//
//	a [b] c [d] e  f      without b, d:     a  e  c  f
//	a  b [c  d  e] f  g   without c, d, e:  a  b  g  f
//
// The caller writes the entries of the rows' own entities.
func (t *Table) fillHoles(spans []span) {
	var m moves
	to, from := finder{seq: t.Seq}, finder{seq: t.Seq}
	end := t.Seq.Len()
	for _, x := range slices.Backward(spans) {
		left := end - x.n
		for i := range min(x.n, left-x.at) { // the rest of the span is the table's end
			if m.n == WarmMost {
				t.move(&m)
			}
			m.to[m.n], m.from[m.n] = to.at(x.at+i), from.at(end-1-i)
			m.n++
		}
		end = left
	}
	t.move(&m)
	t.dropLast(t.Seq.Len() - end)
}

// finder tells where rows lie by their numbers. Sequence.At divides for each, and this for each chunk.
type finder struct {
	seq      *memmgr.Sequence
	id       chunk.ID
	first, n int // rows of the chunk
}

func (f *finder) at(i int) memmgr.Loc {
	if uint(i-f.first) >= uint(f.n) {
		f.n = f.seq.Capacity()
		f.first = i / f.n * f.n
		f.id, _ = f.seq.Chunk(i / f.n)
	}
	return memmgr.MakeLoc(f.id, uint32(i-f.first))
}

// move copies rows into holes, one after the other in each column: a row may have been a hole before. The rows stay,
// and dropLast removes them.
func (t *Table) move(m *moves) {
	to, from := m.to[:m.n], m.from[:m.n]
	m.n = 0
	for _, l := range from {
		t.store.See(l.Chunk())
	}
	if t.store.Warms() {
		t.touch(to, from)
	}
	if len(t.opts) > 0 {
		for i, l := range to {
			t.dropBits(l, from[i])
		}
	}
	for j := range t.lanes {
		x := &t.lanes[j]
		for i, l := range to {
			raw.Copy(x.at(l), x.at(from[i]), x.size())
		}
	}
	for i, l := range to {
		e := t.store.entityIn(from[i])
		t.store.putEntity(l, e)
		t.words.set(e.Index(), word(e, l))
		if len(t.watched) > 0 {
			t.carried(from[i], l)
		}
	}
}

// touch loads what move is going to write: the rows of holes, and the entries of the entities that move there. The
// loads wait for memory together, as stores do not. It returns the sum of its loads, without which the compiler
// would leave them out.
//
//go:noinline
func (t *Table) touch(to, from []memmgr.Loc) (sum uint64) {
	for j := range t.lanes {
		x := &t.lanes[j]
		for _, l := range to {
			sum += uint64(*raw.As[byte](x.at(l)))
		}
	}
	for i, l := range to {
		sum += uint64(t.store.entityIn(l))
		if k := t.store.entityIn(from[i]).Index(); k < uint32(len(t.words.flat)) {
			sum += t.words.flat[k]
		}
	}
	return sum
}
