package order

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// fixture is entities with rows in up to three groups.
type fixture struct {
	walk.Base
	t     testing.TB
	comps [3]*store.Component
	of    [3]*store.Owner
	es    []store.Entity
}

func newFixture(t testing.TB, n int) *fixture {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f := &fixture{t: t}
	f.Manager, f.Store = m, store.New(m, store.Options{MaxEntities: 1 << 20})
	spec, err := chunk.SpecOf(reflect.TypeFor[uint64]())
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "b", "c"} {
		f.comps[i] = &store.Component{}
		f.Store.Register(f.comps[i], name, spec, store.Fixed, true)
		if f.of[i], err = f.Store.Declare("group "+name, f.comps[i:i+1], nil); err != nil {
			t.Fatal(err)
		}
	}
	for range n {
		e, err := f.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		f.es = append(f.es, e)
	}
	return f
}

// give gives entities a row in a group, in their order.
func (f *fixture) give(group int, es []store.Entity) {
	for _, e := range es {
		v := uint64(e)
		if err := f.Store.Add(f.comps[group], e, raw.Of(&v)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *fixture) rows(group int) []store.Entity { return f.rowsOf(f.of[group].Main) }

func (f *fixture) rowsOf(t *store.Table) (es []store.Entity) {
	for id, n := range t.Seq.Chunks() {
		es = append(es, f.Store.Entities(id, n)...)
	}
	return es
}

func (f *fixture) check() {
	f.t.Helper()
	for i, c := range f.comps {
		for _, e := range f.rows(i) {
			if l, ok := c.Loc(e); !ok || *raw.As[uint64](c.At(l)) != uint64(e) {
				f.t.Fatalf("%v has not its own value of %s", e, c.Name)
			}
		}
	}
	if err := f.Store.Check(); err != nil {
		f.t.Fatal(err)
	}
}

func shuffled(r *rand.Rand, es []store.Entity) []store.Entity {
	es = slices.Clone(es)
	r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	return es
}

// S13: Rows come into the order of their readers, by no more than so many swaps a frame, and stay
// in it as some come and go; rows without a reader are behind.
func TestSorter(t *testing.T) {
	f := newFixture(t, 6000)
	r := rand.New(rand.NewPCG(3, 4))
	f.give(0, shuffled(r, f.es[:5000]))
	f.give(1, shuffled(r, f.es[1000:]))
	ss := NewSorters(&f.Base)
	if !ss.Set(f.of[0], f.of[1], 500) {
		t.Fatal("refused")
	}
	inOrder := func() bool {
		var want []store.Entity
		for _, e := range f.rows(1) {
			if f.comps[0].Has(e) {
				want = append(want, e)
			}
		}
		return slices.Equal(f.rows(0)[:len(want)], want)
	}
	frames := func() (n int) {
		for ; !inOrder(); n++ {
			swapped := ss.Stats()[0].Swapped
			ss.EndFrame()
			if d := ss.Stats()[0].Swapped - swapped; d > 500 {
				t.Fatalf("%d swaps in a frame", d)
			}
			if n > 200 {
				t.Fatal("they never come into order")
			}
		}
		f.check()
		return n
	}
	if n := frames(); n < 4000/500 {
		t.Errorf("in order after %d frames", n)
	}
	for range 4 {
		ss.EndFrame()
	}
	before := ss.Stats()[0]
	for range 30 {
		ss.EndFrame()
	}
	if st := ss.Stats()[0]; st.Skipped <= before.Skipped || st.Looked != before.Looked || st.Swapped != before.Swapped || st.Rounds <= before.Rounds || st.Rows != "group a" || st.As != "group b" {
		t.Errorf("nothing changes, and rows are looked at: %+v, then %+v", before, st)
	}
	for range 20 {
		for range 10 {
			e := f.es[r.IntN(len(f.es))]
			if i := r.IntN(2); !f.comps[i].Has(e) {
				f.give(i, []store.Entity{e})
			} else if err := f.Store.Remove(f.comps[i], e); err != nil {
				t.Fatal(err)
			}
		}
		frames()
	}
	ss.Unset(f.of[0])
	if len(ss.Stats()) != 0 {
		t.Error("it goes on")
	}
}

// O4: Groups never follow each other in a circle, and a second order replaces the first.
func TestSetSorters(t *testing.T) {
	f := newFixture(t, 0)
	ss := NewSorters(&f.Base)
	a, b, c := f.of[0], f.of[1], f.of[2]
	for i, x := range []struct {
		rows, as *store.Owner
		want     bool
	}{{a, a, false}, {a, b, true}, {b, a, false}, {b, c, true}, {c, a, false}, {a, b, true}, {a, c, true}, {b, a, true}, {c, b, false}} {
		if ss.Set(x.rows, x.as, 1+i) != x.want {
			t.Errorf("%d: %s as %s: %v", i, x.rows.Name, x.as.Name, !x.want)
		}
	}
	if st := ss.Stats(); len(st) != 2 || st[0].Rows != "group a" || st[0].As != "group c" || st[1].Rows != "group b" || st[1].As != "group a" {
		t.Errorf("%+v", st)
	}
	if ss.Forget(); len(ss.Stats()) != 0 {
		t.Error("some are left")
	}
}

// The last row goes, with its chunk, and its reader stays: the rows that follow the readers are looked
// at again, though no row has come to lie elsewhere.
func TestSorterLosesItsLastRow(t *testing.T) {
	f := newFixture(t, chunk.MaxRows+100)
	capacity := int(f.of[0].Main.Seq.Layout().Capacity())
	readers, last := f.es[:capacity+50], f.es[capacity]
	f.give(0, f.es[:capacity+1])
	f.give(1, readers)
	ss := NewSorters(&f.Base)
	ss.Set(f.of[0], f.of[1], 1000)
	for range 4 {
		ss.EndFrame()
	}
	before := ss.Stats()[0]
	ss.EndFrame()
	if st := ss.Stats()[0]; st.Looked != before.Looked || st.Skipped != before.Skipped+uint64(len(readers)) {
		t.Fatalf("not at rest: %+v, then %+v", before, st)
	}
	if err := f.Store.Remove(f.comps[0], last); err != nil {
		t.Fatal(err)
	}
	before = ss.Stats()[0]
	ss.EndFrame()
	if st := ss.Stats()[0]; st.Looked == before.Looked {
		t.Errorf("a row has gone: %+v, then %+v", before, st)
	}
	if !slices.Equal(f.rows(0), f.es[:capacity]) {
		t.Error("not in order")
	}
	f.check()
}

// Where so many rows have gone that the cursor is behind the last, it begins anew.
func TestSorterBeginsAnew(t *testing.T) {
	f := newFixture(t, 5000)
	f.give(0, f.es)
	f.give(1, f.es)
	ss := NewSorters(&f.Base)
	ss.Set(f.of[0], f.of[1], 10) // 160 looks a frame
	for range 5 {
		ss.EndFrame()
	}
	r := rand.New(rand.NewPCG(5, 6))
	stay := f.es[900:1000]
	for _, e := range shuffled(r, f.es) {
		if !slices.Contains(stay, e) {
			if err := f.Store.Remove(f.comps[0], e); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 * 5000 / 160 {
		ss.EndFrame()
	}
	if !slices.Equal(f.rows(0), stay) {
		t.Errorf("not in order: %+v", ss.Stats())
	}
	f.check()
}
