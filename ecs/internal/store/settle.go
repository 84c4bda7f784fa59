package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// A row belongs in the current table of the family that its components make by their present ways.
// Rows elsewhere are found and changed as well, so settling may wait for the ends of frames. It pays
// because each system visits fewer tables.

//	family {Pos}     former table {Pos}            current table {Pos} + Poison?
//	frame 1          a  b  c  d  e                 f
//	frame 2          a  b                          f  e  d  c          so many rows a frame
//	frame 3                                        f  e  d  c  b  a    the former one is dropped later

// settle moves rows of the commons to the current tables of their families, in the rest of the
// frame. It returns how many rows moved, and whether that was all. Tables of groups are not settled,
// because the ways of their components are stated.
func (s *Store) settle() (moved int, done bool) {
	for _, t := range slices.Clone(s.Commons.tables) {
		if t.Seq.Len() == 0 || t == t.family.current && len(t.inUse()) == len(t.opts) {
			continue
		}
		k, done := t.moveOn()
		if moved += k; !done {
			return moved, false
		}
	}
	return moved, true
}

// moveOn moves a table's rows to its family's current table, in the rest of the frame. Before, a
// current table with optional columns that are no longer in use is replaced by one without them. It
// returns how many rows moved, and whether the table is done. It is not if memory is refused.
func (t *Table) moveOn() (moved int, done bool) {
	f := t.family
	if u := f.current; u == nil || len(u.inUse()) < len(u.opts) {
		var used []*Component
		if u != nil {
			used = u.inUse()
		}
		if f.renew(used) != nil {
			return 0, false
		}
	}
	cost := t.moveCost()
	for {
		if t.store.left <= 0 {
			return moved, t.Seq.Len() == 0
		}
		k, stays, err := t.moveHome(1)
		if moved, t.store.left = moved+k, t.store.left-int64(k)*cost; err != nil || stays || k == 0 {
			return moved, err == nil
		}
	}
}

// moveCost is the cost of moving a row of the table, and swapCost that of two rows that change places.
func (t *Table) moveCost() int64 { return policy.MoveCost(t.width()) }
func (t *Table) swapCost() int64 { return policy.SwapCost(t.width()) }

// width is the bytes of a row, and those of all rows of the commons if they were like it.
func (t *Table) width() (width, bytes int64) {
	for _, c := range t.fixed {
		width += int64(c.Size)
	}
	for _, x := range t.opts {
		width += int64(x.C.Size) * int64(x.Count) / int64(max(t.Seq.Len(), 1))
	}
	return width, width * int64(t.store.rows)
}

// moveOut moves all rows of a table to where they belong by now. It tells whether the table is empty,
// so that the caller may drop it. Its cost has no bound by frame.
func (t *Table) moveOut() bool {
	_, stays, err := t.moveHome(t.Seq.Len())
	return err == nil && !stays
}

// moveHome moves at most n rows of a table to where they belong by now. The last rows go first, so no
// move leaves a hole to fill. It stops at a row that belongs where it is, and returns stays as true.
func (t *Table) moveHome(n int) (moved int, stays bool, err error) {
	for ; t.Seq.Len() > 0 && moved < n; moved++ {
		l := t.Seq.Last()
		ed, err := t.edge(nil, settling, l)
		if err == nil && ed.to != t {
			err = t.followEdge(t.store.entityAt(l), l, ed)
		}
		if err != nil || ed.to == t {
			return moved, err == nil, err
		}
	}
	return moved, false, nil
}

// renew makes the table with exactly the given optional components the current one. A family without
// any component has no current table then. After an error the former table is current again, and edges
// are found again.
func (f *family) renew(opts []*Component) error {
	was := f.current
	f.current = nil
	f.owner.ways++
	if len(f.fixed) == 0 && len(opts) == 0 { // entities without anything have no row
		return nil
	}
	if _, err := f.table(opts); err != nil {
		f.current = was
		return err
	}
	return nil
}

// dropTable drops a table without rows.
func (s *Store) dropTable(t *Table) { s.dropTables([]*Table{t}) }

// dropTables drops tables without rows. The tables are marked first, by noKey. Then each list that has
// some of them is filtered once, however many they are. Edges of the owners' other tables are dropped,
// because they would keep dropped tables in memory.
func (s *Store) dropTables(dead []*Table) {
	if len(dead) == 0 {
		return
	}
	touched := make(map[*Component]bool)
	for _, t := range dead {
		t.Seq.Drop()
		s.tables[t.key] = nil
		s.freeKeys = append(s.freeKeys, t.key)
		t.key = noKey
		for _, c := range t.comps() {
			c.alone = alone{}
			touched[c] = true
		}
	}
	for _, c := range s.comps {
		if touched[c] {
			c.tables = slices.DeleteFunc(c.tables, (*Table).Gone)
		}
	}
	owners := make(map[*Owner]bool)
	for _, t := range dead {
		if o := t.owner; o != nil {
			owners[o] = true
			t.leaveFamily()
		}
	}
	for o := range owners {
		o.tables = slices.DeleteFunc(o.tables, (*Table).Gone)
		o.ways++
		for _, t := range o.tables { // stale edges would keep dropped tables in memory
			t.edges = edges{}
		}
	}
	s.Dropped, s.ways = s.Dropped+uint64(len(dead)), s.ways+clock.Ways(len(dead))
}

// leaveFamily takes a table out of its family, and ends the family with its last table.
func (t *Table) leaveFamily() {
	f := t.family
	f.owner.ways++
	f.tables = slices.DeleteFunc(f.tables, func(u *Table) bool { return u == t })
	if f.current == t {
		f.current = nil
	}
	if len(f.tables) == 0 {
		f.drop()
	}
}
