package recording_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/memmgr/recording"
	"github.com/ashlar-go/ashlar/internal/profile"
)

func TestRecorder(t *testing.T) {
	m := manager(t, memmgr.Options{})
	wide, narrow, twin := newTable(t, m, "wide", 8, 16), newTable(t, m, "narrow", 8), newTable(t, m, "twin", 8)
	rec := recording.New(m)
	rec.Watch(wide, "time", "box")
	rec.Watch(narrow, "time")
	rec.WatchAs("narrow", twin, "time")
	full := int(wide.Layout().Capacity())
	scan, fill := rec.Reader("scan"), rec.Reader("fill")
	rec.Reader("never")
	if rec.Reader("scan") != scan {
		t.Error("a name has two readers")
	}

	// Three intervals: rows at their ends are full+10 and 7; 10 and 7; 10 and 12.
	add(t, wide, full+10)
	add(t, narrow, 3)
	add(t, twin, 4)
	scan.Read(wide, 0, 1)
	scan.Read(narrow, 0)
	scan.Read(twin, 0)
	scan.Took(3 * time.Microsecond)
	scan.Took(4 * time.Microsecond)
	fill.Write(wide, 0)
	rec.EndInterval()

	wide.DropFirst(1)
	scan.Touch(recording.Touch{Sequence: wide, Column: 1, Rows: 5, Chunks: 1})
	scan.Touch(recording.Touch{Sequence: wide, Column: 1, Rows: 2, Chunks: 2, Scattered: true})
	rec.EndInterval()

	add(t, twin, 5)
	scan.Touch(recording.Touch{Sequence: wide, Column: 1, Rows: 0, Chunks: 0, Write: true}) // says nothing
	scan.Took(time.Microsecond)
	fill.Took(2 * time.Microsecond)
	rec.EndInterval()

	w, f := uint64(full), uint64(10)
	want := profile.Profile{
		Frames:     3,
		Components: []profile.Component{{Name: "time", Size: 8, Align: 1}, {Name: "box", Size: 16, Align: 1}},
		Groups: []profile.Group{
			{Name: "wide", Owns: []string{"time", "box"}, Rows: w + 3*f, Chunks: 4, Peak: w + f, Last: f},
			{Name: "narrow", Owns: []string{"time"}, Rows: 7 + 7 + 12, Chunks: 6, Peak: 12, Last: 12},
		},
		Systems: []profile.System{
			{Name: "scan", Frames: 3, Timed: 2, Time: 8 * time.Microsecond, Access: []profile.Access{
				{Group: "wide", Component: "time", Rows: w + f, Chunks: 2, Bytes: 8 * (w + f)},
				{Group: "wide", Component: "box", Rows: w + f + 5, Chunks: 3, Bytes: 16 * (w + f + 5)},
				{Group: "narrow", Component: "time", Rows: 7, Chunks: 2, Bytes: 56},
				{Group: "wide", Component: "box", Scattered: true, Rows: 2, Chunks: 2, Bytes: 32},
			}},
			{Name: "fill", Frames: 2, Timed: 1, Time: 2 * time.Microsecond, Access: []profile.Access{{Group: "wide", Component: "time", Write: true, Rows: w + f, Chunks: 2, Bytes: 8 * (w + f)}}},
			{Name: "never"},
		},
	}
	got := rec.Profile()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	got.Groups[0].Owns[0] = "mine"
	if again := rec.Profile(); !reflect.DeepEqual(again, want) {
		t.Error("a profile is not its caller's own")
	}

	// It can be written, found and used.
	path := filepath.Join(t.TempDir(), "run.profile")
	file := profile.File{Profile: want}
	if err := file.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := profile.Load(profile.LoadOptions{Paths: []string{path}, Named: true, Mode: profile.Strict})
	if err != nil || !reflect.DeepEqual(loaded.Profile, want.Canonical()) {
		t.Fatalf("loaded %+v, %v", loaded.Profile, err)
	}

	heat := map[string]uint64{}
	for _, c := range rec.Map().Chunks {
		heat[c.Group] += c.Heat
	}
	asked := 8*(w+f) + 16*(w+f+5) + 32 + 8*(w+f)
	if got := heat["wide"]; got > asked*1000/3 || got < asked*1000/3-3 || rec.Map().Frame != 3 {
		t.Errorf("heat %d of %d bytes asked for in 3 intervals, frame %d", got, asked, rec.Map().Frame)
	}

	// What is noted of a sequence that goes stays.
	rec.Unwatch(twin)
	rec.Unwatch(twin)
	twin.Drop()
	rec.EndInterval()
	if g := rec.Profile().Groups[1]; g.Last != 3 || g.Peak != 12 || g.Rows != 26+3 {
		t.Errorf("after one of two sequences went: %+v", g)
	}
	panics(t, func() { scan.Read(twin, 0) }, "scan", "twin", "Watch")
}

func TestRecorderRefuses(t *testing.T) {
	m := manager(t, memmgr.Options{})
	a, b, c := newTable(t, m, "a", 8, 4), newTable(t, m, "b", 8, 4), newTable(t, m, "c", 8)
	foreign := newTable(t, manager(t, memmgr.Options{}), "f", 8)
	rec := recording.New(m)
	panics(t, func() { rec.Watch(a, "x") }, `"a"`, "1 names", "2 columns")
	panics(t, func() { rec.Watch(a, "x", "") }, `"a"`, "a name of its own")
	panics(t, func() { rec.Watch(a, "x", "x") }, `"a"`, "a name of its own")
	panics(t, func() { rec.Watch(foreign, "x") }, `"f"`, "another manager's")
	if p := rec.Profile(); len(p.Groups)+len(p.Components) != 0 {
		t.Errorf("what was refused is noted: %+v", p)
	}
	rec.Watch(a, "x", "y")
	panics(t, func() { rec.Watch(a, "x", "y") }, `"a"`, "already")
	panics(t, func() { rec.WatchAs("a", b, "x", "z") }, `"b"`, `group "a"`, "another name")
	panics(t, func() { rec.Watch(c, "y") }, `"y"`, "4 bytes", "another one")
	r := rec.Reader("r")
	panics(t, func() { r.Read(b, 0) }, `"r"`, "Watch first")
	panics(t, func() { r.Touch(recording.Touch{}) }, "touches no sequence", "use Recorder.Reader")
	panics(t, func() { new(recording.Reader).Touch(recording.Touch{Sequence: a}) }, "a zero Reader", "use Recorder.Reader")
	for _, touch := range []recording.Touch{{Column: 2}, {Column: -1}, {Rows: -1}, {Chunks: -1}} {
		touch.Sequence = a
		panics(t, func() { r.Touch(touch) }, `"r"`, `"a"`, "2 columns")
	}
	rec.EndInterval()
	if s := rec.Profile().Systems[0]; s.Frames != 0 || len(s.Access) != 0 {
		t.Errorf("what was refused is noted: %+v", s)
	}
}
