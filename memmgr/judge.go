package memmgr

import (
	"slices"
	"time"
)

// verdict is whether a gain came.
type verdict uint8

const (
	unclear verdict = iota // too small to be seen
	came
	missing
)

// judgeBytes compares bytes given back with what was predicted: half of it will do.
func judgeBytes(predicted uint64, measured int64) verdict {
	switch {
	case predicted == 0:
		return unclear
	case measured > 0 && uint64(measured) >= predicted/2:
		return came
	}
	return missing
}

// judgeTime compares frame times before and after an action, by medians. A gain
// can be seen if it exceeds the spread, which is the larger of the median
// deviations (for 32 frames about two standard errors), or 1 ‰ of a frame. What can't be seen
// is unclear, unless frames got slower by more than the spread.
func judgeTime(before, after []time.Duration, predicted time.Duration) (v verdict, measured time.Duration) {
	if len(before) < judgeFrames || len(after) < judgeFrames {
		return unclear, 0
	}
	b, a := median(before), median(after)
	spread := max(deviation(before, b), deviation(after, a), b/1000)
	measured = b - a
	switch {
	case measured < -spread && -measured > b/100:
		return missing, measured
	case predicted <= spread:
		return unclear, measured
	case 2*measured >= predicted:
		return came, measured
	}
	return missing, measured
}

// judgeFrames is how many frames are looked at before and after an action.
const judgeFrames = 32

func median(d []time.Duration) time.Duration {
	s := slices.Clone(d)
	slices.Sort(s)
	return s[len(s)/2]
}

func deviation(d []time.Duration, from time.Duration) time.Duration {
	s := make([]time.Duration, len(d))
	for i, x := range d {
		s[i] = max(x-from, from-x)
	}
	return median(s)
}

// backoff is for how many frames an action is not asked for again after so many
// failures in a row.
func backoff(failures int) uint64 { return 600 << min(failures-1, 8) }

// mayGo tells whether one more step fits into a budget. The first step of a safe
// point always does, so that work goes on however small the budget is; and a step
// is expected to take as long as those before it.
func mayGo(steps int, spent, step, budget time.Duration, bytes, stepBytes, budgetBytes uint64) bool {
	return steps == 0 || spent+step <= budget && bytes+stepBytes <= budgetBytes
}

// nextPlan is the number of frames until the next plan: every, or more if planning
// took long, so that it costs half a percent of the frames' time at most; and more
// after plans that were empty, up to sixteen times.
func nextPlan(every uint64, took, frame time.Duration, empty int) uint64 {
	n := every << min(empty, 4)
	if frame > 0 {
		n = max(n, uint64(200*took/frame))
	}
	return n
}
