package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A component that becomes optional goes along with rows that leave their table for one where it is
// that already: the first row finds the way, and the others take the known one.
func TestRemoveBesideWhatChangesOver(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{MaxEntities: 1 << 10, Policy: policy.Options{Off: true}})
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var stays, goes Component
	s.Register(&stays, "stays", chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	s.Register(&goes, "goes", chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	var es []Entity
	for i := range uint64(4) {
		e, err := s.Spawn()
		ok(err)
		v := 100 + i
		ok(s.Add(&stays, e, raw.Of(&v)))
		ok(s.Add(&goes, e, raw.Of(&v)))
		es = append(es, e)
	}
	s.Change(&stays, Optional)
	for _, e := range es {
		ok(s.Remove(&goes, e))
	}
	ok(s.Check())
	for i, e := range es {
		l, has := stays.Loc(e)
		if !has || *raw.As[uint64](stays.At(l)) != 100+uint64(i) || goes.Has(e) {
			t.Errorf("entity %d: it has the one component: %v, and the other one: %v", i, has, goes.Has(e))
		}
	}
	ok(m.Close())
}
