package contract

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Point fills a struct of pointers for one entity after another, each with one look at its entry. It keeps
// no instances. Facts about chunks are kept, in plans, and are good as long as two clocks stand.
//
//	entry: version, chunk, row ─→ plans[chunk]: one, two  every row matches: base + row × size, twice
//	                                            detail    bits of rows, values to fill, then others by handle
//
// Whatever that does not decide is asked of Other: queries for changes, for one of several components
// or for disabled ones, and values that may be copies at this moment.
//
// arrange sets home, dir, pair, far, one, two, near, apart, lacks and simple when ways of storing have changed. planOf
// sets plans.
type Point struct {
	// Other answers, and fills, for an entity that has to be tested otherwise.
	Other func(e store.Entity, into raw.Ptr) bool
	// Same, unless it is nil, gives a struct the fields that are the same for all entities, or clears it
	// if its entity does not match.
	Same func(into raw.Ptr, matches bool)
	// Excluded are components that the entity must not have.
	Excluded []*store.Component
	// Entity is the offset of a field for the entity; -1: there is none.
	Entity int

	store    *store.Store
	dir      *memmgr.Directory // finds entries of home; none: Fill looks
	pair     *memmgr.Directory // dir, if the point is a pair
	far      far               // of a pair: its second field, if that is looked up by entity
	plans    []Plan            // by number of a chunk
	one, two short             // the values of the plans; if there is one, both are it
	fields   []Field
	home     *store.Words // entries of the first required component; nil: Other is asked about all
	near     []Field      // fields with values in the row that an entry of home names
	apart    []Field      // the others: looked up
	lacks    []*store.Component
	writes   []Field
	arranged clock.Ways       // Store.Finding when arrange was called; 0: never
	asks     bool             // Other is asked about all
	simple   bool             // the row has all that there is to fill
	none     memmgr.Directory // of no component
}

// Plan has the facts of a chunk's rows. It is good while seen equals Point.now.
type Plan struct {
	seen     uint64
	one, two raw.Word // where row 0 has its first values that no bit decides about
	detail   *detail  // nil: these are all
	bits     raw.Word // of a pair: where the bits are that tell which rows match; 0: all do; or askBoth
}

// detail is the part of a plan for chunks where more is to be done than to fill two pointers.
type detail struct {
	never  bool // no row matches
	tests  []test
	values []value // beyond the plan's two
}

// test is a presence bit that a row must have, or must not have.
type test struct {
	bits []uint64 // of the chunk's rows
	has  bool
}

// passes tells whether a row has the bits that it must have, and no other that is tested.
func (d *detail) passes(row uintptr) bool {
	for i := range d.tests {
		if t := &d.tests[i]; (t.bits[row/64]>>(row%64)&1 != 0) != t.has {
			return false
		}
	}
	return true
}

// value is a column of a chunk. Rows without their bit get nil; without bits all rows have a value.
type value struct {
	base raw.Word
	short
	bits []uint64
}

// far is a field of a component that has rows of its own.
type far struct {
	dir        *memmgr.Directory // nil: there is none
	size, part uint64
}

// NewPoint makes a point. With ask, Other is asked about all entities.
func NewPoint(s *store.Store, fields []Field, ask bool) *Point {
	p := &Point{store: s, fields: fields, asks: ask || len(fields) == 0, Entity: -1}
	p.none.SetEntries(nil)
	p.dir, p.pair = &p.none, &p.none
	for _, f := range fields {
		if f.Write {
			p.writes = append(p.writes, f)
		}
	}
	return p
}

// now is the clock of plans: it moves when ways of storing change, when something is lent or disabled, and
// when a chunk is made, freed or moved. Both counts only grow, so no sum comes twice.
func (p *Point) now() uint64 { return uint64(p.store.Finding()) + uint64(p.store.Places()) }

// Fill fills the struct at into, which is zero, with an entity's pointers, and returns whether it
// matches. If not, the struct stays zero. It is one pass without a call where nothing is to be asked.
func (p *Point) Fill(e store.Entity, into raw.Ptr) bool {
	w, _, _ := p.dir.Entry(uint64(e))
	k := uint(store.LocOf(w).Chunk())
	if w^uint64(e) >= 1<<store.VersionShift || k >= uint(len(p.plans)) || p.plans[k].seen != p.now() {
		return p.look(e, into)
	}
	x, row := &p.plans[k], store.LocOf(w).Index()
	raw.SetAddress(raw.At(into, uintptr(p.one.offset)), x.one+row*uintptr(p.one.size))
	raw.SetAddress(raw.At(into, uintptr(p.two.offset)), x.two+row*uintptr(p.two.size))
	return x.detail == nil || p.fill(x.detail, e, w, into)
}

// look is Fill where something is not known yet, and where Other has to be asked.
func (p *Point) look(e store.Entity, into raw.Ptr) bool {
	if p.arranged != p.store.Finding() {
		p.arrange()
	}
	if p.Same == nil {
		return p.find(e, into)
	}
	p.Same(raw.Lent(into), true)
	matches := p.find(e, into)
	if !matches {
		p.Same(raw.Lent(into), false)
	}
	return matches
}

// find is Fill for all cases.
func (p *Point) find(e store.Entity, into raw.Ptr) bool {
	if p.home == nil || !p.store.Plain() {
		return p.Other(e, raw.Lent(into))
	}
	w := p.home.Load(e.Index())
	if !store.Names(w, e) {
		return false
	}
	x, row := p.planOf(w), store.LocOf(w).Index()
	raw.SetAddress(raw.At(into, uintptr(p.one.offset)), x.one+row*uintptr(p.one.size))
	raw.SetAddress(raw.At(into, uintptr(p.two.offset)), x.two+row*uintptr(p.two.size))
	return x.detail == nil || p.fill(x.detail, e, w, into)
}

// fill fills the pointers beyond the first two of a plan. It returns whether the entity matches.
func (p *Point) fill(x *detail, e store.Entity, w uint64, into raw.Ptr) bool {
	l := store.LocOf(w)
	row := l.Index()
	if !x.passes(row) {
		return p.clear(into)
	}
	for i := range x.values {
		v := &x.values[i]
		at := v.base + row*uintptr(v.size)
		if v.bits != nil && v.bits[row/64]>>(row%64)&1 == 0 {
			at = 0
		}
		raw.SetAddress(raw.At(into, uintptr(v.offset)), at)
	}
	if x.never || !p.simple && !p.rest(e, l, into) {
		return p.clear(into)
	}
	return true
}

// rest is fill beyond the row that home names.
func (p *Point) rest(e store.Entity, l memmgr.Loc, into raw.Ptr) bool {
	for _, c := range p.lacks {
		if c.Has(e) {
			return false
		}
	}
	for i := range p.apart {
		f := &p.apart[i]
		at := f.C.Dir.Lookup(store.FindUncounted, uint64(e), uint64(f.C.Size))
		switch {
		case at == nil && !f.Optional:
			return false
		case at != nil && f.Filled:
			raw.SetAddress(raw.At(into, f.Offset), raw.Address(at)+f.Part)
		}
	}
	for i := range p.writes {
		if f := &p.writes[i]; !f.Optional && f.C.Rows() == p.home {
			f.C.Written(e, l)
		} else {
			f.C.Reach(e, true)
		}
	}
	if p.Entity >= 0 {
		*raw.As[store.Entity](raw.At(into, uintptr(p.Entity))) = e
	}
	return true
}

// clear makes the pointers of an entity that does not match nil again. It returns false.
func (p *Point) clear(into raw.Ptr) bool {
	for i := range p.fields {
		if f := &p.fields[i]; f.Filled {
			raw.SetAddress(raw.At(into, f.Offset), 0)
		}
	}
	return false
}

// arrange finds out where the components are, after ways of storing have changed. All plans are stale then.
func (p *Point) arrange() {
	p.arranged, p.home, p.dir, p.pair = p.store.Finding(), nil, &p.none, &p.none
	p.near, p.apart, p.lacks = p.near[:0], p.apart[:0], p.lacks[:0]
	if p.asks {
		return
	}
	for i := range p.fields {
		if f := &p.fields[i]; p.home == nil && !f.Optional {
			if p.home = f.C.Rows(); p.home != nil {
				p.dir = &f.C.Dir
			}
		}
	}
	for _, f := range p.fields {
		if f.C.Rows() == p.home {
			p.near = append(p.near, f)
		} else {
			p.apart = append(p.apart, f)
		}
	}
	for _, c := range p.Excluded {
		if c.Rows() != p.home {
			p.lacks = append(p.lacks, c)
		}
	}
	p.simple = len(p.lacks)+len(p.apart)+len(p.writes) == 0 && p.Entity < 0
	if p.head(); p.Same != nil {
		p.dir = &p.none // so that Fill looks
	}
	if p.isPair() {
		p.pair, p.far = p.dir, far{}
		if len(p.apart) > 0 {
			f := &p.apart[0]
			p.far = far{&f.C.Dir, uint64(f.C.Size), uint64(f.Part)}
		}
	}
}

// head chooses the values of the plans: the first two that all rows of home have. Without one, Fill
// writes nil to a field that fill sets, and without such a field there are no plans.
func (p *Point) head() {
	n := 0
	for i := range p.near {
		if f := &p.near[i]; f.inHead() && n < 2 {
			if p.two = shortOf(f); n == 0 {
				p.one = p.two
			}
			n++
		}
	}
	if n > 0 {
		return
	}
	p.one = short{offset: uint32(p.Entity)}
	if i := slices.IndexFunc(p.fields, func(f Field) bool { return f.Filled }); i >= 0 {
		p.one.offset = uint32(p.fields[i].Offset)
	} else if p.Entity < 0 {
		p.home, p.dir = nil, &p.none
	}
	p.two = p.one
}

// inHead tells whether a field in the row that home names may be one of a plan's two.
func (f *Field) inHead() bool { return f.Filled && !f.Optional }

func shortOf(f *Field) short { return short{offset: uint32(f.Offset), size: uint32(f.C.Size)} }

// planOf returns the plan of the chunk of an entry, which it notes if it is not known.
func (p *Point) planOf(w uint64) *Plan {
	k, now := int(store.LocOf(w).Chunk()), p.now()
	if k >= len(p.plans) {
		p.plans = append(p.plans, make([]Plan, k+1)...) // twice as long at least
	}
	x := &p.plans[k]
	if x.seen != now {
		x.seen = now
		p.note(x, w)
	}
	return x
}

// note finds out which columns the chunk of an entry has.
func (p *Point) note(x *Plan, w uint64) {
	var d detail
	if x.detail != nil { // its room is used again
		d.tests, d.values = x.detail.tests[:0], x.detail.values[:0]
	}
	x.one, x.two = 0, 0
	n := 0
	for i := range p.near {
		f := &p.near[i]
		at, bits, has := p.column(f.C, w)
		if !has {
			d.never = d.never || !f.Optional
			continue
		}
		if bits != nil && !f.Optional {
			d.tests, bits = append(d.tests, test{bits, true}), nil
		}
		base := raw.Address(at.Addr) + f.Part
		switch {
		case f.inHead() && n < 2:
			if x.two = base; n == 0 {
				x.one = base
			}
			n++
		case f.Filled:
			d.values = append(d.values, value{base, shortOf(f), bits})
		}
	}
	for _, c := range p.Excluded {
		if c.Rows() != p.home {
			continue
		}
		if _, bits, has := p.column(c, w); bits != nil {
			d.tests = append(d.tests, test{bits, false})
		} else {
			d.never = d.never || has
		}
	}
	x.bits = p.pairBits(&d)
	switch {
	case p.simple && !d.never && len(d.tests)+len(d.values) == 0:
		x.detail = nil
	case x.detail == nil:
		x.detail = new(detail)
		fallthrough
	default:
		*x.detail = d
	}
}

// column is where the chunk of an entry has a component, and the bits of the rows that have it: nil for all.
func (p *Point) column(c *store.Component, w uint64) (at *memmgr.Place, bits []uint64, has bool) {
	if at = c.Dir.Place(w); !at.Is(w) {
		return at, nil, false
	}
	if at.Own() != nil {
		bits, has = c.Present(w)
		return at, bits, has
	}
	return at, nil, true
}
