package contract

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// fixture is a store with three components of a number each: two fixed, one thin.
type fixture struct {
	t     *testing.T
	m     *memmgr.Manager
	s     *store.Store
	comps [3]store.Component
	es    []store.Entity
}

func newFixture(t *testing.T, n int) *fixture {
	m, err := memmgr.New(memmgr.Options{Stress: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f := &fixture{t: t, m: m, s: store.New(m, store.Options{MaxEntities: 1 << 16})}
	spec, err := chunk.SpecOf(reflect.TypeFor[uint64]())
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "b", "thin"} {
		f.s.Register(&f.comps[i], name, spec, []store.Way{store.Fixed, store.Fixed, store.Thin}[i], true)
	}
	for i := range n {
		e, err := f.s.Spawn()
		f.must(err)
		for c := range f.comps {
			f.add(c, e, uint64(10*i+c))
		}
		f.es = append(f.es, e)
	}
	return f
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) add(c int, e store.Entity, v uint64) {
	f.t.Helper()
	f.must(f.s.Add(&f.comps[c], e, raw.Of(&v)))
}

// three is the struct of a schema of all three.
type three struct{ A, B, Thin *uint64 }

func (f *fixture) schema(optional bool) *Schema {
	var list []Field
	for i := range f.comps {
		list = append(list, Field{C: &f.comps[i], Offset: uintptr(i) * unsafe.Sizeof(uintptr(0)), Filled: true, Optional: i == 2 && optional})
	}
	return New(f.s, "s", list)
}

// fills tells whether an instance is that of the i-th entity.
func (f *fixture) fills(x *Schema, in *Instance, i int) bool {
	f.t.Helper()
	var v three
	if !x.Fill(in, raw.Of(&v)) {
		return false
	}
	if *v.A != uint64(10*i) || *v.B != uint64(10*i+1) || v.Thin != nil && *v.Thin != uint64(10*i+2) {
		f.t.Errorf("instance %d: %d %d %v", i, *v.A, *v.B, v.Thin)
	}
	f.must(x.Check())
	return true
}

// While nothing changes, an instance does not look. After a change elsewhere it looks once.
func TestInstance(t *testing.T) {
	f := newFixture(t, 5)
	x := f.schema(false)
	in, ok := x.Bind(f.es[4])
	if !ok || in.Entity() != f.es[4] || !f.fills(x, &in, 4) || x.Stats() != (Stats{}) {
		t.Fatalf("bound: %v, %+v", ok, x.Stats())
	}
	if _, err := f.s.Spawn(); err != nil || !x.Valid(&in) || x.Stats() != (Stats{}) {
		t.Errorf("after a birth: %v, %+v", err, x.Stats())
	}
	f.must(f.s.Destroy(f.es[0])) // the last row moves there
	if !f.fills(x, &in, 4) || x.Stats() != (Stats{1, 1}) {
		t.Errorf("its row has moved: %+v", x.Stats())
	}
	f.must(f.s.Destroy(f.es[3]))
	if !f.fills(x, &in, 4) || !x.Valid(&in) || x.Stats() != (Stats{2, 1}) {
		t.Errorf("another row has gone: %+v", x.Stats())
	}
	f.must(f.s.Remove(&f.comps[2], f.es[4]))
	if f.fills(x, &in, 4) || x.Valid(&in) {
		t.Error("it holds without the thin component")
	}
	f.add(2, f.es[4], 42)
	if !f.fills(x, &in, 4) {
		t.Error("it does not hold with the thin component again")
	}
	if x.Stats() != (Stats{5, 4}) {
		t.Errorf("it has lost a component, was asked twice, and has got it back: %+v", x.Stats())
	}
	f.must(f.s.Destroy(f.es[4]))
	if f.fills(x, &in, 4) || x.Valid(new(Instance)) || x.Valid(&Instance{entity: 7}) {
		t.Error("it holds without an entity")
	}
}

// An optional component that is not there is nil, and no reason not to hold.
func TestOptional(t *testing.T) {
	f := newFixture(t, 2)
	x := f.schema(true)
	in, _ := x.Bind(f.es[1])
	f.must(f.s.Remove(&f.comps[2], f.es[1]))
	v := three{Thin: new(uint64)}
	if !x.Fill(&in, raw.Of(&v)) || v.Thin != nil {
		t.Errorf("without it: %v", v.Thin)
	}
	f.add(2, f.es[1], 12)
	if !x.Fill(&in, raw.Of(&v)) || v.Thin == nil || *v.Thin != 12 {
		t.Errorf("with it: %v", v.Thin)
	}
}

// An instance of one store is not taken for one of another.
func TestForeign(t *testing.T) {
	f, g := newFixture(t, 3), newFixture(t, 3)
	x, y := f.schema(false), g.schema(false)
	in, _ := x.Bind(f.es[2])
	before := y.Stats()
	if y.Valid(&in); y.Stats().Rechecks == before.Rechecks {
		t.Error("the other schema did not look")
	}
	y.Fill(&in, raw.Of(new(three))) // whatever it gives, it is there
	f.must(y.Check())
}

// Chunks that move, and many of them.
func TestMoves(t *testing.T) {
	f := newFixture(t, 12000)
	x := f.schema(false)
	var all []Instance
	for _, e := range f.es {
		in, _ := x.Bind(e)
		all = append(all, in)
	}
	for range 3 {
		before := x.Stats().Rechecks
		f.must(f.m.SafePoint()) // all of them
		if !f.fills(x, &all[7], 7) || x.Stats().Rechecks == before {
			t.Fatal("a chunk has moved, and nothing looked")
		}
	}
	for i := range all {
		if !x.Fill(&all[i], raw.Of(new(three))) {
			t.Fatalf("instance %d does not hold", i)
		}
	}
	f.must(x.Check())
}

// Check finds a base that is not where the column is.
func TestCheck(t *testing.T) {
	none := newFixture(t, 0).schema(false)
	none.arrange()
	if err := none.Check(); err != nil {
		t.Errorf("without a chunk: %v", err)
	}
	f := newFixture(t, 3)
	x := f.schema(false)
	in, _ := x.Bind(f.es[2])
	f.must(x.Check())
	x.bases[in.page/uint64(raw.WordBytes)] += 8
	if x.Check() == nil {
		t.Error("a base is wrong, and Check says nothing")
	}
	f.must(f.m.SafePoint())
	f.must(x.Check()) // it is not used any more
}

// Lanes of components without a stated way need not stay with the first.
func TestHold(t *testing.T) {
	f := newFixture(t, 1)
	x := f.schema(true)
	if !x.Hold(&x.Lanes()[0]) || !x.Hold(&x.Lanes()[1]) || x.Hold(&x.Lanes()[2]) {
		t.Error("lanes in the home: want the first and the second")
	}
	var loose store.Component
	f.s.Register(&loose, "loose", f.comps[0].Spec, store.Fixed, false)
	if y := New(f.s, "s", []Field{{C: &loose}}); y.Hold(&y.Lanes()[0]) {
		t.Error("one that may be stored otherwise stays")
	}
	if y := New(f.s, "s", []Field{{C: &f.comps[0]}, {C: &f.comps[1], Optional: true}}); y.Hold(&y.Lanes()[1]) {
		t.Error("one that an entity may lack is always there")
	}
}
