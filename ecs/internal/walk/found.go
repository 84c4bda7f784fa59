package walk

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// found is the tables of a plan. Tables and Over alone change it, between walks. Tables that a walk
// has are never written again.
//
//	settled, layout equal      the tables are good: one comparison for each walk
//	not settled                the rarest component is looked for before each walk
//	layout differs             tables have come or gone, or a component has changed over
//	  planned differs            all tables are found anew
//	  dropped differs            tables that have gone are taken out of a copy
//	  seen differs               tables that are new are appended
//
// New tables go to the end of the list. So tables that walks under way have stay where they are,
// and the order of tables is that in which they were made.
type found struct {
	tables  []Table
	made    uint64 // counts how often tables was found anew; not how often some went or came
	layout  uint64 // the store's when the tables were found; 0: they were not yet
	settled bool   // the tables depend on nothing but the store's layout
	driver  *store.Component
	extents []match.Extent // of the tables, side by side
	over    func() []Given // finds the rows to go over; nil: the tables are looked for
	given   []Given        // the last result of over
	planned uint64         // the store's version when the tables were found
	seen    uint64         // the store's Made then
	dropped uint64         // the store's Dropped then
}

// Table is a table to go over. Plan.bind sets its fields, and they are read only from then on,
// by any number of walks. They say which path a walk may take:
//
//	pure            the fast path, unless something is disabled
//	plain           the fast path if nothing is tested; otherwise rows may be held
//	certain         a chunk is tried as a whole, and gathering tells which rows match
//	not own         views may serve columns of other tables, if it is certain too
type Table struct {
	match.Filter

	given   bool // by Over: rows are passed as they lie
	plain   bool // it has all columns, and passes them as they lie
	pure    bool // plain, and never tested as long as nothing is disabled
	own     bool // no column has to be looked for in other tables
	certain bool // gathering columns answers whether a row matches
	extents []match.Extent
	comps   []*store.Component // that the columns stand for
	lanes   []lane
}

// lane is a column as a table has it: all that whole tables need, since there may be hundreds.
type lane struct {
	dir   *memmgr.Directory
	field uint32 // offset in the struct
	part  uint32 // offset in a value
	size  uint32 // of a value
	write bool
}

// A Given is a sequence in which all rows have the required components. It names the component there of
// each column and of each required component.
type Given struct {
	Seq             *memmgr.Sequence
	Comps, Required []*store.Component
}

// Over has the plan go over rows that find gives and nothing else. It is asked again when
// tables have come or gone. Package ecs calls it for rows of groups, before the first walk.
func (p *Plan) Over(find func() []Given) {
	p.found.over = find
	p.findTables()
}

// findGiven makes tables of given sequences.
func (p *Plan) findGiven() {
	f := p.found
	list := f.over()
	f.given, f.tables, f.settled = list, nil, true
	f.made++
	all := make([]lane, 0, len(list)*len(p.Columns)) // side by side, as they are walked
	extents := slices.Repeat([]match.Extent{match.Every}, len(p.Columns))
	for _, g := range list {
		from := len(all)
		all = p.lanesOf(all, g.Comps)
		t := Table{Filter: match.Given(p.base.Store.TableOf(g.Seq), g.Seq, g.Required), given: true, plain: true, pure: true, own: true, extents: extents, comps: g.Comps}
		t.lanes = all[from:len(all):len(all)]
		f.tables = append(f.tables, t)
	}
}

// Tables are the tables to go over now, in order. They are good until a table comes or
// goes.
func (p *Plan) Tables() []Table {
	if p.stale() {
		p.findTables()
	}
	return p.found.tables
}

// stale tells whether the tables may have to be found anew. Each walk asks, so it is kept to two
// comparisons, and findTables sorts out the reason.
func (p *Plan) stale() bool { return !p.found.settled || p.found.layout != p.base.Store.Layout() }

// findTables brings the tables up to date.
func (p *Plan) findTables() {
	f := p.found
	layout := p.base.Store.Layout()
	switch fresh := f.layout != layout; {
	case f.over != nil:
		p.findGiven()
	case len(p.Required) > 0:
		p.findRequired()
	case fresh && len(p.Any) > 0:
		p.findAny()
	}
	f.layout = layout
}

// findRequired finds the tables of the driver. Each entity that matches has a row in exactly one
// table of the driver, so any required component would do. The rarest has the fewest rows to test.
// If all have one owner and no thin rows, each of them leaves the same tables: see anyDriver.
func (p *Plan) findRequired() {
	f := p.found
	st := p.base.Store
	fresh := f.planned != st.Version()
	if fresh {
		f.settled = anyDriver(p.Required)
	}
	driver := p.Required[0]
	if !f.settled {
		driver = fewest(p.Required)
	}
	if fresh || driver != f.driver {
		f.extents, f.tables = nil, nil // walks under way may have the old ones
		f.driver, f.planned, f.seen, f.dropped = driver, st.Version(), 0, st.Dropped
		f.made++
	}
	if f.dropped != st.Dropped {
		f.tables = slices.Clone(slices.DeleteFunc(slices.Clone(f.tables), func(t Table) bool { return t.Table.Gone() })) // no longer than it has to be
		f.dropped = st.Dropped
	}
	if f.seen != st.Made() {
		p.look(driver)
		f.seen = st.Made()
	}
}

// look appends the tables that were made since it was looked last. A component's tables are in the
// order in which they were made, so it looks from the end. Its cost grows with the new tables, not with all.
func (p *Plan) look(driver *store.Component) {
	tables := driver.Tables()
	from := len(tables)
	for from > 0 && tables[from-1].Made > p.found.seen {
		from--
	}
	for _, t := range tables[from:] {
		p.add(&p.Query, t, driver)
	}
}

// findAny finds the tables if nothing is required but one of several components. It takes those of the first, then those of
// the next for entities that lack the first, and so on. An entity has all components in one row that lie in the
// same tables, so such components come together: each table is listed once, and a chunk is never of two pieces.
func (p *Plan) findAny() {
	f := p.found
	f.tables, f.extents, f.settled = nil, nil, true // walks under way may have the old ones
	f.made++
	left := p.Any[0]
	excluded := slices.Clone(p.Excluded)
	for len(left) > 0 {
		var list, others []*store.Component
		for _, c := range left {
			if anyDriver([]*store.Component{left[0], c}) || c == left[0] {
				list = append(list, c)
			} else {
				others = append(others, c)
			}
		}
		p.findOneOf(list, excluded)
		excluded, left = append(excluded, list...), others
	}
}

// findOneOf appends the tables of a list of components, each once.
func (p *Plan) findOneOf(list, excluded []*store.Component) {
	seen := make(map[*store.Table]bool)
	for i, c := range list {
		for _, t := range c.Tables() {
			if seen[t] {
				continue
			}
			seen[t] = true
			q := match.Query{Required: list[i : i+1], Excluded: slices.Clip(excluded), Any: p.Any[1:]}
			if slices.ContainsFunc(list[i+1:], func(c *store.Component) bool { return match.ExtentOf(t, c).Here() }) {
				q.Required, q.Any = nil, append([][]*store.Component{list[i:]}, q.Any...)
			}
			p.add(&q, t, c)
		}
	}
}

// add appends a table of the driver, if rows of it may match.
func (p *Plan) add(q *match.Query, t *store.Table, driver *store.Component) {
	if t.Owner() != nil && t.Owner() != driver.Owner() {
		return
	}
	if f, ok := q.For(t, driver); ok {
		p.found.tables = append(p.found.tables, p.bind(f, driver))
	}
}

// bind finds the columns in a table. The extents of all tables share one array, which grows by
// append. Tables keep slices of it that are closed at their end, so no later one writes them.
func (p *Plan) bind(f match.Filter, driver *store.Component) Table {
	t := Table{Filter: f, own: true, plain: true, comps: p.comps, lanes: p.lanes}
	extents := p.found.extents
	from := len(extents)
	for j := range p.Columns {
		c := &p.Columns[j]
		at := match.ExtentFor(t.Table, c.Comp, driver)
		extents = append(extents, at)
		t.own = t.own && at != match.Elsewhere
		t.plain = t.plain && at.Here() && c.InPlace() && !(c.Optional && at == match.Some)
	}
	p.found.extents = extents
	t.extents = extents[from:len(extents):len(extents)]
	t.pure = t.plain && f.Plain()
	t.certain = !p.Pointers && !p.InRows && f.OnlyLooked() && !slices.ContainsFunc(f.Looked(), p.mustTest)
	return t
}

// mustTest tells whether no column answers which rows have a required component.
func (p *Plan) mustTest(c *store.Component) bool {
	return !slices.ContainsFunc(p.Columns, func(x source.Column) bool { return x.Comp == c && !x.Optional })
}

// anyDriver tells whether any required component will do as the driver: all have one
// owner, and none is thin.
func anyDriver(required []*store.Component) bool {
	for _, c := range required {
		if c.Owner() != required[0].Owner() || c.ThinRows() {
			return false
		}
	}
	return true
}

// fewest is the component that the fewest entities have; of several the first. The choice depends on
// counts alone, so equal worlds walk in equal order.
func fewest(required []*store.Component) *store.Component {
	best := required[0]
	n := best.Len()
	for _, c := range required[1:] {
		if k := c.Len(); k < n {
			best, n = c, k
		}
	}
	return best
}
