package histogram

import "github.com/ashlar-go/ashlar/profile"

// Times returns how many durations were counted, and their percentiles, for a profile.
func (h *Histogram) Times() (n uint64, t profile.Times) {
	return h.n, profile.Times{P10: h.percentile(10), P50: h.percentile(50), P90: h.percentile(90), P99: h.percentile(99)}
}
