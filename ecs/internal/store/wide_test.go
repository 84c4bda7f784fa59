package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows of many columns keep all values, one by one, in batches and in masses of rows.
func TestWideTables(t *testing.T) {
	const columns, entities = 140, 300
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{MaxEntities: 1 << 16, Policy: policy.Options{Off: true}})
	comps := make([]Component, columns)
	for i := range comps {
		s.Register(&comps[i], fmt.Sprint("c", i), chunk.Spec{Size: 8, Align: 8}, Fixed, true)
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	value := func(e Entity, c int) uint64 { return uint64(e)<<8 | uint64(c) }
	var es []Entity
	lacks := make(map[Entity]int) // the component that is not there; 0 is always there
	for range entities {
		e, err := s.Spawn()
		ok(err)
		es = append(es, e)
		for c := range comps {
			v := value(e, c)
			ok(s.Add(&comps[c], e, raw.Of(&v)))
		}
	}
	compare := func(after string) {
		t.Helper()
		ok(s.Check())
		for _, e := range es {
			for c := range comps {
				l, has := comps[c].Loc(e)
				switch {
				case has != (c == 0 || lacks[e] != c):
					t.Fatalf("after %s: %v has component %d: %v", after, e, c, has)
				case has && *raw.As[uint64](comps[c].At(l)) != value(e, c):
					t.Fatalf("after %s: component %d of %v is %#x, want %#x", after, c, e, *raw.As[uint64](comps[c].At(l)), value(e, c))
				}
			}
		}
	}
	compare("adding")
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		e, c := es[r.IntN(entities)], 1+r.IntN(columns-1)
		if back := lacks[e]; back != 0 {
			v := value(e, back)
			ok(s.Add(&comps[back], e, raw.Of(&v)))
		}
		ok(s.Remove(&comps[c], e))
		lacks[e] = c
	}
	compare("single changes")
	for _, e := range es {
		if back := lacks[e]; back != 0 {
			v := value(e, back)
			ok(s.Add(&comps[back], e, raw.Of(&v)))
			lacks[e] = 0
		}
	}
	for _, c := range []int{70, 130, 5} {
		of := es[c : c+100]
		if n, err := s.RemoveBatch(&comps[c], of); n != len(of) || err != nil {
			t.Fatal(n, err)
		}
		for _, e := range of {
			lacks[e] = c
		}
		compare("RemoveBatch")
		rows := Rows{}
		for table := range s.Tables() {
			if table.Seq.Len() == len(of) {
				rows = table.All()
			}
		}
		if n, err := s.AddRows(&comps[c], rows, raw.Of(new(uint64))); n != len(of) || err != nil {
			t.Fatal(n, err)
		}
		for _, e := range of {
			l, _ := comps[c].Loc(e)
			*raw.As[uint64](comps[c].At(l)) = value(e, c)
			lacks[e] = 0
		}
		compare("AddRows")
	}
	ok(m.Close())
}
