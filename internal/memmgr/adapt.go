package memmgr

import (
	"time"

	"github.com/ashlar-go/ashlar/internal/arena"
)

// AdaptOptions say how a manager adapts. The zero value knows nothing about the
// program, which is enough to give memory back.
type AdaptOptions struct {
	// Off has the manager adapt no more: see Adapt.
	Off bool
	// Cold names sequences that are rarely used. Their chunks are kept apart, in pages of the
	// usual size. Chunks in slots of their own are moved there. Chunks in blocks and in
	// stripes stay.
	Cold []string
	// Pinned names sequences whose chunks are left where they are, cold or not.
	Pinned []string
	// Budget bounds what is spent at one safe point.
	Budget Budget
	// Every is the number of frames after which a region may be emptied again where none
	// could be; 0 is 60. It matters where memory goes back by whole regions alone.
	Every int
	// Decay is the time in which idle memory is given back, little by little; 0 is
	// 10 s, less than 0 is as fast as Budget allows.
	Decay time.Duration
	// SoftLimit, if not 0, is how many bytes chunks may keep resident before idle
	// memory is given back whatever its age, as fast as Budget allows.
	SoftLimit uint64
	// Frame, if not 0, is the time that a frame should take. Moves and giving back take no more
	// than a twentieth of it in all of a frame, and no more than Budget says at each safe
	// point. One move is made at each in any case.
	Frame time.Duration
	// Clock is what budgets and decay go by; nil is time.Now. With a clock of its own the
	// manager does not read the pressure of the machine, whose time is another.
	Clock func() time.Time

	pressure func() arena.Pressure // for tests; nil is the machine's, if Clock is nil
}

// Budget bounds what is moved at one safe point: time and bytes that are copied. Zero is
// 200 µs and 4 MiB. One move is made in any case.
type Budget struct {
	Time  time.Duration
	Bytes uint64
}

const (
	budgetTime  = 200 * time.Microsecond
	budgetBytes = 4 << 20
	decayOver   = 10 * time.Second
)

// withDefaults fills in what is not set.
func (o AdaptOptions) withDefaults() AdaptOptions {
	if o.Every <= 0 {
		o.Every = 60
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

// AdaptStats is what adapting has done.
type AdaptStats struct {
	Moves      uint64        // chunks brought where they belong
	Bytes      uint64        // copied for them
	Refused    uint64        // chunks left where they are since there was no memory for another place
	Emptied    uint64        // regions that all chunks have left
	GivenUp    uint64        // regions that some did not leave: pinned, or others came
	Purged     uint64        // bytes given back
	OverBudget uint64        // safe points and ends of frames that left due work to the next one
	Time       time.Duration // spent on moves and on giving back
	Longest    time.Duration // at one safe point or end of a frame
	Waiting    int           // chunks that may have to be moved
	Limit      uint64        // memory that the process's control group may use, when last read; 0 is none or not read
	Pressed    uint64        // readings that made giving back faster: the limit is near, or tasks wait for memory
}

// Adapt begins to adapt, or begins anew with other options. Counters start at 0. It may be
// called at any safe point. With Off the manager no longer empties regions and keeps nothing
// cold. It still brings chunks of long and of small sequences to their places, and gives back
// regions without a slot in use as Decay and Clock say. Chunks stay where they are for now.
// Results are the same with any options.
func (m *Manager) Adapt(o AdaptOptions) {
	m.mustBeMade("Adapt")
	if m.adapt != nil {
		m.adapt.endEvacuation()
		m.adapt = nil
	}
	m.short = pressure{read: o.pressure}
	if o.Clock == nil && o.pressure == nil {
		m.short.read = m.arena.Pressure
	}
	o = o.withDefaults()
	m.clock, m.over, m.decay.pace = o.Clock, o.Decay, pace{}
	if !o.Off {
		m.adapt = &adapter{m: m, o: o, next: ^uint64(0), seen: m.counts.Made + m.counts.Freed}
		if m.whole() {
			m.adapt.next = m.frame + uint64(o.Every)
		}
	}
	for _, s := range m.live() {
		if s.asked(); s.cold {
			m.goAstray(s.chunks...)
		}
	}
}

// spread tells whether chunks are in more than one region. If not, moving them gains nothing.
func (m *Manager) spread() bool {
	return m.arena.CommittedChunks() > arena.RegionBytes
}

// Adapting returns what adapting has done; ok is false if the manager does not adapt.
func (m *Manager) Adapting() (st AdaptStats, ok bool) {
	if m.adapt == nil {
		return AdaptStats{}, false
	}
	st = m.adapt.stats
	st.Waiting, st.Limit, st.Pressed = len(m.astray), m.short.last.Limit, m.short.times
	return st, true
}

// EndFrame says that a frame is over, which is a safe point. Spare chunks that no row has wanted
// for some hundred frames are freed, with any options. Idle memory is given back
// as its age asks, whole regions first. Where memory goes back by whole regions alone, a
// manager that adapts looks now and then for one to empty. With nothing to do it costs a few comparisons. The error
// is the operating system's, from giving memory back; it leaves everything usable.
func (m *Manager) EndFrame() error {
	if m.closed || m.arena == nil {
		m.mustBeMade("EndFrame")
		return m.isClosed("EndFrame")
	}
	m.frame++
	if m.frame%spareFrames == 0 && len(m.spares) != 0 {
		m.freeOldSpares()
	}
	if m.adapt != nil {
		return m.adapt.endFrame()
	}
	if _, idle := m.arena.Idle(); idle == 0 {
		m.decay.pace = pace{}
	} else if !m.decay.resting() {
		now := m.now()
		due := m.due(now, idle, m.over)
		_, err := m.giveBack(due, now, m.budget().Time, m.arena.PurgeRegions)
		return err
	}
	return nil
}

// budget bounds what a safe point moves.
func (m *Manager) budget() Budget {
	if m.adapt != nil {
		return m.adapt.budget()
	}
	return Budget{budgetTime, budgetBytes}
}

// now is the time by the clock of Adapt, or the real one.
func (m *Manager) now() time.Time {
	if m.clock == nil {
		return time.Now()
	}
	return m.clock()
}
