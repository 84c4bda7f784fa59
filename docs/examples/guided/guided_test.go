package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The second run goes by a layout that asks for another way, and has the same result. Both record, and the
// second record has the layout's hash.
func TestSecondRun(t *testing.T) {
	dir := t.TempDir()
	recorded, approved := filepath.Join(dir, "guided.profile"), filepath.Join(dir, "guided.layout")
	play := func(layout string) (way, digest, text string) {
		t.Helper()
		var out bytes.Buffer
		if err := run(&out, options{Layout: layout, Record: recorded, Entities: 10_000, Frames: 300, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(recorded)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		return lines[0], lines[1], string(b)
	}
	way, digest, text := play("")
	if want := "frame 60: chase gets body.X cached"; way != want || strings.Contains(text, "layout") {
		t.Errorf("%q, want %q\n%s", way, want, text)
	}
	if err := os.WriteFile(approved, []byte("ashlar layout 1\nview chase body.X gathered\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	way, sameDigest, text := play(approved)
	if want := "frame 60: chase gets body.X gathered"; way != want {
		t.Errorf("%q, want %q", way, want)
	}
	if digest != sameDigest {
		t.Errorf("the layout has changed the result: %q, then %q", digest, sameDigest)
	}
	for _, want := range []string{"frames 300", " layout ", "choice smell hunters body.X ", "choice chase hunters body.X gathered"} {
		if !strings.Contains(text, want) {
			t.Errorf("the profile does not say %q:\n%s", want, text)
		}
	}
}
