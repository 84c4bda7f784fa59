package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Edges of a table cost by use, whatever the IDs of the components.
func TestEdgesCostWhatIsUsed(t *testing.T) {
	o := newOurs(t, 4000)
	e := o.spawn()
	o.add(e, 3999)
	o.add(e, 3998)
	first := o.tableAt(locOf(o.Commons.words.Load(o.es[e].Index())))
	for range 3 {
		o.remove(e, 3998)
		o.add(e, 3998)
	}
	if n := len(first.edges.plain); n != 2 || first.edges.n != 1 {
		t.Errorf("one edge is kept in a table of %d with %d in use", n, first.edges.n)
	}
	if err := o.Check(); err != nil {
		t.Error(err)
	}
}

// Each edge is found by its key, and no other is, while edges are added: IDs may have their low
// bits in common.
func TestEdgesAreFound(t *testing.T) {
	for _, step := range []uint32{1, 3, 64, 1 << 16, 1 << 29} {
		var x edges
		for i := range uint32(7) {
			for op := adding; op <= settling; op++ {
				key := edgeKey(i*step, op)
				if x.find(key) != nil {
					t.Fatalf("step %d: edge %#x is found before it is added", step, key)
				}
				if at := x.add(edge{key: key, lacks: key}); at != x.find(key) {
					t.Fatalf("step %d: edge %#x is not found where it is kept", step, key)
				}
			}
		}
		if x.n != 21 || len(x.plain) != 32 {
			t.Errorf("step %d: %d edges of 21 in a table of %d, want 32", step, x.n, len(x.plain))
		}
		for i := range uint32(7) {
			for op := adding; op <= settling; op++ {
				if ed := x.find(edgeKey(i*step, op)); ed == nil || ed.lacks != edgeKey(i*step, op) {
					t.Errorf("step %d: edge %d of component %d is %v", step, op, i*step, ed)
				}
			}
		}
	}
}

// Edges that no longer hold are not found, and go with the next one that is made.
func TestEdgesHoldForOneEpoch(t *testing.T) {
	o := newOurs(t, 3)
	e := o.spawn()
	o.add(e, 0)
	from := o.tableAt(locOf(o.Commons.words.Load(o.es[e].Index())))
	for _, c := range []int{1, 2} {
		o.add(e, c)
		o.remove(e, c)
	}
	if from.known(1, adding) == nil || from.known(2, adding) == nil || from.known(1, removing) != nil {
		t.Fatal("edges are not known")
	}
	o.Commons.ways++
	if from.known(1, adding) != nil {
		t.Error("an edge is known that no longer holds")
	}
	v := uint64(1)
	if err := o.Add(&o.comps[1], o.es[e], raw.Of(&v)); err != nil {
		t.Fatal(err)
	}
	if from.known(1, adding) == nil || from.known(2, adding) != nil || from.edges.n != 1 {
		t.Errorf("after an epoch %d edges are kept", from.edges.n)
	}
}
