package ecs

import (
	"os"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile/histogram"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// trial times a world's frames for `ashlar layout try`, which names a file in the environment. Without one
// there is no trial, and frames are not timed. A frame lasts from the end of one Run to the end of the next.
// Between the two, only time in which the process used a processor counts: many programs wait for a timer there.
type trial struct {
	path    string
	made    time.Time
	frames  uint64        // that have ended
	began   time.Time     // the frame under way
	ended   time.Time     // the frame before
	used    time.Duration // by the process, of all processors, until then
	times   histogram.Histogram
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

// begin is called as Run begins a frame.
func (t *trial) begin() {
	if t == nil {
		return
	}
	t.began = time.Now()
	if t.frames > 0 {
		t.began = t.began.Add(-min(t.began.Sub(t.ended), arena.ProcessorTime()-t.used))
	}
}

// end is called as Run ends it.
func (t *trial) end() {
	if t == nil {
		return
	}
	t.ended, t.used = time.Now(), arena.ProcessorTime()
	took := t.ended.Sub(t.began)
	f := &t.figures
	if t.frames++; t.frames == 1 {
		f.Start = t.ended.Sub(t.made)
	}
	if t.frames <= firstFrames {
		f.First += took
	}
	f.Worst = max(f.Worst, took)
	t.times.Add(took)
}

// write adds the figures to the file, with the name of the world and the fate of its layout, before its memory goes.
func (t *trial) write(world string, d *LayoutDescription, a *arena.Arena) error {
	f := t.figures
	times := t.times.Times()
	f.World, f.P50, f.P99 = world, times.P50, times.P99
	if d != nil {
		f.Layout, f.Stated, f.Applied = d.Hash, d.Statements, d.Statements-len(d.Missing)-len(d.Refused)
	}
	if n, err := a.Resident(); err == nil {
		f.Resident = n
	}
	return f.Add(t.path)
}
