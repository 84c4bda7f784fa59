package store

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// unstated registers a component of 8 bytes, and leaves its way to the policy.
func (h *herd) unstated(name string) *Component {
	c := new(Component)
	h.Register(c, name, chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	return c
}

// The policy decides on a component after a group as it did before it, and leaves one that was
// stated.
func TestDissolveGivesBackToPolicy(t *testing.T) {
	h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, false)
	free, e := h.unstated("free"), Entity(0)
	churn := func(c *Component) Way {
		t.Helper()
		for range 20 { // far above the gain of visits
			for range 50 {
				if err := h.Remove(c, e); err != nil {
					t.Fatal(err)
				}
				if err := h.Add(c, e, raw.Of(&whole{})); err != nil {
					t.Fatal(err)
				}
			}
			h.EndFrame()
		}
		return c.way
	}
	for range 2 {
		v, err := h.DeclareLevel(Group{Name: "of all", Fixed: []*Component{h.more, free, h.opt}})
		if err != nil {
			t.Fatal(err)
		}
		if e, err = h.whole.Spawn(raw.Of(&whole{})); err != nil {
			t.Fatal(err)
		}
		if err := h.Add(free, e, raw.Of(&whole{})); err != nil {
			t.Fatal(err)
		}
		if !free.Stated() || churn(free) != Fixed {
			t.Error("a component of a group changes over")
		}
		if err := h.Dissolve(v); err != nil {
			t.Fatal(err)
		}
		if free.Stated() || !h.more.Stated() || !h.opt.Stated() {
			t.Errorf("stated: %v, %v and %v, want false, true, true", free.Stated(), h.more.Stated(), h.opt.Stated())
		}
		if got := churn(h.more); got != Fixed {
			t.Errorf("stated as fixed, stored as %v", got)
		}
		if got := churn(h.opt); got != Optional {
			t.Errorf("stated as optional, stored as %v", got)
		}
		if got := churn(free); got == Fixed {
			t.Errorf("removed often, and stored as %v", got)
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

// A group takes a component that changes over, while others go on: lists of these stay as they are.
func TestDeclareReplacesMoving(t *testing.T) {
	h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, false)
	a, b := h.unstated("a"), h.unstated("b")
	if !h.Change(a, Thin) || !h.Change(b, Thin) {
		t.Fatal("they do not change over")
	}
	was := h.moving
	if _, err := h.Declare("of a", []*Component{a}, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(was, []*Component{a, b}) || !slices.Equal(h.moving, []*Component{b}) {
		t.Error("the list that stood before was written")
	}
}

// Where memory is refused while members of a group that ends are brought to the rows of the group around
// it, the others stay where they are, and are members all the same.
func TestDissolveRefused(t *testing.T) {
	h := makeHerd(t, placed()["nothing moves"], memmgr.Options{Arena: arena.Options{SmallPages: true}}, false)
	outer, err := h.DeclareLevel(Group{Name: "outer", Fixed: []*Component{h.l}})
	if err != nil {
		t.Fatal(err)
	}
	inner, err := h.DeclareLevel(Group{Name: "inner", Fixed: []*Component{h.l}, With: []*Component{h.more}})
	if err != nil {
		t.Fatal(err)
	}
	const all = 60_000
	for i := range all {
		v := whole{More: uint64(i)}
		e, err := h.Spawn()
		for _, c := range []*Component{h.l, h.more} {
			if err == nil {
				err = h.Add(c, e, raw.Of(&v))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.manager.Arena().SetLimit(h.manager.Arena().Stats().Committed + arena.RegionBytes)
	full, err := h.manager.MakeSequence("others", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 1 << 14, Align: 8}}})
	for err == nil {
		_, err = full.Append()
	}
	full.Truncate(full.Len() - 12) // three chunks
	defer inner.Main.Seq.Pin()()   // memory that rows leave is not free at once
	if err := h.Dissolve(inner); err != nil {
		t.Fatal(err)
	}
	there, tables := 0, 0
	for _, tb := range outer.Tables() {
		if there += tb.Seq.Len(); tb.Seq.Len() > 0 {
			tables++
		}
	}
	if there != all || tables != 2 {
		t.Errorf("%d members of %d, in %d tables", there, all, tables)
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}

// Groups that come and go have the places, the Kin and the arrays of those that were there before. Values stay, of
// entities that were spawned into a group and of others.
func TestEndedGroupsAreReplaced(t *testing.T) {
	for form := range placed() {
		h := newHerd(t, form, false)
		r := rand.New(rand.NewPCG(1, 2))
		var es []Entity
		for round := range uint64(100) {
			pair, err := h.DeclareLevel(Group{Name: "pair", Fixed: []*Component{h.l, h.r}})
			if err != nil {
				t.Fatal(err)
			}
			more, err := h.DeclareLevel(Group{Name: "more", Fixed: []*Component{h.more}, Optional: []*Component{h.opt}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint64(40) {
				e, err := []*Bundle{h.both, h.whole}[i%2].Spawn(raw.Of(&whole{both: both{R: right{[2]uint64{round, i}}}, More: i}))
				if err != nil {
					t.Fatal(err)
				}
				es = append(es, e)
			}
			if err := h.Check(); err != nil {
				t.Fatalf("%s, round %d: %v", form, round, err)
			}
			if round%2 == 0 { // the next ones replace each other
				pair, more = more, pair
			}
			if err := errors.Join(h.Dissolve(pair), h.Dissolve(more), h.Check()); err != nil {
				t.Fatalf("%s, round %d: %v", form, round, err)
			}
			for range 30 {
				i := r.IntN(len(es))
				if err := h.Destroy(es[i]); err != nil {
					t.Fatal(err)
				}
				es = slices.Delete(es, i, i+1)
			}
			h.EndFrame()
		}
		for _, e := range es {
			l, ok := h.r.Loc(e)
			if v := raw.As[right](h.r.At(l)); !ok || v.V[0] >= 100 || v.V[1] >= 40 {
				t.Errorf("%s: %v has %v", form, e, v)
			}
		}
		if places := len(h.planes[0].places); len(h.planes) > 2 || places > 2 || len(h.groups) != 2 || len(h.ended) != 2 {
			t.Errorf("%s: %d planes, %d places in the first, %d groups, %d of these ended", form, len(h.planes), places, len(h.groups), len(h.ended))
		}
	}
}
