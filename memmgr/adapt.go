package memmgr

import (
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// AdaptOptions say how a manager adapts. The zero value knows nothing about the
// program, which is enough to give memory back.
type AdaptOptions struct {
	// Profile is what is asked for: only its intent is read. Its budget comes before Budget.
	Profile profile.Profile
	// Budget bounds what is spent at one safe point. Zero is 200 µs and 4 MiB.
	Budget profile.Budget
	// Every is the number of frames between plans; 0 is 60. Effort follows waste:
	// while nothing changes, or nothing pays, plans are rarer.
	Every int
	// Cooling is the number of frames for which a chunk stays where it was put; 0 is 120.
	Cooling int
	// Decay is the time in which idle memory is given back, little by little; 0 is
	// 10 s, less than 0 is at once.
	Decay time.Duration
	// SoftLimit, if not 0, is how many bytes chunks may keep resident before idle
	// memory is given back at once.
	SoftLimit uint64
	// Clock is what budgets and decay go by; nil is time.Now.
	Clock func() time.Time
}

const (
	budgetTime  = 200 * time.Microsecond
	budgetBytes = 4 << 20
	decayOver   = 10 * time.Second
)

// withDefaults fills in what is not set.
func (o AdaptOptions) withDefaults() AdaptOptions {
	def := func(n *int, d int) {
		if *n <= 0 {
			*n = d
		}
	}
	def(&o.Every, 60)
	def(&o.Cooling, 120)
	if b := o.Profile.Intent.Budget; b.Time > 0 {
		o.Budget.Time = b.Time
	}
	if b := o.Profile.Intent.Budget; b.Bytes > 0 {
		o.Budget.Bytes = b.Bytes
	}
	if o.Budget.Time <= 0 {
		o.Budget.Time = budgetTime
	}
	if o.Budget.Bytes == 0 {
		o.Budget.Bytes = budgetBytes
	}
	if o.Decay == 0 {
		o.Decay = decayOver
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o
}

// AdaptStats is what adapting has done. Actions are tried when their first move is
// due, and in the end applied or reverted, or dropped if the memory moved on without
// them.
type AdaptStats struct {
	Plans      uint64        // plans made
	PlanTime   time.Duration // spent on them
	Tried      uint64        // actions begun
	Applied    uint64        // of these, whose gain came, or that intent asks for
	Reverted   uint64        // of these, taken back since the gain did not come
	Dropped    uint64        // actions that came to nothing: what they were for was gone, or one before them failed
	Refused    uint64        // actions given up since the system refused memory
	Moves      uint64        // chunks moved, those moved back too
	Bytes      uint64        // copied for them
	Skipped    uint64        // moves not made: pinned, gone, or the place was taken
	OverBudget uint64        // safe points that left due work to the next one
	Time       time.Duration // spent on moves and on giving back
	Longest    time.Duration // at one safe point
	Purged     uint64        // bytes given back
	Waiting    int           // actions to be done
	BackedOff  int           // actions that are not asked for at present
	Unknown    int           // names in intent that nobody knows
	Pairs      []Pair        // the last 256 actions that were to give memory back
}

// Pair is what an action was to gain and what it gained: bytes given back.
type Pair struct {
	Kind                plan.Kind
	Predicted, Measured int64
}

// Adapt begins to adapt, or begins anew with other options; counters start at 0. It may
// be called at any safe point. Intent.Off ends it: what is left then is that regions
// without a slot in use are given back as Decay and Clock say. Results are the same
// with any options.
func (m *Manager) Adapt(o AdaptOptions) {
	m.stopAdapting()
	o = o.withDefaults()
	m.clock, m.over, m.decay.pace = o.Clock, o.Decay, pace{}
	if !o.Profile.Intent.Off {
		m.adapt = newAdapter(m, o)
	}
}

// spread tells whether chunks lie in more than one region: otherwise there is nothing
// to be gained by moving them.
func (m *Manager) spread() bool {
	return m.arena.CommittedChunks() > arena.RegionBytes
}

// stopAdapting forgets what was planned; what was moved stays.
func (m *Manager) stopAdapting() {
	if m.adapt != nil {
		m.adapt.drop()
		m.adapt = nil
	}
}

// Adapting returns what adapting has done; ok is false if the manager does not adapt.
func (m *Manager) Adapting() (st AdaptStats, ok bool) {
	if m.adapt == nil {
		return AdaptStats{}, false
	}
	return m.adapt.report(), true
}

// Planned returns the actions that wait, the one under way first. It is good until
// the next safe point.
func (m *Manager) Planned() []plan.Action {
	if m.adapt == nil {
		return nil
	}
	return m.adapt.queue
}

// EndFrame says that a frame is over, which is a safe point. Idle memory is given back
// as its age asks, whole regions first. A manager that adapts judges what it did, and
// makes a plan now and then. With nothing to do it costs a few comparisons. The error
// is the operating system's, from giving memory back; it leaves everything usable.
func (m *Manager) EndFrame() error {
	if m.closed || m.arena == nil {
		m.mustBeMade("EndFrame")
		return m.isClosed("EndFrame")
	}
	m.frame++
	if m.adapt != nil {
		return m.adapt.endFrame()
	}
	if _, idle := m.arena.Idle(); idle == 0 {
		m.decay.pace = pace{}
	} else if !m.decay.resting() {
		if due := batch(m.decay.due(m.now(), idle, m.over), idle); due != 0 {
			freed, err := m.arena.PurgeRegions(due)
			m.decay.idle -= min(m.decay.idle, freed)
			return err
		}
	}
	return nil
}

// budget bounds what a safe point moves.
func (m *Manager) budget() profile.Budget {
	if m.adapt != nil {
		return m.adapt.o.Budget
	}
	return profile.Budget{Time: budgetTime, Bytes: budgetBytes}
}

// now is the time by the clock of Adapt, or the real one.
func (m *Manager) now() time.Time {
	if m.clock == nil {
		return time.Now()
	}
	return m.clock()
}

// Release gives all idle memory back at once, whatever its age: Reclaim without a
// bound. Only at safe points.
func (m *Manager) Release() (uint64, error) { return m.Reclaim(^uint64(0)) }
