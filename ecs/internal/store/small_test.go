package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Tables that are too small are counted anew once rows have moved: no more components cease
// to be fixed than it takes. Here are 255 tables of 17 rows; with two components less that
// are fixed, they are 64 of 68.
func TestTablesAreCountedAfterMoves(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{MaxEntities: 1 << 16, Policy: policy.Options{MoveRows: 512}})
	comps, v := make([]Component, 8), uint64(7)
	for i := range comps {
		s.Register(&comps[i], string(rune('a'+i)), chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	}
	for i := range 256 * 17 {
		e, err := s.Spawn()
		for c := range comps {
			if err == nil && i>>c&1 != 0 {
				err = s.Add(&comps[c], e, raw.Of(&v))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 40 {
		s.EndFrame()
	}
	optional := 0
	for i := range comps {
		if comps[i].Way() != Fixed {
			optional++
		}
	}
	if optional != 2 || s.Moving() > 0 {
		t.Errorf("%d components are not fixed, %d on their way; want 2 and none", optional, s.Moving())
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}
