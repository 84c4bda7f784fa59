package adapt

import (
	"time"

	"github.com/ashlar-go/ashlar/internal/arena"
)

// again makes idle memory stay longer where most of what was given back is wanted again soon, as
// by peaks that come every ten seconds. A page that comes back costs some 3 µs:
//
//	memory   ▆▆▁▁▁▁▁▁▁▁▁▁▆▆▁▁▁▁▁▁▁▁▁▁▆▆▁▁▁
//	resident ████▆▄▂▁▁▁▁▁██████████████████
//	                     wanted again: Decay is eight times as long from here on
//
// It is Decay again when memory has gone back all the same.
type again struct {
	given uint64        // bytes that were given back
	at    time.Time     // when the last of them was
	low   uint64        // the least that was resident since
	times time.Duration // Decay is so many times as long; 0 is once
}

// againTimes is how many times as long memory stays that was wanted again.
const againTimes = 8

// gave counts what was given back, which leaves so much resident.
func (g *again) gave(freed, dirty uint64, now time.Time) {
	if freed > 0 {
		g.given, g.at, g.low = g.given+freed, now, dirty
	}
}

// wants tells whether half of what was given back is resident again. It is called in each frame.
func (g *again) wants(dirty uint64) bool {
	g.low = min(g.low, dirty)
	return g.given >= arena.RegionBytes && dirty-g.low > g.given/2
}

// decide says what comes of that, given Decay.
func (g *again) decide(now time.Time, decay time.Duration) {
	if now.Sub(g.at) < againTimes*decay {
		g.times = againTimes
	}
	g.given = 0
}

// over is the age at which all idle memory goes back, given Decay and what pressure makes of it.
func (g *again) over(decay, now time.Duration) time.Duration {
	if now == decay {
		return now * max(g.times, 1)
	}
	return now
}

// allGone says that no memory is idle. If it has gone back, keeping it longer was no use.
func (g *again) allGone() {
	if g.given >= arena.RegionBytes {
		g.times = 0
	}
}
