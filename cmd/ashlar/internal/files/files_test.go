package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "a"), "hello")
	var s Set
	if got, err := Read(t.Context(), &s, path, Map, text); err != nil || got != path+": hello" {
		t.Errorf("%q, %v", got, err)
	}
	for _, tt := range []struct {
		name string
		kind Kind
		want string
	}{
		{dir, Map, dir + ": it is a directory: name the map in it"},
		{filepath.Join(dir, "none"), Profile, "name a file that is there and can be read, or record one"},
		{filepath.Join(dir, "none"), Map, "name a map that a run has recorded"},
		{filepath.Join(dir, "none"), Layout, ": name a file that is there and can be read"},
		{dir, Layout, dir + ": it is a directory: name the layout in it"},
		{filepath.Join(dir, "none"), Pattern, ": name a file that is there and can be read"},
		{"ftp://host/a.profile", Profile, "ftp://host/a.profile: it is neither a file nor an address that can be read: addresses begin with http:// or https://"},
		{Stdin, Map, "there is no standard input here: name a file"},
	} {
		if _, err := s.Open(t.Context(), tt.name, tt.kind); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestStandardInput(t *testing.T) {
	s := Set{Stdin: strings.NewReader("hello")}
	if s.StdinTaken() {
		t.Error("it is taken before it is read")
	}
	if got, err := Read(t.Context(), &s, Stdin, Map, text); err != nil || got != "the standard input: hello" || !s.StdinTaken() {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := s.Open(t.Context(), Stdin, Map); err == nil || !strings.Contains(err.Error(), "is named twice by -, and can be read once") {
		t.Errorf("%v", err)
	}
	for _, tt := range []struct {
		in   io.Reader
		want string // in the error; "": there is none
	}{
		{io.LimitReader(endless{}, bytesMax), ""},
		{io.LimitReader(endless{}, bytesMax+1), "the standard input has more than 16 MiB, which is the limit: name another file"},
		{endless{}, "more than 16 MiB"},
		{io.MultiReader(strings.NewReader("ash"), failing{}), "reading the standard input: the wire is cut"},
	} {
		s := Set{Stdin: tt.in}
		_, err := s.Open(t.Context(), Stdin, Map)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// endless are bytes without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the wire is cut") }

// Who waits for a standard input can be interrupted.
func TestStandardInputInterrupted(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		out.Write([]byte("a")) // returns when it is read: the reader waits for more
		cancel()
	}()
	s := Set{Stdin: in}
	if _, err := s.Open(ctx, Stdin, Map); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// A pipe with a name is read, and waiting for its writer can be interrupted.
func TestOpenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	defer r.Close()
	defer w.Close()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Skipf("pipes have no names here: %v", err)
	}
	if _, err := w.WriteString("hello"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s Set
	if _, err := s.Open(ctx, name, Map); err != context.Canceled {
		t.Errorf("interrupted: %v", err)
	}
	w.Close()
	if got, err := Read(t.Context(), &s, name, Map, text); err != nil || !strings.HasPrefix(got, name+": ") {
		t.Errorf("%q, %v", got, err)
	}
}
