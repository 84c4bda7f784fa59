package histogram

import "github.com/ashlar-go/ashlar/profile"

// Times is what a profile says of the durations that were counted.
func (h *Histogram) Times() profile.Times {
	return profile.Times{P10: h.Percentile(10), P50: h.Percentile(50), P90: h.Percentile(90), P99: h.Percentile(99)}
}
