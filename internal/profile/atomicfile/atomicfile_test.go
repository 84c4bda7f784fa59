package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// allSteps are the steps of one file in their order.
var allSteps = []step{stepCreate, stepMode, stepWrite, stepSync, stepClose, stepRename, stepSyncDir}

// left are the names in a directory.
func left(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// at is a fault at a step of the file with that name.
func at(s step, path string, err error) func(step, File) error {
	return func(now step, f File) error {
		if now == s && f.Path == path {
			return err
		}
		return nil
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := Write(File{a, "one"}); err != nil || content(t, a) != "one" {
		t.Fatalf("%v", err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(a, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(File{a, "two"}, File{b, "three"}); err != nil || content(t, a) != "two" || content(t, b) != "three" {
		t.Fatalf("%v", err)
	}
	if info, err := os.Stat(a); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if got := left(t, dir); got != "a b" {
		t.Errorf("left: %s", got)
	}
}

// The steps come in the order that makes them safe: all that needs room before the first renaming.
func TestSteps(t *testing.T) {
	dir := t.TempDir()
	var steps []string
	note := func(s step, f File) error {
		steps = append(steps, filepath.Base(f.Path)+" "+string(s))
		return nil
	}
	if err := write(note, []File{{filepath.Join(dir, "a"), "x"}, {filepath.Join(dir, "b"), "y"}}); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range []string{"a", "b"} {
		for _, s := range allSteps[:5] {
			want = append(want, name+" "+string(s))
		}
	}
	want = append(want, "a "+string(stepRename), "b "+string(stepRename), "a "+string(stepSyncDir))
	if fmt.Sprint(steps) != fmt.Sprint(want) {
		t.Errorf("%q\nwant %q", steps, want)
	}
	steps = nil
	other := t.TempDir()
	if err := write(note, []File{{filepath.Join(dir, "a"), "x"}, {filepath.Join(other, "b"), "y"}}); err != nil || steps[len(steps)-1] != "b "+string(stepSyncDir) {
		t.Errorf("a file in another directory, which has to be synced as well: %v, %q", err, steps)
	}
}

// Each step's failure leaves the old files, or none, and nothing besides.
func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	for _, was := range []string{"old", ""} {
		for i, s := range append(allSteps, allSteps[:5]...) {
			dir := t.TempDir()
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			fails := a
			if i >= len(allSteps) {
				fails = b
			}
			names := ""
			if was != "" {
				put(t, a, was)
				put(t, b, was)
				names = "a b"
			}
			want, says := was, a+" and "+b+" are unchanged"
			if s == stepSyncDir {
				want, names, says = "new", "a b", a+" is written, but may be lost in a power failure"
			}
			err := write(at(s, fails, broken), []File{{a, "new"}, {b, "new"}})
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), string(s)) || !strings.Contains(err.Error(), fails) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s %s over %q: %v\nwant %s", s, fails, was, err, says)
			}
			if room := s == stepWrite || s == stepSync || s == stepClose; s != stepSyncDir && strings.Contains(err.Error(), "make room there") != room {
				t.Errorf("%s: which remedy? %v", s, err)
			}
			if got := left(t, dir); got != names {
				t.Errorf("%s %s over %q: left: %s", s, fails, was, got)
			}
			if names != "" && (content(t, a) != want || content(t, b) != want) {
				t.Errorf("%s %s: content %q, %q", s, fails, content(t, a), content(t, b))
			}
		}
	}
	a := filepath.Join(t.TempDir(), "a")
	if err := write(at(stepWrite, a, broken), []File{{a, "new"}}); err == nil || !strings.HasSuffix(err.Error(), "; the old files are unchanged") {
		t.Errorf("one file: %v", err)
	}
}

// Where the second file can't be renamed, the error says what state is left, and what was to
// be written can be had.
func TestSecondRename(t *testing.T) {
	broken := errors.New("broken")
	for _, was := range []string{"old", ""} {
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		state := "missing"
		if was != "" {
			put(t, a, was)
			put(t, b, was)
			state = "unchanged"
		}
		err := write(at(stepRename, b, broken), []File{{a, "new a"}, {b, "new b"}})
		if !errors.Is(err, broken) {
			t.Fatalf("%v", err)
		}
		rest, _ := filepath.Glob(filepath.Join(dir, ".ashlar-*.tmp"))
		if len(rest) != 1 || content(t, rest[0]) != "new b" || content(t, a) != "new a" || was != "" && content(t, b) != was {
			t.Fatalf("left: %s", left(t, dir))
		}
		want := fmt.Sprintf("; %s is written, %s is %s: its new content is in %s: rename that to %s", a, b, state, rest[0], b)
		if !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// A program that is killed before any step leaves each old file whole, or the new one,
// and the next one is not hindered.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows clears away no file that is open; failures of each step are tested all the same")
	}
	for i, s := range append(allSteps, allSteps[:6]...) {
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		put(t, a, "old")
		put(t, b, "old")
		fails := a
		if i >= len(allSteps) {
			fails = b
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			write(func(now step, f File) error {
				if now == s && f.Path == fails {
					runtime.Goexit() // nothing behind it is done, no clearing up either
				}
				return nil
			}, []File{{a, "new"}, {b, "new"}})
			t.Errorf("%s: it went on", s)
		}()
		<-done
		wantA, wantB := "old", "old"
		if s == stepSyncDir || s == stepRename && fails == b {
			wantA = "new"
		}
		if s == stepSyncDir {
			wantB = "new"
		}
		if content(t, a) != wantA || content(t, b) != wantB {
			t.Errorf("%s of %s: %q and %q", s, fails, content(t, a), content(t, b))
		}
		if err := Write(File{a, "next"}, File{b, "next"}); err != nil || content(t, a)+content(t, b) != "nextnext" {
			t.Errorf("%s: and the next time: %v", s, err)
		}
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	a, none := filepath.Join(dir, "a"), filepath.Join(dir, "none", "b")
	if err := Write(File{dir, ""}); err == nil || !strings.Contains(err.Error(), dir+" is not a regular file, and only regular files are replaced: name another file") {
		t.Errorf("over a directory: %v", err)
	}
	if err := Write(File{a, ""}, File{none, ""}); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "creating the temporary file for "+none) || left(t, dir) != "" {
		t.Errorf("into a directory that is not there: %v, left: %s", err, left(t, dir))
	}
	if err := Write(File{a, "x"}, File{a, "y"}); err == nil || !strings.Contains(err.Error(), a+" and "+a+" are the same file") || left(t, dir) != "" {
		t.Errorf("twice the same: %v, left: %s", err, left(t, dir))
	}
	put(t, a, "old")
	b := filepath.Join(dir, "b")
	if err := os.Link(a, b); err != nil {
		t.Skipf("no links here, so no two names of one file: %v", err)
	}
	if err := Write(File{a, "x"}, File{b, "y"}); err == nil || !strings.Contains(err.Error(), "are the same file") || content(t, a) != "old" {
		t.Errorf("two names of one file: %v", err)
	}
	if err := Write(File{filepath.Join(a, "below"), "x"}); err == nil || !strings.Contains(err.Error(), "name another file") && !strings.Contains(err.Error(), "write elsewhere") {
		t.Errorf("below a file: %v", err)
	}
}

func TestLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	put(t, target, "old")
	if err := os.Symlink("target", link); err != nil {
		t.Skipf("no symbolic links here, so none can be replaced by a file: %v", err)
	}
	if err := Write(File{link, "new"}); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "target" || content(t, target) != "new" {
		t.Errorf("%q, %v, %q", to, err, content(t, target))
	}
	if err := Write(File{link, "x"}, File{target, "y"}); err == nil || !strings.Contains(err.Error(), "are the same file") {
		t.Errorf("a link and its target: %v", err)
	}
}
