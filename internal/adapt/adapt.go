package adapt

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Options say how a manager adapts. The zero value knows nothing about the program, which is
// enough to give memory back.
type Options struct {
	// Off has the manager adapt no more: see Adapt.
	Off bool
	// Cold names sequences that are rarely used. Their chunks are kept apart, in pages of the
	// usual size. Chunks in slots of their own are moved there. Chunks in blocks and in
	// stripes stay.
	Cold []string
	// Pinned names sequences whose chunks are left where they are, cold or not.
	Pinned []string
	// Order names sequences in the order in which the program walks them: see Walk. Others come
	// behind them, as they were made. Where a region is emptied, its chunks go to places by that
	// order. Nothing moves for order alone.
	Order []string
	// Budget bounds what is spent at one safe point.
	Budget memmgr.Budget
	// Every is the number of frames after which a region may be emptied again where none
	// could be; 0 is 60.
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

// Invalid lists what is wrong with options, by the names of their fields. The list is empty for
// options that Adapt accepts.
func Invalid(o Options) (problems []string) {
	for _, f := range []struct {
		name string
		bad  bool
		is   any
	}{
		{"Budget.Time", o.Budget.Time < 0, o.Budget.Time},
		{"Every", o.Every < 0, o.Every},
		{"Frame", o.Frame < 0, o.Frame},
	} {
		if f.bad {
			problems = append(problems, fmt.Sprintf("%s is %v: it must not be negative; 0 is the default", f.name, f.is))
		}
	}
	return problems
}

const (
	every      = 60
	decayOver  = 10 * time.Second
	frameShare = 20 // of a frame may go into moves and giving back (TestGivingBackWithinBudget)
)

// Stats is the state of a manager that adapts.
type Stats struct {
	memmgr.Stats
	Adapting Done // zero if the manager does not adapt
}

// Done is what adapting has done. OverBudget, Time and Longest are of ends of frames, too.
type Done struct {
	memmgr.Moved
	Emptied uint64 // regions that all chunks have left
	GivenUp uint64 // regions that some did not leave: pinned, or others came
	Purged  uint64 // bytes given back
	Limit   uint64 // memory that the process's control group may use, when last read; 0 is none or not read
	Pressed uint64 // readings that made giving back faster: the limit is near, or tasks wait for memory
}

// Adapter has a manager adapt. Use New.
type Adapter struct {
	m      *memmgr.Manager
	o      Options
	walked func() []string // see Walk; nil if that was not called
	done   Done            // Moved has what giving back took
	frame  uint64

	decay decay
	short pressure
	evacuation
}

// New returns an adapter for a manager that has no other. It is off until Adapt is called.
func New(m *memmgr.Manager) *Adapter {
	a := &Adapter{m: m}
	a.Adapt(Options{Off: true})
	return a
}

// Manager is what the adapter is for; nil for an adapter that New did not make.
func (a *Adapter) Manager() *memmgr.Manager {
	if a == nil {
		return nil
	}
	return a.m
}

// Adapt begins to adapt, or begins anew with other options. Counters start at 0. It may be
// called at any safe point. With Off the manager no longer empties regions and keeps nothing
// cold. It still brings chunks of long and of small sequences to their places, and gives back
// regions without a slot in use as Decay and Clock say. Chunks stay where they are for now.
// Results are the same with any options. Options that are Invalid are taken as defaults.
func (a *Adapter) Adapt(o Options) {
	a.Manager().SetBudget(o.Budget, o.Frame/frameShare, o.Clock)
	a.endEvacuation()
	a.short = pressure{read: o.pressure}
	if o.Clock == nil && o.pressure == nil {
		a.short.read = a.m.Arena().Pressure
	}
	if o.Every <= 0 {
		o.Every = every
	}
	if o.Decay == 0 {
		o.Decay = decayOver
	}
	if o.Off {
		o.Cold, o.Pinned, o.SoftLimit = nil, nil, 0
	}
	a.o, a.done, a.decay.pace = o, Done{}, pace{}
	a.next = never
	if !o.Off {
		a.next = a.frame + uint64(o.Every)
	}
	a.m.Keep(o.Cold, o.Pinned)
}

// Walk has the adapter ask in which order the program walks sequences, behind those that
// Options.Order names. It asks when it begins to empty a region, and at no other time.
func (a *Adapter) Walk(walked func() []string) { a.walked = walked }

// Done returns what adapting has done; ok is false if the manager does not adapt.
func (a *Adapter) Done() (d Done, ok bool) {
	if a.o.Off {
		return Done{}, false
	}
	d, back := a.done, a.done.Moved
	d.Moved = a.m.Moved()
	d.OverBudget += back.OverBudget
	d.Time += back.Time
	d.Longest = max(d.Longest, back.Longest)
	d.Limit, d.Pressed = a.short.last.Limit, a.short.times
	return d, true
}

// Stats returns the state. It costs a pass over sequences and chunks.
func (a *Adapter) Stats() Stats {
	st := Stats{Stats: a.Manager().Stats()}
	st.Adapting, _ = a.Done()
	return st
}

// EndFrame says that a frame is over, which is a safe point. Spare chunks that no row has wanted
// for some hundred frames are freed, with any options. Idle memory is given back as its age asks,
// whole regions first. A manager that adapts looks now and then for a region to empty. With nothing to do it costs a few comparisons. The error is the
// operating system's, from giving memory back; it leaves everything usable.
func (a *Adapter) EndFrame() error {
	left, err := a.Manager().EndFrame()
	if err != nil {
		return err
	}
	a.frame++
	err = a.giveBack(left)
	if a.frame >= a.next {
		a.evacuate()
	}
	return err
}

// giveBack gives back what idle memory is due, a region's worth at a time. What the budget leaves
// is due in the next frame.
func (a *Adapter) giveBack(budget time.Duration) (err error) {
	memory := a.m.Arena()
	idle, regions := memory.Idle()
	if a.o.Off {
		idle = regions
	}
	if idle == 0 {
		a.decay.forget()
		return nil
	}
	over := a.o.SoftLimit != 0 && memory.DirtyChunks() > a.o.SoftLimit
	if !over && a.decay.resting() {
		return nil
	}
	begin := a.m.Now()
	due := a.due(begin, idle)
	if over {
		due = idle // whatever its age
	}
	var took time.Duration
	for first := true; due > 0; first = false {
		if !first && took > budget {
			a.done.OverBudget++
			a.decay.rest = 0
			break
		}
		var freed uint64
		if step := min(due, arena.RegionBytes); a.o.Off {
			freed, err = memory.PurgeRegions(step)
		} else {
			freed, err = memory.Purge(step)
		}
		a.gone(freed)
		took = a.m.Now().Sub(begin)
		if err != nil || freed == 0 {
			break
		}
		due -= min(due, freed)
	}
	a.done.Time += took
	a.done.Longest = max(a.done.Longest, took)
	return err
}

// Idle is the safe point of a program without frames, such as a service. It calls SafePoint,
// and gives idle memory back by its age, as EndFrame does. Call it now and then, every second
// for example, with the current time. Memory that became idle is kept for a while, because it
// is often used again soon. All of it is given back once it is as old as Options.Decay,
// which is 10 s if Adapt was not called, and sooner where the machine is short of memory.
//
// Ages follow from now alone. With nothing to do it costs a few comparisons. The error is the
// operating system's, and leaves everything usable. A program that calls EndFrame does not
// need Idle.
func (a *Adapter) Idle(now time.Time) error {
	if err := a.Manager().SafePoint(); err != nil {
		return err
	}
	idle, _ := a.m.Arena().Idle()
	if idle == 0 {
		a.decay.forget()
		return nil
	}
	freed, err := a.m.Arena().Purge(a.due(now, idle))
	a.gone(freed)
	return err
}
