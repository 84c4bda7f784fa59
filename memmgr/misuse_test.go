package memmgr

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// A call that breaks a contract panics, in words that name the remedy, and leaves all as it was.
func TestMisuse(t *testing.T) {
	m := open(t, Options{})
	s, other := sequence(t, m, "s", 8, 24), sequence(t, m, "other", 8, 24)
	fillRows(t, s, 20)
	fillRows(t, other, 20)
	var none, foreign Col[uint64]
	_, err := m.NewSequence("foreign", &foreign)
	if err != nil {
		t.Fatal(err)
	}
	empty, wide := sequence(t, m, "empty", 8), sequence(t, m, "wide", 8, 8000)
	fillRows(t, wide, wide.Capacity()+1)
	spare := wide.Last().Chunk()
	wide.DropLast()
	dropped := sequence(t, m, "dropped", 8)
	fillRows(t, dropped, 1)
	stale := dropped.Last()
	dropped.Drop()
	id := s.Last().Chunk()
	const rows = "which \"s\" does not have: keep locations only while their rows stay"
	const gone = "which is not in use: its rows were removed, or the manager was closed"
	for what, c := range map[string]struct {
		words string
		f     func()
	}{
		"Truncate below 0":        {"Truncate of \"s\" to -1 rows: the number can't be negative", func() { s.Truncate(-1) }},
		"Append after Drop":       {"a row for \"dropped\", which was dropped: make a sequence anew", func() { dropped.Append() }},
		"AppendRun after Drop":    {"a row for \"dropped\", which was dropped: make a sequence anew", func() { dropped.AppendRun(5) }},
		"SwapRemove beyond":       {rows, func() { s.SwapRemove(s.Last().Plus(1)) }},
		"SwapRemove of another's": {rows, func() { s.SwapRemove(other.Last()) }},
		"SwapRemove of stale":     {rows, func() { s.SwapRemove(stale) }},
		"SwapRemove of none":      {rows, func() { s.SwapRemove(0) }},
		"SwapRemove of no chunk":  {rows, func() { s.SwapRemove(MakeLoc(maxChunks-1, 0)) }},
		"SwapRemove in a spare":   {"which \"wide\" does not have", func() { wide.SwapRemove(MakeLoc(spare, 0)) }},
		"At below 0":              {"row -1 of \"s\", which has 20: ask for 0 to Len-1", func() { s.At(-1) }},
		"At beyond":               {"row 20 of \"s\", which has 20: ask for 0 to Len-1", func() { s.At(20) }},
		"Chunk beyond":            {"chunk number 1 of \"s\" in its order, which has 1: look at ChunkCount first", func() { s.Chunk(1) }},
		"Chunk below 0":           {"chunk number -1 of \"s\" in its order, which has 1: look at ChunkCount first", func() { s.Chunk(-1) }},
		"Beside beyond":           {"chunk number 1 of \"s\" in its order, which has 1: look at ChunkCount first", func() { s.Beside(1) }},
		"Directory beyond":        {"column 2 of \"s\", which has 2: count from 0", func() { s.directory(2) }},
		"Written beyond":          {"column 2 of \"s\", which has 2", func() { s.Written(2, id) }},
		"Changed below 0":         {"column -1 of \"s\", which has 2", func() { s.Changed(-1, id, 0) }},
		"Chunks by no column":     {"Chunks of \"s\" by a Col that is none of its columns: NewSequence takes", func() { none.Chunks(s) }},
		"Slices by another's":     {"Chunks of \"s\" by a Col that is none of its columns", func() { foreign.Slices(s) }},
		"Chunks of nil":           {"Chunks of a nil Sequence", func() { foreign.Chunks(nil) }},
		"Slice beyond":            {"column 2 of \"s\", which has 2", func() { Slice[uint64](s, 2, id) }},
		"Order of a stale chunk":  {"Order of chunk " + fmt.Sprint(stale.Chunk()) + ", " + gone, func() { m.Order(stale.Chunk()) }},
		"Order of no chunk":       {"Order of chunk 8388606, " + gone, func() { m.Order(maxChunks - 1) }},
		"Move":                    {"Move of chunk " + fmt.Sprint(stale.Chunk()) + ", " + gone, func() { m.Move(stale.Chunk()) }},
		"Annex":                   {"Annex of chunk " + fmt.Sprint(stale.Chunk()) + ", " + gone, func() { m.Annex(stale.Chunk(), 1) }},
		"DropAnnex":               {"PurgeAnnex of chunk " + fmt.Sprint(stale.Chunk()) + ", " + gone, func() { m.DropAnnex(stale.Chunk()) }},
		"PurgeAnnex":              {"PurgeAnnex of chunk " + fmt.Sprint(stale.Chunk()) + ", " + gone, func() { m.PurgeAnnex(stale.Chunk(), 0, 1) }},
		"Annex too large":         {"an annex of 1048577 bytes for chunk 1 of \"s\": the limit is AnnexMost, 1048576", func() { m.Annex(id, AnnexMost+1) }},
		"Annex far too large":     {"an annex of 4294967295 bytes", func() { m.Annex(id, ^uint32(0)) }},
		"Own twice":               {"Own by b of a manager that belongs to a: make a manager for each", func() { defer m.Own("a", nil)(); m.Own("b", nil) }},
	} {
		t.Run(what, func(t *testing.T) { panics(t, m, c.words, c.f) })
	}
	if m.Gen(maxChunks-1) != 0 || m.Sequence(stale.Chunk()) != nil || m.Sequence(0) != nil || m.Sequence(maxChunks-1) != nil || m.Sequence(id) != s {
		t.Error("chunks that are not in use have sequences")
	}
	if s.Len() != 20 || empty.Len() != 0 || dropped.Len() != 0 || m.Stats().Rows != 20+20+uint64(wide.Capacity()) {
		t.Errorf("rows: %d, %d, %d", s.Len(), empty.Len(), dropped.Len())
	}
	s.Truncate(21) // does nothing
	if l, n, err := s.AppendRun(-1); l != 0 || n != 0 || err != nil || s.Len() != 20 {
		t.Error("AppendRun(-1) did something")
	}
}

// A loop's body that removes rows is told so where the loop would go on.
func TestRemoveInLoop(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fill := func() { fillRows(t, s, 3*s.Capacity()) }
	for what, loop := range map[string]func(remove func()){
		"Chunks of \"s\"": func(remove func()) {
			for range s.Chunks() {
				remove()
			}
		},
		"Runs of \"s\"": func(remove func()) {
			for range s.Runs(0, s.Len()) {
				remove()
			}
		},
		"Stretches of \"s\"": func(remove func()) {
			for range s.Stretches() {
				remove()
			}
		},
	} {
		for _, remove := range []func(){func() { s.DropChunks(2) }, func() { s.Truncate(1) }} {
			s.Truncate(0)
			fill()
			panics(t, m, what+": the body of the loop has removed rows: note them, and remove them after the loop", func() { loop(remove) })
		}
		s.Truncate(0)
		fill()
		n := 0
		loop(func() { n++ })
		if n != s.ChunkCount() {
			t.Errorf("%s: %d of %d chunks", what, n, s.ChunkCount())
		}
	}
}

// A fault of a new sequence is an error, after which there is none.
func TestNewSequenceRefuses(t *testing.T) {
	m, other := open(t, Options{}), open(t, Options{})
	col := func(d *Directory, size, align uint32) ColumnSpec {
		return ColumnSpec{Spec: chunk.Spec{Size: size, Align: align}, Directory: d}
	}
	mine, theirs, twice := new(Directory), new(Directory), new(Directory)
	if _, err := m.MakeSequence("taken", []ColumnSpec{col(mine, 8, 8)}); err != nil {
		t.Fatal(err)
	}
	if _, err := other.MakeSequence("taken", []ColumnSpec{col(theirs, 8, 8)}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		cols  []ColumnSpec
		words string
	}{
		{"", nil, `sequence "": the name is empty: maps and messages tell sequences by their names`},
		{"taken", nil, `sequence "taken": there is a sequence of that name: choose another one, or Drop that first`},
		{"a", []ColumnSpec{col(nil, 8, 8), col(theirs, 8, 8)}, "column 1 is used by another manager: make one for each manager"},
		{"a", []ColumnSpec{col(twice, 8, 8), col(nil, 1, 1), col(twice, 8, 8)}, "columns 0 and 2 are one: make one for each column"},
		{"a", []ColumnSpec{col(mine, 16, 8)}, "column 0 has 8 bytes aligned to 8 elsewhere, and 16 aligned to 8 here: make one for each column"},
		{"a", []ColumnSpec{{}}, "column 0 has alignment 0; it must be a power of two up to 64"},
		{"a", []ColumnSpec{col(nil, 64<<10, 8), col(nil, 8, 8)}, "keep large values outside and store an index"},
		{"a", make([]ColumnSpec, chunk.MaxColumns+1), "257 columns; the limit is 256"},
	} {
		if s, err := m.MakeSequence(c.name, c.cols); s != nil || err == nil || !strings.Contains(err.Error(), c.words) || !strings.HasPrefix(err.Error(), "memmgr: ") {
			t.Errorf("%v, want %q", err, c.words)
		}
	}
	if m.sequenceCount() != 1 || twice.book != nil {
		t.Errorf("%d sequences", m.sequenceCount())
	}
	if _, err := m.MakeSequence("a", []ColumnSpec{col(mine, 8, 8), col(twice, 4, 4)}); err != nil {
		t.Error(err)
	}
}

func TestSmallPages(t *testing.T) {
	for _, o := range []Options{{}, {Arena: arena.Options{SmallPages: true}}} {
		m := open(t, o)
		if got, want := servesHuge(t, m.Arena()), !o.Arena.SmallPages; got != want {
			t.Errorf("%+v: huge pages %v", o, got)
		}
	}
}

// servesHuge tells whether slots for huge pages lie apart from others.
func servesHuge(t *testing.T, a *arena.Arena) bool {
	s, err := a.Alloc(arena.Huge)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Free(s)
	r, _ := a.PlaceOf(s)
	return r == arena.Huge
}

// After Close, calls return an error or panic, and look-ups find nothing.
func TestAfterClose(t *testing.T) {
	for _, stress := range []bool{false, true} {
		m, err := New(Options{Stress: stress})
		if err != nil {
			t.Fatal(err)
		}
		s := sequence(t, m, "s", 8)
		fillRows(t, s, 3)
		l := s.Last()
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		_, newErr := m.MakeSequence("t", nil)
		_, appendErr := s.Append()
		_, _, runErr := s.AppendRun(3)
		_, reclaimErr := m.Reclaim(1)
		frameErr := m.EndFrame()
		_, releaseErr := m.Reclaim(^uint64(0))
		for what, err := range map[string]error{"MakeSequence": newErr, "Append": appendErr, "AppendRun": runErr, "SafePoint": m.SafePoint(), "EndFrame": frameErr, "Reclaim": reclaimErr, "Reclaim of all": releaseErr} {
			if !errors.Is(err, arena.ErrClosed) || !strings.HasPrefix(err.Error(), "memmgr: ") {
				t.Errorf("%s after Close: %v", what, err)
			}
		}
		for words, f := range map[string]func(){
			"SwapRemove of row 1:2, which \"s\" does not have": func() { s.SwapRemove(l) },
			"Move of chunk 1, which is not in use":             func() { m.Move(l.Chunk()) },
			"Annex of chunk 1, which is not in use":            func() { m.Annex(l.Chunk(), 1) },
			"Order of chunk 1, which is not in use":            func() { m.Order(l.Chunk()) },
		} {
			panics(t, nil, words, f)
		}
		s.Truncate(0)
		s.DropChunks(0)
		s.Drop()
		if s.Len() != 0 || s.ChunkCount() != 0 || s.busy() || s.directory(0).has(l.Chunk()) || m.Sequence(l.Chunk()) != nil || m.Gen(l.Chunk()) != 0 {
			t.Error("a sequence has rows after Close")
		}
		s.Pin()()
		if st := m.Stats(); st.Chunks != 0 || st.Rows != 0 || len(st.Sequences) != 0 || m.sequenceCount() != 0 {
			t.Errorf("after Close: %+v", st)
		}
		if err := errors.Join(m.Check(), m.Close()); err != nil {
			t.Error(err)
		}
	}
}

// A manager that belongs to somebody is closed by them.
func TestOwn(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	disown := m.Own("a Store", nil)
	if err := m.Close(); err == nil || !strings.Contains(err.Error(), "Close of a manager that belongs to a Store: close that instead") {
		t.Error(err)
	}
	fillRows(t, sequence(t, m, "s", 8), 3) // nothing was closed
	disown()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// Zero values of all exported types: every method acts on nothing, returns an
// error, or panics in words, and never faults.
func TestZeroValues(t *testing.T) {
	undefined := map[string]bool{ // of a chunk without the column: found by checked builds; or before Prepare; or of no directory
		"Directory.Mirror": true, "Manager.MarkIn": true,
		"Directory.Lookup": true, "Directory.LookupMarked": true, "Directory.Mark": true, "Directory.Entry": true, "Manager.Nth": true,
		"Directory.Find": true, "Directory.Addr": true, "Directory.At": true, "Directory.Cell": true, "Directory.CellOf": true,
		"Col[uint64].At": true, "Col[uint64].Stretch": true, "Col[uint64].MutStretch": true, "Col[uint64].Set": true, "Col[uint64].Slice": true, "Col[uint64].Written": true, "Col[uint64].Changed": true,
	}
	if arena.Checked {
		undefined = map[string]bool{"Directory.Mirror": true, "Manager.MarkIn": true, "Directory.Find": true, "Directory.Lookup": true, "Directory.LookupMarked": true, "Directory.Entry": true, "Manager.Nth": true}
	}
	// Under js/wasm the collector takes the code address of a method that is called by reflection for
	// a pointer, and a large heap reaches up to it: "found bad pointer in Go heap" (as Go issue 80472).
	if runtime.GOARCH == "wasm" {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		runtime.GC() // a cycle that has begun ends
	}
	for _, zero := range []any{
		new(Manager), new(Sequence), new(Directory), new(Loc), new(Options), new(ColumnSpec), new(Cell),
		new(Stats), new(placement), new(SequenceStats), new(Col[uint64]),
	} {
		v := reflect.ValueOf(zero)
		for i := range v.NumMethod() {
			method := v.Type().Method(i)
			name := v.Type().Elem().Name() + "." + method.Name
			if undefined[name] {
				continue
			}
			t.Run(name, func(t *testing.T) {
				v := reflect.New(v.Type().Elem()) // a fresh one for each
				args := make([]reflect.Value, method.Type.NumIn()-1)
				for k := range args {
					args[k] = reflect.Zero(method.Type.In(k + 1))
					if args[k].Type() == reflect.TypeFor[*Sequence]() {
						args[k] = reflect.ValueOf(new(Sequence))
					}
				}
				defer func() {
					if p := recover(); p != nil {
						if s, ok := p.(string); !ok || !strings.HasPrefix(s, "memmgr: ") {
							t.Errorf("%v", p)
						}
					}
				}()
				call := v.Method(i).Call
				if method.Type.IsVariadic() {
					call = v.Method(i).CallSlice
				}
				for _, out := range call(args) {
					if out.Kind() == reflect.Func && !out.IsNil() && out.Type().NumIn() == 1 && out.Type().NumOut() == 0 { // an iterator
						yield := out.Type().In(0)
						out.Call([]reflect.Value{reflect.MakeFunc(yield, func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(false)} })})
					}
				}
			})
		}
	}
	t.Run("Slice", func(t *testing.T) {
		panics(t, nil, "of a zero Manager or Sequence", func() { Slice[uint64](new(Sequence), 0, 1) })
	})
	panics(t, nil, "of a zero Manager or Sequence: use New and MakeSequence", func() { new(Sequence).Append() })
	panics(t, nil, "of a zero Manager or Sequence: use New and MakeSequence", func() { colOf[uint64](new(Sequence), 0) })
	panics(t, nil, "of a zero Manager or Sequence: use New and MakeSequence", func() { new(Manager).MakeSequence("s", nil) })
}
