package store

import (
	"cmp"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows lie by a component from the first frame on if it begins ordered.
func TestBeginOrdered(t *testing.T) {
	x := newOrdered(t, 0, 0, 1<<20)
	c := new(Component)
	x.Register(c, "late", chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	if x.Begin(c, policy.Ordered); !slices.Equal(x.order.by, []*Component{c}) {
		t.Errorf("rows lie by %d components, want 1", len(x.order.by))
	}
}

// RowOf is less for rows before others, and 0 without a row.
func TestRowOf(t *testing.T) {
	for name, grouped := range map[string]bool{"the commons": false, "a group": true} {
		h := makeHerd(t, placed()["nothing moves"], memmgr.Options{}, grouped)
		var es []Entity
		for range 300 {
			e, err := h.both.Spawn(raw.Of(&whole{}))
			if err != nil {
				t.Fatal(err)
			}
			es = append(es, e)
		}
		if !slices.IsSortedFunc(es, func(a, b Entity) int { return cmp.Compare(h.RowOf(a), h.RowOf(b)) }) || h.RowOf(es[0]) == h.RowOf(es[299]) {
			t.Errorf("%s: rows from %d to %d are in another order", name, h.RowOf(es[0]), h.RowOf(es[299]))
		}
		if err := h.Destroy(es[7]); err != nil || h.RowOf(es[7]) != 0 {
			t.Errorf("%s: RowOf of a dead entity is %d, %v", name, h.RowOf(es[7]), err)
		}
	}
}
