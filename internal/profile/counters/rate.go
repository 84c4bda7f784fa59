package counters

import (
	"math"
	"time"
)

// steps of a chain are cycles: an addition or an exclusive or of two registers, of
// which each needs the one before, takes 1 cycle on every core that Go runs on.
// (A multiplication takes 3 on most but not on all, and some cores add constants
// for nothing.)
const (
	steps  = 32768
	trials = 5
)

// Rate measures the clock rate of the core that it runs on now, in cycles per
// nanosecond, which are GHz: the best of five runs of a chain of known length. It
// takes five times 32,768 cycles, some 50 µs. NaN: the clock is too coarse to say.
func Rate() float64 {
	best := time.Duration(math.MaxInt64)
	x, y := uint(3), uint(time.Now().UnixNano())
	for range trials {
		start := time.Now()
		x = chain(x, y)
		best = min(best, time.Since(start))
	}
	return rate(best)
}

// rate is cycles per nanosecond if a chain took d. No core has 20 GHz: a clock
// that says so has not moved, or moves in large steps.
func rate(d time.Duration) float64 {
	if d < steps/20 {
		return math.NaN()
	}
	return steps / float64(d.Nanoseconds())
}

// chain is steps dependent operations, written out so that the loop's own hide
// behind them. It is not inlined, or the compiler might leave it out.
//
//go:noinline
func chain(x, y uint) uint {
	for range steps / 16 {
		x += y
		x ^= y
		x += y
		x ^= y
		x += y
		x ^= y
		x += y
		x ^= y
		x += y
		x ^= y
		x += y
		x ^= y
		x += y
		x ^= y
		x += y
		x ^= y
	}
	return x
}
