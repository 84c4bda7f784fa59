package shared

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// frame begins another frame.
func (f *fixture) frame() {
	f.Frame++
	f.Manager.Advance()
}

// uses are the strategies of the last walks, as in "cached gathered".
func uses(readers ...*Reader) string {
	var list []views.Strategy
	for _, r := range readers {
		for j := range r.order[0].cols {
			if c := &r.order[0].cols[j]; c.view != nil {
				list = append(list, c.use)
			}
		}
	}
	s := fmt.Sprint(list)
	return s[1 : len(s)-1]
}

// written has all values count as written.
func (f *fixture) written() {
	for id := range f.place.Owner().Main.Seq.Chunks() {
		f.place.Dir.Cell(id).Stamp = f.Manager.Tick()
	}
}

// moved has rows of a component's group count as moved.
func (f *fixture) moved(c *store.Component) {
	for id := range c.Owner().Main.Seq.Chunks() {
		f.Store.IDs.Cell(id).Stamp = f.Manager.Tick()
	}
}

// The strategy follows the counts of the frames before: readers from the second frame on, and rows
// once they have come and gone in most of the last 8 frames.
func TestStrategyFollowsCounts(t *testing.T) {
	nothing := func(*fixture) {}
	for _, tt := range []struct {
		name    string
		readers int
		between func(f *fixture)
		want    string // in frames 1, 2, 6, 10 and 20
	}{
		{"one reader", 1, nothing, "gathered cached cached cached cached"},
		{"one reader, values change", 1, (*fixture).written, "gathered cached cached cached cached"},
		{"one reader, the owner's rows change", 1, func(f *fixture) { f.moved(f.place) }, "gathered cached cached gathered gathered"},
		{"one reader, its own rows change", 1, func(f *fixture) { f.moved(f.mark) }, "gathered cached cached gathered gathered"},
		{"one reader, all changes in every other frame", 1, func(f *fixture) {
			if f.Frame%2 == 0 {
				f.Manager.Advance() // writes in the tick of a look are seen by the next one, too
				f.written()
				f.moved(f.place)
				f.Manager.Advance()
			}
		}, "gathered cached cached cached cached"},
		{"one reader, rows came and went once", 1, func(f *fixture) {
			if f.Frame < 9 {
				f.moved(f.place)
				f.Manager.Advance()
			}
		}, "gathered cached cached gathered cached"},
		{"two readers, all changes", 2, func(f *fixture) { f.written(); f.moved(f.place); f.moved(f.mark) }, "gathered cached cached cached cached"},
	} {
		f := newFixture(t, auto)
		var readers []*Reader
		for range tt.readers {
			readers = append(readers, f.read("mark", "X"))
		}
		f.fill(5000)
		got := ""
		for frame := 1; frame <= 20; frame++ {
			f.frame()
			tt.between(f)
			for _, r := range readers {
				if _, sum := pass(r); sum != 5000*4999/2 {
					t.Fatalf("%s: sum %v", tt.name, sum)
				}
			}
			if frame == 1 || frame == 2 || frame == 6 || frame == 10 || frame == 20 {
				got += " " + uses(readers[0])
			}
		}
		if got[1:] != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got[1:], tt.want)
		}
	}
}

// Readers are columns. Finders are columns that gather, and views that are kept. Walks that are
// begun anew because values were written are no other readers.
func TestReadersAreCounted(t *testing.T) {
	f := newFixture(t, auto)
	readers := []*Reader{f.read("mark", "X", "Y"), f.read("mark", "X", "X"), f.read("mark", "X")}
	f.fill(100)
	for range 2 {
		f.frame()
		for _, r := range readers {
			pass(r)
			r.now.again()
			r.now.column(1, nil)
		}
	}
	tab := f.table(f.mark)
	got := fmt.Sprint(tab.wheres[0].finders.last, tab.wheres[0].finders.now, tab.views[0].readers.last, tab.views[1].readers.last)
	if got != "5 2 4 1" || len(tab.views) != 2 { // gathered in the first frame, cached in the second
		t.Errorf("finders in two frames, readers of X and of Y: %s", got)
	}
}

// A hint overrules counts, where it applies; ViewsOn overrules both.
func TestIntent(t *testing.T) {
	for _, tt := range []struct {
		mode mode
		hint views.Strategy
		want string // of a field and of the whole component
	}{
		{auto, views.Gathered, "gathered gathered"},
		{auto, views.Cached, "cached cached"},
		{auto, views.Direct, "gathered direct"}, // a field is never passed as it lies
		{on, views.Gathered, "cached cached"},
	} {
		f := newFixture(t, tt.mode)
		f.v.Intent = func(string, string) views.Strategy { return tt.hint }
		r := f.read("mark", "X", "place")
		f.fill(1000)
		f.frame()
		if pass(r); uses(r) != tt.want {
			t.Errorf("mode %v, %v: %s, want %s", tt.mode, tt.hint, uses(r), tt.want)
		}
	}
}

// Choices are told once for a component of a table, with how often kept values were not good.
func TestChoices(t *testing.T) {
	f := newFixture(t, on)
	r := f.read("mark", "X", "X")
	es := f.fill(5000)
	pass(r)
	was := r.Choices()
	if len(was) != 1 || was[0].Group != "marks" || was[0].Component != "place.X" || was[0].Use != "cached" || was[0].Frames != 1 || was[0].Stale == 0 {
		t.Fatalf("%+v", was)
	}
	l, _ := f.place.Loc(es[7])
	for range 3 { // two walks of each are good
		f.place.Dir.CellOf(l).Stamp = f.Manager.Advance() + 1
		raw.As[[2]float64](f.place.At(l))[0]++
		f.Manager.Advance()
		for range 3 {
			pass(r)
		}
	}
	var chunks, near uint64 // near: with a value that lies beside the one that changed
	for id, n := range f.table(f.mark).seq.Chunks() {
		chunks++
		for _, e := range f.Store.Entities(id, n) {
			if x, _ := f.place.Loc(e); x.Chunk() == l.Chunk() {
				near++
				break
			}
		}
	}
	if is := r.Choices()[0]; is.Chunks != was[0].Chunks+9*chunks || is.Stale != was[0].Stale+3*near || is.Frames != was[0].Frames+9 {
		t.Errorf("%+v, then %+v, of %d chunks", was, is, chunks)
	}
	two := f.read("mark", "X", "Y")
	if pass(two); len(two.Choices()) != 2 || two.Choices()[1].Component != "place.Y" {
		t.Errorf("two fields: %+v", two.Choices())
	}
	if list := f.read("bell", "X").Choices(); len(list) != 0 {
		t.Errorf("one that never ran: %+v", list)
	}
}

// The owner's own column is a way where it is asked for as a whole, without presence, and lies in
// long stretches. Order is looked at now and then.
func TestDirectApplies(t *testing.T) {
	f := newFixture(t, auto)
	r := f.read("mark", "X", "place")
	es := f.fill(1000)
	pass(r)
	backwards := slices.Clone(es)
	slices.Reverse(backwards)
	look := func(es []store.Entity) string {
		r.now.begin()
		c := r.now.column(2, es)
		return fmt.Sprint(r.now.column(1, es).use == views.Direct, c.use == views.Direct, c.where.order == 1)
	}
	if got := look(es); got != "false false false" {
		t.Errorf("before the next look: %s", got)
	}
	f.Frame += 64
	if got := look(es); got != "false true true" {
		t.Errorf("in order: %s", got)
	}
	r.Presences = []source.Presence{{}}
	if got := look(es); got != "false false true" {
		t.Errorf("with presence: %s", got)
	}
	r.Presences = nil
	f.Frame += 64
	if got := look(backwards); got != "false false false" {
		t.Errorf("backwards: %s", got)
	}
}

// A frame counts as one in which rows come or go from a third of the chunks of either side on.
func TestLook(t *testing.T) {
	f := newFixture(t, auto)
	r := f.read("mark", "X")
	f.fill(40_000)
	f.frame()
	pass(r)
	w := f.table(f.mark).wheres[0]
	for _, tt := range []struct {
		owner, own float64 // shares of chunks
		want       uint8
	}{{0, 0, 0}, {0.3, 0.3, 0}, {0.5, 0, 1}, {0, 0.5, 1}, {1, 1, 1}} {
		f.frame()
		pass(r) // a stamp in the tick of a look counts for the next one, too
		f.frame()
		for _, side := range []struct {
			seq   *memmgr.Sequence
			share float64
		}{{f.place.Owner().Main.Seq, tt.owner}, {f.mark.Owner().Main.Seq, tt.own}} {
			for i := range int(side.share * float64(side.seq.ChunkCount())) {
				id, _ := side.seq.Chunk(i)
				f.Store.IDs.Cell(id).Stamp = f.Manager.Tick()
			}
		}
		f.Manager.Advance()
		was := w.moved
		for range 2 { // the second walk of a frame looks at nothing
			pass(r)
		}
		if w.moved != was<<1|tt.want {
			t.Errorf("%v: bits %b, then %b", tt, was, w.moved)
		}
	}
}

// Rows that move in the tick of a look, behind it, are seen by the next one.
func TestLookSeesItsOwnTick(t *testing.T) {
	f := newFixture(t, auto)
	r := f.read("mark", "X")
	f.fill(1000)
	f.frame()
	f.Manager.Advance()
	pass(r)
	f.moved(f.place)
	f.frame()
	if pass(r); f.table(f.mark).wheres[0].moved != 1 {
		t.Errorf("bits %b", f.table(f.mark).wheres[0].moved)
	}
}

// Where rows come and go in most frames, a view is gathered without notes of places. It finds
// that a row lacks the component all the same.
func TestViewWithoutPlaces(t *testing.T) {
	f := newFixture(t, on)
	r := f.read("mark", "X")
	es := f.fill(1000)
	frames := func(want float64, rows int) {
		t.Helper()
		for range 10 {
			f.frame()
			f.moved(f.place)
			f.Manager.Advance()
			if n, sum := pass(r); n != rows || sum != want {
				t.Fatalf("%d rows, sum %v, want %d and %v", n, sum, rows, want)
			}
		}
	}
	frames(1000*999/2, 1000)
	tab := f.table(f.mark)
	tab.wheres[0].chunks = nil
	frames(1000*999/2, 1000)
	if len(tab.wheres[0].chunks) != 0 || tab.views[0].stats.Built < 20 {
		t.Errorf("%d chunks of places, %+v", len(tab.wheres[0].chunks), tab.views[0].stats)
	}
	if err := f.Store.Remove(f.place, es[500]); err != nil {
		t.Fatal(err)
	}
	frames(1000*999/2-500, 999)
	if c := r.Choices()[0]; c.Stale < 30 {
		t.Errorf("%+v", c)
	}
}

// Tables with few rows are gathered, and nothing is noted of them.
func TestFewRowsAreNotServed(t *testing.T) {
	for rows, want := range map[int]int{views.RowsLeast - 1: 0, views.RowsLeast: 1} {
		f := newFixture(t, auto)
		r := f.read("mark", "X")
		f.fill(rows)
		if n, _ := pass(r); n != rows || len(r.order) != want {
			t.Errorf("%d of %d rows, %d tables noted, want %d", n, rows, len(r.order), want)
		}
	}
}
