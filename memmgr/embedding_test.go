package memmgr_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// The code of docs/embedding.md, in its order.

type point struct{ X, Y float32 }

// track is a sequence with its columns' handles, as the page declares it.
type track struct {
	rows  *memmgr.Sequence
	times memmgr.Col[int64]
	at    memmgr.Col[point]
}

func newTrack(m *memmgr.Manager, name string) (t *track, err error) {
	t = new(track)
	t.rows, err = m.NewSequence(name, &t.times, &t.at)
	return t, err
}

func (t *track) add(now int64, p point) error {
	l, err := t.rows.Append()
	if err != nil {
		return err
	}
	t.times.Set(l, now)
	t.at.Set(l, p)
	return nil
}

func (t *track) fill(first int64, n int) error {
	for n > 0 {
		l, k, err := t.rows.AppendRun(n)
		if err != nil {
			return err
		}
		times, at := t.times.Slice(l), t.at.Slice(l)
		for i := range times {
			times[i], at[i] = first, point{float32(first), 0}
			first++
		}
		t.times.Written(l)
		t.at.Written(l)
		n -= k
	}
	return nil
}

// filled is a manager and a track of n rows at times 0, 1, ….
func filled(n int) (*memmgr.Manager, *track) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	t, err := newTrack(m, "track")
	if err == nil {
		err = t.fill(0, n)
	}
	if err != nil {
		panic(err)
	}
	return m, t
}

func ExampleManager_NewSequence() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer func() {
		if err := m.Close(); err != nil {
			panic(err)
		}
	}()
	t, err := newTrack(m, "track")
	if err != nil {
		panic(err)
	}
	for i := range 3 {
		if err := t.add(int64(10*i), point{float32(i), 0}); err != nil {
			panic(err)
		}
	}
	fmt.Println(t.rows.Len(), *t.at.At(t.rows.At(2)))
	// Output: 3 {2 0}
}

// A table with a schema that is known at run time: a reader of files makes it, a query finds one column by its
// name and type, and a tool goes over all of them.
func ExampleColumnOf() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var times memmgr.Col[int64]
	prices, err := m.NewSequence("prices",
		memmgr.Named("time", &times),
		memmgr.ColumnOfType("price", reflect.TypeFor[float64]()))
	if err != nil {
		panic(err)
	}

	price, err := memmgr.ColumnOf[float64](prices, "price")
	if err != nil {
		panic(err)
	}
	for i := range 3 {
		l, err := prices.Append()
		if err != nil {
			panic(err)
		}
		price.Set(l, 1.5*float64(i))
	}
	_, err = memmgr.ColumnOf[float32](prices, "price")
	fmt.Println(err)

	names, types := prices.Columns()
	for i, t := range types {
		for l, n := range prices.Runs(0, prices.Len()) {
			if t.Kind() == reflect.Float64 {
				fmt.Println(names[i], prices.Values(i, l).Slice(0, n))
			}
		}
	}
	// Output:
	// memmgr: column "price" of "prices" has values of float64, not of float32
	// price [0 1.5 3]
}

func ExampleCol_Chunks() {
	m, t := filled(10_000)
	defer m.Close()
	var far float32
	for l, times := range t.times.Chunks(t.rows) {
		at := t.at.Slice(l)
		for i := range times {
			far = max(far, at[i].X)
		}
	}
	fmt.Println(far)
	// Output: 9999
}

func ExampleSequence_Runs() {
	m, t := filled(10_000)
	defer m.Close()
	sum := int64(0)
	for l, n := range t.rows.Runs(4000, 6000) {
		part := int64(0) // a variable of the loop's body stays in a register
		for _, now := range t.times.Slice(l)[:n] {
			part += now
		}
		sum += part
	}
	fmt.Println(sum)
	// Output: 9999000
}

func ExampleSequence_RemoveRange() {
	m, t := filled(5)
	defer m.Close()
	t.rows.SwapRemove(t.rows.At(0)) // 4 1 2 3: the last row takes its place
	fmt.Println(t.times.Slice(t.rows.At(0)))
	t.rows.RemoveRange(0, 1) // 1 2 3: rows behind move up
	fmt.Println(t.times.Slice(t.rows.At(0)))
	t.rows.RemoveRange(2, t.rows.Len()) // 1 2: nothing is behind, so nothing is copied
	fmt.Println(t.times.Slice(t.rows.At(0)))
	t.rows.RemoveFunc(func(l memmgr.Loc) bool { return *t.times.At(l)%2 == 0 }) // 1: odd times stay, in order
	fmt.Println(t.times.Slice(t.rows.At(0)))
	// Output:
	// [4 1 2 3]
	// [1 2 3]
	// [1 2]
	// [1]
}

func ExampleSequence_RemoveMarked() {
	m, t := filled(5)
	defer m.Close()
	removed := t.rows.RemoveMarked(func(first memmgr.Loc, drop []bool) {
		for i, time := range t.times.Slice(first) {
			drop[i] = time%2 == 0
		}
	})
	fmt.Println(removed, t.times.Slice(t.rows.At(0)))
	// Output: 3 [1 3]
}

func ExampleSequence_DropFirst() {
	m, t := filled(20_000)
	defer m.Close()
	const cut = 9000
	old := 0
	for _, times := range t.times.Chunks(t.rows) {
		if times[len(times)-1] >= cut {
			break
		}
		old += len(times)
	}
	went := t.rows.DropFirst(old)
	first := *t.times.At(t.rows.At(0))
	fmt.Println(went == old, first <= cut, *t.times.At(t.rows.At(cut - old)))
	// Output: true true 9000
}

func ExampleSequence_Pin() {
	m, t := filled(100_000)
	defer m.Close()
	unpin, all := t.rows.Pin(), t.times.Slices(t.rows) // by the owner
	last := make(chan int64)
	go func() { // any goroutine reads and unpins
		defer close(last)
		defer unpin()
		var latest int64
		for _, times := range all {
			for _, at := range times {
				latest = max(latest, at)
			}
		}
		last <- latest
	}()
	t.rows.DropFirst(50_000) // the owner goes on
	fmt.Println(<-last, t.rows.Len() < 100_000)
	<-last // closed after unpin
	// Output: 99999 true
}

func ExampleSequence_SetLimit() {
	m, t := filled(0)
	defer m.Close()
	t.rows.SetLimit(256 << 10)
	var err error
	for now := int64(0); err == nil; now++ {
		err = t.add(now, point{})
	}
	if errors.Is(err, memmgr.ErrSequenceLimit) {
		t.rows.DropFirst(t.rows.Len() / 2) // make room and go on
		err = t.add(1<<40, point{})
	}
	taken := m.Stats().Sequences[0]
	fmt.Println(err, taken.Bytes <= 256<<10, taken.Payload < taken.Bytes)
	// Output: <nil> true true
}

// The oldest rows of two logs go in turn, so that both go on at one limit.
func ExampleManager_OnRefusal() {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Limit: 8 << 20}})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var times, values memmgr.Col[int64]
	a, err := m.NewSequence("a", &times)
	if err != nil {
		panic(err)
	}
	b, err := m.NewSequence("b", &values)
	if err != nil {
		panic(err)
	}
	m.OnRefusal(func(_ *memmgr.Sequence, err error) (again bool) {
		longer := slices.MaxFunc([]*memmgr.Sequence{a, b}, func(x, y *memmgr.Sequence) int { return x.Len() - y.Len() })
		return longer.DropFirst(longer.Len()/4) > 0
	})
	for range 1_000_000 {
		if _, err = a.Append(); err == nil {
			_, err = b.Append()
		}
		if err != nil {
			panic(err)
		}
	}
	fmt.Println(a.Len() > 100_000, b.Len() > 100_000, m.Stats().Arena.Committed <= 8<<20)
	// Output: true true true
}

func ExampleOptions_limit() {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Limit: 16 << 20}})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	t, err := newTrack(m, "track")
	if err != nil {
		panic(err)
	}
	err = t.fill(0, 10_000_000)
	fmt.Println(errors.Is(err, arena.ErrLimit), t.rows.Len() > 100_000)
	// Output: true true
}

func ExampleOptions_fills() {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Limit: 16 << 20}})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var tracks [3]*track
	for i := range tracks {
		if tracks[i], err = newTrack(m, fmt.Sprint("track", i)); err != nil {
			panic(err)
		}
	}
	for now := int64(0); err == nil; now++ {
		err = tracks[now%3].add(now, point{})
	}
	st := m.Stats()
	fmt.Println(st.Payload > 16<<20*7/8, st.Arena.Committed <= 16<<20)
	// Output: true true
}

func ExampleManager_Idle() {
	m, t := filled(1_000_000)
	defer m.Close()
	t.rows.RemoveRange(10, t.rows.Len())
	now := time.Now()
	for range 60 { // in a service: every second
		now = now.Add(time.Second)
		if err := m.Idle(now); err != nil {
			panic(err)
		}
	}
	fmt.Println(m.Stats().Arena.Idle, t.rows.Len())
	// Output: 0 10
}

func ExampleCol_Changed() {
	m, t := filled(20_000)
	defer m.Close()
	saved := m.Advance() // later writes are changes since then
	t.at.Set(t.rows.At(7), point{})
	n := 0
	for l := range t.at.Chunks(t.rows) {
		if t.at.Changed(l, saved) {
			n++ // save this chunk's column
		}
	}
	fmt.Println(n, "chunk")
	// Output: 1 chunk
}

// Rows that fill adds are changes, also in a chunk that was there.
func TestFilledRowsHaveChanged(t *testing.T) {
	m, track := filled(1)
	defer m.Close()
	for range 2 {
		saved := m.Advance()
		if err := track.fill(1, 10); err != nil {
			t.Fatal(err)
		}
		if first := track.rows.At(0); !track.times.Changed(first, saved) || !track.at.Changed(first, saved) {
			t.Error("a save of what has changed would leave rows out")
		}
	}
}

func ExampleRecorder() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path, file := filepath.Join(dir, "track.profile"), filepath.Join(dir, "track.layout")
	if err := os.WriteFile(file, []byte("ashlar layout 1\ncold track\n"), 0o600); err != nil {
		panic(err)
	}

	m, t := filled(10_000)
	defer m.Close()
	var rec memmgr.Recorder
	rec.Watch("track", t.rows, "time", "point")
	for range 100 { // intervals: frames, requests, seconds
		start := time.Now()
		sum := int64(0)
		for _, times := range t.times.Chunks(t.rows) {
			sum += times[0]
		}
		rec.Read("scan", t.rows, 0)
		rec.Took("scan", time.Since(start))
		rec.EndInterval()
	}
	recorded, _ := rec.Profile()
	if err := recorded.WriteFile(path); err != nil {
		panic(err)
	}

	approved, err := layout.Source{File: file}.Load()
	if err != nil {
		panic(err)
	}
	if err := m.Adapt(memmgr.AdaptOptions{}.With(approved)); err != nil {
		panic(err)
	}
	fmt.Println(recorded.Frames, "intervals;", recorded.Systems[0].Access[0].Rows, "rows read;", approved.Statements[0])
	// Output: 100 intervals; 1000000 rows read; cold track
}

func ExampleManager_Stats() {
	m, t := filled(10)
	if err := m.Check(); err != nil { // in tests: after whatever they do
		panic(err)
	}
	for _, s := range m.Stats().Sequences {
		if s.Chunks > 0 { // before Close: a leak
			fmt.Println(s.Name, s.Rows)
		}
	}
	t.rows.Drop()
	if err := m.Close(); err != nil {
		panic(err)
	}
	// Output: track 10
}

// Every piece of Go on the page is in these files, where it is compiled and run.
func TestEmbeddingPage(t *testing.T) {
	page, err := os.ReadFile("../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	have := ""
	for _, name := range []string{"embedding_test.go", "stretch_test.go", "../views/bounds_test.go"} {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		have += unindented(string(code))
	}
	pieces := strings.Split(string(page), "```go\n")[1:]
	if len(pieces) < 10 {
		t.Fatalf("%d pieces of Go on the page", len(pieces))
	}
	for _, piece := range pieces {
		text, _, closed := strings.Cut(piece, "```")
		for part := range strings.SplitSeq(text, "\n…\n") { // the page leaves lines out there
			if !closed || strings.TrimSpace(part) == "" || !strings.Contains(have, "\n"+strings.Trim(unindented(part), "\n")+"\n") {
				t.Errorf("no test has:\n%s", part)
			}
		}
	}
}

// unindented is text with the tabs before each line taken away.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}
	return b.String()
}
