package shared

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/match"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/views"
)

// gathering has readers get values in one way.
func gathering(t *testing.T, use views.Strategy) *fixture {
	f := newFixture(t, auto)
	f.v.Intent = func(string, string) views.Strategy { return use }
	return f
}

// Readers that share where rows are read the values there, whatever came, went or moved since another
// of them has found it: places of both groups, in this tick and before.
func TestWhereModel(t *testing.T) {
	for _, use := range []views.Strategy{views.Gathered, views.Cached} {
		f := gathering(t, use)
		readers := []*Reader{f.read("mark", "X"), f.read("mark", "Y"), f.read("bell", "X"), f.read("mark", "place"), f.read("bell", "Y")}
		rng := rand.New(rand.NewPCG(7, uint64(use)))
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		var es []store.Entity
		values := map[store.Entity][2]float64{}
		spawn := func(place bool) {
			e, err := f.Store.Spawn()
			must(err)
			es = append(es, e)
			v := [2]float64{float64(len(es)), rng.Float64()}
			for _, c := range []*store.Component{f.mark, f.bell} {
				if rng.IntN(4) > 0 {
					must(f.Store.Add(c, e, raw.Of(&[2]float64{float64(e)})))
				}
			}
			if place {
				must(f.Store.Add(f.place, e, raw.Of(&v)))
				values[e] = v
			}
		}
		for range 9000 {
			spawn(true)
		}
		shared, again := 0, 0
		for step := range 400 {
			if rng.IntN(2) == 0 {
				f.Manager.Advance()
			}
			f.Frame++
			i := rng.IntN(len(es))
			e := es[i]
			_, has := values[e]
			switch rng.IntN(10) {
			case 5, 6: // of the readers' own rows alone
				if c := []*store.Component{f.mark, f.bell}[rng.IntN(2)]; c.Has(e) {
					must(f.Store.Remove(c, e))
				} else {
					must(f.Store.Add(c, e, raw.Of(&[2]float64{float64(e)})))
				}
			case 0:
				spawn(rng.IntN(4) > 0)
			case 1:
				must(f.Store.Destroy(e))
				delete(values, e)
				es[i] = es[len(es)-1]
				es = es[:len(es)-1]
			case 2:
				if has {
					must(f.Store.Remove(f.place, e))
					delete(values, e)
				}
			case 3:
				if !has {
					v := [2]float64{-1, rng.Float64()}
					must(f.Store.Add(f.place, e, raw.Of(&v)))
					values[e] = v
				}
			case 4: // the last chunk may go
				for range rng.IntN(500) {
					if l := es[len(es)-1]; len(es) > 5000 {
						must(f.Store.Destroy(l))
						delete(values, l)
						es = es[:len(es)-1]
					}
				}
			}
			r := readers[rng.IntN(len(readers))]
			before := tickOf(r)
			sum, rows := 0.0, 0
			r.Each(raw.Of(new([3][]float64)), func(p raw.Ptr) bool {
				v := raw.As[[3][]float64](p)
				rows += len(v[0])
				for j, x := range v[1] {
					if r.Columns[1].Whole() {
						x = raw.Slice[float64](raw.Data(v[1]), 2*len(v[1]))[2*j]
					}
					sum += x
				}
				return true
			})
			want, n := 0.0, 0
			for e, v := range values {
				if r.Columns[0].Comp.Has(e) {
					n++
					if r.Columns[1].Part.Path == "Y" {
						want += v[1]
					} else {
						want += v[0]
					}
				}
			}
			if d := sum - want; rows != n || d > 1e-6 || d < -1e-6 {
				t.Fatalf("%v, step %d: %d rows, sum %v, want %d, %v", use, step, rows, sum, n, want)
			}
			if after := tickOf(r); after > 0 && after == before {
				again++
			}
			shared++
			must(f.Store.Check())
		}
		if again == 0 || again == shared {
			t.Errorf("%v: of %d walks, %d went by places that were found before", use, shared, again)
		}
	}
}

// tickOf is when the first chunk's places were found; 0 if they are not shared.
func tickOf(r *Reader) uint64 {
	w := r.views.tableOf(r.Columns[0].Comp.Owner().Main).whereOf(r.Columns[1].Comp)
	if len(w.chunks) == 0 {
		return 0
	}
	return w.chunks[0].tick
}

// One reader alone notes nothing where rows come and go in most frames. A note is forgotten
// when no reader uses it.
func TestWhereIsForgotten(t *testing.T) {
	f := gathering(t, views.Gathered)
	f.fill(5000)
	r := f.read("mark", "X")
	w := f.table(f.mark).whereOf(f.place)
	f.Manager.Advance()
	if pass(r); len(w.chunks) == 0 || w.chunks[0].tick == 0 {
		t.Fatal("places are not noted for the next walk")
	}
	f.Manager.Advance()
	tick := w.chunks[0].tick
	if pass(r); w.chunks[0].tick != tick {
		t.Errorf("places of tick %d, then %d", tick, w.chunks[0].tick)
	}
	f.Frame += IdleFrames
	if err := f.v.Drop(); err != nil || len(w.chunks) != 0 {
		t.Errorf("%d chunks of places after %d frames, %v", len(w.chunks), IdleFrames, err)
	}
	for range 9 {
		f.frame()
		f.moved(f.place)
		pass(r)
	}
	f.Frame += IdleFrames - f.Frame%IdleFrames
	w.frame = 0
	if err := f.v.Drop(); err != nil {
		t.Fatal(err)
	}
	f.moved(f.place)
	if pass(r); len(w.chunks) != 0 {
		t.Error("places are noted for one reader, though rows come and go")
	}
	second := f.read("mark", "Y")
	for range 2 {
		f.frame()
		f.moved(f.place)
		pass(second)
		pass(r)
	}
	if len(w.chunks) == 0 {
		t.Error("places are not shared between two")
	}
}

// A group with few rows looks at none of an owner's many chunks.
func TestWhereOfManyChunks(t *testing.T) {
	f := gathering(t, views.Gathered)
	f.read("mark", "X")
	r := f.read("mark", "Y")
	f.fill(100)
	w := f.table(f.mark).whereOf(f.place)
	if pass(r); w.live != 1 {
		t.Fatalf("%d chunks were looked at, want 1", w.live)
	}
	perChunk := int(f.place.Owner().Main.Seq.Layout().Capacity())
	es := make([]store.Entity, 1000)
	for n := 100; n <= 65*perChunk; n += len(es) {
		for i := range es {
			e, err := f.Store.Spawn()
			if err != nil {
				t.Fatal(err)
			}
			es[i] = e
		}
		if _, err := f.Store.AddBatch(f.place, es, raw.Of(&[2]float64{})); err != nil {
			t.Fatal(err)
		}
	}
	if rows, _ := pass(r); rows != 100 || w.latest != ^uint64(0) {
		t.Errorf("%d rows; %d chunks were looked at for them", rows, w.live)
	}
}

// An owner's chunk that is gone bears no stamp: that there is one less tells that rows are gone.
func TestWhereChunkGoes(t *testing.T) {
	f := gathering(t, views.Gathered)
	r := f.read("mark", "X")
	f.read("mark", "Y")
	es := f.fill(int(f.place.Owner().Main.Seq.Layout().Capacity()) - 1) // and one without a mark
	last, err := f.Store.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*store.Component{f.mark, f.place} {
		if err := f.Store.Add(c, last, raw.Of(&[2]float64{1})); err != nil {
			t.Fatal(err)
		}
	}
	w := f.table(f.mark).whereOf(f.place)
	f.Manager.Advance()
	if rows, _ := pass(r); rows != len(es)+1 || w.live != 2 {
		t.Fatalf("%d rows, owners in %d chunks, want 2", rows, w.live)
	}
	f.Manager.Advance()
	if err := f.Store.Remove(f.place, last); err != nil {
		t.Fatal(err)
	}
	f.Manager.Advance()
	if rows, _ := pass(r); rows != len(es) {
		t.Errorf("%d rows, want %d: one has lost what is shared, with its chunk", rows, len(es))
	}
}

// A component may become the readers' own group's, and loose again: who asks for it is known all the
// same.
func TestWhereOfOwnersThatChange(t *testing.T) {
	f := gathering(t, views.Gathered)
	spec, err := chunk.SpecOf(reflect.TypeFor[uint64]())
	if err != nil {
		t.Fatal(err)
	}
	loose := new(store.Component)
	f.Store.Register(loose, "loose", spec, store.Fixed, true)
	read := func() *Reader {
		q := walk.Spec{Name: "loosely", Query: match.Query{Required: []*store.Component{f.mark, loose}}, Fields: source.Fields{Entities: -1}}
		for i, c := range q.Required {
			q.Columns = append(q.Columns, source.Column{Comp: c, Part: source.Part{Size: 8}, Offset: uintptr(i) * raw.Size[[]uint64]()})
		}
		return f.v.AddReader(walk.NewCursor(walk.NewPlan(&f.Base, q)))
	}
	read()
	inner, err := f.Store.DeclareLevel(store.Group{Name: "inner", Fixed: []*store.Component{f.mark, loose}})
	if err != nil {
		t.Fatal(err)
	}
	f.v.RemoveReader(0)
	if err := f.Store.Dissolve(inner); err != nil {
		t.Fatal(err)
	}
	for _, e := range f.fill(5000) {
		if err := f.Store.Add(loose, e, raw.Of(new(uint64))); err != nil {
			t.Fatal(err)
		}
	}
	r := read()
	w := f.table(f.mark).whereOf(loose)
	if rows, _ := pass(r); rows != 5000 || w.finders.now != 1 || len(w.chunks) == 0 {
		t.Errorf("%d rows; %d readers ask, and %d chunks of places are noted", rows, w.finders.now, len(w.chunks))
	}
}
