package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

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

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p")
	f := &File{Profile: Profile{Intent: Intent{Off: true}}}
	if err := f.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "ashlar profile 1\n\noff\n" {
		t.Errorf("%q", got)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	f.Intent.Pinned = []string{"a"}
	if err := f.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if got := left(t, dir); got != "p" || !strings.HasSuffix(content(t, path), "pin a\n") {
		t.Errorf("%s: %q", got, content(t, path))
	}
}

// Each step's failure leaves the old file, or none, and nothing besides.
func TestWriteFileFaults(t *testing.T) {
	broken := errors.New("broken")
	for _, was := range []string{"old", ""} {
		for _, at := range []step{stepCreate, stepMode, stepWrite, stepSync, stepClose, stepRename, stepSyncDir} {
			t.Run(fmt.Sprintf("%s over %q", at, was), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "p")
				want, names := "", ""
				if was != "" {
					if err := os.WriteFile(path, []byte(was), 0o600); err != nil {
						t.Fatal(err)
					}
					want, names = was, "p"
				}
				var steps []step
				err := replaceFile(path, "new", func(s step) error {
					if steps = append(steps, s); s == at {
						return broken
					}
					return nil
				})
				if !errors.Is(err, broken) || !strings.Contains(err.Error(), string(at)) || !strings.Contains(err.Error(), path) {
					t.Fatalf("%v", err)
				}
				if steps[len(steps)-1] != at {
					t.Errorf("it went on: %v", steps)
				}
				if at == stepSyncDir {
					want, names = "new", "p"
					if !strings.Contains(err.Error(), "is written, but may not outlive a loss of power") {
						t.Errorf("%v", err)
					}
				} else if !strings.Contains(err.Error(), "what was there is as it was") {
					t.Errorf("%v", err)
				}
				if got := left(t, dir); got != names {
					t.Errorf("left: %s", got)
				}
				if names != "" && content(t, path) != want {
					t.Errorf("content %q", content(t, path))
				}
			})
		}
	}
}

// A program that is killed before any step leaves the old file whole, or the new one.
func TestWriteFileInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows clears away no file that is open; failures of each step are tested all the same")
	}
	for _, at := range []step{stepCreate, stepMode, stepWrite, stepSync, stepClose, stepRename, stepSyncDir} {
		dir := t.TempDir()
		path := filepath.Join(dir, "p")
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			replaceFile(path, "new", func(s step) error {
				if s == at {
					runtime.Goexit() // nothing behind it is done, no clearing up either
				}
				return nil
			})
			t.Errorf("%s: it went on", at)
		}()
		<-done
		want := "old"
		if at == stepSyncDir {
			want = "new"
		}
		if got := content(t, path); got != want {
			t.Errorf("%s: %q", at, got)
		}
		if err := (&File{}).WriteFile(path); err != nil || content(t, path) != "ashlar profile 1\n" {
			t.Errorf("%s: and the next time: %v", at, err)
		}
	}
}

// The steps come in the order that makes them safe.
func TestWriteFileSteps(t *testing.T) {
	var steps []step
	if err := replaceFile(filepath.Join(t.TempDir(), "p"), "x", func(s step) error { steps = append(steps, s); return nil }); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(steps), fmt.Sprint([]step{stepCreate, stepMode, stepWrite, stepSync, stepClose, stepRename, stepSyncDir}); got != want {
		t.Errorf("%s", got)
	}
}

func TestWriteFileRefused(t *testing.T) {
	dir := t.TempDir()
	f := &File{}
	if err := f.WriteFile(dir); err == nil || !strings.Contains(err.Error(), dir+" is no regular file, and nothing else is written over: name another one") {
		t.Errorf("over a directory: %v", err)
	}
	if err := f.WriteFile(filepath.Join(dir, "none", "p")); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "creating the temporary file") {
		t.Errorf("into a directory that is not there: %v", err)
	}
	path := filepath.Join(dir, "p")
	f.Intent.Pinned = []string{""}
	if err := f.WriteFile(path); err == nil || left(t, dir) != "" {
		t.Errorf("a profile that can't be written: %v, left: %s", err, left(t, dir))
	}
}

func TestWriteFileLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skipf("no symbolic links here, so none can be replaced by a file: %v", err)
	}
	if err := (&File{}).WriteFile(link); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "target" || content(t, target) != "ashlar profile 1\n" {
		t.Errorf("%q, %v, %q", to, err, content(t, target))
	}
}
