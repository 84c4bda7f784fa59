package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Flocks appear, no bird is lost, and a second run does the same.
func TestFlocks(t *testing.T) {
	const birds, frames = 4000, 300
	print := func(seed uint64, eo ecs.Options) string {
		t.Helper()
		var out bytes.Buffer
		if err := run(&out, options{Boids: birds, Frames: frames, Seed: seed, ECS: eo}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text := print(1, ecs.Options{})
	var first, last float64
	for line := range strings.Lines(text) {
		var frame, n int
		var alignment float64
		if _, err := fmt.Sscanf(line, "frame %d: %d birds, alignment %g", &frame, &n, &alignment); err != nil {
			continue
		}
		if n != birds {
			t.Errorf("frame %d has %d birds", frame, n)
		}
		if frame == 1 {
			first = alignment
		}
		if frame == frames {
			last = alignment
		}
	}
	if first == 0 || first > 0.75 || last < 0.9 {
		t.Errorf("alignment goes from %v to %v, want from chance to more than 0.9:\n%s", first, last, text)
	}
	if print(1, ecs.Options{Memory: memmgr.Options{Stress: true}}) != text {
		t.Error("a run whose chunks move all the time differs")
	}
	if print(2, ecs.Options{}) == text {
		t.Error("another seed makes the same swarm")
	}
}
