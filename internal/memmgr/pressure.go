package memmgr

import (
	"time"

	"github.com/ashlar-go/ashlar/internal/arena"
)

// pressure says how fast idle memory goes back while the machine is short of memory. It reads
// the machine at most once in pressureEvery, and only while memory is idle: with nothing to
// give back nothing is read.
type pressure struct {
	read  func() arena.Pressure // nil: nothing is read
	at    time.Time             // of the last reading
	last  arena.Pressure
	times uint64 // readings that made giving back faster
}

const (
	pressureEvery = time.Second
	stalledMuch   = 1000 // hundredths of a percent: some task waits for a tenth of the time
	stalledFaster = 8    // by how much memory goes back faster then
)

// over returns the age at which all idle memory goes back at present, in place of the one that
// options say.
func (p *pressure) over(now time.Time, calm time.Duration) time.Duration {
	if p.read == nil || calm <= 0 {
		return calm
	}
	if since := now.Sub(p.at); since >= pressureEvery || since < 0 {
		p.at, p.last = now, p.read()
		if hurried(p.last, calm) < calm {
			p.times++
		}
	}
	return hurried(p.last, calm)
}

// hurried is how a pressure shortens the age at which all idle memory goes back. Stalls
// shorten it to a fixed part. In the last tenth of a limit it falls to 0 in proportion to
// what is left.
func hurried(p arena.Pressure, calm time.Duration) time.Duration {
	over := calm
	if p.Stalled >= stalledMuch {
		over = calm / stalledFaster
	}
	left := p.Limit - min(p.Limit, p.Used)
	if tenth := p.Limit / 10; left < tenth {
		over = min(over, time.Duration(float64(calm)*float64(left)/float64(tenth)))
	}
	return over
}
