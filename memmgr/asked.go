package memmgr

import (
	"slices"

	"github.com/ashlar-go/ashlar/profile"
)

// asked returns options with the hints for a manager: off, cold, pinned, and the budget and goals,
// which overrule those of the options.
func (o AdaptOptions) asked(in profile.Hints) AdaptOptions {
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
