package schedule

import (
	"math"
	"time"
)

// Clock turns time that passes into steps of equal length.
type Clock struct {
	// Step is how long a step is. Most is how many there are in a frame. Time beyond that is
	// dropped, so that a program that is slower than its steps does not fall behind for ever.
	Step time.Duration
	Most int
	rest time.Duration
}

// Pass adds time, and returns how many steps are due.
func (c *Clock) Pass(d time.Duration) (steps int) {
	c.Wait(d)
	n := c.rest / c.Step
	c.rest -= n * c.Step
	return int(min(n, time.Duration(c.Most)))
}

// Wait adds time for later, up to the largest Duration.
func (c *Clock) Wait(d time.Duration) { c.rest += min(max(d, 0), math.MaxInt64-c.rest) }

// Alpha is how much of the next step has passed, from 0 to less than 1.
func (c *Clock) Alpha() float64 { return min(float64(c.rest)/float64(c.Step), 1-1e-9) }
