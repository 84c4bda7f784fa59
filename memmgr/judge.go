package memmgr

import "time"

// came compares bytes given back with what was predicted: half of it will do.
func came(predicted uint64, measured int64) bool {
	return measured > 0 && uint64(measured) >= predicted/2
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

// nextPlan is the number of frames until the next plan: every, and more after plans
// that were empty, up to sixteen times.
func nextPlan(every uint64, empty int) uint64 { return every << min(empty, 4) }
