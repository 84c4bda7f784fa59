package programs

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// slowly tells whether programs take many times as long as they do in a program file.
func slowly() bool { return raced || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" }

// scaled is how many entities a program has in a test.
func scaled(entities int) int {
	if slowly() {
		return min(max(entities/512, 300), 1200)
	}
	return min(max(entities/64, 1000), 10_000)
}

// The frames of a test: in the phases, a quiet program becomes busy again.
const (
	frames = 150
	every  = 30 // frames between comparisons
)

// All variants of a program come to the same, frame by frame, and the store under the
// first is sound.
func TestVariantsAgree(t *testing.T) {
	for _, p := range All() {
		t.Run(p.Name, func(t *testing.T) {
			if slowly() && strings.Contains(p.Name, "16k") {
				t.Skip("as large as the next size, when it takes long")
			}
			t.Parallel()
			var stages []twin.Stage
			for _, v := range p.Variants {
				stages = append(stages, v.Open(scaled(p.Entities)))
			}
			digests := map[uint64]bool{}
			for f := range frames {
				for _, s := range stages {
					if s.Prepare != nil {
						s.Prepare()
					}
					s.Frame()
				}
				if f%every != every-1 {
					continue
				}
				want := stages[0].Digest()
				digests[want] = true
				for i, s := range stages {
					if got := s.Digest(); got != want {
						t.Fatalf("frame %d: digest %#x of %s, %#x of %s", f, got, p.Variants[i].Name, want, p.Variants[0].Name)
					}
				}
			}
			if len(digests) < frames/every {
				t.Errorf("%d digests in %d frames: hardly anything happens", len(digests), frames)
			}
			for i, s := range stages {
				if s.Check != nil {
					if err := s.Check(); err != nil {
						t.Errorf("%s: %v", p.Variants[i].Name, err)
					}
				}
				if s.Close != nil {
					if err := s.Close(); err != nil {
						t.Errorf("%s: %v", p.Variants[i].Name, err)
					}
				}
			}
		})
	}
}

// A bar is about variants that there are, and names are taken once.
func TestPrograms(t *testing.T) {
	var names []string
	for _, p := range All() {
		if slices.Contains(names, p.Name) {
			t.Errorf("%s: comes twice", p.Name)
		}
		names = append(names, p.Name)
		if len(p.Variants) < 2 || p.Variants[0].Name != twin.Ashlar || p.Frames <= 0 {
			t.Errorf("%s: %+v", p.Name, p)
		}
		for _, b := range p.Bars {
			for _, of := range b.Of {
				if !slices.ContainsFunc(p.Variants[1:], func(v twin.Variant) bool { return v.Name == of }) {
					t.Errorf("%s: a bar is about %q, which is no variant", p.Name, of)
				}
			}
		}
	}
}
