package match

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Begin prepares the tests for a filter of a query. Asked says whether the query asks about
// disabled components now: see Hides. It tells whether some rows may match.
//
// It is called once for each table of a walk, so a world without anything disabled pays two
// comparisons for each. Begin also frees the scratch of the table before: bits from earlier calls
// of Find are no longer valid.
func (t *Tests) Begin(q *Query, f *Filter, s *store.Store, asked bool) (some bool) {
	t.hides, t.used = false, 0
	if !asked && len(f.back) == 0 {
		return true
	}
	if f.Seq.Len() == 0 || !t.findShown(q, f) {
		return false
	}
	t.hides = len(t.shown.with)+len(t.shown.sans) > 0 || q.hidesOthers(s)
	return true
}

// Hides tells whether rows are tested because something is disabled.
func (t *Tests) Hides() bool { return t.hides }

// findShown finds the bits of rows that are disabled, or must be. It tells whether some rows may
// match. Disabled bits are found for the components that stand for the query's own, because a
// group stores these under other names. The lists Present and Disabled name the query's own.
func (t *Tests) findShown(q *Query, f *Filter) bool {
	t.shown.clear()
	if !t.show(f.Table.Disabled(nil), q, nil) {
		return false
	}
	for i, c := range f.required {
		asked := c
		if i < len(q.Required) {
			asked = q.Required[i] // for which c stands
		}
		if !t.show(f.Table.Disabled(c), q, asked) {
			return false
		}
	}
	for _, c := range f.back {
		if !t.must(f.Table.Disabled(c)) {
			return false
		}
	}
	return true
}

// show tests something that is required, as the query asks for it: nil stands for the entity.
func (t *Tests) show(x *store.Opt, q *Query, c *store.Component) (some bool) {
	if slices.Contains(q.Disabled, c) {
		return t.must(x)
	}
	if x != nil && x.Count > 0 && !slices.Contains(q.Present, c) {
		t.shown.sans = append(t.shown.sans, maskOf(x))
	}
	return true
}

// must leaves the rows with their bit set. It tells whether there are any.
func (t *Tests) must(x *store.Opt) (some bool) {
	if x == nil || x.Count == 0 {
		return false
	}
	t.shown.with = append(t.shown.with, maskOf(x))
	return true
}

// AllShown tells whether all of a chunk's n rows pass the tests of disabled bits. The
// chunk's bits begin at a word. Walks call it before they pass a chunk whole: one
// disabled row makes its own chunk be tested, and no other chunk of the table.
func (t *Tests) AllShown(at, n int) bool {
	for ; t.hides && n > 0; at, n = at+1, n-64 {
		all := ^uint64(0) >> (64 - min(n, 64))
		m := [1]uint64{all}
		if t.shown.narrow(m[:], at); m[0] != all {
			return false
		}
	}
	return true
}

// enabled returns the mask of rows that have a component, and not disabled where that decides.
// The bits given are the table's and must not be written: a difference goes to scratch, without
// counts. Excluded components need this, because a disabled one counts as absent.
func (t *Tests) enabled(f *Filter, c *store.Component, has mask) mask {
	if !t.hides {
		return has
	}
	x := f.Table.Disabled(c)
	if x == nil || x.Count == 0 {
		return has
	}
	left := t.bitsOf(f)
	for i := range left {
		left[i] = has.bits[i] &^ x.Bits[i]
	}
	return mask{bits: left}
}
