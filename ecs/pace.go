package ecs

import (
	"os"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/frames"
	"github.com/ashlar-go/ashlar/profile/histogram"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// pace times a world's frames, for `ashlar layout try` and for a record. A frame lasts from the end of one Run to
// the end of the next. Between the two, only time in which the process used a processor counts: many programs
// wait for a timer there.
type pace struct {
	every   uint64 // behind the first frames, one in so many is timed
	made    time.Time
	frames  uint64        // that have ended
	began   time.Time     // the frame under way
	ended   time.Time     // the frame before
	used    time.Duration // by the process, of all processors, until then
	times   histogram.Histogram
	figures layout.Trial
}

const (
	firstFrames = 100        // that Trial.First is of
	timeOneIn   = frames.Few // of the frames behind these, for a record: timing is felt in short ones
)

// tried is the file to which a world that is on trial adds its figures; "": none is.
func tried() string { return os.Getenv(layout.TrialVariable) }

// newPace returns nil if frames need not be timed.
func newPace(recording bool) *pace {
	every := uint64(timeOneIn)
	if tried() != "" {
		every = 1
	} else if !recording {
		return nil
	}
	return &pace{every: every, made: time.Now()}
}

// timed tells whether a frame is timed, and the time between the frame before and it.
func (p *pace) timed(frame uint64) bool { return frame <= firstFrames || frame%p.every == 0 }

// begin is called as Run begins a frame.
func (p *pace) begin() {
	if p == nil || !p.timed(p.frames+1) {
		return
	}
	p.began = time.Now()
	if p.frames > 0 {
		p.began = p.began.Add(-min(p.began.Sub(p.ended), arena.ProcessorTime()-p.used))
	}
}

// end is called as Run ends it.
func (p *pace) end() {
	if p == nil {
		return
	}
	p.frames++
	is, next := p.timed(p.frames), p.timed(p.frames+1)
	if is || next {
		p.ended = time.Now()
	}
	if is {
		p.add(p.ended.Sub(p.began))
	}
	if next {
		p.used = arena.ProcessorTime()
	}
}

// add counts the time of a frame. The usual frame of a record is one behind the first ones.
func (p *pace) add(took time.Duration) {
	f := &p.figures
	if p.frames == 1 {
		f.Start = p.ended.Sub(p.made)
	}
	if p.frames <= firstFrames {
		f.First += took
	}
	f.Worst = max(f.Worst, took)
	if p.every == 1 || p.frames > firstFrames {
		p.times.Add(took)
	}
}

// early is profile.Profile.Early. A closed world has no pace.
func (p *pace) early() time.Duration {
	if p == nil || p.frames < 2*firstFrames {
		return 0
	}
	_, t := p.times.Times()
	return max(p.figures.First-firstFrames*t.P50, 0)
}

// write adds the figures to the file, with the name of the world and the fate of its layout, before its memory goes.
func (p *pace) write(world string, l layout.Layout, refused []string, a *arena.Arena) error {
	f := p.figures
	_, times := p.times.Times()
	f.World, f.P50, f.P99 = world, times.P50, times.P99
	if stated := len(l.Statements); stated > 0 {
		f.Layout, f.Stated, f.Applied = l.Hash(), stated, stated-len(refused)
	}
	if n, err := a.Resident(); err == nil {
		f.Resident = n
	}
	return f.Add(tried())
}
