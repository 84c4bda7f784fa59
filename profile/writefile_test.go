package profile

import (
	"errors"
	"os"
	"path/filepath"
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
	f := Profile{Frames: 3}
	if err := f.WriteFile(path); err != nil || content(t, path) != "ashlar profile 1\n\nframes 3\n\nend\n" {
		t.Fatalf("%v: %q", err, content(t, path))
	}
	f.Lookups = []Lookup{{Component: "a"}}
	if err := f.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if got := left(t, dir); got != "p" || !strings.HasSuffix(content(t, path), "lookup a reads 0\n\nend\n") {
		t.Errorf("%s: %q", got, content(t, path))
	}
	if err := f.WriteFile(dir); err == nil || !strings.HasPrefix(err.Error(), "profile: "+dir+" is not a regular file") {
		t.Errorf("over a directory: %v", err)
	}
	f.Lookups = []Lookup{{}}
	if err := f.WriteFile(filepath.Join(dir, "q")); err == nil || left(t, dir) != "p" {
		t.Errorf("a profile that can't be written: %v, left: %s", err, left(t, dir))
	}
}

// Profile and map of one run go together: both or neither.
func TestWriteRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p")
	f := Profile{Frames: 3}
	if err := WriteRun(path, f, Map{Frame: 3}); err != nil || left(t, dir) != "p p.map" {
		t.Fatalf("%v, left: %s", err, left(t, dir))
	}
	if m, err := ParseMap("m", strings.NewReader(content(t, path+MapSuffix))); err != nil || m.Of == 0 || m.Of != f.sum() {
		t.Errorf("the map is of %x, the profile is %x, %v", m.Of, f.sum(), err)
	}
	old, oldMap := content(t, path), content(t, path+MapSuffix)
	if !strings.Contains(old, "frames 3\n") || !strings.Contains(oldMap, "frame 3\n") {
		t.Errorf("%s%s", old, oldMap)
	}
	f.Frames = 4
	bad := Map{Frame: 4, Chunks: []Placed{{Group: "g", Region: 7}}} // there are no regions
	if err := WriteRun(path, f, bad); err == nil || content(t, path) != old || content(t, path+MapSuffix) != oldMap {
		t.Errorf("a map that can't be written: %v", err)
	}
	f.Lookups = []Lookup{{}}
	if err := WriteRun(path, f, Map{Frame: 4}); err == nil || content(t, path) != old || content(t, path+MapSuffix) != oldMap {
		t.Errorf("a profile that can't be written: %v", err)
	}
	f.Lookups = nil
	if err := errors.Join(os.Remove(path+MapSuffix), os.Mkdir(path+MapSuffix, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := WriteRun(path, f, Map{Frame: 4}); err == nil || !strings.Contains(err.Error(), path+MapSuffix+" is not a regular file") || content(t, path) != old {
		t.Errorf("a directory where the map belongs: %v", err)
	}
}
