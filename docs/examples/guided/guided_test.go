package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The first run tries and records; the second loads that, tries nothing, and has the same result.
func TestSecondRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guided.profile")
	trials := func(first string) (n int, digest string) {
		t.Helper()
		var out bytes.Buffer
		if err := run(&out, options{Profile: path, Entities: 10_000, Frames: 300, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if len(lines) < 4 || !strings.Contains(lines[0], first) {
			t.Fatalf("want %q in the first line of\n%s", first, out.String())
		}
		if _, err := fmt.Sscanf(lines[1], "frame 60: %d trials so far", &n); err != nil {
			t.Fatalf("%q: %v", lines[1], err)
		}
		return n, lines[2]
	}
	n, digest := trials("is not there yet")
	again, sameDigest := trials("loads")
	if n == 0 || again != 0 {
		t.Errorf("%d trials in the first run, want some; %d in the second, want 0", n, again)
	}
	if digest != sameDigest {
		t.Errorf("the profile has changed the result: %q, then %q", digest, sameDigest)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"frames 300", "choice smell hunters body.X ", "choice chase hunters body.X "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the profile does not say %q:\n%s", want, text)
		}
	}
}
