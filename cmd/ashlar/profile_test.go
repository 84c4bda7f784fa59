package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const levelProfile = "../../profile/testdata/level.profile"

func goldenText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../profile/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func TestProfileShow(t *testing.T) {
	status, out, errs := call(t, "profile", "show", levelProfile)
	if status != 0 || errs != "" || !strings.Contains(out, "facts over 1200 frames, reads by handle counted in 4 of them, by layout 0123456789abcdef\n") || !strings.Contains(out, "\ngroup ") {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("ashlar profile 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := call(t, "profile", "show", empty); status != 0 || !strings.Contains(out, "the profile is empty") {
		t.Errorf("empty: status %d, %s%s", status, out, errs)
	}
}

func TestProfileCheck(t *testing.T) {
	status, out, errs := call(t, "profile", "check", levelProfile, "../../profile/testdata/level.canonical")
	if want := levelProfile + ": good: frames 1200, systems 3, groups 2\n../../profile/testdata/level.canonical: good: frames 1200, systems 3, groups 2\n"; status != 0 || errs != "" || out != want {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	// All problems of all files, and the good ones are named as such.
	status, out, errs = call(t, "profile", "check", "../../profile/testdata/wrong1.profile", levelProfile, "../../profile/testdata/wrong2.profile")
	if want := levelProfile + ": good: frames 1200, systems 3, groups 2\n"; status != 1 || out != want {
		t.Errorf("status %d\n%s", status, out)
	}
	problems := strings.ReplaceAll(goldenText(t, "wrong1.problems")+goldenText(t, "wrong2.problems"), "testdata/", "../../profile/testdata/")
	if errs != "ashlar: "+problems {
		t.Errorf("%s\nwant\n%s", errs, problems)
	}
}

// Merged with itself, a profile is the same per frame. A difference is exit status 1.
func TestProfileMergeAndDiff(t *testing.T) {
	out := filepath.Join(t.TempDir(), "merged")
	for range 2 { // the second time over the first
		status, printed, errs := call(t, "profile", "merge", "-o", out, levelProfile, levelProfile, levelProfile)
		if status != 0 || printed != "" || errs != "" {
			t.Fatalf("status %d, %s%s", status, printed, errs)
		}
	}
	merged, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nframes 3600 sampled 12 early 126300us layout 0123456789abcdef\n", "\ncomponent position size 16 align 8\n", "access move body position write rows 3600000 chunks 18000 bytes 57600000\n"} {
		if strings.Count(string(merged), want) != 1 {
			t.Errorf("not one %q in\n%s", want, merged)
		}
	}
	if status, printed, errs := call(t, "profile", "diff", levelProfile, out); status != 0 || printed != "no differences per frame\n" {
		t.Errorf("status %d, %s%s", status, printed, errs)
	}
	if status, printed, errs := call(t, "profile", "merge", levelProfile, "-o=-", out); status != 0 || !strings.Contains(printed, "frames 4800 sampled 16 early 126300us layout 0123456789abcdef\n") {
		t.Errorf("status %d, %s%s", status, printed, errs)
	}
	if err := os.WriteFile(out, []byte(strings.Replace(string(merged), "size 4 align 4", "size 8 align 4", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, printed, errs := call(t, "profile", "diff", levelProfile, out); status != 1 || errs != "" || printed != "changed  component \"odd, name\" size 4 align 4 → component \"odd, name\" size 8 align 4\n" {
		t.Errorf("status %d, %s%s", status, printed, errs)
	}
	// A contradiction is refused, and the file that was there stays.
	before, _ := os.ReadFile(out)
	status, printed, errs := call(t, "profile", "merge", "-o", out, levelProfile, out)
	if status != 1 || printed != "" || !strings.Contains(errs, levelProfile+" and "+out+" contradict each other:\nprofile: component \"odd, name\": one profile states") {
		t.Errorf("status %d, %s%s", status, printed, errs)
	}
	if after, _ := os.ReadFile(out); string(after) != string(before) {
		t.Error("the file has changed")
	}
}

func TestProfileMistakes(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"", "needs a task"},
		{"burn x", `unknown task "burn"`},
		{"show", "use profile show FILE"},
		{"show a b", "use profile show FILE"},
		{"check", "use profile check FILE…"},
		{"merge -o x a", "use profile merge -o OUT [-unrelated] FILE FILE…"},
		{"merge a b", "merge needs -o OUT"},
		{"diff a", "use profile diff A B"},
		{"diff a b -o c", "diff has no flag -o"},
		{"show a -unrelated", "show has no flag -unrelated"},
		{"show -warp a", "flag provided but not defined"},
	} {
		status, _, errs := call(t, append([]string{"profile"}, strings.Fields(tt.args)...)...)
		if status != 2 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d, %q; want %q", tt.args, status, errs, tt.want)
		}
	}
}

// Files that are no profiles, for each task: status 1, the file's name, the fault and the remedy.
func TestProfileWrongFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := map[string]string{
		filepath.Join(dir, "missing"):        "name a file that is there and can be read, or record one",
		dir:                                  dir + ": it is a directory: name the profile in it",
		file("binary", "\x7fELF\x02", 0o600): "binary:1:1: byte 0x7f is not valid text",
		file("truncated", "ashlar profile 1\nframes 10\nsystem mo", 0o600):                        "truncated:3:10: missing: frames",
		file("future", "ashlar profile 9\n", 0o600):                                               "future:1:16: the file has version 9, and this program reads up to 1: use a newer ashlar",
		file("empty", "", 0o600):                                                                  "empty: the file is empty",
		file("huge", "ashlar profile 1\n"+strings.Repeat("# 345678901234567\n", 1000_000), 0o600): "huge:932068: the file has more than 16777216 bytes",
	}
	if secret := file("secret", "ashlar profile 1\n", 0o000); runtime.GOOS != "windows" && os.Geteuid() != 0 {
		tests[secret] = "permission denied: name a file that is there and can be read"
	}
	good := file("good", "ashlar profile 1\n", 0o600)
	out := filepath.Join(dir, "out")
	for path, want := range tests {
		for _, args := range [][]string{{"show", path}, {"check", good, path}, {"merge", "-o", out, good, path}, {"diff", path, good}} {
			status, _, errs := call(t, append([]string{"profile"}, args...)...)
			if status != trouble(args) || !strings.Contains(errs, path) || !strings.Contains(errs, want) {
				t.Errorf("%.200s: status %d, %.300s; want %s", args, status, errs, want)
			}
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
	for path, want := range map[string]string{dir: "is not a regular file", filepath.Join(dir, "none", "out"): "the old files are unchanged"} {
		if status, _, errs := call(t, "profile", "merge", "-o", path, good, good); status != 1 || !strings.Contains(errs, want) {
			t.Errorf("into %s: status %d, %s", path, status, errs)
		}
	}
}

// trouble is the exit status of a task that can't do its work. That of diff is not the one which
// says that files differ.
func trouble(args []string) int {
	if args[0] == "diff" {
		return 2
	}
	return 1
}

// Output that can't be printed is an error.
func TestProfileNotPrinted(t *testing.T) {
	for _, args := range [][]string{{"show", levelProfile}, {"check", levelProfile}, {"merge", "-o", "-", levelProfile, levelProfile}, {"diff", levelProfile, levelProfile}} {
		var e strings.Builder
		if status := run(t.Context(), console{nil, full{}, &e, false, false, verb{}}, append([]string{"profile"}, args...)); status != trouble(args) || !strings.Contains(e.String(), "no space left") {
			t.Errorf("%v: status %d, %s", args, status, e.String())
		}
	}
}

// Profiles of different programs are joined only on demand. One file may relate two others, in
// whatever order they are named.
func TestProfileMergeUnrelated(t *testing.T) {
	dir := t.TempDir()
	file := func(name, facts string) string {
		return writeText(t, filepath.Join(dir, name), "ashlar profile 1\nframes 1\n"+facts+"end\n")
	}
	a, b := file("a", "component c size 8 align 8\n"), file("b", "component d size 8 align 8\n")
	like := file("like", "component d size 8 align 8\nsystem move frames 1\n")
	if status, out, errs := call(t, "profile", "merge", "-o", "-", file("moving", "component c size 8 align 8\nsystem move frames 1\n"), like); status != 1 || out != "" || !strings.Contains(errs, "moving and "+like+" have less than half") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	bridge := file("bridge", "component c size 8 align 8\ncomponent d size 8 align 8\n")
	status, out, errs := call(t, "profile", "merge", "-o", "-", a, b)
	if want := a + " and " + b + " have less than half of their components in common: name profiles of one program, and name each of its worlds; -unrelated joins them nevertheless"; status != 1 || out != "" || !strings.Contains(errs, want) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	for _, args := range [][]string{{"-unrelated", a, b}, {a, b, bridge}, {bridge, a, b}, {a, bridge, b}} {
		status, out, errs := call(t, append([]string{"profile", "merge", "-o", "-"}, args...)...)
		if status != 0 || strings.Count(out, "component ") != 2 {
			t.Errorf("%v: status %d, %s%s", args, status, out, errs)
		}
	}
}
