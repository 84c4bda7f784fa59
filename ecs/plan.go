package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A plan says where the rows that match a query are, and what has to be tested.
//
// An entity has a component in exactly one row. So going over the tables that have a
// column of one required component, the driver, meets each match once. What is left to
// test in a table:
//
//	component of the same owner   fixed there: nothing
//	                              optional there: a bit a row
//	                              neither: only a thin row may have it
//	component of another owner    look its word up
//
// Where all required components have one owner and none is thin, any of them will do as
// the driver; else it is the one that the fewest entities have, the first field winning a
// tie. It depends on counts alone, so it is the same on every machine. The plan holds as
// long as no table comes or goes, and no component changes over.

// source is a table to go over, and what is left to test there.
type source struct {
	table *store.Table
	group *group // whose members the rows are; nil for others
	seq   *memmgr.Sequence
	with  []*store.Opt // optional components that rows must have
	sans  []*store.Opt // and must not have
	all   []*pool      // components to look up, which must be there
	none  []*pool      // and must not
	place []int8       // by column: how the table has it
	plain bool         // all columns are in place
	pure  bool         // and there is never anything to test
	own   fixed
	// layout is the manager's when the columns of the only chunk were noted; 0: they are not.
	layout uint64
}

// How a table has a query's column.
const (
	absent   int8 = iota
	fixedIn       // for all rows
	optional      // for some, as bits say
)

// planner is the pure part of a query: sets of pools.
type planner struct {
	required, excluded []*pool
}

// lies tells how a table has a component.
func lies(t *store.Table, p *pool) int8 {
	if t.Owner() != nil && t.Owner() != p.c.Owner() {
		return absent
	}
	if t.Has(&p.c) {
		return fixedIn
	}
	if t.Opt(&p.c) != nil {
		return optional
	}
	return absent
}

// source is a table as a query finds it; false if no row there can match.
func (q *planner) source(t *store.Table) (s source, ok bool) {
	s = source{table: t, seq: t.Seq}
	for _, p := range q.required {
		switch lies(t, p) {
		case optional:
			s.with = append(s.with, t.Opt(&p.c))
		case absent:
			if t.Owner() != nil && t.Owner() == p.c.Owner() && !p.c.ThinRows() {
				return s, false
			}
			s.all = append(s.all, p)
		}
	}
	for _, p := range q.excluded {
		switch lies(t, p) {
		case fixedIn:
			return s, false
		case optional:
			s.sans = append(s.sans, t.Opt(&p.c))
		case absent:
			if t.Owner() == nil || t.Owner() != p.c.Owner() || p.c.ThinRows() {
				s.none = append(s.none, p)
			}
		}
	}
	return s, true
}

// free tells whether any required component will do as the driver.
func (q *planner) free() bool {
	for _, p := range q.required {
		if p.c.Owner() != q.required[0].c.Owner() || p.c.ThinRows() {
			return false
		}
	}
	return true
}

// driver is the required component whose tables are gone over.
func (q *planner) driver() *pool {
	best := q.required[0]
	n := best.c.Len()
	for _, p := range q.required[1:] {
		if k := p.c.Len(); k < n {
			best, n = p, k
		}
	}
	return best
}

// sources appends the tables to go over with a driver that were made after the seen-th.
func (q *planner) sources(list []source, driver *pool, seen uint64) []source {
	tables := driver.c.Tables()
	from := len(tables)
	for from > 0 && tables[from-1].Made > seen {
		from--
	}
	for _, t := range tables[from:] {
		if t.Owner() != nil && t.Owner() != driver.c.Owner() {
			continue
		}
		if s, ok := q.source(t); ok {
			list = append(list, s)
		}
	}
	return list
}

// idle tells whether a source has no rows that match, as far as counts tell.
func (s *source) idle() bool {
	if s.seq.Len() == 0 {
		return true
	}
	for _, x := range s.with {
		if x.Count == 0 {
			return true
		}
	}
	return false
}

// tested tells whether rows have to be tested.
func (s *source) tested() bool {
	if len(s.all)+len(s.none)+len(s.with) > 0 {
		return true
	}
	for _, x := range s.sans {
		if x.Count > 0 {
			return true
		}
	}
	return false
}

// matches tells whether an entity passes the look-ups of a source.
func (s *source) matches(e Entity) bool {
	for _, p := range s.all {
		if !p.c.Has(e) {
			return false
		}
	}
	for _, p := range s.none {
		if p.c.Has(e) {
			return false
		}
	}
	return true
}

// match appends the rows of the i-th chunk that pass all tests to dst, and returns how
// many stretches they make.
func (s *source) match(dst []uint16, i int, handles []Entity) (rows []uint16, runs int) {
	n, at := len(handles), i*s.table.Stride()
	lookUp := len(s.all)+len(s.none) > 0
	rows = dst
	was := uint64(0) // the last row of the word before
	for base := 0; base < n; base, at = base+64, at+1 {
		m := ^uint64(0)
		if n-base < 64 {
			m = 1<<(n-base) - 1
		}
		for _, x := range s.with {
			m &= x.Bits[at]
		}
		for _, x := range s.sans {
			m &^= x.Bits[at]
		}
		if lookUp {
			for k := m; k != 0; k &= k - 1 {
				if b := lowest(k); !s.matches(handles[base+b]) {
					m &^= 1 << b
				}
			}
		}
		runs += ones(m &^ (m<<1 | was))
		was = m >> 63
		rows = appendRows(rows, base, m)
	}
	return rows, runs
}

// count is how many rows of the i-th chunk pass all tests.
func (s *source) count(i int, handles []Entity) int {
	rows, _ := s.match(nil, i, handles)
	return len(rows)
}

// rebind returns the pool of a group that stands for p: of the same type. Systems
// over several groups of the same shape read each group's own.
func (g *group) rebind(p *pool) (*pool, error) {
	var found *pool
	for _, q := range g.pools {
		if q.typ == p.typ {
			if found != nil {
				return nil, fmt.Errorf("group %q owns two components of type %v", g.name, p.typ)
			}
			found = q
		}
	}
	if found == nil {
		return nil, fmt.Errorf("group %q owns no component of type %v", g.name, p.typ)
	}
	return found, nil
}
