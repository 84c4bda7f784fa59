package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// lane is a column as rows go along it: where its values are found, and how long they are.
// Tables, edges and bundles have lists of lanes that are made once, so that what moves a row
// looks at nothing else. A column without bytes has no lane.
type lane struct {
	dir  *memmgr.Directory
	size uintptr
	on   bool // the table at an edge's other end has the column, too
}

// lanesOf are the lanes of components, on where that is so.
func lanesOf(comps []*Component, on func(*Component) bool) (lanes []lane) {
	for _, c := range comps {
		if c.Size > 0 {
			lanes = append(lanes, lane{&c.Dir, c.Size, on(c)})
		}
	}
	return lanes
}

// nowhere has lanes lead no further.
func nowhere(*Component) bool { return false }

// at returns the address of a row's value.
func (x *lane) at(l memmgr.Loc) raw.Ptr {
	return raw.At(x.dir.Find(uint64(l)), l.Index()*x.size)
}

// pass takes the row of an entity from l along an edge: to a row that was appended for it, or
// nowhere. The last row of the table moves into the hole. Both entities' words say so. It is
// the one place where single rows come and go. What follows a row besides its columns and the
// table's words is besides' to move, before.
func (t *Table) pass(e Entity, l memmgr.Loc, ed *edge, to memmgr.Loc) {
	s, last, tick, home := t.s, t.Seq.Last(), t.s.m.Tick(), uint64(0)
	s.m.Shift()
	if to != 0 {
		c := s.IDs.CellOf(to)
		c.Stamp = tick
		*raw.As[Entity](raw.At(c.Addr, to.Index()*8)) = e
		home = word(e, to)
	}
	hole, tail := s.IDs.CellOf(l), s.IDs.CellOf(last)
	hole.Stamp, tail.Stamp = tick, tick
	moved := *raw.As[Entity](raw.At(tail.Addr, last.Index()*8)) // e itself, if it has the last row
	*raw.As[Entity](raw.At(hole.Addr, l.Index()*8)) = moved
	if flat := t.words.flat; t.words.rare == nil {
		flat[moved.Index()] = word(moved, l)
		flat[e.Index()] = home
	} else {
		t.words.setRare(moved.Index(), word(moved, l))
		t.words.setRare(e.Index(), home)
	}
	if len(ed.lanes) > 0 {
		along(ed.lanes, l, to, last)
	}
	t.Seq.DropAt(last)
}

// along is pass for the values. It calls nothing, so all stays in registers.
func along(lanes []lane, l, to, last memmgr.Loc) {
	for i := range lanes {
		x := &lanes[i]
		dir, size := x.dir, x.size
		hole := raw.At(dir.Find(uint64(l)), l.Index()*size)
		if x.on {
			raw.Copy(raw.At(dir.Find(uint64(to)), to.Index()*size), hole, size)
		}
		if l != last {
			raw.Copy(hole, raw.At(dir.Find(uint64(last)), last.Index()*size), size)
		}
	}
}

// besides is pass for all that follows a row besides its columns and the table's words: bits,
// words that components have of their own, and stamps of those that are watched. One
// component, if it is optional, stays behind.
func (t *Table) besides(e Entity, l memmgr.Loc, ed *edge, nl memmgr.Loc, but *Component) {
	if to := ed.to; to != nil {
		if to.tracks {
			to.track(e, word(e, nl))
		}
		if len(to.watched) > 0 {
			t.carriedTo(to, l, nl)
		}
		if ed.opts {
			t.carry(e, l, to, nl, but)
		}
	}
	last := t.Seq.Last()
	if len(t.opts) > 0 {
		t.dropBits(l, last)
	}
	if l == last {
		return
	}
	if t.tracks {
		t.track(t.s.entityAt(last), word(t.s.entityAt(last), l))
	}
	t.carried(last, l)
}
