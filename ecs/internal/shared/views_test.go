package shared

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// fixture has groups of one component each: places, which are shared, marks and bells.
type fixture struct {
	walk.Base
	t                 testing.TB
	v                 *Views
	place, mark, bell *store.Component
	levels            []*store.Level
}

// mode is Views.Off and Views.Always.
type mode struct{ off, always bool }

var (
	auto = mode{}
	off  = mode{off: true}
	on   = mode{always: true}
)

func newFixture(t testing.TB, mode mode) *fixture {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f := &fixture{t: t}
	f.Manager, f.Store, f.RunLength = m, store.New(m, store.Options{MaxEntities: 1 << 20}), 32
	f.v = New(&f.Base)
	f.v.Off, f.v.Always, f.v.Page, f.v.Intent = mode.off, mode.always, chunk.Page, func(string, string) views.Strategy { return views.Unset }
	for _, c := range []struct {
		name string
		of   **store.Component
		typ  reflect.Type
	}{{"bell", &f.bell, reflect.TypeFor[uint64]()}, {"place", &f.place, reflect.TypeFor[[2]float64]()}, {"mark", &f.mark, reflect.TypeFor[uint64]()}} {
		spec, err := chunk.SpecOf(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		*c.of = &store.Component{}
		f.Store.Register(*c.of, c.name, spec, store.Fixed, true)
		level, err := f.Store.DeclareLevel(store.Group{Name: c.name + "s", Fixed: []*store.Component{*c.of}})
		if err != nil {
			t.Fatal(err)
		}
		f.levels = append(f.levels, level)
	}
	return f
}

func (f *fixture) table(c *store.Component) *table { return f.v.tableOf(c.Owner().Main) }

// columns are the fields of readers.
func (f *fixture) column(what string) source.Column {
	c := source.Column{Comp: f.place, Part: source.Part{Offset: 0, Size: 8, Path: "X"}}
	switch what {
	case "mark":
		c = source.Column{Comp: f.mark, Part: source.Part{Size: 8}}
	case "bell":
		c = source.Column{Comp: f.bell, Part: source.Part{Size: 8}}
	case "place":
		c.Part = source.Part{Size: 16}
	case "place write":
		c.Part, c.Write = source.Part{Size: 16}, true
	case "Y", "Y write":
		c.Part = source.Part{Offset: 8, Size: 8, Path: "Y"}
		c.Write = what == "Y write"
	case "X optional":
		c.Optional = true
	}
	return c
}

// read adds a reader of some columns.
func (f *fixture) read(columns ...string) *Reader {
	q := walk.Spec{Name: fmt.Sprint("system", f.v.readers.Len()), Fields: source.Fields{Entities: -1}}
	for i, what := range columns {
		c := f.column(what)
		c.Offset = raw.Size[[]uint64]() * uintptr(i)
		q.Columns = append(q.Columns, c)
		if !c.Optional {
			q.Required = append(q.Required, c.Comp)
		}
	}
	return f.v.AddReader(walk.NewCursor(walk.NewPlan(&f.Base, q)))
}

// fill spawns entities with a place and a mark, in opposite orders.
func (f *fixture) fill(n int) (es []store.Entity) {
	add := func(c *store.Component, e store.Entity, v *[2]float64) {
		if err := f.Store.Add(c, e, raw.Of(v)); err != nil {
			f.t.Fatal(err)
		}
	}
	for i := range n {
		e, err := f.Store.Spawn()
		if err != nil {
			f.t.Fatal(err)
		}
		add(f.place, e, &[2]float64{float64(i), -float64(i)})
		es = append(es, e)
	}
	extra, err := f.Store.Spawn() // so that the marks are fewer, and drive
	if err != nil {
		f.t.Fatal(err)
	}
	add(f.place, extra, &[2]float64{})
	for i := range es {
		add(f.mark, es[n-1-i], &[2]float64{})
	}
	return es
}

// pass goes over a reader's columns, and returns how many rows there were and the sum
// of its second column.
func pass(r *Reader) (rows int, sum float64) {
	r.Each(raw.Of(new([3][]float64)), func(p raw.Ptr) bool {
		v := raw.As[[3][]float64](p)
		rows += len(v[0])
		for _, x := range v[1] {
			sum += x
		}
		return true
	})
	return rows, sum
}

// A kept view is used again while nothing changes, gathered again where something does, and
// dropped when no reader uses it.
func TestKept(t *testing.T) {
	f := newFixture(t, on)
	r := f.read("mark", "X")
	es := f.fill(5000)
	want := 5000.0 * 4999 / 2
	for round := range 4 {
		f.frame()
		if rows, sum := pass(r); rows != 5000 || sum != want {
			t.Fatalf("round %d: %d rows, sum %v, want %v", round, rows, sum, want)
		}
		if round == 1 {
			f.Manager.Advance()
			l, _ := f.place.Loc(es[7])
			f.place.Dir.CellOf(l).Stamp = f.Manager.Tick()
			raw.As[[2]float64](f.place.At(l))[0] += 0.5
			want += 0.5
		}
	}
	st := f.v.Stats()[0]
	if st.Built == 0 || st.Reused == 0 || !st.Kept || st.Readers != 1 || st.Group != "marks" || st.Component != "place" || st.Field != "X" {
		t.Errorf("%+v", st)
	}
	if p := f.v.Facts(); len(p) != 1 || p[0].Component != "place.X" || p[0].Built != st.Built {
		t.Errorf("%+v", p)
	}
	f.Frame = 2 * IdleFrames
	if err := f.v.Drop(); err != nil {
		t.Fatal(err)
	}
	if st := f.v.Stats()[0]; st.Kept || st.Dropped+st.Retained == 0 {
		t.Errorf("dropped: %+v", st)
	}
	if _, sum := pass(r); sum != want {
		t.Errorf("sum %v after it was dropped, want %v", sum, want)
	}
}

// A chunk in the place of another one is gathered anew, though its annex is the same.
func TestKeptOfAnotherChunk(t *testing.T) {
	for what, spoil := range map[string]func(c *viewChunk){"id": func(c *viewChunk) { c.id++ }, "generation": func(c *viewChunk) { c.gen++ }, "address": func(c *viewChunk) { c.at++ }} {
		f := newFixture(t, on)
		r := f.read("mark", "X")
		f.fill(1000)
		f.Manager.Advance()
		pass(r)
		tab := f.table(f.mark)
		v := tab.views[0]
		id, n := tab.seq.Chunk(0)
		annex, err := f.Manager.Annex(id, tab.annexBytes())
		if err != nil {
			t.Fatal(err)
		}
		clear(raw.Slice[float64](raw.At(annex, uintptr(v.offset)), n)) // of the one before
		spoil(&v.chunks[0])
		f.Manager.Advance()
		for range 2 {
			built := v.stats.Built
			if _, sum := pass(r); sum != 1000*999/2 {
				t.Errorf("%s: sum %v", what, sum)
			}
			f.Manager.Advance()
			if v.stats.Built > built+1 {
				t.Errorf("%s: built %d times", what, v.stats.Built-built)
			}
		}
		if v.stats.Built != 2 || v.stats.Reused != 1 {
			t.Errorf("%s: %+v", what, v.stats)
		}
	}
}

// Views lie side by side in annexes, and begin with pages. A view of several readers
// gets room once. A written or optional column gets none.
func TestRoom(t *testing.T) {
	f := newFixture(t, on)
	f.fill(1000)
	readers := []*Reader{f.read("mark", "X", "place"), f.read("mark", "X", "Y"), f.read("mark", "X optional", "Y write")}
	tab := f.table(f.mark)
	for i, want := range []int{2, 3, 3} {
		if pass(readers[i]); len(tab.views) != want {
			t.Errorf("%d views after %d readers, want %d", len(tab.views), i+1, want)
		}
	}
	end := uint32(0)
	var got []string
	for _, v := range tab.views {
		if v.offset != inPages(end) || v.offset%chunk.Page != 0 || !v.room {
			t.Errorf("%q at %d, behind %d", v.part.Path, v.offset, end)
		}
		end = v.offset + tab.bytes(v)
		got = append(got, fmt.Sprint(v.part.Path, v.readers.now))
	}
	if s := strings.Join(got, " "); s != "X2 1 Y1" || tab.annexBytes() != end {
		t.Errorf("views %s in %d bytes, want %d", s, tab.annexBytes(), end)
	}
	none := newFixture(t, off)
	none.fill(1000)
	if pass(none.read("mark", "X")); len(none.v.tables) != 0 {
		t.Error("a table is noted though nothing is kept")
	}
}

// Views fill an annex to the last byte, and no further. Others are gathered.
func TestRoomToTheLastByte(t *testing.T) {
	f := newFixture(t, on)
	f.fill(100)
	tab := f.table(f.mark)
	each := inPages(tab.seq.Layout().Capacity() * 8)
	for i := range 2 * memmgr.AnnexMost / each {
		x := f.column("X")
		x.Part.Path = fmt.Sprint("X", i)
		if v := tab.viewOf(&x, tab.whereOf(x.Comp)); v.room != (i < memmgr.AnnexMost/each) {
			t.Errorf("view %d of %d bytes in %d: room %v", i, each, memmgr.AnnexMost, v.room)
		}
	}
	if memmgr.AnnexMost%each != 0 {
		t.Errorf("views of %d bytes do not fill %d", each, memmgr.AnnexMost)
	}
	if rows, sum := pass(f.read("mark", "Y")); rows != 100 || sum != -100*99/2 {
		t.Errorf("%d rows, sum %v, without room", rows, sum)
	}
}

// A view is idle when it has values and no reader has used them for some frames.
func TestIdle(t *testing.T) {
	f := newFixture(t, on)
	r := f.read("mark", "X")
	f.fill(100)
	x := f.column("X")
	v := f.table(f.mark).viewOf(&x, f.table(f.mark).whereOf(f.place))
	if v.idle(IdleFrames) {
		t.Error("it was never kept")
	}
	if pass(r); v.idle(IdleFrames-1) || !v.idle(IdleFrames) {
		t.Error("idle too early or too late")
	}
}

// Tables that are gone are forgotten, with all that readers knew of them.
func TestGoneTablesAreForgotten(t *testing.T) {
	f := newFixture(t, on)
	r := f.read("mark", "X")
	f.fill(100)
	pass(r)
	if len(f.v.Stats()) != 1 || len(r.Choices()) != 1 {
		t.Fatalf("%+v, %+v", f.v.Stats(), r.Choices())
	}
	if err := f.Store.Dissolve(f.levels[2]); err != nil {
		t.Fatal(err)
	}
	if len(f.v.Stats()) != 0 || len(r.Choices()) != 0 {
		t.Errorf("%+v, %+v of a table that is gone", f.v.Stats(), r.Choices())
	}
	if err := f.v.Drop(); err != nil || len(f.v.tables)+len(f.v.byTable)+len(r.served)+len(r.order) != 0 {
		t.Errorf("%d, %d, %d and %d are left, %v", len(f.v.tables), len(f.v.byTable), len(r.served), len(r.order), err)
	}
}

// BenchmarkLooks is a walk of many readers of one component, frame by frame.
func BenchmarkLooks(b *testing.B) {
	const n = 100
	f := newFixture(b, auto)
	for range n {
		f.read("mark", "X")
	}
	f.fill(64)
	for b.Loop() {
		f.Frame++
		for _, r := range f.v.readers.All() {
			pass(r)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/reader")
}

// BenchmarkReaders is a walk of two readers of one component over few rows, with views and without.
func BenchmarkReaders(b *testing.B) {
	for _, rows := range []int{16, 32, 64, 128, 256} {
		for _, mode := range []mode{off, on} {
			b.Run(fmt.Sprintf("rows=%d/mode=%v", rows, mode), func(b *testing.B) {
				f := newFixture(b, mode)
				readers := []*Reader{f.read("mark", "X"), f.read("mark", "X")}
				f.fill(rows)
				for b.Loop() {
					f.Frame++
					f.Manager.Advance()
					for _, r := range readers {
						pass(r)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(readers)), "ns/reader")
			})
		}
	}
}
