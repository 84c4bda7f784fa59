package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The policy is told of each table's components, and of the components that rows have where a table's rows
// differ. Rows and components add up, and a component that changes over in the middle is counted once.
func TestPolicyIsToldOfSets(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{MaxEntities: 1 << 16, Policy: policy.Options{Off: true, Work: policy.CostMake + 500*policy.CostMove}})
	comps, v := make([]Component, 4), uint64(7)
	for i := range comps {
		s.Register(&comps[i], string(rune('a'+i)), chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	}
	const n = 1600
	for i := range n {
		e, err := s.Spawn()
		for c := range comps {
			if err == nil && (c == 0 || i>>c&1 != 0) {
				err = s.Add(&comps[c], e, raw.Of(&v))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	moving := false
	for frame := range 40 {
		if frame == 8 {
			s.Change(&comps[1], Optional)
		}
		s.EndFrame()
		moving = moving || s.Moving() > 0
		s.countLiving()
		var f policy.Facts
		s.tell([]int{1, 2, 3}, &f, 1)
		rows, has := int64(0), [3]int64{}
		for _, x := range f.Sets {
			rows += x.Rows
			for i := range has {
				if x.Bits>>i&1 != 0 {
					has[i] += x.Rows
				}
			}
		}
		if rows > n || rows < n*9/10 || frame == 39 && !f.Sampled || len(f.Sets) < 8 {
			t.Fatalf("frame %d: %d rows in %d sets, sampled: %v", frame, rows, len(f.Sets), f.Sampled)
		}
		for i, c := range f.Counted {
			if c.Have != n/2 || has[i] < n*2/5 || has[i] > n*3/5 {
				t.Errorf("frame %d: %d have component %d, and %d rows of the sets", frame, c.Have, c.Component, has[i])
			}
		}
	}
	if !moving || s.Moving() > 0 {
		t.Errorf("moved over some frames: %v, still: %d", moving, s.Moving())
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}
