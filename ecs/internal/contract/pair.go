package contract

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A pair is a point of one pointer or of two, side by side, that are all there is to fill. The second may be of a component
// with rows of its own. A pair is filled without a write to memory: the caller puts a struct together from two
// addresses, which the compiler keeps in registers. A struct that Fill writes is read back at once, and the core waits
// for each such read.
//
//	Entry: version, chunk, row ─→ Known: plans[chunk] ─→ All, or Has ─→ One, Two: base + row × size
//	                              nil: Fill is asked     or Both
//
// These functions are apart, so that each is inlined.

// askBoth in Plan.bits says that Both is to be asked.
const askBoth = 1

// Entry is the entry of an entity for Known. It is 0 for all where the point is no pair.
func (p *Point) Entry(e store.Entity) uint64 {
	w, _, _ := p.pair.Entry(uint64(e))
	return w
}

// Known is the plan of an entry's chunk; nil: Fill is to be asked.
func (p *Point) Known(w uint64, e store.Entity) *Plan {
	k := uint(memmgr.Loc(w).Chunk())
	if (w^uint64(e))>>store.VersionShift == 0 && k < uint(len(p.plans)) {
		if x := &p.plans[k]; x.seen == p.now() {
			return x
		}
	}
	return nil
}

// All tells whether all rows of a pair's plan match.
func (x *Plan) All() bool { return x.bits == 0 }

// Tested tells whether Has says which of them do, and not Both.
func (x *Plan) Tested() bool { return x.bits != askBoth }

// Has tells whether a row has its bit.
func (x *Plan) Has(row uintptr) bool {
	return *raw.As[uint64](raw.At(raw.Kept(&x.bits), row/64*8))>>(row%64)&1 != 0
}

// One is the first pointer of a pair. It is good until rows move.
func (p *Point) One(x *Plan, row uintptr) raw.Ptr {
	return raw.At(raw.Kept(&x.one), row*uintptr(p.one.size))
}

// Two is the second pointer, or the first one if there is no other.
func (p *Point) Two(x *Plan, row uintptr) raw.Ptr {
	return raw.At(raw.Kept(&x.two), row*uintptr(p.two.size))
}

// Both is One and Two where the row has to be tested, or the second value looked for by entity; nil: the entity does not
// match.
func (p *Point) Both(x *Plan, e store.Entity, row uintptr) (one, two raw.Ptr) {
	if d := x.detail; d.never || len(d.tests) > 0 && !d.passes(row) {
		return nil, nil
	}
	if p.far.dir == nil {
		return p.One(x, row), p.Two(x, row)
	}
	if two = p.far.dir.Lookup(store.FindUncounted, uint64(e), p.far.size); two == nil {
		return nil, nil
	}
	return p.One(x, row), raw.At(two, uintptr(p.far.part))
}

// isPair tells whether a point that is arranged is a pair.
func (p *Point) isPair() bool {
	if len(p.lacks)+len(p.writes) > 0 || p.Entity >= 0 || p.Same != nil || len(p.apart) > 1 {
		return false
	}
	n := uintptr(0)
	for _, list := range [...][]Field{p.near, p.apart} {
		for i := range list {
			if f := &list[i]; f.Filled {
				if f.Optional || f.Offset != n*raw.WordBytes {
					return false
				}
				n++
			}
		}
	}
	return n == 1 && len(p.apart) == 0 || n == 2 && (len(p.apart) == 0 || p.apart[0].Filled)
}

// pairBits is Plan.bits for a plan with a detail.
func (p *Point) pairBits(d *detail) raw.Word {
	switch {
	case d.never || len(p.apart) > 0 || len(d.tests) > 1 || len(d.tests) == 1 && !d.tests[0].has:
		return askBoth
	case len(d.tests) == 1:
		return raw.Address(raw.Data(d.tests[0].bits))
	}
	return 0
}
