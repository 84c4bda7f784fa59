package views

import (
	"math"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// Frame is what one frame told of a (system, group, component).
type Frame struct {
	// Took is the system's time for the group, gathering and scattering included.
	Took time.Duration
	// Build is the part of Took that went into a kept view, and Readers how many
	// systems that run declare that view, whatever strategy each uses now: a build is
	// charged to all of them alike. Were it charged to the one that comes first, none
	// would want to be first, and nothing would ever be kept. 0 readers count as 1.
	Build   time.Duration
	Readers int
	// Rows is how many rows the system went over. Frames without rows tell nothing.
	Rows int
	// Walks is how many frames this one stands for, of which Rows is the mean: outside of
	// trials not every frame has to be told, nor timed (Took is 0 then). 0 counts as 1.
	Walks int
	// Stale is the share of the owner's chunks whose values change from frame to frame, Moved
	// that of chunks whose rows do, and Order the share of rows whose owner's row follows that
	// of the row before; 0 to 1, and seen alike whatever strategy is in use.
	Stale, Moved, Order float64
	// Applies is what could be used in the next frame. It has Gathered at least.
	Applies Set
}

// cost is the charge per row, in nanoseconds.
func (f Frame) cost() float64 {
	return float64(f.Took-f.Build+f.Build/time.Duration(max(f.Readers, 1))) / float64(f.Rows)
}

// build is the share of a view that one of its readers has to build.
func (f Frame) build() float64 { return max(f.Stale, f.Moved) / float64(max(f.Readers, 1)) }

// Thresholds: what counts as slower, and as another workload. `go -C bench run . -regret` and
// `go -C bench run . -grid` show what choices by them cost.
const (
	trialFrames  = 5           // measured for each strategy, after one that isn't
	betterBy     = 0.05        // of the cost in use: less is not worth a change
	muchBy       = 1.5         // times the best: left after two measured frames; times as many rows, or as few: another workload
	muchSlowerBy = 4           // left after one
	allBuilt     = 0.9         // of a view that its reader builds in each frame: then only noted places are used again
	shareShift   = 0.25        // of what a reader has to build, or of Order
	clearBy      = 1.2         // times as much as, or less than, others once cost: a reason to try them, or not to; a view that takes memory and is built in each frame has to be cheaper by as much
	smoothing    = frames.Few  // frames that a workload is averaged over
	waitFrames   = frames.Many // between trials; doubled each time that one changes nothing
	waitMost     = waitFrames * waitFrames
)

// Choice is the state of the choice for one (system, group, component). Its states:
//
//	trying ──every strategy that applies was measured──→ settled
//	   ↑                                                    │
//	   └── rows, what is built or Order shifted, or what ←──┘
//	       applies; and the others are not known to be worse
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
	least  [strategies]known // the least median that a trial came to
	recent [4]float64        // costs of what is in use since the last trial, the latest first; 0: not known
	beaten bool              // another was once clearly cheaper, and the last trial did not choose it
	now    workload          // smoothed
	base   workload          // when it was settled
}

// known is a cost, and the workload that it is of. The zero value is of none.
type known struct {
	cost, rows, order float64
}

// samples are costs per row that were measured in a trial.
type samples struct {
	n int
	v [trialFrames]float64
}

// workload is what decides which strategy is cheapest.
type workload struct {
	frames  float64 // that were told of
	rows    float64
	build   float64 // share of the view that one reader has to build
	order   float64
	applies Set
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
		if f.Took > 0 {
			copy(c.recent[1:], c.recent[:])
			c.recent[0] = f.cost()
		}
		wait := min(waitFrames<<min(c.quiet, frames.Few), waitMost)
		switch {
		case c.frames >= waitFrames && !c.beaten && c.outdone():
			c.begin()
		case c.frames < wait || !c.now.differs(c.base):
		case c.clear():
			c.base = c.now
		default:
			c.begin()
		}
	}
	return c
}

// begin begins a trial. What is in use comes last: what it costs is known roughly, and if
// another one turns out to be better, little of it need be seen.
func (c *Choice) begin() {
	c.before, c.trying, c.tried, c.costs = c.use, true, 0, [strategies]samples{}
	c.now.frames = 0 // what it comes to goes for the workload in its frames
	c.take()
}

// take goes on with a strategy that was not tried yet, or ends the trial if there is none.
func (c *Choice) take() {
	for i, s := range [...]Strategy{Direct, Cached, Gathered, c.before} {
		if s == Cached && c.before == Gathered && c.vain() {
			continue // it would not be chosen, and take memory for a while
		}
		if s != Unset && (s != c.before || i == strategies-1) && c.now.applies.Has(s) && !c.tried.Has(s) {
			c.use, c.frames = s, 0
			c.tried |= SetOf(s)
			return
		}
	}
	c.settle()
}

// try takes a frame of a trial. The first of what is kept is not measured: it builds
// what later ones reuse.
func (c *Choice) try(f Frame) {
	if !f.Applies.Has(c.use) {
		c.costs[c.use] = samples{}
		c.take()
		return
	}
	if f.Rows == 0 {
		return
	}
	if c.frames++; c.frames == 1 && c.use == Cached {
		return
	}
	s := &c.costs[c.use]
	s.v[s.n] = f.cost()
	if s.n++; s.n == trialFrames || c.slower(s) {
		c.take()
	}
}

// slower tells whether a strategy is clearly slower than the best so far: at its
// best, so that one frame that was disturbed says nothing against it.
func (c *Choice) slower(s *samples) bool {
	best := math.Inf(1)
	if known := c.cost(); known > 0 && c.use != c.before && c.now.applies.Has(c.before) {
		best = known
	}
	for i := range c.costs {
		if o := &c.costs[i]; o.n == trialFrames && o != s {
			best = min(best, o.median())
		}
	}
	sure := s.n >= 2 || c.least[c.use].cost > muchBy*best // it has never been better
	least := slices.Min(s.v[:s.n])
	return least > muchSlowerBy*best || sure && least > muchBy*best
}

// settle ends a trial: the cheapest by median that pays, unless the one that was in use
// before comes close to it, or as close as costs spread.
func (c *Choice) settle() {
	best := Unset
	for s := Direct; int(s) < strategies; s++ {
		if c.costs[s].n > 0 && c.now.applies.Has(s) && (s != Cached || c.pays()) && (best == Unset || c.costs[s].median() < c.costs[best].median()) {
			best = s
		}
	}
	if best == Unset { // what was tried applies no more, or takes memory for nothing
		best = Gathered
	}
	for s := range c.costs {
		if m := c.costs[s].median(); m > 0 && (c.least[s].cost == 0 || m < c.least[s].cost) {
			c.least[s] = known{m, c.now.rows, c.now.order}
		}
	}
	undecided := false
	if old := &c.costs[c.before]; c.before != Unset && old.n > 0 && c.now.applies.Has(c.before) {
		margin := max(betterBy*old.median(), old.deviation(), c.costs[best].deviation())
		if old.median()-c.costs[best].median() <= margin {
			undecided = old.median()-c.costs[best].median() > betterBy*old.median()
			best = c.before
		}
	}
	if c.quiet++; best != c.before {
		c.quiet = 0
	}
	c.use, c.trying, c.frames, c.base = best, false, 0, c.now
	for i := range c.recent {
		c.recent[i] = c.costs[best].median()
	}
	c.beaten = c.outdone() && !undecided
}

// pays tells whether a view that was tried is worth its memory: it is clearly cheaper than all
// else, and much cheaper if its reader builds all of it in each frame.
func (c *Choice) pays() bool {
	worth := 1 + betterBy
	if c.now.build >= allBuilt {
		worth = clearBy
	}
	for _, s := range [...]Strategy{Direct, Gathered} {
		if c.costs[s].n > 0 && c.now.applies.Has(s) && c.costs[s].median() <= worth*c.costs[Cached].median() {
			return false
		}
	}
	return true
}

// vain tells whether a trial of a view that would be built in each frame takes memory for nothing:
// no trial had chosen it when rows were in much the same order.
func (c *Choice) vain() bool {
	least := c.least[Cached]
	return c.now.build >= allBuilt && (least.cost == 0 || math.Abs(c.now.order-least.order) <= shareShift)
}

// cost is what a row costs with what is in use since the last trial, at its best: frames that
// were disturbed say nothing. It is 0 until it is known.
func (c *Choice) cost() float64 { return slices.Min(c.recent[:]) }

// outdone tells whether another strategy that applies has once been clearly cheaper than what
// is in use is now.
func (c *Choice) outdone() bool {
	for s := Direct; int(s) < strategies; s++ {
		if s != c.use && c.now.applies.Has(s) && c.least[s].cost > 0 && c.cost() > clearBy*c.least[s].cost {
			return true
		}
	}
	return false
}

// clear tells whether what is in use is so much cheaper than the others have ever been that
// there is no point in trying them.
func (c *Choice) clear() bool {
	cost := max(c.recent[0], c.recent[1]) // those before may be of another workload
	if cost == 0 || c.now.applies != c.base.applies {
		return false
	}
	for s := Direct; int(s) < strategies; s++ {
		if least := c.least[s]; s != c.use && c.now.applies.Has(s) && (least.cost == 0 || cost*c.now.margin(s, least) > least.cost) {
			return false
		}
	}
	return true
}

// margin is by how much a strategy must have been dearer at its best to be out of the question
// now. More rows and less order make it no cheaper. Other changes may; and what is kept
// depends on what has to be built.
func (w *workload) margin(s Strategy, least known) float64 {
	if s == Cached || w.rows*muchBy < least.rows || w.order > least.order+shareShift {
		return muchSlowerBy
	}
	return clearBy
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
	n := float64(max(f.Walks, 1))
	w.frames += n
	share := max(1-math.Pow(1-1./smoothing, n), n/w.frames) // the mean of the first ones
	w.rows += (float64(f.Rows) - w.rows) * share
	w.build += (f.build() - w.build) * share
	w.order += (f.Order - w.order) * share
}

// differs tells whether another strategy may be the cheapest by now.
func (w *workload) differs(base workload) bool {
	return w.applies != base.applies ||
		w.rows > muchBy*base.rows || w.rows*muchBy < base.rows ||
		math.Abs(w.build-base.build) > shareShift || math.Abs(w.order-base.order) > shareShift
}
