package policy

// Report says how a component is stored and what that rests on, for people. Rates
// are as of the last look, decayed by frames; a fixed component that is not removed
// has no rates.
type Report struct {
	Way    Way
	Reason Reason
	// Frame is when it was last decided or stated, counted from 1; 0 is never.
	Frame int64
	// Removed is removes a frame; Visited rows a frame, in which an excluded row weighs
	// as four; Limit is the removes a frame above which it is not stored as fixed.
	Removed, Visited, Limit float64
}

// Report describes one component. No decision depends on its floating point.
func (p *Policy) Report(c int) Report {
	s := &p.components[c]
	f := func(rate uint64) float64 { return float64(rate) / one }
	return Report{s.way, s.reason, s.changed, f(s.removed), f(s.visited), f(s.limit)}
}
