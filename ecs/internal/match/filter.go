package match

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Filter is a table and the tests that are left for its rows. Tests are apart, and tables without one share
// an empty list, because hundreds of tables may have a few rows each: a plan has a filter for each.
//
// A filter holds no bits and no counts of its own. It names the components and presence bits of
// the table, and each walk reads their present state. So rows may come and go without a new
// filter. Given and For fill it, and nothing changes it after that. Any number of walks may read one filter
// at the same time.
type Filter struct {
	// Table has the rows.
	Table *store.Table
	// Seq is its sequence.
	Seq *memmgr.Sequence

	required []*store.Component
	*left
}

// left is the tests that are left. For fills it, and nothing changes it after that.
type left struct {
	with, sans []*store.Opt       // presence bits that must be set, and that must not be
	all, none  []*store.Component // to be marked from their side, or looked up
	any        []anyOf
	back       []*store.Component // excluded, and in every row: a row matches only with it disabled
	near, far  []Change           // of columns of the table, and of others
	rows       []Change           // changes of near that are known row by row
}

// nothing is left where every row matches. It is never written.
var nothing left

// Given returns the filter of a table where all rows have every required component. Only disabled
// entities and components are left to test. Required are the components that stand for the query's own.
func Given(t *store.Table, seq *memmgr.Sequence, required []*store.Component) Filter {
	return Filter{t, seq, required, &nothing}
}

// For returns the filter of a table that has a column of the driver; not ok if no row of it can
// match. Plans call it once for each table, before the first row of a walk. Tables without a match
// are left out for good, so counts of rows must not decide here: an empty table may fill later.
// The first time that a component is disabled, plans are made anew. So c.Disables may decide.
func (q *Query) For(t *store.Table, driver *store.Component) (f Filter, ok bool) {
	f = Filter{t, t.Seq, q.Required, &nothing}
	var x left
	for _, c := range q.Required {
		switch ExtentFor(t, c, driver) {
		case Some:
			x.with = append(x.with, t.Opt(c))
		case Elsewhere:
			x.all = append(x.all, c)
		case None:
			return f, false
		}
	}
	for _, c := range q.Excluded {
		switch ExtentFor(t, c, driver) {
		case Every:
			if !c.Disables() {
				return f, false
			}
			x.back = append(x.back, c)
		case Some:
			x.sans = append(x.sans, t.Opt(c))
		case Elsewhere:
			x.none = append(x.none, c)
		}
	}
	for _, list := range q.Any {
		a, all, ok := oneOf(t, list, driver)
		if !ok {
			return f, false
		}
		if !all {
			x.any = append(x.any, a)
		}
	}
	x.findChanges(q, t, driver)
	if !x.Plain() {
		f.left = new(left)
		*f.left = x
	}
	return f, true
}

// findChanges sorts changes by where they are known.
func (x *left) findChanges(q *Query, t *store.Table, driver *store.Component) {
	for _, c := range q.Changes {
		if ExtentFor(t, c.Comp, driver) == Elsewhere {
			x.far = append(x.far, c)
			continue
		}
		if x.near = append(x.near, c); c.Rows {
			x.rows = append(x.rows, c)
		}
	}
}

// Plain tells whether there is never anything to test, whatever rows there are, as long as
// nothing is disabled. Plans keep the answer, so that walks over whole tables do not ask again.
// Tested is the same question about the rows that exist now.
func (x *left) Plain() bool { return x.OnlyLooked() && len(x.all)+len(x.near) == 0 }

// OnlyLooked tells whether nothing is tested but that rows have components of other tables.
func (x *left) OnlyLooked() bool {
	return len(x.none)+len(x.with)+len(x.sans)+len(x.any)+len(x.back)+len(x.rows)+len(x.far) == 0
}

// Hidden tells whether rows match only where they have a component disabled that is excluded.
func (x *left) Hidden() bool { return len(x.back) > 0 }

// Looked are required components that rows of the table have in other tables, if at all.
func (x *left) Looked() []*store.Component { return x.all }

// Idle tells whether counts show that no row matches. It reads no bits. Many tables of a family
// are empty or lack an optional component, and a walk leaves them after this call.
func (f *Filter) Idle() bool {
	if f.Seq.Len() == 0 {
		return true
	}
	for _, x := range f.with {
		if x.Count == 0 {
			return true
		}
	}
	return slices.ContainsFunc(f.any, anyOf.idle)
}

// Tested tells whether rows have to be tested, in the present state of the world. The answer may change
// with each change of rows, so walks ask once for each table. Changes known chunk by chunk do
// not count: Fresh decides them for whole chunks.
func (f *Filter) Tested() bool {
	if len(f.all)+len(f.with)+len(f.any)+len(f.rows)+len(f.far) > 0 {
		return true
	}
	for _, c := range f.none {
		if c.Len() > 0 {
			return true
		}
	}
	for _, x := range f.sans {
		if x.Count > 0 {
			return true
		}
	}
	return false
}
