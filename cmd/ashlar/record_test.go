package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// Runs of these tests: enough entities for several regions.
const (
	churnRun = "run churn -entities 30000 -frames 120 -groups 9"
	lifeRun  = "run life " + patterns + "acorn.rle -generations 400"
)

// runs carries out a run, which has to end well, and returns its state hash and all
// that it printed.
func runs(t *testing.T, line string, args ...string) (hash, out string) {
	t.Helper()
	args = append(strings.Fields(line), args...)
	status, out, errs := call(t, args...)
	hash = found(out, `state hash +([0-9a-f]{16})\n`)
	if status != 0 || hash == "" {
		t.Fatalf("%q: status %d, %s\n%s", args, status, errs, out)
	}
	return hash, out + errs
}

// found is the match of an expression's parentheses; "" if there is no match.
func found(text, expression string) string {
	m := regexp.MustCompile(expression).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

func writeText(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// record is a file that a run has recorded, with its map beside it.
func record(t *testing.T, line string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.profile")
	runs(t, line, "-record", path)
	return path
}

// Every verb reads the record of a run.
func TestRecordToEveryVerb(t *testing.T) {
	hash, _ := runs(t, churnRun)
	path := filepath.Join(t.TempDir(), "run.profile")
	if again, _ := runs(t, churnRun, "-record", path); again != hash {
		t.Errorf("recording: hash %s, want %s", again, hash)
	}
	for _, tt := range []struct {
		args []string
		want string // a regular expression
	}{
		{[]string{"profile", "check", path}, `good: frames 120, `},
		{[]string{"profile", "show", path}, `(?s)^facts over 120 frames\n.*\nwalkers.0 .* place.0,motion.0,life.0,trail.0\n.*\nmove +1 .*\nseek +walkers.0|seek +seekers.1`},
		{[]string{"profile", "diff", path, path}, `^no differences per frame\n$`},
		{[]string{"advise", path}, `map      .*run.profile.map: frame 120, regions: \d+, chunks: \d+\n`},
		{[]string{"map", path + ".map"}, `(?s)frame 120.*A = `},
		{[]string{"map", path + ".map", "-by", "heat"}, `region +0 `},
	} {
		status, out, errs := call(t, tt.args...)
		if status != 0 || errs != "" || !regexp.MustCompile(tt.want).MatchString(out) {
			t.Errorf("%q: status %d, %s\n%s\nwant %s", tt.args, status, errs, out, tt.want)
		}
	}
	if status, out, errs := process(t, "pprof", "-top", path); status != 0 || !strings.Contains(out, "column:trail.0\n") {
		t.Errorf("pprof of the profile: status %d, %s%s", status, errs, out)
	}
	if status, out, errs := process(t, "pprof", "-top", path+".map"); status != 0 || !strings.Contains(out, "group:plants.2\n") {
		t.Errorf("pprof of the map: status %d, %s%s", status, errs, out)
	}
}

// A record has the hash of the layout that the run went by, and the next one that of its own.
func TestRecordNamesLayout(t *testing.T) {
	const line = "run churn -entities 500 -frames 20 -groups 3"
	dir := t.TempDir()
	path := filepath.Join(dir, "run.profile")
	file := writeText(t, filepath.Join(dir, "a.layout"), churnLayout)
	_, good, _ := call(t, "layout", "check", file)
	hash := found(good, `hash ([0-9a-f]{16})\n`)
	for _, tt := range []struct{ layout, want string }{
		{file, "\nframes 20 sampled 1 layout " + hash + "\n"}, {"off", "\nframes 20 sampled 1\n"}, {file, "\nframes 20 sampled 1 layout " + hash + "\n"},
	} {
		runs(t, line, "-record", path, "-layout", tt.layout)
		if text := readText(t, path); !strings.Contains(text, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.layout, tt.want, text)
		}
	}
	if _, out, _ := call(t, "profile", "show", path); !strings.Contains(out, ", by layout "+hash+"\n") {
		t.Errorf("not shown in\n%s", out)
	}
}

// Where a recording can't go is said before the run, and nothing that is there changes.
func TestRecordRefused(t *testing.T) {
	dir := t.TempDir()
	const good = "ashlar profile 1\nframes 1\nend\n"
	bad := writeText(t, filepath.Join(dir, "bad"), "ashlar profile 1\ngroup\n")
	future := writeText(t, filepath.Join(dir, "future"), "ashlar profile 9\n")
	cut := writeText(t, filepath.Join(dir, "cut"), "ashlar profile 1\nframes 10\n")
	taken := writeText(t, filepath.Join(dir, "taken"), good)
	writeText(t, taken+".map", "my notes\n")
	mapped := writeText(t, filepath.Join(dir, "mapped"), "ashlar map 1\nframe 7\nend\n")
	swapped := filepath.Join(dir, "swapped")
	writeText(t, swapped+".map", good)
	noMap := filepath.Join(dir, "nomap")
	if err := os.Mkdir(noMap+".map", 0o700); err != nil {
		t.Fatal(err)
	}
	tests := map[string][2]string{ // the text of the message, and the remedy in it
		bad:                              {"bad:2", "name another FILE, or correct this one"},
		future:                           {"future:1:16: the file has version 9", "use a newer ashlar"},
		cut:                              {"cut:2", "name another FILE, or correct this one"},
		taken:                            {"taken.map is a file of an unknown kind, and no map is written over it", "name another file, or remove it first"},
		mapped:                           {"mapped is a map, and no profile is written over it", "name another file, or remove it first"},
		swapped:                          {"swapped.map is a profile, and no map is written over it", "name another file, or remove it first"},
		noMap:                            {"nomap.map is not a regular file", "name another file"},
		dir:                              {dir + " is not a regular file", "name another file"},
		"http://example.org/p":           {"http://example.org/p is an address", "name a file"},
		filepath.Join(dir, "none", "p"):  {filepath.Join("none", "p") + " can't be written", "in a directory that exists"},
		filepath.Join(bad, "p"):          {filepath.Join("bad", "p"), "name a"},
		filepath.Join(dir, "no\x00name"): {"name", "name another file"},
	}
	if locked := filepath.Join(dir, "locked"); os.Mkdir(locked, 0o500) == nil && os.Geteuid() > 0 {
		tests[filepath.Join(locked, "p")] = [2]string{"p can't be written", "can be written to"}
	}
	if linked := filepath.Join(dir, "linked"); runtime.GOOS == "linux" && os.Symlink("/proc/self/comm", linked) == nil {
		tests[linked] = [2]string{"linked can't be written", "is writable"}
	}
	before := snapshot(t, dir)
	for path, want := range tests {
		status, out, errs := call(t, "run", "churn", "-entities", "100", "-frames", "2", "-record", path)
		if status != 1 || out != "" || !strings.Contains(errs, want[0]) || !strings.Contains(errs, want[1]) {
			t.Errorf("%q: status %d, %s%s\nwant %q", path, status, out, errs, want)
		}
		if is := snapshot(t, dir); is != before {
			t.Errorf("%q: the directory had\n%s\nand has\n%s", path, before, is)
		}
	}
}

// snapshot is names and contents of a directory's files.
func snapshot(t *testing.T, dir string) (text string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		text += e.Name() + "\n"
		if e.Type().IsRegular() {
			text += readText(t, filepath.Join(dir, e.Name()))
		}
	}
	return text
}

// A disk that fills up during the run: the summary is there, the error too, and the
// old profile and map are unchanged.
func TestRecordFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", dir)
	if out, err := mount.CombinedOutput(); runtime.GOOS != "linux" || err != nil {
		t.Skipf("a small disk can't be mounted here (package profile lets each step of a write fail): %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	path := writeText(t, filepath.Join(dir, "run.profile"), "ashlar profile 1\n# mine\n\nframes 1\nend\n")
	writeText(t, path+".map", "ashlar map 1\nframe 7\nend\n")
	before := snapshot(t, dir)
	for _, line := range []string{"run churn -entities 2000 -frames 320 -groups 30", lifeRun} {
		if line == lifeRun { // its profile is short: no room at all
			writeText(t, filepath.Join(dir, "a"), strings.Repeat("x", 8192))
			before = snapshot(t, dir)
		}
		status, out, errs := call(t, append(strings.Fields(line), "-record", path)...)
		if status != 1 || !strings.Contains(out, "state hash") || !strings.Contains(errs, path) || !strings.Contains(errs, "no space left") || !strings.Contains(errs, path+" is unchanged, "+path+".map is unchanged") || !strings.Contains(errs, "make room there") || strings.Contains(out, "recorded  ") {
			t.Errorf("%s: status %d, %s\n%s", line, status, errs, out)
		}
		if is := snapshot(t, dir); is != before {
			t.Errorf("%s: the directory had\n%s\nand has\n%s", line, before, is)
		}
	}
}

// Empty files are replaced, and damaged maps: there is nothing to keep in them.
func TestRecordOverEmpty(t *testing.T) {
	path := writeText(t, filepath.Join(t.TempDir(), "run.profile"), "")
	writeText(t, path+".map", "ashlar map 1\nfra")
	_, out := runs(t, "run churn -entities 100 -frames 2", "-record", path)
	if !regexp.MustCompile(`recorded +` + regexp.QuoteMeta(path+" and "+path) + `.map\n`).MatchString(out) {
		t.Errorf("not said in\n%s", out)
	}
	f, err := profile.ReadFile(path)
	m, errMap := profile.ReadMap(path + ".map")
	if err != nil || errMap != nil || f.Frames != 2 || m.Frame != 2 {
		t.Errorf("%v, %v", err, errMap)
	}
	if status, _, errs := call(t, strings.Fields("run churn -record -")...); status != 2 || !strings.Contains(errs, "-record writes two files, FILE and FILE.map") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// interrupts is a terminal with a user that presses Ctrl-C once progress is seen.
type interrupts struct {
	bytes.Buffer
	cancel context.CancelFunc
}

func (i *interrupts) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("frame ")) {
		i.cancel()
	}
	return i.Buffer.Write(p)
}

// The record until Ctrl-C is written.
func TestRecordInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.profile")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var o bytes.Buffer
	e := &interrupts{cancel: cancel}
	status := run(ctx, console{nil, &o, e, true, false, verb{}}, strings.Fields("run churn -entities 500 -frames 1000000000 -record "+path))
	if status != 130 || !strings.HasSuffix(e.String(), "ashlar: interrupted\n") {
		t.Fatalf("status %d, %s", status, e.String())
	}
	at := found(o.String(), `frame +(\d+)\n`)
	f, err := profile.ReadFile(path)
	m, errMap := profile.ReadMap(path + ".map")
	if err != nil || errMap != nil || at == "0" || strconv.FormatUint(f.Frames, 10) != at || m.Frame != f.Frames {
		t.Errorf("at frame %s; recorded %v, %v", at, err, errMap)
	}
	// Before the first frame there is nothing to note, which is no error.
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	o.Reset()
	if status := run(ctx, console{nil, &o, &o, false, false, verb{}}, strings.Fields("run churn -entities 500 -record "+path)); status != 130 {
		t.Errorf("status %d, %s", status, o.String())
	}
	if status, out, errs := call(t, "profile", "check", path); status != 0 || !strings.Contains(out, "frames 0, ") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// The profile that the documentation shows is one.
func TestDocumentedProfile(t *testing.T) {
	_, text, _ := strings.Cut(strings.ReplaceAll(readText(t, "../../docs/profiles.md"), "\r\n", "\n"), "```\nashlar profile 1\n")
	text, _, found := strings.Cut(text, "```")
	f, err := profile.Parse("docs/profiles.md", strings.NewReader("ashlar profile 1\n"+text))
	if !found || err != nil || f.Frames != 450 || len(f.Systems[0].Access) != 2 {
		t.Errorf("%v in\n%s", err, text)
	}
}

// A run that was killed between the renames leaves a profile without a map, which every verb reads.
// A later recording removes the rest.
func TestRecordKilled(t *testing.T) {
	path := record(t, "run churn -entities 500 -frames 20")
	dir := filepath.Dir(path)
	rest, before := filepath.Join(dir, ".ashlar-0123abcd.tmp"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.Rename(path+".map", rest), os.Chtimes(rest, before, before)); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"profile check", "profile show", "views", "advise"} {
		if status, _, errs := call(t, append(strings.Fields(verb), path)...); status != 0 {
			t.Errorf("%s: status %d, %s", verb, status, errs)
		}
	}
	runs(t, "run churn -entities 500 -frames 2", "-record", path)
	if left, _ := filepath.Glob(filepath.Join(dir, ".ashlar-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
