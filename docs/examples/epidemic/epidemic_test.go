package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Everybody is in one state each day, the wave comes and goes, and how states are stored
// changes nothing.
func TestWave(t *testing.T) {
	const people = 20_000
	print := func(eo ecs.Options) string {
		t.Helper()
		var out bytes.Buffer
		if err := run(&out, options{People: people, Days: 100, Seed: 1, ECS: eo}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text := print(ecs.Options{})
	lines, peak, before, last := 0, 0, 0, 0
	for line := range strings.Lines(text) {
		var day, s, i, r int
		if _, err := fmt.Sscan(line, &day, &s, &i, &r); err != nil {
			continue
		}
		if s+i+r != people || r < before {
			t.Errorf("day %d: %d are susceptible, %d infected, %d recovered, and %d had recovered before", day, s, i, r, before)
		}
		lines, peak, before, last = lines+1, max(peak, i), r, i
	}
	if lines != 20 || peak < people/10 || last > peak/2 {
		t.Errorf("%d days are shown; %d were infected at the peak and %d in the end:\n%s", lines, peak, last, text)
	}
	if print(ecs.Options{Memory: memmgr.Options{Stress: true}}) != text {
		t.Error("a run whose chunks move all the time differs")
	}
}
