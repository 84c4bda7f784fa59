package ecs

import (
	"os"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile/histogram"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// trial times a world's frames for `ashlar layout try`, which names a file in the environment. Without one
// there is no trial, and frames are not timed.
type trial struct {
	path    string
	made    time.Time
	began   time.Time // the frame under way
	frames  histogram.Histogram
	figures layout.Trial
}

// firstFrames is how many frames Trial.First is of.
const firstFrames = 100

func newTrial() *trial {
	path := os.Getenv(layout.TrialVariable)
	if path == "" {
		return nil
	}
	return &trial{path: path, made: time.Now()}
}

func (t *trial) begin() {
	if t != nil {
		t.began = time.Now()
	}
}

func (t *trial) end() {
	if t == nil {
		return
	}
	now := time.Now()
	took := now.Sub(t.began)
	f := &t.figures
	if f.Frames++; f.Frames == 1 {
		f.Start = now.Sub(t.made)
	}
	if f.Frames <= firstFrames {
		f.First += took
	}
	f.Worst = max(f.Worst, took)
	t.frames.Add(took)
}

// write adds the figures to the file, with the name of the world and the fate of its layout, before its memory goes.
func (t *trial) write(world string, d *LayoutDescription, a *arena.Arena) error {
	f := t.figures
	times := t.frames.Times()
	f.World, f.P50, f.P99 = world, times.P50, times.P99
	if d != nil {
		f.Layout, f.Stated, f.Applied = d.Hash, d.Statements, d.Statements-len(d.Missing)-len(d.Refused)
	}
	if n, err := a.Resident(); err == nil {
		f.Resident = n
	}
	return f.Add(t.path)
}
