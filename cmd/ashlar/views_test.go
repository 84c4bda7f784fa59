package main

import (
	"strings"
	"testing"
)

const viewsFiles = "testdata/views/"

func TestViews(t *testing.T) {
	status, out, errs := call(t, "views", viewsFiles+"stage.profile")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	golden(t, viewsFiles+"stage.golden", out)
}

// The record of a run of game is shown, system by system.
func TestViewsOfARun(t *testing.T) {
	path := recordGame(t)
	status, out, errs := call(t, "views", path)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, want := range []string{"over 70 frames", "\nsprites", "transform.Position", "\ncull", "\nused by"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestViewsOfNothing(t *testing.T) {
	path := writeText(t, t.TempDir()+"/p", "ashlar profile 1\nframes 3\nend\n")
	if status, out, errs := call(t, "views", path); status != 0 || errs != "" || !strings.Contains(out, "has no shared components") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

func TestViewsMistakes(t *testing.T) {
	bad := writeText(t, t.TempDir()+"/bad", "ashlar profile 1\nframes 3\nsystem s frames 1\nchoice s g c often frames 1 chunks 1 stale 1\nend\n")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "views needs one file"},
		{[]string{"a", "b"}, 2, "views needs one file"},
		{[]string{"-why", "x", "a"}, 2, "-why"},
		{[]string{t.TempDir() + "/none"}, 1, "name a file that is there"},
		{[]string{t.TempDir()}, 1, "it is a directory"},
		{[]string{adviseFiles + "village.profile.map"}, 1, "the file is an ashlar map, not a profile"},
		{[]string{bad}, 1, `bad:4:14: unexpected "often": the strategy is one of direct, gathered, cached`},
	} {
		if status, out, errs := call(t, append([]string{"views"}, tt.args...)...); status != tt.status || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %s%s; want %q", tt.args, status, out, errs, tt.want)
		}
	}
}
