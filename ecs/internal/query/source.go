package query

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Place is how a table has a column.
type Place int8

const (
	// Absent says that it has none.
	Absent Place = iota
	// Fixed is one for all rows.
	Fixed
	// Optional is one for some, as bits say.
	Optional
)

// Lies tells how a table has a component.
func Lies(t *store.Table, c *store.Component) Place {
	switch {
	case t.Owner() != nil && t.Owner() != c.Owner():
		return Absent
	case t.Has(c):
		return Fixed
	case t.Opt(c) != nil:
		return Optional
	}
	return Absent
}

// Source is a table to go over, and what is left to test there.
type Source struct {
	// Table is nil for rows that were given; see Plan.Over.
	Table *store.Table
	// Seq has the rows.
	Seq *memmgr.Sequence

	with  []*store.Opt       // optional components that rows must have
	sans  []*store.Opt       // and must not have
	all   []*store.Component // components to look up, which must be there
	none  []*store.Component // and must not
	place []Place            // by column
	own   bool               // all columns are in place
	pure  bool               // and there is never anything to test
	// certain says that gathering the columns tells whether a row matches.
	certain bool
	direct  []direct // of the columns in place
	// layout is the manager's when the columns of the only chunk were noted; 0: they are not.
	layout uint64
}

// find returns a table as a source for a spec; false if no row there can match.
func (q *Spec) find(t *store.Table) (s Source, ok bool) {
	s = Source{Table: t, Seq: t.Seq}
	for _, c := range q.Required {
		switch Lies(t, c) {
		case Optional:
			s.with = append(s.with, t.Opt(c))
		case Absent:
			if t.Owner() != nil && t.Owner() == c.Owner() && !c.ThinRows() {
				return s, false
			}
			s.all = append(s.all, c)
		}
	}
	for _, c := range q.Excluded {
		switch Lies(t, c) {
		case Fixed:
			return s, false
		case Optional:
			s.sans = append(s.sans, t.Opt(c))
		case Absent:
			if t.Owner() == nil || t.Owner() != c.Owner() || c.ThinRows() {
				s.none = append(s.none, c)
			}
		}
	}
	return s, true
}

// inPlace tells whether the rows that match have the j-th column as the table has it.
func (s *Source) inPlace(j int, c *Column) bool { return c.Whole() && s.has(j, c.Optional) }

// has tells whether the rows that match have the j-th column; may: they may lack it.
func (s *Source) has(j int, may bool) bool {
	return s.place[j] == Fixed || s.place[j] == Optional && !may
}

// idle tells whether there are no rows that match, as far as counts tell.
func (s *Source) idle() bool {
	if s.Seq.Len() == 0 {
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
func (s *Source) tested() bool {
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

// passes tells whether an entity passes what is looked up.
func (s *Source) passes(e store.Entity) bool {
	for _, c := range s.all {
		if !c.Has(e) {
			return false
		}
	}
	for _, c := range s.none {
		if c.Has(e) {
			return false
		}
	}
	return true
}

// word is the rows of 64 that pass all tests: those from base on, of a chunk whose bits
// begin at the word.
func (s *Source) word(at, base int, handles []store.Entity) uint64 {
	m := ^uint64(0)
	if n := len(handles) - base; n < 64 {
		m = 1<<n - 1
	}
	for _, x := range s.with {
		m &= x.Bits[at+base/64]
	}
	for _, x := range s.sans {
		m &^= x.Bits[at+base/64]
	}
	if len(s.all)+len(s.none) > 0 {
		for k := m; k != 0; k &= k - 1 {
			if b := bits.TrailingZeros64(k); !s.passes(handles[base+b]) {
				m &^= 1 << b
			}
		}
	}
	return m
}

// match appends the rows of the i-th chunk that pass all tests to dst, and returns how
// many stretches they make.
func (s *Source) match(dst []uint16, i int, handles []store.Entity) (rows []uint16, runs int) {
	rows = dst
	was := uint64(0) // the last row of the word before
	for base := 0; base < len(handles); base += 64 {
		m := s.word(i*s.Table.Stride(), base, handles)
		runs += bits.OnesCount64(m &^ (m<<1 | was))
		was = m >> 63
		for ; m != 0; m &= m - 1 {
			rows = append(rows, uint16(base+bits.TrailingZeros64(m)))
		}
	}
	return rows, runs
}

// count is how many rows of the i-th chunk pass all tests.
func (s *Source) count(i int, handles []store.Entity) (n int) {
	for base := 0; base < len(handles); base += 64 {
		n += bits.OnesCount64(s.word(i*s.Table.Stride(), base, handles))
	}
	return n
}
