package views

import (
	"math"
	"slices"
	"time"
)

// Frame is what one frame told of a (system, group, component).
type Frame struct {
	// Took is the system's time for the group, gathering and scattering included.
	Took time.Duration
	// Build is the part of Took that went into a kept view, and Readers how many
	// systems declare that view, whatever strategy each uses now: a build is charged
	// to all of them alike. Were it charged to the one that comes first, none would
	// want to be first, and nothing would ever be kept. 0 readers count as 1.
	Build   time.Duration
	Readers int
	// Rows is how many rows the system went over. Frames without rows tell nothing.
	Rows int
	// Walks is how many frames this one stands for, of which Rows is the mean: outside of
	// trials not every frame has to be told. 0 counts as 1.
	Walks int
	// Stale is the share of the owner's chunks that change from frame to frame, and Order
	// the share of rows whose owner's row follows that of the row before; 0 to 1, and
	// seen alike whatever strategy is in use.
	Stale, Order float64
	// Applies is what could be used in the next frame. It has Stream at least.
	Applies Set
}

// cost is the charge per row, in nanoseconds.
func (f Frame) cost() float64 {
	return float64(f.Took-f.Build+f.Build/time.Duration(max(f.Readers, 1))) / float64(f.Rows)
}

// Thresholds: what counts as slower, and as another workload.
const (
	trialFrames   = 5    // measured for each strategy, after one that isn't
	betterBy      = 0.05 // of the cost in use: less is not worth a change
	slowerBy      = 1.5  // times the best: left after two measured frames
	muchSlowerBy  = 4    // left after one
	rowsShift     = 1.5  // times as many rows, or as few
	shareShift    = 0.25 // of Stale or Order
	smoothing     = 8    // frames that a workload is averaged over
	waitFrames    = 64   // between trials; doubled each time that one changes nothing
	waitDoublings = 6
)

// Choice is the state of the choice for one (system, group, component). Its states:
//
//	trying ──every strategy that applies was measured──→ settled
//	   ↑                                                    │
//	   └── rows, Stale or Order shifted, or what applies ←──┘
//
// It is a value: Next returns another one. Make one with Start.
type Choice struct {
	intent Strategy // overrules
	use    Strategy
	before Strategy // in use when the trial began; Unset at the start
	trying bool
	tried  Set // in this trial, the one in use included
	frames int // of the one in use in this trial, or since the last trial
	quiet  int // trials in a row that changed nothing
	costs  [strategies]samples
	now    workload // smoothed
	base   workload // when it was settled
}

// samples are costs per row that were measured in a trial.
type samples struct {
	n int
	v [trialFrames]float64
}

// workload is what decides which strategy is cheapest.
type workload struct {
	known              bool
	rows, stale, order float64
	applies            Set
}

// Start returns the state before the first frame. Recorded is what a profile noted
// in an earlier run: it is used from the first frame on, and the others are tried
// once the program has been running for a while. Intent, where it applies, is used
// always. Both may be Unset; applies is as in Frame.
func Start(recorded, intent Strategy, applies Set) Choice {
	c := Choice{intent: intent}
	c.now.applies = applies
	if recorded != Unset && applies.Has(recorded) {
		c.use = recorded
	} else {
		c.begin()
	}
	if intent != Unset && applies.Has(intent) {
		c.use, c.trying = intent, false
	}
	return c
}

// Use is the strategy for the next frame.
func (c Choice) Use() Strategy { return c.use }

// Trying tells whether a trial is going on.
func (c Choice) Trying() bool { return c.trying }

// Cost is the median cost of a row in the last trial, in nanoseconds; 0 if the
// strategy was not measured in it.
func (c Choice) Cost(s Strategy) float64 { return c.costs[s].median() }

// Next returns the state after a frame in which Use was used.
func (c Choice) Next(f Frame) Choice {
	c.now.applies = f.Applies
	if f.Rows > 0 {
		c.now.smooth(f)
	}
	switch {
	case c.intent != Unset && f.Applies.Has(c.intent):
		c.use, c.trying = c.intent, false
	case c.trying:
		c.try(f)
	case !f.Applies.Has(c.use):
		c.begin()
	case f.Rows > 0:
		c.frames += max(f.Walks, 1)
		if c.frames >= waitFrames<<min(c.quiet, waitDoublings) && c.now.differs(c.base) {
			c.begin()
		}
	}
	return c
}

// begin begins a trial with what is in use, if that applies: the others are then
// compared with a fresh figure.
func (c *Choice) begin() {
	c.before, c.trying, c.tried, c.costs = c.use, true, 0, [strategies]samples{}
	c.take(c.use)
}

// take goes on with a strategy, or another one that was not tried yet, or ends the
// trial if there is none.
func (c *Choice) take(s Strategy) {
	for _, s := range [...]Strategy{s, Alias, Keep, Stream} {
		if s != Unset && c.now.applies.Has(s) && !c.tried.Has(s) {
			c.use, c.frames = s, 0
			c.tried |= SetOf(s)
			return
		}
	}
	c.settle()
}

// try takes a frame of a trial. The first of a strategy is not measured: it builds
// what later ones reuse.
func (c *Choice) try(f Frame) {
	if !f.Applies.Has(c.use) {
		c.costs[c.use] = samples{}
		c.take(Unset)
		return
	}
	if f.Rows == 0 {
		return
	}
	if c.frames++; c.frames == 1 {
		return
	}
	s := &c.costs[c.use]
	s.v[s.n] = f.cost()
	if s.n++; s.n == trialFrames || c.slower(s) {
		c.take(Unset)
	}
}

// slower tells whether a strategy is clearly slower than the best so far: at its
// best, so that one frame that was disturbed says nothing against it.
func (c *Choice) slower(s *samples) bool {
	least := slices.Min(s.v[:s.n])
	for i := range c.costs {
		if o := &c.costs[i]; o.n == trialFrames && o != s {
			if m := o.median(); least > muchSlowerBy*m || s.n >= 2 && least > slowerBy*m {
				return true
			}
		}
	}
	return false
}

// settle ends a trial: the cheapest by median, unless the one that was in use
// before comes close to it.
func (c *Choice) settle() {
	best := Unset
	for s := Alias; int(s) < strategies; s++ {
		if c.costs[s].n > 0 && c.now.applies.Has(s) && (best == Unset || c.costs[s].median() < c.costs[best].median()) {
			best = s
		}
	}
	if best == Unset { // what was tried applies no more
		best = Stream
	}
	if old := &c.costs[c.before]; c.before != Unset && old.n > 0 && c.now.applies.Has(c.before) {
		margin := max(betterBy*old.median(), old.deviation(), c.costs[best].deviation())
		if old.median()-c.costs[best].median() <= margin {
			best = c.before
		}
	}
	if c.quiet++; best != c.before {
		c.quiet = 0
	}
	c.use, c.trying, c.frames, c.base = best, false, 0, c.now
}

func (s *samples) median() float64 {
	if s.n == 0 {
		return 0
	}
	v := s.v
	slices.Sort(v[:s.n])
	return v[s.n/2]
}

// deviation is the median distance from the median.
func (s *samples) deviation() float64 {
	m, d := s.median(), samples{n: s.n}
	for i, v := range s.v[:s.n] {
		d.v[i] = max(v-m, m-v)
	}
	return d.median()
}

func (w *workload) smooth(f Frame) {
	if !w.known {
		w.known, w.rows, w.stale, w.order = true, float64(f.Rows), f.Stale, f.Order
		return
	}
	share := 1 - math.Pow(1-1./smoothing, float64(max(f.Walks, 1)))
	w.rows += (float64(f.Rows) - w.rows) * share
	w.stale += (f.Stale - w.stale) * share
	w.order += (f.Order - w.order) * share
}

// differs tells whether another strategy may be the cheapest by now.
func (w *workload) differs(base workload) bool {
	return w.applies != base.applies ||
		w.rows > rowsShift*base.rows || w.rows*rowsShift < base.rows ||
		max(w.stale-base.stale, base.stale-w.stale) > shareShift ||
		max(w.order-base.order, base.order-w.order) > shareShift
}
