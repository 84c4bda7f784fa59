// Package recording makes maps of a memory manager, and has one do what a profile asks for.
// It stands above memmgr, which knows nothing of profiles:
//
//	memmgr.Manager ──→ Map: where chunks lie ──→ profile.Map
//	               ←── Asked ←───────────────── hints
package recording

import (
	"slices"

	"github.com/ashlar-go/ashlar/internal/adapt"
	"github.com/ashlar-go/ashlar/profile/histogram"
	"github.com/ashlar-go/ashlar/profile"
)

// Asked returns options with what hints ask of a manager: off, cold, pinned, and the budget and goals,
// which overrule those of the options.
func Asked(o adapt.Options, in profile.Hints) adapt.Options {
	o.Off = o.Off || in.Off
	o.Pinned = slices.Concat(o.Pinned, in.Pinned)
	o.Cold = slices.Concat(o.Cold, in.Cold)
	if in.Budget.Time > 0 {
		o.Budget.Time = in.Budget.Time
	}
	if in.Budget.Bytes > 0 {
		o.Budget.Bytes = in.Budget.Bytes
	}
	if in.Goal.Resident > 0 {
		o.SoftLimit = in.Goal.Resident
	}
	if in.Goal.Frame > 0 {
		o.Frame = in.Goal.Frame
	}
	return o
}

// TimesOf is what a profile says of the times that were counted.
func TimesOf(h *histogram.Histogram) profile.Times {
	return profile.Times{P10: h.Percentile(10), P50: h.Percentile(50), P90: h.Percentile(90), P99: h.Percentile(99)}
}
