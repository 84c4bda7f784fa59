package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// point is a step of one of two files, a and b.
type point struct {
	step step
	of   string
}

// points are the steps of writing two files over old ones, in their order.
var points = []point{
	{stepCreate, "a"}, {stepMode, "a"}, {stepWrite, "a"}, {stepSync, "a"}, {stepClose, "a"},
	{stepCreate, "b"}, {stepMode, "b"}, {stepWrite, "b"}, {stepSync, "b"}, {stepClose, "b"},
	{stepRemove, "b"}, {stepRename, "a"}, {stepRename, "b"}, {stepSyncDir, "a"},
}

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
	for _, p := range points {
		want = append(want, p.of+" "+string(p.step))
	}
	if fmt.Sprint(steps) != fmt.Sprint(want) {
		t.Errorf("%q\nwant %q", steps, want)
	}
	steps = nil
	other := t.TempDir()
	if err := write(note, []File{{filepath.Join(dir, "a"), "x"}, {filepath.Join(other, "b"), "y"}}); err != nil || steps[len(steps)-1] != "b "+string(stepSyncDir) {
		t.Errorf("a file in another directory, which has to be synced as well: %v, %q", err, steps)
	}
}

// Each step's failure leaves the old files, or none, and nothing besides. The error describes the state of the files.
func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	for _, was := range []string{"old", ""} {
		for _, p := range points {
			dir, s := t.TempDir(), p.step
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			fails := filepath.Join(dir, p.of)
			if was != "" {
				put(t, a, was)
				put(t, b, was)
			}
			wantA, wantB, says := was, was, a+" is unchanged, "+b+" is unchanged"
			switch {
			case s == stepSyncDir:
				wantA, wantB, says = "new", "new", a+" is written, but may be lost in a power failure"
			case s == stepRename && p.of == "b":
				wantA, wantB, says = "new", "", a+" is written, "+b+" is missing"
			case s == stepRename && was != "":
				wantB, says = "", a+" is unchanged, "+b+" is missing"
			}
			err := write(at(s, fails, broken), []File{{a, "new"}, {b, "new"}})
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), string(s)) || !strings.Contains(err.Error(), fails) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s %s over %q: %v\nwant %s", s, fails, was, err, says)
			}
			if room := s == stepWrite || s == stepSync || s == stepClose; s != stepSyncDir && strings.Contains(err.Error(), "make room there") != room {
				t.Errorf("%s: which remedy? %v", s, err)
			}
			for path, want := range map[string]string{a: wantA, b: wantB} {
				if got, err := os.ReadFile(path); string(got) != want || (err == nil) != (want != "") {
					t.Errorf("%s %s over %q: %s is %q, %v", s, fails, was, path, got, err)
				}
			}
			if rest, _ := filepath.Glob(filepath.Join(dir, ".*")); len(rest) > 0 {
				t.Errorf("%s %s over %q: left: %s", s, fails, was, rest)
			}
		}
	}
	a := filepath.Join(t.TempDir(), "a")
	if err := write(at(stepWrite, a, broken), []File{{a, "new"}}); err == nil || !strings.HasSuffix(err.Error(), "; the old files are unchanged") {
		t.Errorf("one file: %v", err)
	}
}

// The second file may go or come by another run while this one writes.
func TestSecondFileOfAnotherRun(t *testing.T) {
	prepared := func(s step, f File) bool { return s == stepClose && filepath.Base(f.Path) == "b" }
	dir := old(t)
	err := write(func(s step, f File) error {
		if prepared(s, f) {
			return os.Remove(filepath.Join(dir, "b"))
		}
		return nil
	}, pair(dir, "new"))
	if err != nil || content(t, filepath.Join(dir, "a")) != "new" || content(t, filepath.Join(dir, "b")) != "new" {
		t.Errorf("it has gone: %v", err)
	}
	dir = t.TempDir()
	err = write(func(s step, f File) error {
		switch {
		case prepared(s, f):
			return Write(pair(dir, "other")...)
		case s == stepRename && filepath.Base(f.Path) == "b":
			return errors.New("killed")
		}
		return nil
	}, pair(dir, "new"))
	if err == nil || left(t, dir) != "a" || content(t, filepath.Join(dir, "a")) != "new" {
		t.Errorf("it has come: %v, and %s are there", err, left(t, dir))
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

// A link to a file that is not there yet stays a link, too, also one to such a link. Links in a circle are refused.
func TestLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	link := func(name, to string) string {
		path := filepath.Join(dir, name)
		if err := os.Symlink(to, path); err != nil {
			t.Skipf("no symbolic links here, so none can be replaced by a file: %v", err)
		}
		return path
	}
	first, second := link("first", "target"), link("second", filepath.Join(dir, "first"))
	if err := Write(File{second, "new"}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{first, second} {
		if _, err := os.Readlink(path); err != nil || content(t, path) != "new" {
			t.Errorf("%s: %v, %q", path, err, content(t, path))
		}
	}
	if content(t, target) != "new" {
		t.Errorf("the target is %q", content(t, target))
	}
	if err := Write(File{link("round", "about"), "x"}, File{link("about", "round"), "y"}); err == nil || !strings.Contains(err.Error(), "name another file") {
		t.Errorf("links in a circle: %v", err)
	}
}

// Two calls that write the same files at the same time do it one after the other.
func TestWritesOfSeveralFilesDontMix(t *testing.T) {
	dir := t.TempDir()
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("this system locks no directories, and promises nothing")
	}
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	of := func(s string) []File { return []File{{a, s}, {b, s}} }
	var between, ended atomic.Bool // the first call is between its files; it has ended
	second := make(chan error)
	fault := func(s step, f File) error {
		if s == stepRename && f.Path == b {
			between.Store(true)
			go func() {
				second <- write(func(s step, f File) error {
					if (s == stepRemove || s == stepRename) && !ended.Load() {
						t.Error("the second call replaces a file while the first one does")
					}
					return nil
				}, of("second"))
			}()
			time.Sleep(20 * time.Millisecond)
			ended.Store(true) // but for one rename
		}
		return nil
	}
	if err := write(fault, of("first")); err != nil {
		t.Fatal(err)
	}
	if err := <-second; err != nil || !between.Load() {
		t.Fatal(err, between.Load())
	}
	for _, path := range []string{a, b} {
		if got, err := os.ReadFile(path); string(got) != "second" {
			t.Errorf("%s is %q, %v", path, got, err)
		}
	}
}
