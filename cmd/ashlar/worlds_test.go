package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A file of two worlds is merged from one of each, shown, compared and advised world by world, and
// a recording replaces statements about its own.
func TestWorlds(t *testing.T) {
	dir := t.TempDir()
	const facts = "\nframes 10\nsystem move frames 10\ngroup body rows 50 chunks 10 peak 5 last 5\nend\n"
	level := writeText(t, filepath.Join(dir, "level"), "ashlar profile 1\nworld level"+facts)
	menu := writeText(t, filepath.Join(dir, "menu"), "ashlar profile 1\nworld menu"+facts)
	both := filepath.Join(dir, "both")
	good := func(want string, args ...string) string {
		t.Helper()
		status, out, errs := call(t, args...)
		if status != 0 || errs != "" || !strings.Contains(out, want) {
			t.Fatalf("%q: status %d, %s\n%s\nwant %s", args, status, errs, out, want)
		}
		return out
	}
	good("", "profile", "merge", "-o", both, level, menu)
	good("world menu: facts over 10 frames", "profile", "show", both)
	good(": world level: good: frames 10, systems 1, groups 1\n", "profile", "check", both)
	good("no differences per frame", "profile", "diff", both, both)
	good(": world menu: 10 frames, 1 system, 1 group\n", "advise", both)
	status, out, _ := call(t, "profile", "diff", level, both)
	if status != 1 || !strings.Contains(out, "added  world menu: system move\n") || strings.Contains(out, "level") {
		t.Errorf("status %d\n%s", status, out)
	}

	// The scenarios have no name: statements about named worlds stay.
	before := readText(t, both)
	runs(t, "run churn -entities 3000 -frames 5 -groups 2", "-record", both)
	after := readText(t, both)
	if worlds := strings.TrimPrefix(before, "ashlar profile 1\n"); !strings.HasSuffix(after, worlds) || !strings.Contains(after, "\nframes 5\n") {
		t.Errorf("recorded:\n%s", after)
	}
	good("\nmap      "+both+".map: frame 5,", "advise", both)
}
