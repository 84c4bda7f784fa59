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

// pull removes the row at l: the last one moves into the hole, with its words. The values of
// lanes that lead along the edge go to the row at to first. Words of the row's own entity
// are the caller's.
func (t *Table) pull(l memmgr.Loc, ed *edge, to memmgr.Loc) {
	s, last := t.s, t.Seq.Last()
	s.m.Shift()
	hole, tail, tick := s.IDs.CellOf(l), s.IDs.CellOf(last), s.m.Tick()
	hole.Stamp, tail.Stamp = tick, tick
	if len(t.opts) > 0 {
		t.dropBits(l, last)
	}
	if l != last {
		moved := *raw.As[Entity](raw.At(tail.Addr, last.Index()*8))
		*raw.As[Entity](raw.At(hole.Addr, l.Index()*8)) = moved
		t.words.set(moved.Index(), word(moved, l))
		if t.tracks {
			t.track(moved, word(moved, l))
		}
		if len(t.watched) > 0 {
			t.carried(last, l)
		}
	}
	lanes := ed.lanes
	for i := range lanes {
		x, size := &lanes[i], lanes[i].size
		hole, tail := x.at(l), x.at(last)
		if x.on {
			raw.Copy(x.at(to), hole, size)
		}
		if l != last {
			raw.Copy(hole, tail, size)
		}
	}
	t.Seq.DropAt(last)
	if l != last && s.hooks != nil {
		s.moved(s.entityAt(l), last, l)
	}
}
