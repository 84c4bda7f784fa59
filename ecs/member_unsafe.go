package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

// The loops over columns here have no call in them, which would keep what they need
// out of registers: they go as far as slots are flat and no chunk comes or goes, and
// leave the other columns to one that can do everything.

// enter moves an entity's loose values into a new row of the group; v is the value
// of the component last, which the entity is about to get; nil for none.
func (g *group) enter(e Entity, last *pool, v unsafe.Pointer) error {
	var l memmgr.Loc
	if seq := g.seq; seq.HasRoom() {
		l = seq.Push()
	} else {
		var err error
		if l, err = g.append(); err != nil {
			return err
		}
	}
	w, cols, n := g.w, g.cols, 0
	w.putEntity(l, e)
	s := makeSlot(e, l)
	for ; n < len(cols); n++ {
		c := &cols[n]
		p := c.pool
		if p == last {
			continue
		}
		if c.base == nil {
			break
		}
		slot, rows := slotAt(c.base, e), p.loose
		loose := slotLoc(*slot)
		if !rows.CanPop(loose) {
			break
		}
		rows.Pop()
		cell := w.ids.CellOf(memmgr.Loc(*slot))
		cell.Stamp = w.m.Tick()
		*slot = s
		copyValue(c.at(l), c.at(loose), c.size)
	}
	if n < len(cols) {
		g.enterRest(e, last, n, l)
	}
	if last != nil {
		c := &cols[last.column-1]
		copyValue(c.at(l), v, c.size)
		*c.slot(e.Index()) = s
	}
	return nil
}

// enterRest is enter from the n-th column on, but for the value of last.
func (g *group) enterRest(e Entity, last *pool, n int, l memmgr.Loc) {
	for i := n; i < len(g.cols); i++ {
		c := &g.cols[i]
		if p := c.pool; p != last {
			slot := c.slot(e.Index())
			loose := slotLoc(*slot)
			copyValue(c.at(l), c.at(loose), c.size)
			p.dropLoose(loose)
			*slot = makeSlot(e, l)
		}
	}
}

// leave moves an entity's values, except that of component first, which it is about
// to lose, from its row of the group to loose rows. first is nil for none.
func (g *group) leave(e Entity, from memmgr.Loc, first *pool) error {
	w, cols, n := g.w, g.cols, 0
	for ; n < len(cols); n++ {
		c := &cols[n]
		if c.base == nil {
			break
		}
		p := c.pool
		if p == first {
			continue
		}
		rows := p.loose
		if rows == nil || !rows.HasRoom() {
			break
		}
		to := rows.Push()
		*slotAt(c.base, e) = makeSlot(e, to)
		w.putEntity(to, e)
		copyValue(c.at(to), c.at(from), c.size)
	}
	if n < len(cols) {
		if err := g.leaveRest(e, from, first, n); err != nil {
			return err
		}
		g.dropRow(from)
		return nil
	}
	// The rest is dropRow, whose hole is known.
	last, tick := g.seq.Last(), w.m.Tick()
	tail := w.ids.CellOf(last)
	tail.Stamp = tick
	g.seq.DropAt(last) // its chunk, if it goes, is a spare one until the next safe point
	if from != last {
		moved := *(*Entity)(unsafe.Add(tail.Addr, last.Index()*8))
		w.putEntity(from, moved)
		s := makeSlot(moved, from)
		for i := range cols { // flat ones
			c := &cols[i]
			*slotAt(c.base, moved) = s
			copyValue(c.at(from), c.at(last), c.size)
		}
	}
	return nil
}

// leaveRest is leave from the n-th column on, but for the row of the group; it undoes
// all columns if it fails.
func (g *group) leaveRest(e Entity, from memmgr.Loc, first *pool, n int) error {
	for i := n; i < len(g.cols); i++ {
		c := &g.cols[i]
		if c.pool == first {
			continue
		}
		if err := c.pool.addLoose(e, c.at(from)); err != nil {
			g.rejoin(e, first, i, from)
			return err
		}
	}
	return nil
}

// rejoin undoes the first n columns of leave: the row of the group is there still.
func (g *group) rejoin(e Entity, first *pool, n int, row memmgr.Loc) {
	for i := range g.cols[:n] {
		if c := &g.cols[i]; c.pool != first {
			c.pool.loose.DropLast()
			*c.slot(e.Index()) = makeSlot(e, row)
		}
	}
}

// dropRow removes a row of the group: the last one moves into the hole. (Where its
// chunk goes with it, it stays a spare one until the next safe point.)
func (g *group) dropRow(l memmgr.Loc) {
	w, last := g.w, g.seq.Last()
	tail := w.ids.CellOf(last)
	tail.Stamp = w.m.Tick()
	ids := tail.Addr
	g.seq.DropAt(last)
	if l == last {
		return
	}
	moved := *(*Entity)(unsafe.Add(ids, last.Index()*8))
	w.putEntity(l, moved)
	cols, s := g.cols, makeSlot(moved, l)
	for i := range cols {
		c := &cols[i]
		copyValue(c.at(l), c.at(last), c.size)
		*c.slot(moved.Index()) = s
	}
}
