package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// hiding is what is left to test of a source's rows because something is disabled: all rows
// whose bits are set in every one of with, and in none of sans.
type hiding struct {
	with, sans [][]uint64
	others     bool       // some have a component disabled that is excluded, or one of several
	marks      [][]uint64 // scratch
	used       int        // of it
}

// hides tells whether something is disabled that the spec asks about, or must be.
func (p *Plan) hides() bool {
	return (p.base.S.Disables() || len(p.Disabled) > 0) && p.hidesSome()
}

// hidesSome is hides where something is disabled, or must be.
func (p *Plan) hidesSome() bool {
	st := p.base.S
	if len(p.Disabled) > 0 || st.Disabled(nil) > 0 && !slices.Contains(p.Present, nil) {
		return true
	}
	if p.given != nil {
		return slices.ContainsFunc(p.given, func(g Given) bool { return p.isDisabled(g.Required) })
	}
	return p.isDisabled(p.Required) || p.isDisabled(p.Excluded) || slices.ContainsFunc(p.Any, p.isDisabled)
}

// isDisabled tells whether some have one of the components disabled.
func (p *Plan) isDisabled(list []*store.Component) bool {
	return slices.ContainsFunc(list, func(c *store.Component) bool { return p.base.S.Disabled(c) > 0 })
}

// hides finds what is left to test of a source because something is disabled, if the plan
// asks about that. It tells whether some rows may match.
func (t *tests) hides(h *hiding, p *Plan, s *Source, asked bool) (some bool) {
	t.hide = nil
	if !asked && len(s.back) == 0 {
		return true
	}
	if s.Seq.Len() == 0 || !h.find(p, s) {
		return false
	}
	if !h.none() {
		t.hide = h
	}
	return true
}

// find makes the tests those of a source. They hold until something changes. It tells
// whether some rows may match.
func (h *hiding) find(p *Plan, s *Source) bool {
	h.with, h.sans, h.used = h.with[:0], h.sans[:0], 0
	h.others = p.isDisabled(p.Excluded) || slices.ContainsFunc(p.Any, p.isDisabled)
	if !h.add(s.Table.Disabled(nil), p, nil) {
		return false
	}
	for i, c := range s.required {
		of := c
		if s.given {
			of = p.Required[i]
		}
		if !h.add(s.Table.Disabled(c), p, of) {
			return false
		}
	}
	for _, c := range s.back {
		x := s.Table.Disabled(c)
		if x == nil || x.Count == 0 {
			return false
		}
		h.with = append(h.with, x.Bits)
	}
	return true
}

// add adds a test of something that is required, as the plan asks for it: nil stands for
// the entity.
func (h *hiding) add(x *store.Opt, p *Plan, c *store.Component) (some bool) {
	switch {
	case slices.Contains(p.Disabled, c):
		if x == nil || x.Count == 0 {
			return false
		}
		h.with = append(h.with, x.Bits)
	case x != nil && x.Count > 0 && !slices.Contains(p.Present, c):
		h.sans = append(h.sans, x.Bits)
	}
	return true
}

// shows tells whether something may be enabled, or not, as it is; nil is the entity.
func (p *Plan) shows(c *store.Component, enabled bool) bool {
	if slices.Contains(p.Disabled, c) {
		return !enabled
	}
	return enabled || slices.Contains(p.Present, c)
}

// none tells whether there is nothing to test.
func (h *hiding) none() bool { return len(h.with)+len(h.sans) == 0 && !h.others }

// all tells whether all of a chunk's n rows pass, whose bits begin at a word.
func (h *hiding) all(at, n int) bool {
	for ; n > 0; at, n = at+1, n-64 {
		m := [1]uint64{^uint64(0) >> (64 - min(n, 64))}
		all := m
		if narrow(m[:], at, h.with, h.sans); m != all {
			return false
		}
	}
	return true
}

// scratch returns bits for all rows of a source, all 0.
func (h *hiding) scratch(s *Source) []uint64 {
	h.used++
	return scratch(&h.marks, h.used-1, s)
}

// without returns the bits of rows that have a component enabled.
func (h *hiding) without(s *Source, c *store.Component, bits []uint64) []uint64 {
	x := s.Table.Disabled(c)
	if x == nil || x.Count == 0 {
		return bits
	}
	left := h.scratch(s)
	for i := range left {
		left[i] = bits[i] &^ x.Bits[i]
	}
	return left
}
