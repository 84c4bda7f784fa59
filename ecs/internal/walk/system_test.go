package walk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// one is a spec of one column: the entities of the values.
func (s *stage) one(c *store.Component, write bool) Spec {
	return flat{Name: "one", Entities: -1, Required: []*store.Component{c},
		Columns: []source.Column{{Name: "V", Comp: c, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Write: write}}}.spec()
}

// A system's cursor, which notes where columns are, passes all rows, and marks them,
// whether chunks have moved, rows have come and gone, or nothing has happened.
func TestSystemsWalks(t *testing.T) {
	for _, stress := range []bool{false, true} {
		s := newStage(t, 17, memmgr.Options{Stress: stress}, 32)
		r := rand.New(rand.NewPCG(9, 9))
		for _, c := range s.comps {
			q := s.one(c, true)
			x := NewCursor(NewPlan(&s.Base, q))
			var met []store.Entity
			x.Fn = func(p raw.Ptr) {
				for _, v := range raw.As[probe](p).Values[0] {
					met = append(met, store.Entity(v[0]/16))
				}
			}
			call := func(p raw.Ptr) bool { // as the schedule does
				x.Fn(p)
				x.Passed++
				return true
			}
			for round := range 12 {
				if round%3 == 2 {
					s.change(r, 30)
				}
				tick := s.Manager.Advance() + 1
				if err := s.Manager.SafePoint(); err != nil {
					t.Fatal(err)
				}
				met, x.Met = met[:0], 0
				x.Each(raw.Of(&probe{}), call)
				want := s.want(&q)
				if slices.Sort(met); !slices.Equal(met, want) {
					t.Fatalf("%s, round %d: %d entities met, want %d", c.Name, round, len(met), len(want))
				}
				if x.Met != len(met) || x.Passed == 0 {
					t.Errorf("%s: %d rows met in %d batches, counted %d", c.Name, len(met), x.Passed, x.Met)
				}
				for _, e := range want {
					if l, _ := c.Loc(e); c.Dir.CellOf(l).Stamp != tick {
						t.Fatalf("%s of %v is not marked in round %d", c.Name, e, round)
					}
				}
				rows, chunks := 0, 0
				x.Visit = func(_ *memmgr.Sequence, n, k, _ int) { rows, chunks = rows+n, chunks+k }
				x.Each(raw.Of(&probe{}), call)
				x.Tell()
				if x.Visit = nil; rows != len(want) || chunks == 0 {
					t.Errorf("%s: %d rows in %d chunks are told, want %d", c.Name, rows, chunks, len(want))
				}
			}
		}
	}
}

// Long tables are passed several chunks at a time, with entities and presence beside.
func TestSweepOfLongTables(t *testing.T) {
	if !wholeTables {
		t.Skip("whole tables alone are passed several chunks at a time")
	}
	s := newStage(t, 19, memmgr.Options{}, 32)
	c, v := s.comps[2], pair{}
	spare := make([]store.Entity, 0, 60_000)
	for range cap(spare) {
		e, err := s.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		v[0] = uint64(e)
		if err := s.Store.Add(c, e, raw.Of(&v)); err != nil {
			t.Fatal(err)
		}
		spare = append(spare, e)
	}
	s.es = append(s.es, spare...)
	q := s.one(c, true)
	q.Entities = int(offset[probe]("Es", 0))
	tick := s.Manager.Advance() + 1
	longest := 0
	var met []store.Entity
	NewCursor(NewPlan(&s.Base, q)).Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
		b := raw.As[probe](p)
		if len(b.Es) != len(b.Values[0]) {
			t.Fatalf("%d entities beside %d values", len(b.Es), len(b.Values[0]))
		}
		for i, e := range b.Es {
			if b.Values[0][i][0]&^15 != uint64(e)&^15 && b.Values[0][i][0] != uint64(e)*16+2 {
				t.Fatalf("%v has the value of %v", e, b.Values[0][i])
			}
		}
		met = append(met, b.Es...)
		longest = max(longest, len(b.Es))
		return true
	})
	if slices.Sort(met); !slices.Equal(met, s.want(&q)) {
		t.Errorf("%d entities met", len(met))
	}
	if longest <= chunk.MaxRows {
		t.Errorf("the longest batch has %d rows: no chunks side by side", longest)
	}
	for _, e := range spare {
		if l, _ := c.Loc(e); c.Dir.CellOf(l).Stamp != tick {
			t.Fatalf("%v is not marked", e)
		}
	}
}

// A column that is served in place of gathering is passed: kept values, and the owner's own column in
// as many calls as that takes. Lookers are told.
func TestServing(t *testing.T) {
	s := newStage(t, 23, memmgr.Options{}, 32)
	a, b := s.comps[6], s.comps[1]
	for _, e := range s.es { // all members have b
		if a.Has(e) && !b.Has(e) {
			s.add(b, e)
		}
	}
	q := flat{Name: "served", Entities: int(offset[probe]("Es", 0)), Required: []*store.Component{a, b}, Columns: []source.Column{
		{Name: "A", Comp: a, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Write: true},
		{Name: "B", Comp: b, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1)},
	}}.spec()
	for _, how := range []string{"direct", "kept", "where", "neither"} {
		x := NewCursor(NewPlan(&s.Base, q))
		var begun, looked, keeps int
		var scratch []pair
		var places []views.Place
		var words []uint64
		x.Serve = func(src *store.Table) *source.Serving {
			if src != s.group.Main {
				t.Errorf("asked about %s, which no one has columns of another owner in", src.Seq.Name())
			}
			return &source.Serving{
				Begin: func() { begun++ },
				Bind: func(j int) {
					if j != 1 {
						t.Errorf("column %d is bound, which the table has", j)
					}
				},
				Again: func() {},
				Direct: func(j int, es []store.Entity) bool {
					if j == 1 {
						looked += len(es)
					}
					return how == "direct" && j == 1
				},
				Kept: func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) raw.Ptr {
					if keeps++; how != "kept" || j != 1 {
						return nil
					}
					scratch = scratch[:0]
					for _, e := range es {
						scratch = append(scratch, *s.value(b, e))
					}
					return raw.Data(scratch)
				},
				Where: func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) ([]views.Place, bool) {
					if how != "where" || j != 1 {
						return nil, false
					}
					if words == nil {
						words = from.Words
					}
					places, from.Words = make([]views.Place, len(es)), words
					from.Locate(raw.Words(es), views.Found{Places: places})
					from.Words = nil // so that nobody looks them up again
					return places, true
				},
			}
		}
		calls, rows, own := 0, 0, 0
		x.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
			v := raw.As[probe](p)
			if calls++; len(v.Es) != len(v.Values[0]) || len(v.Es) != len(v.Values[1]) {
				t.Fatalf("%s: %d entities, %d and %d values", how, len(v.Es), len(v.Values[0]), len(v.Values[1]))
			}
			for i, e := range v.Es {
				if rows++; v.Values[1][i] != *s.value(b, e) || &v.Values[0][i] != s.value(a, e) {
					t.Fatalf("%s: %v has %v beside %v", how, e, v.Values[1][i], v.Values[0][i])
				}
				if &v.Values[1][i] == s.value(b, e) {
					own++
				}
			}
			return true
		})
		want := len(s.want(&q))
		if rows != want || begun != 1 || looked != s.group.Main.Seq.Len() {
			t.Errorf("%s: %d of %d rows; begun %d times, looked at %d", how, rows, want, begun, looked)
		}
		if (how == "kept") != (len(scratch) > 0) || keeps == 0 || own > 0 { // the rows lie in no order
			t.Errorf("%s: %d kept, asked %d times, %d of the owner's own", how, len(scratch), keeps, own)
		}
	}
}

// The owner's own column is passed in stretches.
func TestAliasInStretches(t *testing.T) {
	s := newStage(t, 29, memmgr.Options{}, 32)
	a, b := s.comps[6], s.comps[2]
	for _, e := range s.es {
		if err := s.Store.Destroy(e); err != nil {
			t.Fatal(err)
		}
	}
	s.es = nil
	for range 1000 {
		e, err := s.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		s.es = append(s.es, e)
	}
	for i := range s.es { // two stretches of 500
		s.add(b, s.es[(i+500)%1000])
	}
	for _, e := range s.es {
		s.add(a, e)
	}
	if n, long := source.Along(b, s.es); n != 2 || !long {
		t.Fatalf("%d stretches, long: %v", n, long)
	}
	q := flat{Name: "direct", Entities: int(offset[probe]("Es", 0)), Required: []*store.Component{b, a}, Columns: []source.Column{
		{Name: "A", Comp: a, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0)},
		{Name: "B", Comp: b, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1)},
	}}.spec()
	e, err := s.Store.Spawn() // one more has b, so that a drives
	if err != nil {
		t.Fatal(err)
	}
	s.es = append(s.es, e)
	s.add(b, e)
	x := NewCursor(NewPlan(&s.Base, q))
	nothing := func() {}
	x.Serve = func(*store.Table) *source.Serving {
		return &source.Serving{Begin: nothing, Again: nothing, Bind: func(int) {}, Direct: func(j int, _ []store.Entity) bool { return j == 1 }, Where: nowhere}
	}
	var lengths []int
	x.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
		v := raw.As[probe](p)
		lengths = append(lengths, len(v.Es))
		for i, e := range v.Es {
			if &v.Values[1][i] != s.value(b, e) || &v.Values[0][i] != s.value(a, e) {
				t.Fatalf("%v: not the owner's own", e)
			}
		}
		return true
	})
	if !slices.Equal(lengths, []int{500, 500}) {
		t.Errorf("batches of %v, want two of 500", lengths)
	}
	if n, _ := source.Along(s.comps[4], s.es); n != -1 {
		t.Errorf("%d stretches of what they lack", n)
	}
}

// A system may write the numbers of rows, as when it keeps some of them.
func TestRowsMayBeWritten(t *testing.T) {
	s := newStage(t, 43, memmgr.Options{}, 32)
	q := s.one(s.comps[0], false)
	q.InRows, q.Rows, q.Entities = true, offset[probe]("Rows", 0), int(offset[probe]("Es", 0))
	c := NewCursor(NewPlan(&s.Base, q))
	for range 2 {
		n := 0
		c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
			v := raw.As[probe](p)
			n += len(v.Rows)
			for i, row := range v.Rows {
				if int(row) != i {
					t.Fatalf("row %d is number %d, and all match", i, row)
				}
			}
			clear(v.Rows)
			return true
		})
		if want := len(s.want(&q)); n != want {
			t.Errorf("%d rows, want %d", n, want)
		}
	}
}

// An optional column of a struct is there for all rows of some tables, and for none of others.
func TestPresenceByTable(t *testing.T) {
	s := newStage(t, 37, memmgr.Options{}, 32)
	q := flat{Name: "presence", Entities: int(offset[probe]("Es", 0)), Required: s.comps[1:2], Presences: []source.Presence{{Offset: offset[probe]("Has", 0), Column: 0}}, Columns: []source.Column{
		{Name: "A", Comp: s.comps[0], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Optional: true},
		{Name: "B", Comp: s.comps[1], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1)},
	}}.spec()
	met := s.walk(NewCursor(NewPlan(&s.Base, q)))
	if slices.Sort(met); !slices.Equal(met, s.want(&q)) {
		t.Errorf("%d entities met", len(met))
	}
}

// Rows that do not match are passed beside matching rows, are not touched, and columns in
// place are the store's own.
func TestInRows(t *testing.T) {
	s := newStage(t, 41, memmgr.Options{}, 32)
	q := flat{Name: "rows", Entities: int(offset[probe]("Es", 0)), InRows: true, Rows: offset[probe]("Rows", 0), Required: []*store.Component{s.comps[0], s.comps[5]}, Excluded: s.comps[3:4], Columns: []source.Column{
		{Name: "A", Comp: s.comps[0], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Write: true},
		{Name: "B", Comp: s.comps[5], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1), Write: true},
	}}.spec()
	q.Required = q.Required[:1] // the thin one is looked up from the rows of the other
	q.Columns[1].Optional = true
	c := NewCursor(NewPlan(&s.Base, q))
	seen, chunks, own := 0, 0, 0
	tick := s.Manager.Advance() + 1
	c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
		v := raw.As[probe](p)
		if chunks++; len(v.Es) != len(v.Values[0]) || len(v.Es) != len(v.Values[1]) || !slices.IsSorted(v.Rows) {
			t.Fatalf("%d entities, %d and %d values; rows %v", len(v.Es), len(v.Values[0]), len(v.Values[1]), v.Rows)
		}
		for _, i := range v.Rows {
			e := v.Es[i]
			if s.comps[3].Has(e) || &v.Values[0][i] != s.value(s.comps[0], e) {
				t.Fatalf("%v does not match, or its value is a copy", e)
			}
			if own++; s.comps[5].Has(e) {
				v.Values[1][i][1] += 7
			}
		}
		seen += len(v.Es)
		return true
	})
	if want := len(s.want(&q)); own != want || seen <= own || c.Met != want {
		t.Errorf("%d of %d rows match, want %d; counted %d in %d chunks", own, seen, want, c.Met, chunks)
	}
	for _, e := range s.es {
		if v := s.value(s.comps[5], e); v != nil && (v[1] == 7) != (s.comps[0].Has(e) && !s.comps[3].Has(e)) {
			t.Fatalf("%v: what is looked up is %v", e, *v)
		}
	}
	for _, e := range s.want(&q) {
		if l, _ := s.comps[0].Loc(e); s.comps[0].Dir.CellOf(l).Stamp != tick {
			t.Fatalf("%v is not marked", e)
		}
	}
	if s.comps[0].Lent() {
		t.Error("values are lent after the walk")
	}
}

// Presence is filled in structs without entities, too.
func TestPresenceAlone(t *testing.T) {
	s := newStage(t, 41, memmgr.Options{}, 32)
	q := s.one(s.comps[1], false)
	q.Columns = append(q.Columns, source.Column{Name: "A", Comp: s.comps[0], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1), Optional: true})
	q.Presences = []source.Presence{{Offset: offset[probe]("Has", 0), Column: 1}}
	rows, has := 0, 0
	NewCursor(NewPlan(&s.Base, q)).Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
		v := raw.As[probe](p)
		for i, x := range v.Values[0] {
			is := s.comps[0].Has(store.Entity(x[0] / 16))
			if got := v.Has[0][i/64]>>(i%64)&1 != 0; got != is {
				t.Fatalf("row %d has it: %v, presence says otherwise", i, is)
			}
			if rows++; is {
				has++
			}
		}
		return true
	})
	if rows != len(s.want(&q)) || has == 0 || has == rows {
		t.Errorf("%d of %d rows have it", has, rows)
	}
}

// Rows that match are passed where they lie if their runs are as long as RunLength on
// average, and side by side in scratch if they are shorter.
func TestRunsAndScratch(t *testing.T) {
	for _, tt := range []struct {
		run, gap, length int
		inPlace          bool
	}{{8, 1, 8, true}, {8, 3, 9, false}, {9, 1, 8, true}, {7, 1, 8, false}, {40, 40, 32, true}} {
		s := newStage(t, 43, memmgr.Options{}, tt.length)
		for _, e := range s.es {
			if err := s.Store.Destroy(e); err != nil {
				t.Fatal(err)
			}
		}
		s.es = nil
		c, bit := s.comps[2], s.comps[3]
		for i := range 10 * (tt.run + tt.gap) {
			e, err := s.Store.Spawn()
			if err != nil {
				t.Fatal(err)
			}
			s.es = append(s.es, e)
			if s.add(c, e); i%(tt.run+tt.gap) < tt.run {
				s.add(bit, e)
			}
		}
		q := s.one(c, true)
		q.Required = append(q.Required, bit)
		calls, rows, own := 0, 0, 0
		NewCursor(NewPlan(&s.Base, q)).Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
			calls++
			vs := raw.As[probe](p).Values[0]
			for i := range vs {
				if rows++; &vs[i] == s.value(c, store.Entity(vs[i][0]/16)) {
					own++
				}
			}
			return true
		})
		if rows != 10*tt.run || (own == rows) != tt.inPlace || (own == 0) == tt.inPlace || calls != map[bool]int{true: 10, false: 1}[tt.inPlace] {
			t.Errorf("%+v: %d rows in %d calls, %d in place", tt, rows, calls, own)
		}
	}
}

// Where one owner has all required components, the first drives for any numbers, and the
// plan stays; otherwise the component of the fewest entities drives.
func TestDriver(t *testing.T) {
	s := newStage(t, 47, memmgr.Options{}, 32)
	for _, tt := range []struct {
		required []int
		driver   int
	}{{[]int{0, 2}, 0}, {[]int{2, 0}, 2}, {[]int{1, 6}, 1}, {[]int{6, 1}, 1}, {[]int{0, 6, 2}, 2}, {[]int{0, 5}, 5}} {
		q := flat{Name: "driver", Entities: -1}.spec()
		for _, i := range tt.required {
			q.Required = append(q.Required, s.comps[i])
		}
		p := NewPlan(&s.Base, q)
		if p.Tables(); p.found.driver != s.comps[tt.driver] {
			t.Errorf("%v: %s drives", tt.required, p.found.driver.Name)
		}
	}
}

// A column that is optional in a struct and in a table is passed as it lies, with zeros where rows
// lack it, whether or not the struct tells who has it. A write there is lost.
func TestGapsInPlace(t *testing.T) {
	s := newStage(t, 47, memmgr.Options{}, 32)
	for _, inRows := range []bool{false, true} {
		q := flat{Name: "gaps", Entities: int(offset[probe]("Es", 0)), InRows: inRows, Rows: offset[probe]("Rows", 0), Required: s.comps[1:2], Columns: []source.Column{
			{Name: "A", Comp: s.comps[1], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0)},
			{Name: "B", Comp: s.comps[4], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1), Optional: true, Write: true},
		}}.spec()
		own, lack := 0, 0
		c := NewCursor(NewPlan(&s.Base, q))
		for range 2 {
			c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
				v := raw.As[probe](p)
				for i, e := range v.Es {
					b := &v.Values[1][i]
					switch value := s.value(s.comps[4], e); {
					case value == b:
						own++
					case value != nil:
						t.Fatalf("%v: the value is a copy", e)
					case *b != pair{}:
						t.Fatalf("%v lacks it, and gets %v", e, *b)
					default:
						lack++
						b[0] = 7
					}
				}
				return true
			})
		}
		if own == 0 || lack == 0 || own+lack != 2*len(s.want(&q)) {
			t.Errorf("%d rows have it, %d lack it", own, lack)
		}
		if err := s.Store.Check(); err != nil {
			t.Error(err)
		}
	}
}

// nowhere knows no places.
func nowhere(int, int, chunk.ID, []store.Entity, *views.Source) ([]views.Place, bool) {
	return nil, false
}
