package schedule

import (
	"time"

	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// pace is how long a system takes for its work. Counts of rows tell how long a sweep takes, and a system that computes
// takes longer. So one run in some is timed. It decides which worker runs a system when, and never a result.
//
//	found   by the last two timed runs, the shorter one: a run may have been interrupted
type pace struct {
	last, found time.Duration
	work        int // of the last timed run
}

// due tells whether the run of a frame is timed.
func (p *pace) due(frame uint64) bool { return frame%frames.Many == 0 || p.found == 0 }

// note notes a timed run of so much work.
func (p *pace) note(took time.Duration, work int) {
	took = max(took, 1)
	if p.found = took; p.last > 0 && p.work == work {
		p.found = min(took, p.last)
	}
	p.last, p.work = took, work
}

// load is work as the time of the last timed runs has it, and no less. A sweep does some 4 units of work in a nanosecond.
func (p *pace) load(work int) int {
	took := float64(p.found)
	if p.work > 0 {
		took *= float64(work) / float64(p.work)
	}
	units := int(4 * took)
	return max(work, units)
}

// due tells whether the next run of the system is timed: there are workers to share it with.
func (t *team) due() bool { return t.schedule.shares() && t.pace.due(t.schedule.base.Frame) }

// runTimed runs the system by itself, and times it.
func (t *team) runTimed(rec *Recording) {
	t.paces = false
	start := time.Now()
	if rec != nil {
		rec.Run(t.system)
	} else {
		t.system.Walk()
	}
	if !t.paces { // else pieces were timed
		t.pace.note(time.Since(start), t.work())
	}
}

// paced ends a run of which pieces were timed, if they were. It returns how long the workers ran them.
func (t *team) paced() (sum time.Duration) {
	if t.clock == nil {
		return 0
	}
	t.clock, t.paces = nil, true
	for i := range t.hands {
		sum += t.hands[i].spent
		t.hands[i].spent = 0
	}
	t.pace.note(sum, t.work())
	return sum
}
