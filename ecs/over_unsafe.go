package ecs

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

// AnyGroup is a group of any shape, as Over takes it.
type AnyGroup interface{ asGroup() *group }

// Over makes a system go over the rows of the given groups, in that order, and
// nothing else. In each group a field stands for the owned component of its type,
// so that one system serves many groups with columns of the same types. It is not needed
// for speed: a system without it goes over the tables and groups that match. The groups
// must be of the system's world, and at least one.
func Over(groups ...AnyGroup) SystemOption {
	return func(q *query) error {
		if q == nil {
			return errors.New("ecs: Over is an option of ecs.System: pass it there")
		}
		if len(groups) == 0 {
			return errors.New("Over is given no group: name those that the system is to go over, or leave Over out and it goes over all rows that match")
		}
		gs := make([]*group, len(groups))
		for i, any := range groups {
			if any != nil {
				gs[i] = any.asGroup()
			}
			switch g := gs[i]; {
			case g == nil:
				return fmt.Errorf("group %d of Over is nil or the zero value: groups come from ecs.GroupOf, which returns nil with an error that says why", i)
			case g.w != q.w:
				return fmt.Errorf("group %q of Over is of another world: name groups of the system's world", g.name)
			}
		}
		return q.bind(gs)
	}
}

// fixed is a sequence that is swept, and its columns: one of the groups that a system
// was bound to with Over, or what comes next.
type fixed struct {
	seq     *memmgr.Sequence
	direct  []direct
	single  bool // it has one chunk, which is noted in direct
	columns []column
}

// bind makes the query go over the rows of some groups and nothing else, each with
// its own components of the fields' types.
func (q *query) bind(groups []*group) error {
	for _, g := range groups {
		if err := q.tests(g); err != nil {
			return err
		}
		f := fixed{seq: g.seq, columns: slices.Clone(q.columns)}
		for i := range f.columns {
			p, err := g.rebind(f.columns[i].pool)
			if err != nil {
				return err
			}
			if c := &f.columns[i]; !c.whole() {
				return fmt.Errorf("it asks for field %s of component %q: Over passes whole columns; ask for the component, or leave Over out", c.part.path, c.pool.name)
			}
			f.columns[i].pool = p
		}
		if err := clashing(f.columns); err != nil {
			return fmt.Errorf("in group %q: %w", g.name, err)
		}
		q.over = append(q.over, f)
	}
	// All side by side, as they are walked.
	all := make([]direct, 0, len(q.over)*len(q.columns))
	for i := range q.over {
		f := &q.over[i]
		all = append(all, directs(f.columns)...)
		f.direct = all[len(all)-len(f.columns) : len(all) : len(all)]
	}
	return nil
}

// tests refuses filters that would have to be tested row by row: Over goes over whole
// groups.
func (q *query) tests(g *group) error {
	owns := func(p *pool) bool { _, err := g.rebind(p); return err == nil }
	for _, p := range q.planner.required {
		if !owns(p) {
			return fmt.Errorf("group %q does not own component %q, which is required: Over goes over whole groups and tests nothing; leave it out, or leave Over out", g.name, p.name)
		}
	}
	for _, p := range q.planner.excluded {
		return fmt.Errorf("component %q is excluded: Over goes over whole groups and tests nothing; leave Without out, or leave Over out", p.name)
	}
	return nil
}

// eachFixed goes over the groups of Over. There may be hundreds of small ones, and
// then the time goes into finding their columns: those of groups with one chunk are
// noted until chunks move.
func (q *query) eachFixed(into unsafe.Pointer, call func(unsafe.Pointer) bool) {
	tick, layout := q.w.m.Tick(), q.w.m.Layout()
	known := q.layout == layout && q.fn != nil
	if known && q.small && q.noted == nil {
		q.eachSingle(into, tick)
		return
	}
	small := true // noted at the end: a panic of the system may come before
	for i := range q.over {
		f := &q.over[i]
		switch {
		case !known || !f.single:
			if !q.sweep(f, into, call) {
				q.layout = 0 // those after it are not noted
				return
			}
			f.note(q.entities < 0 && len(q.presences) == 0)
			small = small && f.single
		case f.seq.TailLen() > 0:
			if q.noted != nil {
				q.noted.visit(f.seq, f.seq.TailLen(), 1)
			}
			f.fill(into, f.seq.TailLen(), tick)
			q.fn(into)
			q.passed++
		}
	}
	q.layout, q.small = layout, small
}

// eachSingle is eachFixed for groups that have one chunk each: a loop of its own, in
// which little is alive across the calls.
func (q *query) eachSingle(into unsafe.Pointer, tick uint64) {
	fn, over, i := q.fn, q.over, 0
	defer func() { // of a panic: what ran need not be counted as it runs
		if i < len(over) {
			q.passed = rowful(over[:i])
		}
	}()
	for ; i < len(over); i++ {
		f := &over[i]
		n := f.seq.TailLen()
		if n == 0 {
			continue
		}
		f.fill(into, n, tick)
		fn(into)
	}
}

// rowful is how many of some groups have rows.
func rowful(over []fixed) (n int) {
	for i := range over {
		if over[i].seq.TailLen() > 0 {
			n++
		}
	}
	return n
}

// fill fills the struct with the columns of the only chunk.
func (f *fixed) fill(into unsafe.Pointer, n int, tick uint64) {
	ds := f.direct // read once
	for j := range ds {
		d := &ds[j]
		h := (*header)(unsafe.Add(into, d.offset))
		h.data, h.len, h.cap = d.addr, n, n
		if d.write {
			d.cell.Stamp = tick
		}
	}
}

// note keeps where the columns of a group's only chunk are, if there is nothing else
// to fill.
func (f *fixed) note(columnsOnly bool) {
	f.single = columnsOnly && f.seq.ChunkCount() == 1
	if !f.single {
		return
	}
	id, _ := f.seq.Chunk(0)
	for j := range f.direct {
		d := &f.direct[j]
		d.cell = d.dir.Cell(id)
		d.addr = d.cell.Addr
	}
}
