package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Place is how a table has a column.
type Place int8

const (
	// Absent says that it has none: its rows' values are elsewhere, if they have any.
	Absent Place = iota
	// Fixed is one for all rows.
	Fixed
	// Optional is one for some, as bits say.
	Optional
	// Nowhere says that it has none, and that no row of it can have the component.
	Nowhere
)

// here tells whether the table has the column.
func (p Place) here() bool { return p == Fixed || p == Optional }

// Lies tells how a table has a component. An entity has all that one owner has in one row, but for
// thin rows: if its table does not have the component, the entity does not.
func Lies(t *store.Table, c *store.Component) Place {
	switch {
	case t.Owner() != nil && t.Owner() != c.Owner():
		return Absent
	case t.Has(c):
		return Fixed
	case t.Opt(c) != nil:
		return Optional
	case t.Owner() != nil && !c.ThinRows():
		return Nowhere
	}
	return Absent
}

// lies is Lies for a plan whose tables are those of a driver. While another component changes
// over, some entities whose rows lack its bit have it in rows of its own. These have to be
// looked up, as if the table did not have the component. The driver's own rows of that kind
// come with their table.
func lies(t *store.Table, c, driver *store.Component) Place {
	at := Lies(t, c)
	if at == Optional && c != driver && c.ThinRows() {
		return Absent
	}
	return at
}

// Source is a table to go over, and what is left to test there. What every walk reads comes first,
// in one line of the cache: there may be hundreds of sources with a few rows each.
type Source struct {
	// Table has the rows.
	Table *store.Table
	// Seq is its sequence.
	Seq *memmgr.Sequence

	direct []direct // of the columns that the table has
	given  bool     // see Plan.Over: all columns are in place, whatever they stand for
	own    bool     // no column is Absent
	plain  bool     // the table has all columns, and they are passed as they lie: whole ones, without gaps
	pure   bool     // and there is never anything to test
	// certain says that gathering the columns tells whether a row matches.
	certain bool
	with    []*store.Opt       // optional components that rows must have
	sans    []*store.Opt       // and must not have
	all     []*store.Component // components to look up, which must be there
	none    []*store.Component // and must not
	any     []anyOf
	back    []*store.Component // excluded ones that all rows have: only where they are disabled
	near    []Change           // changes of components that are columns: chunk by chunk
	rows    []Change           // those of near that are known row by row
	far     []Change           // and of those that are not columns
	place   []Place            // by column
	// required are what rows must have; where they were given, one for each of the plan's.
	required []*store.Component
}

// find returns a table of the driver's as a source for a spec; false if no row there can
// match.
func (q *Spec) find(t *store.Table, driver *store.Component) (s Source, ok bool) {
	s = Source{Table: t, Seq: t.Seq, required: q.Required}
	for _, c := range q.Required {
		switch lies(t, c, driver) {
		case Optional:
			s.with = append(s.with, t.Opt(c))
		case Absent:
			s.all = append(s.all, c)
		case Nowhere:
			return s, false
		}
	}
	for _, c := range q.Excluded {
		switch lies(t, c, driver) {
		case Fixed:
			if !c.Disables() {
				return s, false
			}
			s.back = append(s.back, c)
		case Optional:
			s.sans = append(s.sans, t.Opt(c))
		case Absent:
			s.none = append(s.none, c)
		}
	}
	for _, list := range q.Any {
		a, is, ok := oneOf(t, list, driver)
		if !ok {
			return s, false
		}
		if !is {
			s.any = append(s.any, a)
		}
	}
	for _, x := range q.Changes {
		if lies(t, x.Comp, driver) == Absent {
			s.far = append(s.far, x)
		} else {
			s.near = append(s.near, x)
		}
	}
	s.rows = s.byRow()
	return s, true
}

// inPlace tells whether the j-th column is passed as the table has it. What a walk in parallel
// passes with gaps is a copy: gaps are cleared.
func (c *Cursor) inPlace(s *Source, j int) bool {
	x := &c.Columns[j]
	return x.Whole() && s.place[j].here() && !(c.parallel && s.gap(j, x))
}

// gap tells whether rows that match may lack the j-th column, though the table has it.
func (s *Source) gap(j int, c *Column) bool { return c.Optional && s.place[j] == Optional }

// bits tell which rows of the i-th chunk have a component that is optional there.
func (s *Source) bits(c *store.Component, i int) []uint64 {
	return s.Table.Opt(c).Bits[i*s.Table.Stride():][:s.Table.Stride()]
}

// has tells whether the rows that match have the j-th column; may: they may lack it.
func (s *Source) has(j int, may bool) bool {
	return s.given || s.place[j] == Fixed || s.place[j] == Optional && !may
}

// idle tells whether counts show that no row matches.
func (s *Source) idle() bool {
	if s.Seq.Len() == 0 {
		return true
	}
	for _, x := range s.with {
		if x.Count == 0 {
			return true
		}
	}
	return slices.ContainsFunc(s.any, anyOf.idle)
}

// tested tells whether rows have to be tested.
func (s *Source) tested() bool {
	if len(s.all)+len(s.with)+len(s.any)+len(s.rows)+len(s.far) > 0 {
		return true
	}
	for _, c := range s.none {
		if c.Len() > 0 {
			return true
		}
	}
	for _, x := range s.sans {
		if x.Count > 0 {
			return true
		}
	}
	return false
}
