package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The first run records. The second loads that, with a line that asks for another way, and has the
// same result. The line stays in the file.
func TestSecondRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guided.profile")
	play := func(first string) (way, digest string) {
		t.Helper()
		var out bytes.Buffer
		if err := run(&out, options{Profile: path, Entities: 10_000, Frames: 300, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if len(lines) < 4 || !strings.Contains(lines[0], first) {
			t.Fatalf("want %q in the first line of\n%s", first, out.String())
		}
		return lines[1], lines[2]
	}
	way, digest := play("is not there yet")
	if want := "frame 60: chase gets body.X cached"; way != want {
		t.Errorf("%q, want %q", way, want)
	}
	recorded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hinted := strings.Replace(string(recorded), "\n\ncomponent", "\n\nview chase body.X gathered\n\ncomponent", 1)
	if err := os.WriteFile(path, []byte(hinted), 0o600); err != nil {
		t.Fatal(err)
	}
	way, sameDigest := play("loads")
	if want := "frame 60: chase gets body.X gathered"; way != want {
		t.Errorf("%q, want %q", way, want)
	}
	if digest != sameDigest {
		t.Errorf("the profile has changed the result: %q, then %q", digest, sameDigest)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"frames 300", "choice smell hunters body.X ", "choice chase hunters body.X gathered", "view chase body.X gathered"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the profile does not say %q:\n%s", want, text)
		}
	}
}
