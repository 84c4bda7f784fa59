package schedule

import (
	"testing"
	"time"
)

// Work counts as rows do, and more where the shorter of two timed runs of the same work took longer.
func TestPace(t *testing.T) {
	var p pace
	if !p.due(5) || p.load(1000) != 1000 {
		t.Error("nothing is known, and more than rows counts")
	}
	p.note(100, 1000)
	if p.due(5) || !p.due(0) || p.load(1000) != 1000 {
		t.Errorf("a run that is shorter than a sweep: %d", p.load(1000))
	}
	p.note(time.Microsecond, 1000)
	if n := p.load(1000); n != 1000 {
		t.Errorf("one run that was interrupted counts: %d", n)
	}
	p.note(2*time.Microsecond, 1000)
	if n := p.load(1000); n != 4000 {
		t.Errorf("%d, want 4000", n)
	}
	if n := p.load(500); n != 2000 {
		t.Errorf("half of the work: %d, want 2000", n)
	}
	p.note(3*time.Microsecond, 500)
	if n := p.load(500); n != 12000 {
		t.Errorf("other work: %d, want 12000", n)
	}
	p = pace{}
	p.note(5*time.Microsecond, 0)
	if n := p.load(0); n != 20000 {
		t.Errorf("a system without rows: %d, want 20000", n)
	}
	p.note(0, 0)
	if p.due(1) {
		t.Error("a run that took no time is timed again")
	}
}

// Each timed run counts the time of its own pieces.
func TestPaced(t *testing.T) {
	run := &team{system: &System{once: func() {}}, hands: make([]hand, 2)}
	for range 3 {
		run.clock = time.Now
		run.hands[0].spent, run.hands[1].spent = run.hands[0].spent+3, run.hands[1].spent+4
		if took := run.paced(); took != 7 || run.clock != nil {
			t.Errorf("%v, want 7ns", took)
		}
	}
	if took := run.paced(); took != 0 {
		t.Errorf("%v for a run that was not timed", took)
	}
}
