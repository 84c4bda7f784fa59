package histogram

import "github.com/ashlar-go/ashlar/profile"

// Times is what a profile says of the durations that were counted.
func (h *Histogram) Times() profile.Times {
	return profile.Times{P10: h.percentile(10), P50: h.percentile(50), P90: h.percentile(90), P99: h.percentile(99)}
}
