package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

var update = flag.Bool("update", false, "rewrite golden files")

const adviseFiles = "testdata/advise/"

// golden compares a text with a file, or writes it.
func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.ReplaceAll(string(want), "\r\n", "\n"); text != w {
		t.Errorf("%s: got\n%s\nwant\n%s", path, text, w)
	}
}

// village is the advice for a village on a machine with so many KiB of L2 cache.
func village(t *testing.T, cache string, args ...string) string {
	t.Helper()
	args = append([]string{"advise", adviseFiles + "village.profile", "-cache", cache}, args...)
	status, out, errs := call(t, args...)
	if status != 0 || errs != "" {
		t.Fatalf("%q: status %d, %s", args, status, errs)
	}
	return out
}

// Rows that all fit into the caches need no other order.
func TestAdvise(t *testing.T) {
	for cache, sorts := range map[string]bool{"512": true, "16384": false} {
		out := village(t, cache)
		golden(t, adviseFiles+"cache-"+cache+".golden", out)
		if strings.Contains(out, "SortAs") != sorts || !strings.Contains(out, "free and resident") {
			t.Errorf("%s:\n%s", cache, out)
		}
	}
}

// Without a map there is advice of the profile alone, and of an empty one none.
func TestAdviseAlone(t *testing.T) {
	status, out, errs := call(t, "advise", adviseFiles+"alone.profile", "-cache", "512")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	golden(t, adviseFiles+"alone.golden", out)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("ashlar profile 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := call(t, "advise", empty); !strings.HasSuffix(out, "\n\nnothing to advise\n") {
		t.Errorf("of an empty one: %s%s", out, errs)
	}
}

// Lines about time are alternatives, and it is said. One about time and one about memory are not.
func TestAdviseAddsUp(t *testing.T) {
	const note = "These savings do not add up"
	r := recordedRun{profile: profile.Profile{Frames: 1, Groups: []profile.Group{{Name: "a"}, {Name: "b"}}, Systems: []profile.System{{
		Name: "s", Frames: 1, Timed: 1, Times: profile.Times{P50: time.Millisecond},
		Access: []profile.Access{{Group: "a", Component: "x", Rows: 10_000}, {Group: "b", Component: "y", Scattered: true, Rows: 10_000}},
	}}}, chunks: profile.Map{Regions: []profile.Region{{Free: ^uint32(0), Dirty: ^uint32(0)}}}}
	if text := r.advice(); !strings.Contains(text, "\n1. groups: ") || !strings.Contains(text, "\n2. idle: ") || strings.Contains(text, note) {
		t.Errorf("%s", text)
	}
	r.profile.Components = []profile.Component{{Name: "y", Size: 64}}
	r.profile.Systems[0].Choices = []profile.Choice{{Group: "a", Component: "y", Use: "gathered"}}
	if text := r.advice(); !strings.Contains(text, "\n2. field: ") || !strings.HasSuffix(text, note+": follow the first line, record again, and ask again.\n") {
		t.Errorf("%s", text)
	}
}

func TestAdviseMistakes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good", "ashlar profile 1\n")
	beside := file("beside", "ashlar profile 1\n")
	file("beside.map", "ashlar map 1\nfly\nend\n")
	other := file("other", "ashlar profile 1\nframes 1\nend\n")
	file("other.map", "ashlar map 1\nframe 1\nrun 0000000000000001\nend\n")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"advise"}, 2, "advise needs a file"},
		{[]string{"advise", good, "-warp"}, 2, "not defined: -warp"},
		{[]string{"advise", filepath.Join(dir, "none")}, 1, "name a file that is there"},
		{[]string{"advise", file("bad", "ashlar profile 1\nfly\n")}, 1, "bad:2:1: "},
		{[]string{"advise", beside}, 1, `beside.map:2:1: "fly" is not a statement`},
		{[]string{"advise", other}, 1, "other.map is the map of another run: name the one that was recorded with the profile"},
		{[]string{"advise", good, "-placement", filepath.Join(dir, "none.map")}, 1, "name a map that a run has recorded"},
		{[]string{"advise", good, "-cache", "-1"}, 2, `invalid value "-1" for flag -cache`},
	} {
		status, out, errs := call(t, tt.args...)
		if status != tt.status || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %s%s\nwant %d, %s", tt.args, status, out, errs, tt.status, tt.want)
		}
	}
	a, b := file("a", "ashlar profile 1\nframes 1\ncomponent c size 8 align 8\nend\n"), file("b", "ashlar profile 1\nframes 1\ncomponent d size 8 align 8\nend\n")
	if _, _, errs := call(t, "advise", a, b); !strings.Contains(errs, "have less than half of their components in common") || strings.Contains(errs, "-unrelated") {
		t.Errorf("of two programs: %s", errs)
	}
	// All that is wrong with the files, at once.
	_, _, errs := call(t, "advise", filepath.Join(dir, "bad"), "-placement", filepath.Join(dir, "none.map"))
	for _, want := range []string{"bad:2:1", "none.map"} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %s in %s", want, errs)
		}
	}
	var e strings.Builder
	if status := run(t.Context(), console{nil, full{}, &e, false, false, verb{}}, []string{"advise", good}); status != 1 || !strings.Contains(e.String(), "no space left") {
		t.Errorf("not printed: status %d, %s", status, e.String())
	}
}

// Programs of the command get the advice that they need: the game, which has a group apart for each
// reader, to leave them out, and churn after a wave that memory is free.
func TestAdvisePrograms(t *testing.T) {
	for run, want := range map[string][]string{
		"game -apart -entities 8000 -frames 96":                  {"groups: saves ", "Leave out GroupOf for bodies, brains, skeletons, sounds, sprites and transforms;"},
		"churn -entities 12000 -groups 3 -frames 450 -adapt=off": {"idle: saves ", "blocks of 64 KiB were", "free and resident"},
	} {
		path := filepath.Join(t.TempDir(), "p")
		if status, _, errs := call(t, append(strings.Fields("run "+run), "-record", path)...); status != 0 {
			t.Fatalf("%s: status %d, %s", run, status, errs)
		}
		_, out, _ := call(t, "advise", path)
		for _, w := range want {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), w) {
				t.Errorf("%s: no %q in\n%s", run, w, out)
			}
		}
	}
}
