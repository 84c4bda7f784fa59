package counters

import (
	"math"
	"time"
)

// steps is the length of a chain in operations, and in cycles. Each operation adds or xors two
// registers and needs the result of the one before. That takes 1 cycle on every core that Go
// supports. A multiplication takes 3 cycles on most cores but not on all. Some cores add
// constants in 0 cycles.
const (
	steps  = 32768
	trials = 5
)

// Rate measures the clock rate of the current core in cycles per nanosecond, or GHz. It returns
// the best of five runs of a chain of known length, or NaN if the clock is too coarse. It takes
// five times 32,768 cycles, about 50 µs.
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

// rate returns the cycles per nanosecond if a chain took d. No core runs at 20 GHz: a result
// that high means that the clock did not move, or moves in large steps.
func rate(d time.Duration) float64 {
	if d < steps/20 {
		return math.NaN()
	}
	return steps / float64(d.Nanoseconds())
}

// chain runs steps dependent operations. They are unrolled, so the loop's own operations run in
// parallel with them. It is not inlined, because the compiler might then remove it.
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
