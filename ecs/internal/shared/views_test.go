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
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// fixture has groups of one component each: places, which are shared, marks and bells.
type fixture struct {
	walk.Base
	t                 testing.TB
	v                 *Views
	place, mark, bell *store.Component
}

func newFixture(t testing.TB, mode Mode) *fixture {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	f := &fixture{t: t}
	f.M, f.S, f.RunLength = m, store.New(m, store.Options{MaxEntities: 1 << 20}), 32
	f.v = New(&f.Base, chunk.Page, Options{Mode: mode, Begin: func(string, string, string) (intent, recorded views.Strategy, costs profile.Costs) { return }})
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
		f.S.Register(*c.of, c.name, spec, store.Fixed, true)
		o, err := f.S.Declare(c.name+"s", []*store.Component{*c.of}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f.v.AddGroup(o)
	}
	return f
}

func (f *fixture) group(c *store.Component) *group { return f.v.of[c.Owner()] }

// columns are what readers ask for.
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

// A build is charged to those who can use it: no reader that writes the owner comes
// between them.
func TestSharers(t *testing.T) {
	kinds := map[rune][]string{
		'l': {"mark", "X"},            // looks
		'y': {"mark", "Y"},            // turns
		's': {"mark", "place"},        // sees
		'p': {"mark", "Y write"},      // pushes
		'b': {"mark", "X", "Y write"}, // both
		'f': {"bell", "X"},            // far away
		'o': {"mark", "X optional"},   // perhaps
		'd': {"place write"},          // drives
	}
	for order, want := range map[string]string{
		"l":     "1",
		"ly":    "1", // of X
		"lyl":   "2 2",
		"lydly": "1 1",
		"lpy":   "1",
		"ls":    "1",
		"lsdl":  "1 1",
		"lll":   "3 3 3",
		"ldl":   "1 1",
		"llpl":  "2 2 1",
		"dlldl": "2 2 1",
		"pld":   "1",
		"lfol":  "2 2",   // a group of their own, and what is optional is gathered
		"lbl":   "2 2 1", // what it writes is not what it has read
		"bb":    "1 1",
		"lblbl": "2 2 2 2 1",
	} {
		f := newFixture(t, Auto)
		for _, k := range order {
			f.read(kinds[k]...)
		}
		g := f.group(f.mark)
		sharers := func(number int) int {
			r := f.v.readers.All()[number]
			return g.view(&r.Columns[1]).sharers(&served{reader: r, group: g})
		}
		counts := func() string {
			var got []string
			for i, k := range order {
				if k == 'l' || k == 'b' {
					got = append(got, fmt.Sprint(sharers(i)))
				}
			}
			return strings.Join(got, " ")
		}
		if got := counts(); got != want {
			t.Errorf("%s: %s, want %s", order, got, want)
		}
		f.read(kinds['d']...)
		f.read(kinds['l']...)
		if got := counts(); got != want {
			t.Errorf("%s, and others behind a writer: %s, want %s", order, got, want)
		}
		if n := sharers(len(order) + 1); n != 1 {
			t.Errorf("%s, and one behind a writer: %d", order, n)
		}
		v := g.view(&f.v.readers.All()[len(order)+1].Columns[1])
		v.stretches[len(v.stretches)-1].readers = 99
		if n := sharers(len(order) + 1); n != 99 {
			t.Errorf("%s: %d, counted again though no reader has come", order, n)
		}
	}
}

// Views lie side by side in annexes, and begin with pages. Room is made once for what several
// ask for, and readers are counted, whether they or the group came first.
func TestRoom(t *testing.T) {
	f := newFixture(t, Auto)
	f.read("mark", "X", "place")
	f.read("bell", "X")
	f.read("mark", "X", "Y")
	f.read("mark", "X optional", "Y write") // neither is kept
	g := f.group(f.mark)
	end := uint32(0)
	var got []string
	for _, v := range g.views {
		if v.offset != inPages(end) || v.offset%chunk.Page != 0 {
			t.Errorf("%q at %d, behind %d", v.part.Path, v.offset, end)
		}
		end = v.offset + g.bytes(v)
		got = append(got, fmt.Sprint(v.part.Path, v.readers))
	}
	if s := strings.Join(got, " "); s != "X2 1 Y1" || g.annexBytes() != end {
		t.Errorf("views %s in %d bytes, want %d", s, g.annexBytes(), end)
	}
	if n := len(f.group(f.bell).views); n != 1 {
		t.Errorf("%d views of bells", n)
	}
	if r := f.read("X", "mark"); r.home != f.mark { // a part is no row of its own
		t.Error("its home is not that of the first whole component")
	}
	late := newFixture(t, Auto) // readers come first
	late.v = New(&late.Base, chunk.Page, late.v.o)
	late.read("mark", "X", "Y")
	late.v.AddGroup(late.mark.Owner())
	if vs := late.group(late.mark).views; len(vs) != 2 || vs[0].readers != 1 || vs[1].readers != 1 {
		t.Errorf("%d views for a reader that came before the group", len(vs))
	}
	off := newFixture(t, Off)
	off.read("mark", "X")
	if n := len(off.group(off.mark).views); n != 0 {
		t.Errorf("%d views though none is kept", n)
	}
}

// fill spawns entities with a place and a mark, in opposite orders.
func (f *fixture) fill(n int) (es []store.Entity) {
	add := func(c *store.Component, e store.Entity, v *[2]float64) {
		if err := f.S.Add(c, e, raw.Of(v)); err != nil {
			f.t.Fatal(err)
		}
	}
	for i := range n {
		e, err := f.S.Spawn()
		if err != nil {
			f.t.Fatal(err)
		}
		add(f.place, e, &[2]float64{float64(i), -float64(i)})
		es = append(es, e)
	}
	extra, err := f.S.Spawn() // so that the marks are fewer, and drive
	if err != nil {
		f.t.Fatal(err)
	}
	add(f.place, extra, &[2]float64{})
	for i := range es {
		add(f.mark, es[n-1-i], &[2]float64{})
	}
	return es
}

// pass goes over what a reader asks for, and returns how many rows there were and the sum
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

// In a trial a build is timed, and charged to all who share it.
func TestBuildsAreCharged(t *testing.T) {
	f := newFixture(t, Auto)
	for range 4 {
		f.read("mark", "X")
	}
	f.fill(5000)
	r := f.v.readers.All()[0]
	if rows, sum := pass(r); rows != 5000 || sum != 5000*4999/2 {
		t.Fatalf("%d rows, sum %v", rows, sum)
	}
	c := &r.served[0].cols[0]
	for i := 0; c.built <= 0; i++ {
		if i > 20 {
			t.Fatal("no build was timed")
		}
		f.M.Advance()
		pass(r)
	}
	c.choice = views.Start(views.Unset, views.Unset, c.applies())
	for range 6 {
		c.built = 800
		r.served[0].judge(100, 1, 1000)
	}
	if cost := c.choice.Cost(views.Cached); cost != 4 { // (200 + 800/4) / 100
		t.Errorf("a row costs %v ns, want 4", cost)
	}
}

// What is kept is used again while nothing changes, gathered again where something does, and
// dropped when nobody uses it.
func TestKept(t *testing.T) {
	f := newFixture(t, On)
	r := f.read("mark", "X")
	es := f.fill(5000)
	want := 5000.0 * 4999 / 2
	for round := range 4 {
		f.M.Advance()
		if rows, sum := pass(r); rows != 5000 || sum != want {
			t.Fatalf("round %d: %d rows, sum %v, want %v", round, rows, sum, want)
		}
		if round == 1 {
			f.M.Advance()
			l, _ := f.place.Loc(es[7])
			f.place.Dir.CellOf(l).Stamp = f.M.Tick()
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

// Views fill an annex to the last byte, and no further.
func TestRoomToTheLastByte(t *testing.T) {
	f := newFixture(t, Auto)
	g := f.group(f.mark)
	each := inPages(g.seq.Layout().Capacity() * 8)
	for i := range 2 * memmgr.AnnexMost / each {
		x := f.column("X")
		x.Part.Path = fmt.Sprint("X", i)
		g.findRoom(&x)
	}
	if want := int(memmgr.AnnexMost / each); len(g.views) != want || g.laid != want || memmgr.AnnexMost%each != 0 {
		t.Errorf("%d views of %d bytes in %d", len(g.views), each, memmgr.AnnexMost)
	}
}

// A view is idle when it has values and nobody has used them for some frames, and lies from
// its offset to behind its last row.
func TestRooms(t *testing.T) {
	f := newFixture(t, On)
	r := f.read("mark", "X", "Y")
	f.fill(100)
	g := f.group(f.mark)
	for _, x := range g.rooms(0) {
		if x.used || x.idle {
			t.Errorf("%+v was never kept", x)
		}
	}
	pass(r)
	end := uint32(0)
	for _, x := range g.rooms(IdleFrames - 1) {
		if x.at < end || x.end != x.at+g.bytes(x.view) || !x.used || x.idle {
			t.Errorf("%+v behind %d", x, end)
		}
		end = x.end
	}
	for _, x := range g.rooms(IdleFrames) {
		if x.used || !x.idle {
			t.Errorf("%+v", x)
		}
	}
}

// A chunk whose place another has taken is gathered anew, though its annex is the same.
func TestKeptOfAnotherChunk(t *testing.T) {
	for what, spoil := range map[string]func(c *viewChunk){"id": func(c *viewChunk) { c.id++ }, "generation": func(c *viewChunk) { c.gen++ }, "address": func(c *viewChunk) { c.at++ }} {
		f := newFixture(t, On)
		r := f.read("mark", "X")
		f.fill(1000)
		f.M.Advance()
		pass(r)
		g := f.group(f.mark)
		v := g.views[0]
		id, n := g.seq.Chunk(0)
		annex, err := f.M.Annex(id, g.annexBytes())
		if err != nil {
			t.Fatal(err)
		}
		clear(raw.Slice[float64](raw.At(annex, uintptr(v.offset)), n)) // of the one before
		spoil(&v.chunks[0])
		f.M.Advance()
		for range 2 {
			built := v.stats.Built
			if _, sum := pass(r); sum != 1000*999/2 {
				t.Errorf("%s: sum %v", what, sum)
			}
			f.M.Advance()
			if v.stats.Built > built+1 {
				t.Errorf("%s: built %d times", what, v.stats.Built-built)
			}
		}
		if v.stats.Built != 2 || v.stats.Reused != 1 {
			t.Errorf("%s: %+v", what, v.stats)
		}
	}
}

// How much of an owner has changed since the walk before: values, and rows of its own or of
// the readers' group.
func TestChange(t *testing.T) {
	f := newFixture(t, Auto)
	es := f.fill(20_000)
	var c change
	own, readers := f.place.Tables()[0].Seq, f.mark.Tables()[0].Seq
	written := func(i int) {
		l, _ := f.place.Loc(es[i])
		f.place.Dir.CellOf(l).Stamp = f.M.Tick()
	}
	moved := func(seq *memmgr.Sequence, chunks int) {
		for i := range chunks {
			id, _ := seq.Chunk(i)
			f.S.IDs.Cell(id).Stamp = f.M.Tick()
		}
	}
	chunks, theirs := float64(own.ChunkCount()), float64(readers.ChunkCount())
	for i, tt := range []struct {
		do           func()
		share, moved float64
	}{
		{func() {}, 0, 0},
		{func() { written(0) }, 1 / chunks, 0},
		{func() { written(0); written(19_999) }, 2 / chunks, 0},
		{func() { moved(own, 2) }, 0, 2 / chunks},
		{func() { moved(own, 1); moved(readers, 2) }, 0, max(1/chunks, 2/theirs)},
		{func() {}, 0, 0},
	} {
		since := f.M.Advance() + 1
		tt.do()
		if c.look(&f.Base, f.place, readers, since); c.share != tt.share || c.moved != tt.moved {
			t.Errorf("%d: %v of the chunks have changed values, and %v rows; want %v, %v", i, c.share, c.moved, tt.share, tt.moved)
		}
	}
}

// BenchmarkLooks is a walk of many readers of one component whose choices are settled, frame by
// frame. With frames.Few = 1 in place of 8, each reader looks at its workload in each frame.
func BenchmarkLooks(b *testing.B) {
	const n = 100
	f := newFixture(b, Auto)
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

// BenchmarkReaders is a walk of many readers of one component: kept, and in trials.
func BenchmarkReaders(b *testing.B) {
	for _, n := range []int{25, 100, 400, 1600} {
		for _, intent := range []views.Strategy{views.Cached, views.Unset} {
			b.Run(fmt.Sprintf("readers=%d/intent=%v", n, intent), func(b *testing.B) {
				f := newFixture(b, Auto)
				for range n {
					f.read("mark", "X")
				}
				f.fill(64)
				for _, r := range f.v.readers.All() {
					pass(r)
				}
				for b.Loop() {
					for _, r := range f.v.readers.All() {
						c := &r.served[0].cols[0]
						c.choice, r.served[0].open = views.Start(views.Unset, intent, c.applies()), true
						pass(r)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/reader")
			})
		}
	}
}
