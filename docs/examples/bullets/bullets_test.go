package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// No enemy and no bullet is lost: each is there, or was killed, hit or missed.
func TestBattle(t *testing.T) {
	const enemies, frames = 5000, 300
	print := func(eo ecs.Options) string {
		t.Helper()
		var out bytes.Buffer
		eo.StrictCommands = true // a command that is too late is an error
		if err := run(&out, options{Enemies: enemies, Frames: frames, Seed: 1, ECS: eo}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text := print(ecs.Options{})
	lines, killed := 0, 0
	for line := range strings.Lines(text) {
		var frame, at, alive, awake, fired, flying, hits, missed, burn, ill int
		if _, err := fmt.Sscanf(line, "frame %d: tank at %d, %d enemies, %d awake, %d killed; %d fired, %d fly, %d hit, %d missed; %d burn, %d are poisoned",
			&frame, &at, &alive, &awake, &killed, &fired, &flying, &hits, &missed, &burn, &ill); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		lines++
		if alive+killed != enemies {
			t.Errorf("frame %d: %d enemies are alive and %d dead", frame, alive, killed)
		}
		if fired != 10*frame || flying+hits+missed != fired || missed == 0 {
			t.Errorf("frame %d: of %d bullets %d fly, %d hit, %d missed", frame, fired, flying, hits, missed)
		}
		if awake == 0 || awake > enemies/4 || burn == 0 || ill == 0 || burn > awake || ill > alive {
			t.Errorf("frame %d: %d of %d are awake, %d burn, %d are poisoned", frame, awake, alive, burn, ill)
		}
	}
	if lines != frames/100 || killed == 0 {
		t.Errorf("%d lines, %d killed:\n%s", lines, killed, text)
	}
	if print(ecs.Options{Memory: memmgr.Options{Stress: true}}) != text {
		t.Error("a run whose chunks move all the time differs")
	}
}
