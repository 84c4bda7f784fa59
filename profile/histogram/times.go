package histogram

import "github.com/ashlar-go/ashlar/profile"

// Times are the percentiles of the counted durations, for a profile.
func (h *Histogram) Times() profile.Times {
	return profile.Times{P10: h.percentile(10), P50: h.percentile(50), P90: h.percentile(90), P99: h.percentile(99)}
}
