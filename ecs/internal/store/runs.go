package store

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// runMin is how many rows side by side are worth moving as one.
const runMin = 8

// moveRun adds or removes a fixed component for the first of the entities whose rows follow
// each other in a table without optional components. They move as one, and end where they
// would one by one. It returns how many it moved. If there is no such run it returns 0, and
// nothing has changed.
func (s *Store) moveRun(c *Component, op int, es []Entity, v raw.Ptr) int {
	if len(es) < runMin || !c.plain || s.hooks != nil {
		return 0
	}
	t, l, ok := c.owner.row(es[0])
	if !ok || len(t.opts) > 0 || t.Has(c) != (op == removing) {
		return 0
	}
	n := t.follow(es, l)
	if s.guarded && op == removing {
		n = s.unguarded(c, es[:n])
	}
	if n < runMin {
		return 0
	}
	ed, err := t.plainEdge(c, op)
	if err != nil || len(t.opts) > 0 || ed.to != nil && len(ed.to.opts) > 0 {
		return 0
	}
	es = es[:n]
	if op == removing {
		s.policy.Removed(int(c.ID), n)
	}
	if ed.to == nil {
		for _, e := range es {
			t.words.set(e.Index(), 0)
			t.leave(e)
		}
		t.dropRun(l, n)
		return n
	}
	runs, err := ed.to.reserve(n)
	if err != nil {
		return 0 // one by one finds out how many there is room for
	}
	from, rest := l, es
	for _, r := range runs {
		ed.to.putRun(r.at, rest[:r.n])
		if op == adding {
			raw.Fill(c.At(r.at), v, 0, c.Size, r.n)
		}
		rest = rest[r.n:]
		for to, left := r.at, r.n; left > 0; {
			k := min(left, t.rowsFrom(from))
			t.carriedTo(ed.to, from, to)
			for i := range *ed.lanes {
				x := &(*ed.lanes)[i]
				raw.CopyAll(x.at(to), x.at(from), uintptr(k)*x.size())
			}
			to, left = to.Plus(uint32(k)), left-k
			if from = t.after(from, k); from == 0 {
				break
			}
		}
		if op == adding && c.noted != nil {
			c.got(r.at, r.n)
		}
	}
	t.dropRun(l, n)
	return n
}

// follow returns how many of the entities have their rows one after the other from l on.
func (t *Table) follow(es []Entity, l memmgr.Loc) (n int) {
	for l != 0 && n < len(es) {
		k := min(len(es)-n, t.rowsFrom(l))
		same := t.words.run(es[n:n+k], l)
		if n += same; same < k {
			return n
		}
		l = t.after(l, k)
	}
	return n
}

// rowsFrom is how many rows the chunk of l has from l on.
func (t *Table) rowsFrom(l memmgr.Loc) int {
	_, rows := t.Seq.Chunk(t.s.m.Order(l.Chunk()))
	return rows - int(l.Row())
}

// after returns the row n rows after l, at most the first of the next chunk; 0 if there is
// none.
func (t *Table) after(l memmgr.Loc, n int) memmgr.Loc {
	i := t.s.m.Order(l.Chunk())
	if _, rows := t.Seq.Chunk(i); int(l.Row())+n < rows {
		return l.Plus(uint32(n))
	}
	if i+1 == t.Seq.ChunkCount() {
		return 0
	}
	id, _ := t.Seq.Chunk(i + 1)
	return memmgr.MakeLoc(id, 0)
}

// putRun makes rows side by side those of entities, which have other rows of the owner.
func (t *Table) putRun(l memmgr.Loc, es []Entity) {
	c := t.s.IDs.CellOf(l)
	c.Stamp = t.s.m.Tick()
	copy(raw.Slice[Entity](raw.At(c.Addr, l.Index()*8), len(es)), es)
	t.words.setRun(es, l)
}

// dropRun removes n rows from l on, first to last. Each time the last row of the table moves
// into the hole. So the last rows end there backwards, as many as come after the run and no
// more than it has:
//
//	a  b [c  d  e] f  g      without c, d, e:  a  b  g  f
//
// The caller writes the entries of the rows' own entities.
func (t *Table) dropRun(l memmgr.Loc, n int) {
	s := t.s
	s.m.Shift()
	at := s.m.Order(l.Chunk())
	behind := t.Seq.Len() - at*t.Seq.Capacity() - int(l.Row()) - n
	for moves := min(n, behind); moves > 0; {
		_, rows := t.Seq.Chunk(at)
		k := min(moves, t.Seq.TailLen(), rows-int(l.Row()))
		t.moveBackwards(l, t.Seq.Last(), k)
		t.dropLast(k)
		moves, n = moves-k, n-k
		if l = l.Plus(uint32(k)); int(l.Row()) == rows && moves > 0 {
			at++
			id, _ := t.Seq.Chunk(at)
			l = memmgr.MakeLoc(id, 0)
		}
	}
	t.dropLast(n)
}

// moveBackwards copies the last row to l, the one before it to the row after l, and so
// on, n rows, and points their entries there.
func (t *Table) moveBackwards(l, last memmgr.Loc, n int) {
	if len(t.opts) > 0 {
		for i := range uint32(n) {
			t.dropBits(l.Plus(i), memmgr.MakeLoc(last.Chunk(), last.Row()-i))
		}
	}
	for i := range t.lanes {
		x := &t.lanes[i]
		raw.Fill(x.at(l), x.at(last), -x.size(), x.size(), n)
	}
	cell := t.s.IDs.CellOf(l)
	cell.Stamp = t.s.m.Tick()
	to := raw.At(cell.Addr, l.Index()*8)
	raw.Fill(to, t.s.IDs.At(last, 8), ^uintptr(7), 8, n)
	t.words.setRun(raw.Slice[Entity](to, n), l)
	if len(t.watched) > 0 {
		t.carried(last, l)
	}
}

// dropLast removes the last n rows, whose entries point elsewhere.
func (t *Table) dropLast(n int) {
	for n > 0 {
		k := min(n, t.Seq.TailLen())
		if len(t.opts) > 0 {
			t.unsetLast(k)
		}
		t.s.IDs.CellOf(t.Seq.Last()).Stamp = t.s.m.Tick()
		t.Seq.DropTail(k)
		n -= k
	}
}

// unsetLast notes that the last n rows, all in one chunk, have nothing optional.
func (t *Table) unsetLast(n int) {
	from := t.bitAt(t.Seq.Last()) - n + 1
	for _, x := range t.opts {
		for b := from; b < from+n && x.Count > 0; b = (b | 63) + 1 {
			w := x.Bits[b/64] & between(b, from+n)
			x.Bits[b/64] &^= w
			x.Count -= bits.OnesCount64(w)
		}
	}
}
