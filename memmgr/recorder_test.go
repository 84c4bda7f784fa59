package memmgr_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

func TestRecorder(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var times memmgr.Col[time8]
	var boxes memmgr.Col[box16]
	var narrows, twins memmgr.Col[time8]
	wide, narrow, twin := newRows(t, m, "wide", &times, &boxes), newRows(t, m, "narrow", &narrows), newRows(t, m, "twin", &twins)
	var rec memmgr.Recorder
	if p, places := rec.Profile(); !reflect.DeepEqual(p, profile.Profile{}) || !reflect.DeepEqual(places, profile.Map{}) {
		t.Errorf("before all: %+v, %+v", p, places)
	}
	rec.Watch("wide", wide, "time", "box")
	rec.Watch("narrow", narrow, "time")
	rec.Watch("narrow", twin, "time")
	var nones memmgr.Col[time8]
	none := newRows(t, m, "none", &nones)
	rec.Watch("narrow", none, "time")

	// Three intervals: rows at their ends are full+10 and 7; 10 and 7; 10 and 12.
	full := 0
	add(t, wide, 1<<13)
	for _, ts := range times.Chunks(wide) {
		full = max(full, len(ts))
	}
	wide.RemoveRange(0, wide.Len())
	add(t, wide, full+10)
	add(t, narrow, 3)
	add(t, twin, 4)
	rec.Read("scan", wide, 0, 1)
	rec.Read("scan", narrow, 0)
	rec.Read("scan", twin, 0)
	rec.Took("scan", 3*time.Microsecond)
	rec.Took("scan", 4*time.Microsecond)
	rec.Write("fill", wide, 0)
	rec.EndInterval()

	if n := wide.DropFirst(full + 9); n != full {
		t.Errorf("%d rows dropped, want %d", n, full)
	}
	rec.Read("scan", wide, 1)
	rec.EndInterval()

	add(t, twin, 5)
	rec.Write("scan", none, 0) // says nothing
	rec.Took("scan", time.Microsecond)
	rec.Took("fill", 2*time.Microsecond)
	rec.EndInterval()

	w, f, align := uint64(full), uint64(10), reflect.TypeFor[time8]().Align()
	want := profile.Profile{
		Frames:     3,
		Components: []profile.Component{{Name: "time", Size: 8, Align: align}, {Name: "box", Size: 16, Align: align}},
		Groups: []profile.Group{
			{Name: "wide", Owns: []string{"time", "box"}, Rows: w + 3*f, Chunks: 4, Peak: w + f, Last: f},
			{Name: "narrow", Owns: []string{"time"}, Rows: 7 + 7 + 12, Chunks: 6, Peak: 12, Last: 12},
		},
		Systems: []profile.System{
			{Name: "scan", Frames: 3, Timed: 2, Times: profile.Times{P10: time.Microsecond, P50: time.Microsecond + 24*time.Nanosecond, P90: 7 * time.Microsecond, P99: 7 * time.Microsecond}, Access: []profile.Access{
				{Group: "wide", Component: "time", Rows: w + f, Chunks: 2, Bytes: 8 * (w + f)},
				{Group: "wide", Component: "box", Rows: w + f + f, Chunks: 3, Bytes: 16 * (w + f + f)},
				{Group: "narrow", Component: "time", Rows: 7, Chunks: 2, Bytes: 56},
			}},
			{Name: "fill", Frames: 2, Timed: 1, Times: profile.Times{P10: 2 * time.Microsecond, P50: 2 * time.Microsecond, P90: 2 * time.Microsecond, P99: 2 * time.Microsecond}, Access: []profile.Access{{Group: "wide", Component: "time", Write: true, Rows: w + f, Chunks: 2, Bytes: 8 * (w + f)}}},
		},
	}
	got, _ := rec.Profile()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	got.Groups[0].Owns[0] = "mine"
	if again, _ := rec.Profile(); !reflect.DeepEqual(again, want) {
		t.Error("a profile is not its caller's own")
	}

	// It can be written, found and used.
	path := filepath.Join(t.TempDir(), "run.profile")
	if err := want.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	want, _ = profile.Merge(want, profile.Profile{}) // in the order of the file
	if read, err := profile.ReadFile(path); err != nil || !reflect.DeepEqual(read, want) {
		t.Fatalf("read %+v, %v", read, err)
	}

	heat := map[string]uint64{}
	_, places := rec.Profile()
	for _, c := range places.Chunks {
		heat[c.Group] += c.Heat
	}
	asked := 8*(w+f) + 16*(w+f+f) + 8*(w+f)
	if got := heat["wide"]; got > asked*1000/3 || got < asked*1000/3-3 || places.Frame != 3 {
		t.Errorf("heat %d of %d bytes asked for in 3 intervals, frame %d", got, asked, places.Frame)
	}

	// The record of a sequence that goes stays.
	twin.Drop()
	rec.EndInterval()
	if p, _ := rec.Profile(); p.Groups[1].Last != 3 || p.Groups[1].Peak != 12 || p.Groups[1].Rows != 26+3 {
		t.Errorf("after one of two sequences went: %+v", p.Groups[1])
	}
	panics(t, func() { rec.Read("scan", twin, 0) }, "scan", "twin", "Watch")
}

// Reads and writes of a column are apart, and a caller may change the profile without changing the record.
func TestRecorderKeepsItsOwn(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var times memmgr.Col[time8]
	rows := newRows(t, m, "rows", &times)
	add(t, rows, 5)
	var rec memmgr.Recorder
	rec.Watch("rows", rows, "time")
	rec.Write("both", rows, 0)
	rec.Read("both", rows, 0)
	rec.EndInterval()
	first, _ := rec.Profile()
	first.Systems[0].Access[0].Rows, first.Groups[0].Owns[0] = 99, "other"
	again, _ := rec.Profile()
	want := []profile.Access{
		{Group: "rows", Component: "time", Write: true, Rows: 5, Chunks: 1, Bytes: 40},
		{Group: "rows", Component: "time", Rows: 5, Chunks: 1, Bytes: 40},
	}
	if got := again.Systems[0].Access; !reflect.DeepEqual(got, want) || again.Groups[0].Owns[0] != "time" {
		t.Errorf("%+v, owns %v; want %+v", got, again.Groups[0].Owns, want)
	}
}

func TestRecorderRefuses(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var xs, zs [2]memmgr.Col[time8]
	var ys, ws memmgr.Col[uint32]
	a, b, c := newRows(t, m, "a", &xs[0], &ys), newRows(t, m, "b", &xs[1], &ws), newRows(t, m, "c", &zs[0])
	foreign := newRows(t, manager(t, memmgr.Options{}), "f", &zs[1])
	var rec memmgr.Recorder
	panics(t, func() { rec.Watch("a", a, "x") }, `"a"`, "1 names", "2 columns")
	panics(t, func() { rec.Watch("a", a, "x", "") }, `"a"`, "a name of its own")
	panics(t, func() { rec.Watch("a", a, "x", "x") }, `"a"`, "a name of its own")
	panics(t, func() { rec.Watch("f", foreign, "x") }, `"f"`, "another manager's")
	if p, _ := rec.Profile(); len(p.Groups)+len(p.Components) != 0 {
		t.Errorf("what was refused is noted: %+v", p)
	}
	rec.Watch("a", a, "x", "y")
	panics(t, func() { rec.Watch("a", a, "x", "y") }, `"a"`, "already")
	panics(t, func() { rec.Watch("a", b, "x", "z") }, `"b"`, `group "a"`, "another name")
	panics(t, func() { rec.Watch("c", c, "y") }, `"y"`, "4 bytes", "another one")
	panics(t, func() { rec.Watch("", b, "x", "z") }, `"b"`, "a group without a name")
	panics(t, func() { rec.Read("r", b, 0) }, `"r"`, "Watch first")
	panics(t, func() { rec.Write("", a, 0) }, "a reader without a name")
	panics(t, func() { rec.Took("", time.Second) }, "a reader without a name")
	panics(t, func() { rec.Write("r", a, 2) }, `"r"`, `"a"`, "2 columns")
	panics(t, func() { rec.Write("r", a, -1) }, `"r"`, `"a"`, "2 columns")
	rec.EndInterval()
	if p, _ := rec.Profile(); len(p.Systems) != 0 {
		t.Errorf("what was refused is noted: %+v", p.Systems)
	}
}
