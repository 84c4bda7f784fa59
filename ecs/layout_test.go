package ecs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// One stream of commands under one layout ends in the same state with every memory, and every value is
// right on the way, whatever the layout says.
func TestModelLayout(t *testing.T) {
	t.Parallel()
	streams, commands := 8, 3000
	if testing.Short() || race.Enabled {
		streams, commands = 3, 1200
	}
	orders := make(map[uint64]bool)
	for seed := range uint64(streams) {
		l := sorted(rand.New(rand.NewPCG(seed, 7)))
		want := uint64(0)
		for _, name := range slices.Sorted(mapsKeys(fewer(variants()))) {
			o := variants()[name]
			o.Layout = l
			got := play(t, o, rand.New(rand.NewPCG(3, 1)).IntN, commands, 12, 4)
			if want == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: digest %x under %q, others %x\n%s", seed, got, name, want, l.Text)
			}
		}
		orders[want] = true
	}
	if len(orders) < 2 {
		t.Error("no layout has changed the order of rows: the test is too tame")
	}
}

type (
	laidA struct{ Key, N int32 }
	laidB struct {
		To ecs.Entity
		F  float64
	}
	laidC struct{ X, Y float32 }
)

// laidOut is a world of 3,000 entities with a, b that refers to another one, and c of every third.
type laidOut struct {
	*ecs.World
	a  *ecs.Pool[laidA]
	b  *ecs.Pool[laidB]
	c  *ecs.Pool[laidC]
	es []ecs.Entity
}

func laidWorld(t *testing.T, o ecs.Options, storage ...ecs.Storage) laidOut {
	t.Helper()
	w := world(t, o)
	a := ecs.Register[laidA](w, "a", storage...)
	b, c := ecs.Register[laidB](w, "b"), ecs.Register[laidC](w, "c")
	r := rand.New(rand.NewPCG(1, 2))
	es := make([]ecs.Entity, 3000)
	for i := range es {
		es[i] = ok(w.Spawn())
		check(t, a.Add(es[i], laidA{Key: r.Int32N(100) - 50, N: int32(i)}))
	}
	for i, e := range es {
		check(t, b.Add(e, laidB{es[r.IntN(len(es))], r.Float64() - 0.5}))
		if i%3 == 0 {
			check(t, c.Add(e, laidC{}))
		}
	}
	return laidOut{w, a, b, c, es}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Components are stored as the layout says from the first row on, whatever code has stated.
func TestLayoutStorage(t *testing.T) {
	for _, tt := range []struct {
		line   string
		stated []ecs.Storage
		want   ecs.Storage
		reason string
	}{
		{"cold a", nil, ecs.Stable, "by default"},
		{"stored a volatile", nil, ecs.Volatile, "approved in a layout"},
		{"stored a ordered", nil, ecs.Volatile, "approved in a layout"},
		{"stored a thin", nil, ecs.Thin, "stated"},
		{"stored a stable", nil, ecs.Stable, "stated"},
		{"stored a volatile", []ecs.Storage{ecs.Thin}, ecs.Volatile, "approved in a layout"},
		{"stored a stable", []ecs.Storage{ecs.Volatile}, ecs.Stable, "stated"},
		{"stored b thin", []ecs.Storage{ecs.Volatile}, ecs.Volatile, "stated"},
	} {
		w := laidWorld(t, ecs.Options{Layout: laid(tt.line)}, tt.stated...)
		check(t, w.Run(t.Context()))
		for _, c := range w.Stats().Components {
			if c.Name == "a" && (c.Storage != tt.want || c.Reason != tt.reason || ecs.ChangesOver(w.World)) {
				t.Errorf("%s: %v because %s, want %v because %s", tt.line, c.Storage, c.Reason, tt.want, tt.reason)
			}
		}
		check(t, w.Check())
	}
}

// The policy leaves what a layout begins with until it has counted for some looks, and then weighs on: a
// component that is never removed becomes a column again.
func TestLayoutStorageIsWeighed(t *testing.T) {
	w := laidWorld(t, ecs.Options{Layout: laid("stored c volatile")})
	ecs.System(w.World, "read", func(*struct{ C []laidC }) {})
	c := func() ecs.ComponentStats {
		i := slices.IndexFunc(w.Stats().Components, func(c ecs.ComponentStats) bool { return c.Name == "c" })
		return w.Stats().Components[i]
	}
	for range 32 {
		if got := c().Storage; got != ecs.Volatile {
			t.Fatalf("it is %v in frame %d already", got, w.Frame())
		}
		check(t, w.Run(t.Context()))
	}
	for range 400 {
		check(t, w.Run(t.Context()))
	}
	if got := c(); got.Storage != ecs.Stable {
		t.Errorf("after 400 frames in which a system reads it and nothing is removed it is %v: %s", got.Storage, got.Reason)
	}
}

// Four components can't all order rows: the fourth one is a bit.
func TestLayoutOrdersByThree(t *testing.T) {
	w := world(t, ecs.Options{Layout: laid("stored a ordered", "stored b ordered", "stored c ordered", "stored d ordered")})
	ecs.Register[laidA](w, "a")
	ecs.Register[laidB](w, "b")
	ecs.Register[laidC](w, "c")
	ecs.Register[int32](w, "d")
	check(t, w.Run(t.Context()))
}

func TestLayoutApart(t *testing.T) {
	for line, want := range map[string]string{"cold x": "", "apart lights": "lights"} {
		w := world(t, ecs.Options{Layout: laid(line)})
		g := ecs.GroupOf[struct{ A laidA }](w, "lights", ecs.Register[laidA](w, "a"))
		ok(g.Spawn(struct{ A laidA }{}))
		tables := ecs.GroupsIn(w)
		if len(tables) != 1 && want == "" || tables[len(tables)-1] != want {
			t.Errorf("%s: %+v", line, tables)
		}
	}
}

// laidRows are the values that entities have, in the order of rows, of tables with c and without it apart.
func laidRows[T any](w laidOut, p *ecs.Pool[T]) (with, without []T) {
	for e, v := range p.All() {
		if w.c.Has(e) {
			with = append(with, *v)
		} else {
			without = append(without, *v)
		}
	}
	return with, without
}

// Rows are sorted as the layout says, in frames 0, 3 and 6, and in no other.
func TestLayoutSort(t *testing.T) {
	byKey := func(x, y laidA) int { return int(x.Key - y.Key) }
	byF := func(x, y laidB) int { return cmp.Compare(x.F, y.F) }
	for _, tt := range []struct {
		line   string
		sorted func(w laidOut) bool
	}{
		{"sort a by a.Key every 3", func(w laidOut) bool {
			x, y := laidRows(w, w.a)
			return slices.IsSortedFunc(x, byKey) && slices.IsSortedFunc(y, byKey)
		}},
		{"sort a by b.F every 3", func(w laidOut) bool {
			x, y := laidRows(w, w.b)
			return slices.IsSortedFunc(x, byF) && slices.IsSortedFunc(y, byF)
		}},
		{"sort c by a.Key every 3", func(w laidOut) bool {
			x, y := laidRows(w, w.a)
			return slices.IsSortedFunc(x, byKey) && !slices.IsSortedFunc(y, byKey)
		}},
		{"sort all by a.Key every 3", func(w laidOut) bool {
			x, y := laidRows(w, w.a)
			return slices.IsSortedFunc(x, byKey) && slices.IsSortedFunc(y, byKey)
		}},
	} {
		w := laidWorld(t, ecs.Options{Layout: laid(tt.line)})
		ecs.GroupOf[struct {
			A laidA
			B laidB
		}](w.World, "all")
		for frame := range 7 {
			check(t, w.Run(t.Context()))
			if got := tt.sorted(w); got != (frame%3 == 0) {
				t.Errorf("%s: after frame %d rows are sorted: %v", tt.line, frame, got)
			}
			for _, i := range []int{3, 4, 5, 6, 7, 8} { // the last rows fill their places
				check(t, w.Destroy(w.es[100*frame+i]))
			}
		}
		check(t, w.Check())
	}
}

// Rows that refer to others are sorted by where these lie: the targets of one table's rows ascend.
func TestLayoutSortsByTarget(t *testing.T) {
	w := laidWorld(t, ecs.Options{Layout: laid("stored c thin", "sort b by b.To every 1")})
	// The targets are in a table of their own, so that they stay where they are.
	targets := make([]ecs.Entity, 500)
	marks := ecs.Register[int64](w.World, "mark")
	for i := range targets {
		targets[i] = ok(w.Spawn())
		check(t, marks.Add(targets[i], int64(i)))
	}
	r := rand.New(rand.NewPCG(5, 5))
	b := w.b
	for i, e := range w.es {
		to := targets[r.IntN(len(targets))]
		if i%50 == 0 {
			to = 0 // no entity
		}
		check(t, b.Set(e, laidB{To: to}))
	}
	check(t, w.Destroy(targets[7]))
	check(t, w.Run(t.Context()))
	last, seen := int64(-1), 0
	for _, v := range b.All() {
		m := marks.Get(v.To)
		if m == nil {
			if last >= 0 {
				t.Fatal("a row without a target lies behind one that has one")
			}
			continue
		}
		at := *m
		if at == 499 { // the last row took the place of number 7
			at = 7
		}
		if seen++; at < last {
			t.Fatalf("the target in row %d follows the one in row %d", at, last)
		}
		last = at
	}
	if seen < 2900 {
		t.Errorf("%d rows have targets", seen)
	}
}

// A component without an order of values lends that of its rows.
func TestLayoutSortsLikeRows(t *testing.T) {
	w := world(t, ecs.Options{Layout: laid("stored c thin", "sort a by c every 1")})
	a, c := ecs.Register[laidA](w, "a"), ecs.Register[laidC](w, "c")
	es := make([]ecs.Entity, 100)
	for i := range es {
		es[i] = ok(w.Spawn())
		check(t, a.Add(es[i], laidA{N: int32(i)}))
	}
	r := rand.New(rand.NewPCG(1, 1))
	want := r.Perm(len(es))[:60]
	for _, i := range want {
		check(t, c.Add(es[i], laidC{}))
	}
	check(t, w.Run(t.Context()))
	i := 0
	for _, v := range a.All() {
		if i < len(want) && v.N != int32(want[i]) {
			t.Fatalf("row %d has %d, want %d", i, v.N, want[i])
		}
		i++
	}
}

// All kinds of numbers have an order.
func TestLayoutSortsNumbers(t *testing.T) {
	sortsBy[int8](t, -128, -1, 0, 1, 127)
	sortsBy[int16](t, math.MinInt16, -1, 0, math.MaxInt16)
	sortsBy[int32](t, math.MinInt32, -1, 0, math.MaxInt32)
	sortsBy[int64](t, math.MinInt64, -1, 0, math.MaxInt64)
	sortsBy[int](t, math.MinInt, -1, 0, math.MaxInt)
	sortsBy[uint8](t, 0, 1, 255)
	sortsBy[uint16](t, 0, 1, math.MaxUint16)
	sortsBy[uint32](t, 0, 1, math.MaxUint32)
	sortsBy[uint64](t, 0, 1, 1<<63, math.MaxUint64)
	sortsBy[uint](t, 0, 1, math.MaxUint)
	sortsBy[float32](t, float32(math.Inf(-1)), -2, -1, -1e-30, 0, 1e-30, 1, 2, float32(math.Inf(1)))
	sortsBy[float64](t, math.Inf(-1), -2, -1, -1e-300, 0, 1e-300, 1, 2, math.Inf(1))
}

func sortsBy[T cmp.Ordered](t *testing.T, ascending ...T) {
	t.Helper()
	w := world(t, ecs.Options{Layout: laid("sort v by v every 1")})
	p := ecs.Register[T](w, "v")
	for _, i := range rand.New(rand.NewPCG(1, 4)).Perm(len(ascending)) {
		check(t, p.Add(ok(w.Spawn()), ascending[i]))
	}
	check(t, w.Run(t.Context()))
	var got []T
	for _, v := range p.All() {
		got = append(got, *v)
	}
	if !slices.Equal(got, ascending) {
		t.Errorf("%v, want %v", got, ascending)
	}
}

// A long table lies in a striped region from its first chunk on if the layout says how long it will be.
func TestLayoutRows(t *testing.T) {
	for _, tt := range []struct {
		line    string
		striped bool
	}{{"cold x", false}, {"rows table/a 100", false}, {"rows table/a 1000000", true}} {
		w := world(t, ecs.Options{Layout: laid(tt.line)})
		a := ecs.Register[laidA](w, "a")
		check(t, a.Add(ok(w.Spawn()), laidA{}))
		if st := w.Stats().Memory; (st.Striped > 0) != tt.striped {
			t.Errorf("%s: %d chunks are striped", tt.line, st.Striped)
		}
		for range 10 {
			check(t, w.Run(t.Context()))
		}
		check(t, w.Check())
	}
}

// A world without a layout describes none. One with a layout says which statements it can't follow.
func TestLayoutDescribed(t *testing.T) {
	w := laidWorld(t, ecs.Options{})
	if l, refused := w.Layout(); len(l.Statements) > 0 || refused != nil || strings.Contains(w.Describe(), "layout") {
		t.Errorf("%+v, %q", l, refused)
	}
	lines := []string{"stored a volatile", "stored nobody thin", "sort a by b.Nothing every 1", "sort c by b every 2", "sort nobody by a every 2", "view ghost a cached", "cold table/a+nobody", "near table/a table/b"}
	w = laidWorld(t, ecs.Options{Layout: laid(lines...), Record: true})
	check(t, w.Run(t.Context()))
	d := w.Describe()
	var missing []string
	for _, i := range []int{1, 4, 5, 6} {
		missing = append(missing, lines[i]+": the program has no such name")
	}
	l, refused := w.Layout()
	if len(l.Statements) != len(lines) || len(l.Hash()) != 16 || l.Hash() != w.Facts().Layout ||
		len(refused) != 5 || !slices.Equal(refused[:4], missing) || !strings.HasPrefix(refused[4], lines[2]+": ") {
		t.Errorf("%+v, %q", l, refused)
	}
	for _, want := range []string{"layout layout " + l.Hash() + ": 8 statements\n", "  stored nobody thin: the program has no such name\n"} {
		if !strings.Contains(d, want) {
			t.Errorf("no %q in\n%s", want, d)
		}
	}
}

// A record has the statements that it does not speak for: those by hand, and advised ones about how rows are sorted and stored, and which are apart.
func TestLayoutRecorded(t *testing.T) {
	long := strings.Repeat("x", 1000)
	w := laidWorld(t, ecs.Options{Record: true, Name: "menu", Layout: laid("stored a volatile", "sort b by a.Key every 9 # why", "apart lot # advised: many tables", "cold a", "rows lot 9 # advised: nine", "sort "+long+" by a every 1 # "+long, "apart "+long+long[:20], "world level", "apart two")})
	check(t, w.Run(t.Context()))
	if p := w.Facts(); !slices.Equal(p.Laid, []string{"stored a volatile", "sort b by a.Key every 9  # why", "apart lot  # advised: many tables", "cold a", "sort " + long + " by a every 1"}) {
		t.Errorf("%q", p.Laid)
	}
}

// Names that the program lacks are an error of the first Run if it asks for that, and only then.
func TestLayoutStrict(t *testing.T) {
	o := ecs.Options{Layout: laid("stored nobody thin")}
	w := newSmallest(t, o)
	check(t, w.Run(t.Context()))
	o.Layout.Strict = true
	w = newSmallest(t, o)
	err := w.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "layout:2: stored nobody thin: the program has no such component") {
		t.Fatalf("%v", err)
	}
	ecs.Register[int64](w, "nobody")
	check(t, w.Run(t.Context()))
}

// A layout comes from bytes, from a file system, from a file, or from the file that the environment names.
// off in the environment overrules all. A bad one is a mistake of New, which names the place.
func TestLayoutSources(t *testing.T) {
	text := []byte("ashlar layout 1\napart duo\n")
	path := filepath.Join(t.TempDir(), "some.layout")
	check(t, os.WriteFile(path, text, 0o600))
	files := fstest.MapFS{"in/it.layout": {Data: text}}
	apart := func(s layout.Source) (file string, is bool) {
		w := newSmallest(t, ecs.Options{Layout: s})
		check(t, w.Run(t.Context()))
		l, _ := w.Layout()
		return l.Name, len(l.Statements) > 0
	}
	for want, s := range map[string]layout.Source{"layout": {Text: text}, "named": {Text: text, File: "named"}, "in/it.layout": {FS: files, File: "in/it.layout"}, path: {File: path}} {
		if file, is := apart(s); !is || file != want {
			t.Errorf("%q, %v; want %q", file, is, want)
		}
	}
	t.Setenv(layout.EnvironmentVariable, path)
	if file, is := apart(layout.Source{}); !is || file != path {
		t.Errorf("of the environment: %q, %v", file, is)
	}
	if file, _ := apart(layout.Source{Text: text}); file != "layout" {
		t.Errorf("the program's own comes first, not %q", file)
	}
	if _, is := apart(layout.Source{Off: true}); is {
		t.Error("Off asks the environment")
	}
	t.Setenv(layout.EnvironmentVariable, "off")
	if _, is := apart(layout.Source{Text: text}); is {
		t.Error("off in the environment leaves the program's own")
	}
	t.Setenv(layout.EnvironmentVariable, "")
	for _, tt := range []struct {
		s    layout.Source
		want string
	}{
		{layout.Source{Text: []byte("ashlar layout 1\nstored a\n")}, "layout:2:9: the way is missing"},
		{layout.Source{Text: []byte{}}, "layout"},
		{layout.Source{File: "no.layout"}, "no.layout"},
		{layout.Source{FS: files}, "name the file in it"},
		{layout.Source{FS: files, File: "out"}, "out"},
	} {
		w := ecs.New(ecs.Options{Layout: tt.s})
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
		check(t, w.Close())
	}
}

// Worlds go by the statements about every world, and by those about the one of their name.
func TestLayoutByWorld(t *testing.T) {
	l := laid("stored a volatile", "world menu", "stored a thin", "world other", "stored a stable")
	for name, want := range map[string]ecs.Storage{"": ecs.Volatile, "menu": ecs.Thin, "level": ecs.Volatile} {
		w := laidWorld(t, ecs.Options{Name: name, Layout: l})
		if c := w.Stats().Components[0]; c.Storage != want {
			t.Errorf("world %q: %v, want %v", name, c.Storage, want)
		}
	}
}

// Values that do not depend on order are the same with any layout.
func TestLayoutChangesNoValue(t *testing.T) {
	digest := func(l layout.Source) uint64 {
		w := laidWorld(t, ecs.Options{Layout: l})
		a, c, es := w.a, w.c, w.es
		ecs.System(w.World, "grow", func(s *struct {
			A ecs.Write[laidA]
			C ecs.Maybe[laidC]
		}) {
			for i := range s.A {
				s.A[i].N += s.A[i].Key
			}
		})
		for frame := range 60 {
			for i, e := range es {
				if (i+frame)%7 == 0 {
					if c.Has(e) {
						check(t, c.Remove(e))
					} else {
						check(t, c.Add(e, laidC{float32(i), float32(frame)}))
					}
				}
			}
			check(t, w.Run(t.Context()))
		}
		h := fnv.New64a()
		for _, e := range es {
			fmt.Fprint(h, *a.Get(e))
			if v := c.Get(e); v != nil {
				fmt.Fprint(h, *v)
			}
		}
		return h.Sum64()
	}
	want := digest(layout.Source{Off: true})
	for _, lines := range [][]string{
		{"stored c volatile"}, {"stored c ordered", "stored b volatile"}, {"stored c thin", "stored a thin"}, {"stored a volatile", "sort c by a.Key every 5"},
		{"sort a by b.To every 2", "rows table/a+b 1000000", "cold table/a+b+c", "near table/a+b+c table/a+b"},
	} {
		if got := digest(laid(lines...)); got != want {
			t.Errorf("%v: digest %x, want %x", lines, got, want)
		}
	}
}

// work uses a processor for a time: as a clock on the wall shows it, a busy machine would do less.
func work(d time.Duration) {
	clock := arena.ProcessorTime
	if clock() == 0 {
		made := time.Now()
		clock = func() time.Duration { return time.Since(made) }
	}
	for began := clock(); clock()-began < d; {
	}
}

// A frame of a trial has the work of the program between two runs, but not its waiting.
func TestTrialBetween(t *testing.T) {
	for _, tt := range []struct {
		name        string
		between     func()
		least, most time.Duration
	}{
		{"waiting", func() { time.Sleep(10 * time.Millisecond) }, 0, 5 * time.Millisecond},
		{"working", func() { work(10 * time.Millisecond) }, 5 * time.Millisecond, time.Second},
	} {
		if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
			tt.least = 0 // times between runs are left out there
		}
		path := filepath.Join(t.TempDir(), "notes")
		t.Setenv(layout.TrialVariable, path)
		w := newSmallest(t, ecs.Options{})
		for range 20 {
			check(t, w.Run(t.Context()))
			tt.between()
		}
		check(t, w.Close())
		var x layout.Trial
		b, err := os.ReadFile(path)
		check(t, err)
		check(t, json.Unmarshal(b, &x))
		if x.P50 < tt.least || x.P50 > tt.most || x.First < 19*tt.least {
			t.Errorf("%s: a frame of %v, and all together %v", tt.name, x.P50, x.First)
		}
	}
}

// Figures of frames go to the file that the environment names, one line for each world that ran.
func TestTrial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	t.Setenv(layout.TrialVariable, path)
	for i, l := range []layout.Source{{Off: true}, laid("stored a volatile", "stored nobody thin")} {
		w := newSmallest(t, ecs.Options{Name: fmt.Sprint("w", i), Layout: l, Memory: memmgr.Options{}})
		for range 150 {
			check(t, w.Run(t.Context()))
		}
		check(t, w.Close())
	}
	idle := newSmallest(t, ecs.Options{})
	check(t, idle.Close())
	b, err := os.ReadFile(path)
	check(t, err)
	var list []layout.Trial
	for line := range bytes.Lines(b) {
		list = append(list, layout.Trial{})
		check(t, json.Unmarshal(line, &list[len(list)-1]))
	}
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	for i, x := range list {
		if x.World != fmt.Sprint("w", i) || x.Start <= 0 || x.P50 <= 0 || x.P99 < x.P50 || x.Worst < x.P99 || x.First < 100*x.P50/2 {
			t.Errorf("%+v", x)
		}
	}
	if list[0].Layout != "" || len(list[1].Layout) != 16 || list[1].Stated != 2 || list[1].Applied != 1 {
		t.Errorf("%+v", list)
	}
	// A file that can't be written is an error of Close, after which the world is closed.
	t.Setenv(layout.TrialVariable, filepath.Join(path, "under", "a file"))
	w := newSmallest(t, ecs.Options{})
	check(t, w.Run(t.Context()))
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), layout.TrialVariable) {
		t.Errorf("%v", err)
	}
	check(t, w.Close())
}
