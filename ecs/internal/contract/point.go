package contract

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Point fills a struct of pointers for one entity after another, each with one look at its entry. It is
// a schema without kept instances: the facts that an instance would remember are read again each time.
//
//	entry: version, chunk, row ─→ sure[chunk]: all rows match ─→ bases[chunk] + row × size, n times
//
// Whatever that does not decide is asked of Other: queries for changes, for one of several components
// or for disabled ones, and values that may be copies at this moment.
//
//	seen equals Store.Finding          lacks and simple are right, and Other need not be asked
//	sure[chunk].at equals Places       every row of the chunk has the home's components, and nothing that
//	                                   is excluded there; its bases are noted
type Point struct {
	Schema
	// Other answers, and fills, for an entity that has to be tested otherwise.
	Other func(e store.Entity, into raw.Ptr) bool
	// Same, unless it is nil, gives a struct the fields that are the same for all entities, or clears it
	// if its entity does not match.
	Same func(into raw.Ptr, matches bool)
	// Excluded are components that the entity must not have.
	Excluded []*store.Component
	// Entity is the offset of a field for the entity; -1: there is none.
	Entity int

	seen   clock.Ways         // 0: not yet known, or look is called for each entity
	sure   []sure             // by number of a chunk
	lacks  []*store.Component // excluded ones that are not in the home: looked up
	asks   bool               // Other is asked about all
	simple bool               // there is nothing but pointers to values in the home
}

// sure is a chunk with rows that all match.
type sure struct {
	at    clock.Places
	bases raw.Ptr
}

// NewPoint makes a point. With ask, Other is asked about all entities.
func NewPoint(s *store.Store, fields []Field, ask bool) *Point {
	p := &Point{asks: ask || len(fields) == 0, Entity: -1}
	p.init(s, fields)
	return p
}

// Fill fills the struct at into, which is zero, with an entity's pointers, and returns whether it
// matches. If not, the struct stays zero. It is one pass without a call where nothing is to be asked.
func (p *Point) Fill(e store.Entity, into raw.Ptr) bool {
	s := p.s
	if p.seen != s.Finding() {
		return p.look(e, into)
	}
	flat, i := p.home.Flat(), e.Index()
	if uint(i) >= uint(len(flat)) {
		return p.look(e, into)
	}
	w := flat[i]
	if !store.Names(w, e) {
		return false
	}
	l := store.LocOf(w)
	chunk := uint(l.Chunk())
	if chunk >= uint(len(p.sure)) || p.sure[chunk].at != s.Places() {
		return p.look(e, into)
	}
	base, row := p.sure[chunk].bases, l.Index()
	shorts := p.shorts
	for k := range shorts {
		f := &shorts[k]
		raw.SetAddress(raw.At(into, uintptr(f.offset)), *raw.As[raw.Word](raw.At(base, uintptr(k)*raw.WordBytes))+row*uintptr(f.size))
	}
	return p.simple || p.rest(e, w, into) || p.clear(into)
}

// look is Fill where something is not known yet, where Other has to be asked, and where fields are the
// same for all entities.
func (p *Point) look(e store.Entity, into raw.Ptr) bool {
	if p.seen != p.s.Finding() {
		p.decide()
	}
	if p.Same == nil {
		return p.find(e, into) || p.clear(into)
	}
	p.Same(raw.Lent(into), true)
	matches := p.find(e, into)
	if !matches {
		p.Same(raw.Lent(into), false)
	}
	return matches
}

// clear makes the pointers of an entity that does not match nil again. It returns false.
func (p *Point) clear(into raw.Ptr) bool {
	for k := range p.lanes {
		if l := &p.lanes[k]; l.Filled {
			raw.SetAddress(raw.At(into, l.Offset), 0)
		}
	}
	return false
}

// find is Fill for all cases. If the entity does not match, some pointers may be filled.
func (p *Point) find(e store.Entity, into raw.Ptr) bool {
	if p.asks || p.home == nil || !p.s.Plain() {
		return p.Other(e, raw.Lent(into))
	}
	w := p.home.Load(e.Index())
	if !store.Names(w, e) {
		return false
	}
	l := store.LocOf(w)
	chunk := int(l.Chunk())
	if chunk >= len(p.sure) || p.sure[chunk].at != p.s.Places() {
		if !p.note(w) {
			return false
		}
		if !p.all(w) {
			return p.Other(e, raw.Lent(into))
		}
		p.sure = append(p.sure, make([]sure, max(len(p.noted)-len(p.sure), 0))...)
		p.sure[chunk] = sure{p.s.Places(), raw.Of(&p.bases[chunk*len(p.lanes)])}
	}
	p.fillNear(uintptr(chunk)*uintptr(len(p.lanes))*raw.WordBytes, l.Index(), into)
	return p.rest(e, w, into)
}

// decide finds out where the components are, after ways of storing have changed.
func (p *Point) decide() {
	if p.valid != p.s.Version() {
		p.arrange()
		clear(p.sure)
	}
	p.lacks = p.lacks[:0]
	for _, c := range p.Excluded {
		if p.home == nil || c.Rows() != p.home {
			p.lacks = append(p.lacks, c)
		}
	}
	p.simple = len(p.lacks)+len(p.odd)+len(p.writes) == 0 && p.Entity < 0
	if p.seen = 0; !p.asks && p.Same == nil && p.home != nil && p.s.Plain() {
		p.seen = p.s.Finding()
	}
}

// all tells whether every row of an entry's chunk has the home's components, and nothing that is
// excluded there.
func (p *Point) all(w uint64) bool {
	for _, l := range p.near {
		if l.C.Dir.Place(w).Partial() {
			return false
		}
	}
	return !slices.ContainsFunc(p.Excluded, func(c *store.Component) bool {
		return c.Rows() == p.home && c.Dir.Place(w).Is(w)
	})
}

// rest is Fill beyond the pointers to values in the home.
func (p *Point) rest(e store.Entity, w uint64, into raw.Ptr) bool {
	for _, c := range p.lacks {
		if c.Has(e) {
			return false
		}
	}
	if len(p.odd) > 0 && !p.fillOdd(e, into) {
		return false
	}
	for _, l := range p.writes {
		if l.far {
			l.C.Reach(e, true)
		} else {
			l.C.Written(e, store.LocOf(w))
		}
	}
	if p.Entity >= 0 {
		*raw.As[store.Entity](raw.At(into, uintptr(p.Entity))) = e
	}
	return true
}
