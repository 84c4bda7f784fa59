package main

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// A run ends with the same state for any number of workers, also while chunks move and views are kept.
func TestWorkers(t *testing.T) {
	counts := []string{"1", "2", "3", "8", "64"}
	if race.Enabled || testing.Short() {
		counts = []string{"1", "3"}
	}
	for _, run := range []string{
		"run game -entities 40000 -frames 12",
		"run game -entities 30000 -frames 8 -apart -adapt=stress -views=on",
		"run churn -entities 60000 -frames 30 -groups 2",
		"run life " + patterns + "acorn.rle -generations 150 -torus -size 160x120",
	} {
		want := ""
		for _, n := range counts {
			line := strings.Fields(run + " -workers " + n)
			status, out, errs := call(t, line...)
			got := found(out, `(?:digest|state hash) +([0-9a-f]{16})\n`)
			if status != 0 || got == "" {
				t.Fatalf("%q: status %d, %s\n%s", line, status, errs, out)
			}
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%q: %s, with one worker %s", line, got, want)
			}
		}
	}
}

// The most workers that the command takes are the most that a world takes.
func TestMostWorkers(t *testing.T) {
	for n, fits := range map[int]bool{workersMost: true, workersMost + 1: false} {
		w := ecs.New(ecs.Options{Workers: n})
		if err := w.Err(); (err == nil) != fits {
			t.Errorf("%d workers: %v", n, err)
		}
		w.Close()
	}
}
