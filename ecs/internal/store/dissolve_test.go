package store

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// unstated registers a component of 8 bytes, the way of which code leaves to the policy.
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
	h.visits = func(*Component) (required, excluded int) { return 100, 0 }
	churn := func(c *Component) Way {
		t.Helper()
		for range 20 { // far above what visits make up for
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
