package store

import (
	"slices"
	"testing"
)

// Having gives each entity once, while a component changes over and some of its values are in rows of
// their own already.
func TestHavingDuringChangeOver(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	const n = 30_000 // more than one frame moves
	var want []Entity
	for i := range n {
		e, err := h.Spawn()
		if err == nil {
			err = h.Add(h.more, e, at(make([]byte, h.more.Size)))
		}
		if err == nil && i%2 == 0 {
			err = h.Add(h.opt, e, at(make([]byte, h.opt.Size)))
			want = append(want, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.opt.stated = false
	h.Change(h.opt, Thin)
	parts := 0 // looks at values in both forms
	for h.Moving() > 0 {
		h.EndFrame()
		if h.opt.thin != nil && h.opt.thin.Seq.Len() > 0 && h.Moving() > 0 {
			parts++
		}
		for _, comps := range [][]*Component{{h.opt}, {h.opt, h.more}} {
			var got []Entity
			for es := range h.Having(comps) {
				got = append(got, es...)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%d components: %d entities, %d without repeats, want %d", len(comps), len(got), len(slices.Compact(got)), len(want))
			}
		}
	}
	if parts == 0 {
		t.Fatal("all values changed over in one frame: the test needs more of them")
	}
}

// A group that is declared over entities has its members in the order that Having gave them, also where
// the component that the fewest have is not the first.
func TestDeclareKeepsOrderOfHaving(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	var es []Entity
	for range 100 {
		e, err := h.Spawn()
		if err == nil {
			err = h.Add(h.l, e, at(make([]byte, h.l.Size)))
		}
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	for i := range 40 { // rows of its own, in another order
		if err := h.Add(h.thin, es[(i*37+11)%100], at(make([]byte, h.thin.Size))); err != nil {
			t.Fatal(err)
		}
	}
	list := []*Component{h.l, h.thin}
	var want, got []Entity
	for run := range h.Having(list) {
		want = append(want, run...)
	}
	v, err := h.DeclareLevel(Group{Name: "both", Fixed: list})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range v.Tables() {
		for id, n := range x.Seq.Chunks() {
			got = append(got, h.Entities(id, n)...)
		}
	}
	if len(want) != 40 || !slices.Equal(got, want) {
		t.Errorf("the members are\n%v, want\n%v", got, want)
	}
}
