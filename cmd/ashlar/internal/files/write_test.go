package files

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOfKind(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	for _, tt := range []struct {
		name, path string
		kind       Kind
		want       string // in the error; "": there is none
	}{
		{"new", none, Map, ""},
		{"empty", put(t, filepath.Join(dir, "empty"), ""), Map, ""},
		{"same", put(t, filepath.Join(dir, "map"), "ashlar map 1\n"), Map, ""},
		{"other", filepath.Join(dir, "map"), Profile, "map is a map, and no profile is written over it: name another file, or remove it first"},
		{"unknown", put(t, filepath.Join(dir, "notes"), "notes\n"), Map, "notes is a file of an unknown kind, and no map is written over it: name another file, or remove it first"},
		{"both unknown", filepath.Join(dir, "notes"), Unknown, "no other file is written over it"},
		{"directory", dir, Map, "is not a regular file, and only regular files are replaced: name another file"},
		{"below a file", filepath.Join(dir, "notes", "map"), Map, ""}, // or an error, by system; writing it is one
		{"address", "https://example.org/x", Map, "https://example.org/x is an address, and only files are written: name a file"},
	} {
		err := OfKind(tt.path, tt.kind)
		switch {
		case tt.name == "below a file":
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	locked := put(t, filepath.Join(dir, "locked"), "ashlar map 1\n")
	if err := os.Chmod(locked, 0o200); err != nil || runtime.GOOS == "windows" || runtime.GOOS == "js" || os.Geteuid() == 0 {
		return // a file that its mode forbids to read can be read all the same
	}
	if err := OfKind(locked, Map); err == nil || !strings.Contains(err.Error(), "can't be told, so it is not written over") {
		t.Errorf("a file that can't be read: %v", err)
	}
}

// An input is known again under any name, also where its kind is right.
func TestReplaceable(t *testing.T) {
	dir := t.TempDir()
	path, other := put(t, filepath.Join(dir, "a"), "ashlar map 1\n"), put(t, filepath.Join(dir, "b"), "ashlar map 1\n")
	var s Set
	r, err := s.Open(t.Context(), path, Map)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if err := s.Replaceable(path, Map); err == nil || err.Error() != path+" is an input of this command, and is not replaced: name another file" {
		t.Errorf("%v", err)
	}
	long := filepath.Join(dir, "..", filepath.Base(dir)) + string(filepath.Separator) + "." + string(filepath.Separator) + "a"
	names := []string{long}
	if link := filepath.Join(dir, "symbolic"); os.Symlink(path, link) == nil {
		names = append(names, link)
	}
	if link := filepath.Join(dir, "hard"); os.Link(path, link) == nil {
		names = append(names, link)
	}
	for _, name := range names {
		if err := s.Replaceable(name, Map); err == nil || !strings.Contains(err.Error(), name+" is the same file as "+path+", an input of this command") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Replaceable(other, Map); err != nil {
		t.Errorf("a file that is not read: %v", err)
	}
	s.Note(other)
	s.Note(filepath.Join(dir, "none"))
	if err := s.Replaceable(other, Map); err == nil {
		t.Error("a file that something else reads is written over")
	}
	if err := s.Replaceable(filepath.Join(dir, "none"), Map); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A standard input that is a file is an input, too.
func TestReplaceableStandardInput(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "a"), "ashlar map 1\n")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := Set{Stdin: f}
	if err := s.Replaceable(path, Map); err != nil {
		t.Errorf("before it is read: %v", err)
	}
	if _, err := Read(t.Context(), &s, Stdin, Map, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Replaceable(path, Map); err == nil || !strings.Contains(err.Error(), "is the same file as the standard input, an input") {
		t.Errorf("%v", err)
	}
}

// text is the input of a parser.
func text(name string, r io.Reader) (string, error) {
	raw, err := io.ReadAll(r)
	return name + ": " + string(raw), err
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	var s Set
	for _, picture := range []string{"<svg>1", "<svg>2"} {
		if err := s.Write(path, picture); err != nil {
			t.Fatal(err)
		}
		if raw, _ := os.ReadFile(path); string(raw) != picture {
			t.Errorf("%q, want %q", raw, picture)
		}
	}
	if err := s.Write(path, "ashlar map 1\n"); err == nil || !strings.Contains(err.Error(), "is an SVG picture, and no map is written over it") {
		t.Errorf("%v", err)
	}
	s.Note(path)
	if err := s.Write(path, "<svg>3"); err == nil {
		t.Error("an input was written over")
	}
	if raw, _ := os.ReadFile(path); string(raw) != "<svg>2" {
		t.Errorf("%q", raw)
	}
	if err := s.Write(filepath.Join(dir, "none", "a"), "<svg>"); err == nil || !strings.Contains(err.Error(), "write elsewhere") {
		t.Errorf("into no directory: %v", err)
	}
}
