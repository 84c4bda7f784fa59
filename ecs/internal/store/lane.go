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

// common returns the lanes of the components that are fixed in both tables. They are mostly all
// that one of the two has, and its list is shared then.
func (t *Table) common(to *Table) *[]lane {
	n := 0
	for _, x := range t.lanes {
		if to.fixedSet.has(x.id) {
			n++
		}
	}
	switch n {
	case len(t.lanes):
		return &t.lanes
	case len(to.lanes):
		return &to.lanes
	}
	lanes := make([]lane, 0, n)
	for _, x := range t.lanes {
		if to.fixedSet.has(x.id) {
			lanes = append(lanes, x)
		}
	}
	return &lanes
}

// pass moves the row of an entity from l along an edge, to a row that was appended for it. besides
// has moved before what follows a row besides its columns and the table's entries.
func (t *Table) pass(e Entity, l memmgr.Loc, ed *edge, to memmgr.Loc) {
	t.s.putEntity(to, e)
	copyRow(*ed.lanes, to, l)
	t.drop(e, l, word(e, to))
}

// drop removes the row of an entity at l, and its entry becomes w. The last row of the table moves
// into the hole. Single rows go only here.
func (t *Table) drop(e Entity, l memmgr.Loc, w uint64) {
	s, last := t.s, t.Seq.Last()
	s.m.Shift()
	tick := s.m.Tick()
	hole := s.IDs.CellOf(l)
	hole.Stamp = tick
	if l != last {
		tail := s.IDs.CellOf(last)
		tail.Stamp = tick
		moved := *raw.As[Entity](raw.At(tail.Addr, last.Index()*8))
		*raw.As[Entity](raw.At(hole.Addr, l.Index()*8)) = moved
		t.words.set(moved.Index(), word(moved, l))
		copyRow(t.lanes, l, last)
	}
	t.words.set(e.Index(), w)
	t.Seq.DropAt(last)
}

// copyRow copies the values of a row to another one. It calls nothing, so all stays in registers.
func copyRow(lanes []lane, to, from memmgr.Loc) {
	row, source := to.Index(), from.Index()
	for i := range lanes {
		x := &lanes[i]
		dir, size := x.dir, x.size()
		raw.Copy(raw.At(dir.Find(uint64(to)), row*size), raw.At(dir.Find(uint64(from)), source*size), size)
	}
}

// besides is pass, or drop where there is no table to go to, for all that follows a row besides its
// columns and the table's entries: bits, and stamps of those that are watched. One component, if
// it is optional, stays behind.
func (t *Table) besides(l memmgr.Loc, to *Table, nl memmgr.Loc, but *Component) {
	if to != nil {
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
