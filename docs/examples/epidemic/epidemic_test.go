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
// changes nothing. Nor does the number of workers.
func TestWave(t *testing.T) {
	const people = 20_000
	print := func(eo ecs.Options) string {
		t.Helper()
		var out bytes.Buffer
		if err := run(&out, options{People: people, Days: 100, ECS: eo}); err != nil {
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
	for _, eo := range []ecs.Options{{Memory: memmgr.Options{Stress: true}}, {Workers: 1}, {Workers: 3}} {
		if print(eo) != text {
			t.Errorf("chunks that move all the time, %v, or %d workers: another curve", eo.Memory.Stress, eo.Workers)
		}
	}
	if print(ecs.Options{Seed: 2}) == text {
		t.Error("other dice, and the same curve")
	}
}
