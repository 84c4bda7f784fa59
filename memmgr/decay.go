package memmgr

import (
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

const paceMost = 2 * frames.Few

// resting tells whether the clock need not be read in a frame.
func (p *pace) resting() bool {
	p.frames++
	if p.rest > 0 {
		p.rest--
		return true
	}
	return false
}

// saw notes the time, and when the clock is to be read again.
func (p *pace) saw(now time.Time, step time.Duration) {
	p.rest = 0
	if !p.read.IsZero() {
		p.rest = paceMost - 1
		if frame := now.Sub(p.read) / time.Duration(max(p.frames, 1)); frame > 0 {
			p.rest = int(min(max(step/frame-1, 0), paceMost-1))
		}
	}
	p.frames, p.read = 0, now
}

// due returns how many of the idle bytes are to be given back now. over is the age
// at which all are; not positive is at once.
func (d *decay) due(now time.Time, idle uint64, over time.Duration) uint64 {
	if over <= 0 {
		return idle
	}
	step := max(over/decaySteps, 1)
	d.saw(now, min(step, d.look))
	if n := now.Sub(d.at) / step; n >= decaySteps || n < 0 || d.at.IsZero() {
		d.backlog = [decaySteps]uint64{}
		d.at = now
	} else if n > 0 {
		copy(d.backlog[n:], d.backlog[:])
		clear(d.backlog[:n])
		d.at = d.at.Add(n * step)
	}
	if idle > d.idle {
		d.backlog[0] += idle - d.idle
	} else {
		used := d.idle - idle // again: the youngest first, so that the rest gets older
		for i := range d.backlog {
			n := min(used, d.backlog[i])
			d.backlog[i], used = d.backlog[i]-n, used-n
		}
	}
	d.idle = idle
	return idle - min(idle, kept(&d.backlog))
}

// forget says that no memory is idle.
func (d *decay) forget() {
	if !d.at.IsZero() {
		*d = decay{}
	}
}

// kept is how much of a backlog may stay: 1 − smoothstep of the age.
func kept(backlog *[decaySteps]uint64) (n uint64) {
	const whole = decaySteps * decaySteps * decaySteps
	for i, bytes := range backlog {
		x := uint64(decaySteps - i)
		n += bytes / whole * (3*x*x*decaySteps - 2*x*x*x)
		n += bytes % whole * (3*x*x*decaySteps - 2*x*x*x) / whole
	}
	return n
}

// batch is how many of the due bytes to give back now: nothing until a region's
// worth is due, or all there is, since whole regions go first.
func batch(due, idle uint64) uint64 {
	if due < min(idle, arena.RegionBytes) {
		return 0
	}
	return due
}
