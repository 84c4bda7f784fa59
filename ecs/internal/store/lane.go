package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// lane is a column as rows go along it: where its values are found, and how long they are. Tables
// and bundles have lists of lanes that are made once, so that what moves a row looks at nothing
// else. A column without bytes has no lane.
type lane struct {
	dir   *memmgr.Directory
	bytes uint32
	id    uint32 // of the component
}

// laneOf is the lane of a component.
func laneOf(c *Component) lane { return lane{&c.Dir, uint32(c.Size), c.ID} }

// lanesOf are the lanes of components.
func lanesOf(comps []*Component) (lanes []lane) {
	for _, c := range comps {
		if c.Size > 0 {
			lanes = append(lanes, laneOf(c))
		}
	}
	return lanes
}

func (x *lane) size() uintptr { return uintptr(x.bytes) }

// at returns the address of a row's value.
func (x *lane) at(l memmgr.Loc) raw.Ptr {
	return raw.At(x.dir.Find(uint64(l)), l.Index()*x.size())
}

// pass takes the row of an entity from l along an edge: to a row that was appended for it, or
// nowhere. The last row of the table moves into the hole. The entries of both entities are
// updated. Single rows come and go only here. besides has moved before what follows a row
// besides its columns and the table's entries.
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
	if lanes := t.lanes; len(lanes) > 0 {
		along(lanes, ed, l, to, last)
	}
	t.Seq.DropAt(last)
}

// along is pass for the values. It calls nothing, so all stays in registers.
func along(lanes []lane, ed *edge, l, to, last memmgr.Loc) {
	on := ed.on
	for i := range lanes {
		x := &lanes[i]
		if i%64 == 0 && i > 0 {
			on = ed.leading(lanes[i:])
		}
		dir, size := x.dir, x.size()
		hole := raw.At(dir.Find(uint64(l)), l.Index()*size)
		leads := on&1 != 0
		if on >>= 1; leads {
			raw.Copy(raw.At(dir.Find(uint64(to)), to.Index()*size), hole, size)
		}
		if l != last {
			raw.Copy(hole, raw.At(dir.Find(uint64(last)), last.Index()*size), size)
		}
	}
}

// besides is pass for all that follows a row besides its columns and the table's entries: bits,
// and stamps of those that are watched. One
// component, if it is optional, stays behind.
func (t *Table) besides(l memmgr.Loc, ed *edge, nl memmgr.Loc, but *Component) {
	if to := ed.to; to != nil {
		if len(to.watched) > 0 {
			t.carriedTo(to, l, nl)
		}
		if len(t.opts)+len(to.opts) > 0 {
			t.carry(l, to, nl, but)
		}
	}
	last := t.Seq.Last()
	if len(t.opts) > 0 {
		t.dropBits(l, last)
	}
	if l != last {
		t.carried(last, l)
	}
}
