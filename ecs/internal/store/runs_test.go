package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows that move as a run while another of their components changes over keep it, whichever way
// each has it.
func TestRunsWhileWaysChange(t *testing.T) {
	x := newModel(t, 1, memmgr.Options{}, Options{Policy: policy.Options{Work: policy.CostMake + 50*policy.CostMove}})
	s, c := x.s, x.comps
	value := at(make([]byte, 64))
	spawn := func(n int, comps ...*Component) []Entity {
		es := make([]Entity, n)
		if err := s.NewBundle(comps, make([]uintptr, len(comps))).SpawnBatch(es, value, 0); err != nil {
			t.Fatal(err)
		}
		return es
	}
	spawn(1, c[0], c[1], c[2]) // its table moves first
	es := spawn(10_000, c[0], c[1])
	if !s.Change(c[0], Optional) {
		t.Fatal("it does not change over")
	}
	s.EndFrame()
	if s.Moving() == 0 || s.tableAt(locOf(c[0].Resolve(es[9_999], 0))).opt(c[0]) == nil || s.tableAt(locOf(c[0].Resolve(es[0], 0))).opt(c[0]) != nil {
		t.Fatal("all values have moved, or none")
	}
	if n, err := s.AddBatch(c[2], es[:100], value); n != 100 || err != nil {
		t.Fatal(n, err)
	}
	for i := 0; s.Moving() > 0 && i < 1000; i++ {
		s.EndFrame()
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	for _, e := range es {
		if !c[0].Has(e) {
			t.Fatalf("%v has lost it", e)
		}
	}
	if err := x.m.Close(); err != nil {
		t.Fatal(err)
	}
}

// Rows that move or come together keep their values, wherever chunks end and regions begin, in both tables.
func TestRunsAcrossRegions(t *testing.T) {
	x := newModel(t, 1, memmgr.Options{}, Options{Policy: policy.Options{Off: true}})
	s := x.s
	var c []*Component
	for i, size := range []uintptr{16, 4, 8} {
		c = append(c, &Component{})
		s.Register(c[i], fmt.Sprint("run", i), chunk.Spec{Size: uint32(size), Align: 4}, Fixed, true)
	}
	bytesOf := func(c *Component, e Entity) []byte { return raw.Slice[byte](c.At(locOf(c.Resolve(e, 0))), int(c.Size)) }
	value := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	es := make([]Entity, 150_000)
	if err := s.NewBundle(c[:2], []uintptr{0, 16}).SpawnBatch(es, at(value), 0); err != nil {
		t.Fatal(err)
	}
	for i, e := range es {
		if a, b := bytesOf(c[0], e), bytesOf(c[1], e); !bytes.Equal(a, value[:16]) || !bytes.Equal(b, value[16:]) {
			t.Fatalf("entity %d is spawned with %v and %v", i, a, b)
		}
		binary.LittleEndian.PutUint64(bytesOf(c[0], e), uint64(i))
		binary.LittleEndian.PutUint32(bytesOf(c[1], e), ^uint32(i))
	}
	for round, part := range [][]Entity{es[:70_000], es[70_001:], es[:1], es[100:90_000]} {
		if n, err := s.AddBatch(c[2], part, at(value)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
		for i, e := range es {
			if a, b := bytesOf(c[0], e), bytesOf(c[1], e); binary.LittleEndian.Uint64(a) != uint64(i) || !bytes.Equal(a[8:], value[8:16]) || binary.LittleEndian.Uint32(b) != ^uint32(i) {
				t.Fatalf("round %d: entity %d has %v and %v", round, i, a, b)
			}
		}
		for _, e := range part {
			if !bytes.Equal(bytesOf(c[2], e), value[:8]) {
				t.Fatalf("round %d: %v was added", round, bytesOf(c[2], e))
			}
		}
		if n, err := s.RemoveBatch(c[2], part[len(part)/2:]); n != len(part)-len(part)/2 || err != nil {
			t.Fatal(n, err)
		}
		if n, err := s.RemoveBatch(c[2], part[:len(part)/2]); n != len(part)/2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := x.m.Close(); err != nil {
		t.Fatal(err)
	}
}
