package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Plan is a spec and the tables where rows match. Tables that come and go change it, and so
// does a component that changes over. Then the next walk, or Sources, makes its sources anew
// before the first row is passed. Walks change nothing else of it. Sources that a walk has are never
// written again.
type Plan struct {
	Spec
	base *Base

	sources []Source
	made    uint64  // counts how often they were
	places  []Place // of the sources, side by side
	direct  []direct
	driver  *store.Component
	settled bool           // the sources depend on nothing but the store's layout
	over    func() []Given // of the rows to go over; nil: the sources are looked for
	given   []Given        // those that it gave
	layout  uint64         // the store's when the sources were made; 0: there are none
	planned uint64         // the store's version then
	seen    uint64         // how many tables had been made when it was looked for some
	dropped uint64         // how many had gone when it was looked for them
}

// NewPlan returns the plan of a spec, which is not looked for tables before it is walked.
func NewPlan(b *Base, s Spec) *Plan {
	p := &Plan{Spec: s, base: b}
	for i := range s.Columns {
		p.direct = append(p.direct, directOf(&s.Columns[i], s.Columns[i].Comp))
	}
	return p
}

// direct is a column as a source has it: what filling a struct needs and no more, since
// there may be hundreds of sources.
type direct struct {
	dir    *memmgr.Directory
	offset uint32 // of the field in the struct
	size   uint32 // of a value, all of it
	part   uint32 // where in it what is asked for begins
	write  bool
}

func directOf(c *Column, of *store.Component) direct {
	return direct{dir: &of.Dir, offset: uint32(c.Offset), size: uint32(of.Size), part: uint32(c.Part.Offset), write: c.Write}
}

// A Given is a sequence whose rows all have what is required. It names the component there of
// each column and of each required component.
type Given struct {
	Seq             *memmgr.Sequence
	Comps, Required []*store.Component
}

// Over has the plan go over rows that find gives and nothing else. It is asked again when
// tables have come or gone.
func (p *Plan) Over(find func() []Given) {
	p.over = find
	p.findSources()
}

// findGiven makes sources of what is given.
func (p *Plan) findGiven() {
	list := p.over()
	p.given, p.sources, p.settled = list, nil, true
	p.made++
	all := make([]direct, 0, len(list)*len(p.Columns)) // side by side, as they are walked
	for _, g := range list {
		from := len(all)
		for j, c := range g.Comps {
			all = append(all, directOf(&p.Columns[j], c))
		}
		p.sources = append(p.sources, Source{Table: p.base.S.TableOf(g.Seq), Seq: g.Seq, given: true, own: true, plain: true, pure: true, direct: all[from:len(all):len(all)], required: g.Required})
	}
}

// IsOver tells whether the rows were given.
func (p *Plan) IsOver() bool { return p.over != nil }

// Comps are what the columns stand for in a sequence.
func (p *Plan) Comps(seq *memmgr.Sequence) (comps []*store.Component) {
	for _, g := range p.given {
		if g.Seq == seq {
			return g.Comps
		}
	}
	for j := range p.Columns {
		comps = append(comps, p.Columns[j].Comp)
	}
	return comps
}

// Sources are the tables to go over now, in order. They are good until a table comes or
// goes.
func (p *Plan) Sources() []Source {
	if p.stale() {
		p.findSources()
	}
	return p.sources
}

// stale tells whether the sources may have to be made anew.
func (p *Plan) stale() bool { return !p.settled || p.layout != p.base.S.Layout() }

// findSources brings the sources up to date.
func (p *Plan) findSources() {
	layout := p.base.S.Layout()
	switch fresh := p.layout != layout; {
	case p.over != nil:
		p.findGiven()
	case len(p.Required) > 0:
		p.findRequired()
	case fresh && len(p.Any) > 0:
		p.findAny()
	}
	p.layout = layout
}

// findRequired finds the tables of the driver.
func (p *Plan) findRequired() {
	st := p.base.S
	fresh := p.planned != st.Version()
	if fresh {
		p.settled = anyDriver(p.Required)
	}
	driver := p.Required[0]
	if !p.settled {
		driver = fewest(p.Required)
	}
	if fresh || driver != p.driver {
		p.places, p.sources = nil, nil // walks under way may have the old ones
		p.driver, p.planned, p.seen, p.dropped = driver, st.Version(), 0, st.Dropped
		p.made++
	}
	if p.dropped != st.Dropped {
		p.sources = slices.DeleteFunc(slices.Clone(p.sources), func(s Source) bool { return s.Table.Gone() })
		p.dropped = st.Dropped
		p.made++
	}
	if p.seen != st.Made() {
		p.look(driver)
		p.seen = st.Made()
		p.made++
	}
}

// look appends the tables that were made since it was looked last.
func (p *Plan) look(driver *store.Component) {
	tables := driver.Tables()
	from := len(tables)
	for from > 0 && tables[from-1].Made > p.seen {
		from--
	}
	for _, t := range tables[from:] {
		if t.Owner() != nil && t.Owner() != driver.Owner() {
			continue
		}
		if s, ok := p.find(t, driver); ok {
			p.bind(&s, driver)
			p.sources = append(p.sources, s)
		}
	}
}

// bind finds the columns in a source.
func (p *Plan) bind(s *Source, driver *store.Component) {
	s.own, s.plain = true, true
	from := len(p.places)
	for j := range p.Columns {
		c := &p.Columns[j]
		at := lies(s.Table, c.Comp, driver)
		p.places = append(p.places, at)
		s.own = s.own && at != Absent
		switch {
		case p.Pointers && at == Nowhere:
		case !at.here() || !c.Whole() && !p.Pointers || c.Optional && at == Optional:
			s.plain = false
		}
	}
	s.place = p.places[from:len(p.places):len(p.places)]
	s.pure = s.plain && len(s.all)+len(s.none)+len(s.with)+len(s.sans)+len(s.any)+len(s.back)+len(s.near)+len(s.far) == 0
	s.certain = p.isCertain(s)
	s.direct = p.direct
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

// fewest is the component that the fewest entities have; of several the first.
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

// Len counts the rows that match. It costs a look at each source if all of its rows match,
// otherwise a pass over its rows' bits or words.
func (c *Cursor) Len() (n int) {
	list, hides := c.Sources(), c.hides()
	for i := range list {
		s, t, h := &list[i], tests{}, hiding{}
		some := c.hidden(&t, &h, s, hides)
		switch {
		case !some || s.idle():
		case t.hide == nil && !s.tested() && !c.skips():
			n += s.Seq.Len()
		default:
			c.find(&t, s)
			at := 0
			for id, rows := range s.Seq.Chunks() {
				if s.fresh(id, c.since) {
					_, k, _ := t.match(at, c.base.S.Entities(id, rows))
					n += k
				}
				at += s.Table.Stride()
			}
		}
	}
	return n
}

// Matches tells whether an entity has what is required, changed since the last walk where
// that is asked for, and nothing that is excluded.
func (c *Cursor) Matches(e store.Entity) bool {
	for _, x := range c.Required {
		if !x.Has(e) || !c.shows(x, x.Enabled(e)) {
			return false
		}
	}
	for _, x := range c.Excluded {
		if x.Enabled(e) {
			return false
		}
	}
	for i := range c.Changes {
		if !c.Changes[i].has(e, c.since) {
			return false
		}
	}
	for _, list := range c.Any {
		if !slices.ContainsFunc(list, func(x *store.Component) bool { return x.Enabled(e) }) {
			return false
		}
	}
	return c.shows(nil, c.base.S.Enabled(e))
}
