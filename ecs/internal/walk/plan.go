package walk

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Plan is a spec and the tables where rows match. All but found and tick is fixed when the plan is made.
//
// Tables that come and go change found, and so does a component that changes over. Then the next
// walk, or Tables, finds its tables anew before the first row is passed. Walks change nothing else
// of a plan.
type Plan struct {
	Spec
	base    *Base
	passing passes             // Plan.passes, made once
	comps   []*store.Component // of the columns
	lanes   []lane             // likewise
	strides bool               // some columns are strided
	maybe   []*store.Component // of optional columns
	pieces  int                // of 16 bytes that a row has, those that are written twice
	found   *found
	tick    uint64 // of the run under way beside other systems: see RunIn
	calls   *calls // of a system with calls that pass copies; else nil
}

// NewPlan returns the plan of a spec, which is not looked for tables before it is walked.
func NewPlan(b *Base, s Spec) *Plan {
	x := &struct { // side by side: each walk reads both
		p Plan
		f found
	}{}
	p := &x.p
	*p = Plan{Spec: s, base: b, comps: s.Comps(), found: &x.f}
	p.strides = slices.ContainsFunc(p.Columns, func(c source.Column) bool { return c.Strided })
	for j := range p.Columns {
		f := &p.Columns[j]
		if f.Optional {
			p.maybe = append(p.maybe, f.Comp)
		}
		if p.pieces += int(policy.Pieces(int64(f.Part.Size))); f.Write {
			p.pieces += int(policy.Pieces(int64(f.Part.Size)))
		}
	}
	p.lanes = p.lanesOf(nil, p.comps)
	p.passing = p.passes
	return p
}

// lanesOf appends the lanes of the columns, which stand for components. A lane has the directory's
// address, not that of its cells: these move when the directory grows.
func (p *Plan) lanesOf(list []lane, comps []*store.Component) []lane {
	for j, c := range comps {
		x := &p.Columns[j]
		list = append(list, lane{&c.Dir, uint32(x.Offset), uint32(x.Part.Offset), uint32(c.Size), x.Write})
	}
	return list
}

// Copies says which components calls of the system that has the plan pass copies of, and write: see calls. It is called before
// the first walk.
func (p *Plan) Copies(list []*store.Component) {
	if len(list) > 0 {
		p.calls = &calls{copied: list}
	}
}

// LendAhead says that calls of the system may be made from now on, or no more. The goroutine that has the world says it, while
// nothing else reads the store.
func (p *Plan) LendAhead(on bool) {
	if p.calls != nil {
		p.calls.lendAhead(on)
	}
}

// World is the world of the plan.
func (p *Plan) World() *Base { return p.base }

// IsOver tells whether the rows were given.
func (p *Plan) IsOver() bool { return p.found.over != nil }

// CompsIn are the components that the columns stand for in a sequence.
func (p *Plan) CompsIn(seq *memmgr.Sequence) []*store.Component {
	for _, g := range p.found.given {
		if g.Seq == seq {
			return g.Comps
		}
	}
	return p.comps
}

// StandIns are the components that stand for one in rows that were given; else that one.
func (p *Plan) StandIns(of *store.Component) (list []*store.Component) {
	if !p.IsOver() {
		return []*store.Component{of}
	}
	for _, g := range p.found.given {
		for j := range p.Columns {
			if p.Columns[j].Comp == of && !slices.Contains(list, g.Comps[j]) {
				list = append(list, g.Comps[j])
			}
		}
	}
	return list
}

// passes tells whether a column is of a component, and it or the one that asks writes it.
func (p *Plan) passes(of *store.Component, write bool) bool {
	for j := range p.Columns {
		if x := &p.Columns[j]; (write || x.Write) && (x.Comp == of || slices.ContainsFunc(p.found.given, func(g Given) bool { return g.Comps[j] == of })) {
			return true
		}
	}
	return false
}

// hides tells whether something is disabled that the spec asks about, or must be.
func (p *Plan) hides() bool {
	if len(p.Disabled) == 0 && !p.base.Store.Disables() {
		return false
	}
	var required [][]*store.Component
	for _, g := range p.found.given {
		required = append(required, g.Required)
	}
	return p.Hides(p.base.Store, required)
}
