// Package schedule runs systems, frame by frame.
//
// # Words
//
// A [System] is a function and the cursor that walks its rows, or a function alone, which
// runs once. A frame has phases, and each system is in one of them. A set is a name that
// systems share: it can be paused, and others can run before or after it. A frame in which
// a system panics is abandoned: the effects of systems that ran stay. It is given up, or gone on with behind that
// system.
//
// # Picture
//
//	a frame:  Startup (the first only) · Fixed × steps · EachFrame · Render
//	a phase:  safe point · system · safe point · systems side by side · …
//	              ↑ an error: the next Run goes on here
//
// # Invariants
//
//   - Systems run in the order in which they were registered, but for Before and After. The order depends on nothing else.
//   - A system that is paused, or has a condition that is false, costs a look.
package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/legs"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/roster"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// ErrAbandoned is returned once by the Run after one in which a system has panicked.
var ErrAbandoned = errors.New("ecs: the last frame was abandoned")

// Position says when a system runs.
type Position struct {
	Phase Phase
	// Sets are names that it shares with others.
	Sets []string
	// Before and After are names of systems and sets of its phase.
	Before, After []string
	// When is asked before each run; nil: always.
	When []func() bool
	// Only are the names of the groups that it goes over; nil: whatever matches.
	Only []string
}

// System is a function, and the cursor that walks its rows. Schedule.Add fills it; Pause changes paused,
// and Walk the state of its runs.
type System struct {
	*walk.Cursor
	Position
	// Number is its own: systems that were registered later have larger ones.
	Number int
	// Noted is for the caller: its own data about the system.
	Noted any
	// Declares is what it promises and which things it reads and writes. Legs follow from it: see package legs.
	Declares legs.System
	// Begin is called before each run, to fill fields of the struct that change from run to run; nil:
	// there are none.
	Begin  func()
	into   raw.Ptr
	call   func(raw.Ptr) bool
	once   func()
	paused int             // by its own name, and by sets
	ran    bool            // once at least
	team   *team           // nil: its batches run in order, by the goroutine that runs the frame
	leg    *leg            // of the systems beside it; nil: it runs alone
	labels context.Context // a goroutine's while the system runs
}

// Schedule is systems in their order. It is between frames (frame is nil), in a frame, or abandoned in one.
// Begin, Run and End change that, and Add, Remove and Pause the systems.
type Schedule struct {
	// Clock says how often systems in phase Fixed run.
	Clock Clock
	// Crew has the workers; nil: no system is shared.
	Crew *crew.Crew
	// ShareWork is how much work a walk is at least, in walk.Split.Work, before workers are offered some of
	// it. No result depends on it. New sets it to that of a piece of two columns of 16 bytes, one of them
	// written, twice over: about 15 µs of a sweep.
	ShareWork int
	// Chance, unless it is nil, has systems and pieces run in an order by chance. No result depends on it. Crew has
	// one worker then.
	Chance *rand.Rand
	// Watch, unless it is nil, watches a system that promises Parallel, in every second frame: systems run one after the
	// other then. The function that it returns is called behind it; whole says that the system has not panicked.
	Watch func(x *System) (end func(whole bool))
	// Queued, unless it is nil, is how many commands wait for a safe point.
	Queued func() int

	ended      func(*System)
	answers    bool    // see Answer
	running    *System // the one that runs now, or has its conditions asked; nil if there is none
	beside     *leg    // of which systems run side by side now; nil: none do
	asking     bool    // its conditions are asked, and Passed is of an earlier frame
	base       *walk.Base
	systems    roster.List[*System]
	settles    roster.List[*System] // some stage of theirs has Settle
	registered int                  // how many were registered, in all
	names      map[string]*System
	paused     map[string]bool
	orders     [phases][]*System // of each phase
	arranged   bool
	started    bool
	frame      []*System // the systems of the frame under way, in order
	scratch    []*System
	next       int    // the system of the frame that Run goes on with
	startups   int    // systems of the frame before the first fixed step
	steps      int    // fixed steps of the frame
	stepped    uint64 // fixed steps of frames that have ended
	abandoned  error  // why it was stopped
	share      sharing
	taking     taking
}

// New returns a schedule without systems.
func New(b *walk.Base) *Schedule {
	return &Schedule{base: b, ShareWork: 8 * walk.PieceRows, names: make(map[string]*System), paused: make(map[string]bool)}
}

// Trace has f be called when a system has run, before any that waits for it.
func (s *Schedule) Trace(f func(x *System)) { s.ended, s.arranged = f, false }

// Systems are all of them, in the order of registration. The slice is good until one comes or goes.
func (s *Schedule) Systems() []*System { return s.systems.All() }

// Promised tells whether a system runs that promises Parallel, or several that do. It may have few rows, which are walked
// as those of any system. While conditions are asked, none runs.
func (s *Schedule) Promised() bool {
	return s.base.Walks.Split || s.running != nil && s.running.team != nil && !s.asking
}

// Running is the name of the system that runs now, or has its conditions asked; "" if there is none.
func (s *Schedule) Running() string {
	switch {
	case s.beside != nil:
		return s.beside.name
	case s.running == nil:
		return ""
	}
	return s.running.Name
}

// Has tells whether a name is taken.
func (s *Schedule) Has(name string) bool { return s.names[name] != nil }

// Add adds a system: a cursor that fills the struct at into, and the function that is called with it. A
// cursor with a plan that requires nothing is not walked: the system is called once.
func (s *Schedule) Add(c *walk.Cursor, into raw.Ptr, call func(raw.Ptr), p Position) *System {
	x := &System{Cursor: c, Position: p, Number: s.registered, into: into, labels: pprof.WithLabels(context.Background(), pprof.Labels("system", c.Name))}
	if !c.Pointers && !s.base.Guard {
		c.Fn = call
	}
	x.call = func(p raw.Ptr) bool {
		call(p)
		c.Passed++
		return true
	}
	if c.NoRows() && !c.IsOver() {
		x.once = func() { x.call(into) }
	}
	s.registered++
	s.systems.Add(x.Number, x)
	s.names[c.Name] = x
	s.arranged = false
	for _, name := range x.switches() {
		if s.paused[name] {
			x.paused++
		}
	}
	return x
}

// switches are the names by which the system can be paused.
func (x *System) switches() []string {
	list := []string{x.Name}
	for _, set := range x.Sets {
		if !slices.Contains(list, set) {
			list = append(list, set)
		}
	}
	return list
}

// Remove takes a system out of the schedule, and returns it; nil if there is none of that
// name.
func (s *Schedule) Remove(name string) *System {
	x := s.names[name]
	if x == nil {
		return nil
	}
	delete(s.names, name)
	s.systems.Remove(x.Number)
	s.settles.Remove(x.Number)
	s.arranged = false
	x.paused++ // in the frame under way
	return x
}

// Pause stops a system, or the systems of a set, or lets them run again. It tells whether the
// name is known. A set that is paused twice is paused once. A name stays paused, and known,
// when the last system that has it is removed.
func (s *Schedule) Pause(name string, paused bool) bool {
	known := s.paused[name]
	for _, x := range s.systems.All() {
		if !slices.Contains(x.switches(), name) {
			continue
		}
		if known = true; s.paused[name] != paused {
			if paused {
				x.paused++
			} else {
				x.paused--
			}
		}
	}
	if delete(s.paused, name); known && paused {
		s.paused[name] = true
	}
	return known
}

// Paused tells whether the system is, by its own name or by a set.
func (x *System) Paused() bool { return x.paused > 0 }

// Visits tells of all systems the rows that they went over since it was called last. Queries by hand count where there is no
// system: else a tool that looks at a world would change how it is stored.
func (s *Schedule) Visits(yield func(store.Visit)) {
	for _, x := range s.systems.All() {
		yield(x.Visited())
	}
	for v := range s.base.ByHand {
		if s.registered == 0 {
			yield(v)
		}
	}
}

// Walk runs the system once.
func (x *System) Walk() {
	switch {
	case x.team != nil && x.team.alone():
		x.team.pass(nil)
	case x.once != nil:
		x.once()
	default:
		x.Each(x.into, x.call)
	}
}

// Witness is Walk for which note learns, batch by batch, whether a column that is declared to
// be written was changed.
func (x *System) Witness(note func(column int, changed bool)) {
	switch {
	case x.team != nil && x.team.alone():
		x.team.pass(note)
	case x.once != nil:
		x.once()
	default:
		x.Cursor.Witness(x.into, x.call, note)
	}
}

// Abandoned is the error of a frame in which a system has panicked. It is nil if there was no
// such frame, or if that frame was given up or resumed since.
func (s *Schedule) Abandoned() error { return s.abandoned }

// GiveUp has the next Run begin a frame, though a system has panicked in this one. The effects of systems that ran
// stay.
func (s *Schedule) GiveUp() {
	s.frame, s.next, s.abandoned = nil, 0, nil
}

// GoOn has the next Run go on behind the system that has panicked.
func (s *Schedule) GoOn() { s.abandoned = nil }

// Begins tells whether the next Run begins a frame: the one before has come to its end.
func (s *Schedule) Begins() bool { return s.frame == nil }

// shares tells whether there are workers to share systems with.
func (s *Schedule) shares() bool { return s.Crew != nil && s.Crew.Workers() > 1 }

// arrange puts the systems of all phases in order. An error has the mistakes of all phases.
func (s *Schedule) arrange() error {
	if s.arranged {
		return nil
	}
	var mistakes [phases]error
	for p := range phases {
		s.orders[p], mistakes[p] = arrange(s.systems.All(), p)
	}
	if err := errors.Join(mistakes[:]...); err != nil {
		return err
	}
	s.plan()
	s.arranged = true
	return nil
}

// InFrame are the systems of every frame in the order in which they run; none if they can't be put
// in order.
func (s *Schedule) InFrame() []*System {
	if s.arrange() != nil {
		return nil
	}
	return slices.Concat(s.orders[Fixed], s.orders[EachFrame], s.orders[Render])
}

// Order is the systems of a phase in their order; none if systems can't be put in order.
func (s *Schedule) Order(p Phase) []*System {
	if s.arrange() != nil {
		return nil
	}
	return s.orders[p]
}

// Begin begins a frame with so many runs of the systems in phase Fixed. It fails if the
// systems can't be put in order.
func (s *Schedule) Begin(steps int) error {
	if err := s.arrange(); err != nil {
		return err
	}
	if s.shares() {
		s.share.beginFrame(time.Now())
	}
	if len(s.orders[Startup])+len(s.orders[Fixed])+len(s.orders[Render]) == 0 {
		s.frame = s.orders[EachFrame] // as it is
	} else {
		s.frame = s.scratch[:0]
		if !s.started {
			for _, x := range s.orders[Startup] {
				if !x.ran { // else it ran in a frame that was abandoned
					s.frame = append(s.frame, x)
				}
			}
		}
		s.startups = len(s.frame)
		for range steps {
			s.frame = append(s.frame, s.orders[Fixed]...)
		}
		s.frame = append(s.frame, s.orders[EachFrame]...)
		s.frame = append(s.frame, s.orders[Render]...)
		s.scratch = s.frame
	}
	if s.frame == nil {
		s.frame = []*System{}
	}
	s.next, s.steps = 0, steps
	return nil
}

// Tick is the number of the fixed step under way for a system of phase Fixed, and of the frame for
// others. Neither depends on other systems.
func (s *Schedule) Tick(x *System) uint64 {
	if n := len(s.orders[Fixed]); x.Phase == Fixed && n > 0 {
		return s.stepped + uint64((s.next-s.startups)/n)
	}
	return s.base.Frame
}

// Recording is the recorder, as far as the schedule knows it.
type Recording struct {
	// Run runs a system by itself.
	Run func(*System)
	// Beside tells whether the system may run beside others this time, and whether that run is to be timed. It begins to
	// note the system.
	Beside func(*System) (may, timed bool)
	// Ran notes a run beside others, which took so long if it was timed, by Clock.
	Ran   func(x *System, took time.Duration)
	Clock func() time.Time
}

// Run runs the systems that are left of the frame, each behind a safe point or beside others: see leg. It
// returns the error of a safe point, and goes on there the next time. While a system
// runs, the goroutine has the label system=NAME, and the labels of ctx afterwards. With rec, runs are recorded. End ends the
// frame.
func (s *Schedule) Run(ctx context.Context, safePoint func() error, rec *Recording) error {
	defer func() {
		if s.Crew != nil {
			if s.Crew.Done(); s.share.idles || s.running != nil || s.Crew.Crowded() {
				s.Crew.Rest()
			}
		}
		if s.running != nil { // and has panicked
			pprof.SetGoroutineLabels(ctx)
			s.abandon()
		}
	}()
	for s.next < len(s.frame) {
		x := s.frame[s.next]
		if l := x.leg; l != nil && l.begins(s.frame[s.next:]) {
			if err := l.run(ctx, safePoint, rec); err != nil {
				return err
			}
			s.next += len(l.systems)
			continue
		}
		if x.paused == 0 && s.holds(x) {
			if err := safePoint(); err != nil {
				return err
			}
			s.step(ctx, x, rec)
		}
		s.next++
	}
	return nil
}

// holds tells whether the conditions of a system hold.
func (s *Schedule) holds(x *System) bool {
	if len(x.When) == 0 {
		return true
	}
	s.running, s.asking = x, true
	asked := x.asked()
	s.mustHaveEnded()
	s.running, s.asking = nil, false
	return asked
}

// step runs a system by itself.
func (s *Schedule) step(ctx context.Context, x *System, rec *Recording) {
	s.base.Manager.Advance()
	s.running, x.Passed = x, 0
	x.ran = true
	pprof.SetGoroutineLabels(x.labels)
	if x.Begin != nil {
		x.Begin()
	}
	queued, met := s.queued(), x.Met
	if s.watches() && x.team != nil {
		s.watch(x, rec)
	} else {
		s.walk(x, rec)
	}
	x.Picks = picks(s.queued()-queued, x.Met-met)
	s.mustHaveEnded()
	if s.ended != nil {
		s.ended(x)
	}
	pprof.SetGoroutineLabels(ctx) // safe points are not part of a system
	s.running = nil
}

// walk runs the system, recorded or timed where that is due.
func (s *Schedule) walk(x *System, rec *Recording) {
	if x.team != nil {
		defer crew.FaultOf()
	}
	switch {
	case x.team != nil && x.team.due():
		x.team.runTimed(rec)
	case rec != nil:
		rec.Run(x)
	default:
		x.Walk()
	}
}

// watches tells whether systems are watched in this frame.
func (s *Schedule) watches() bool { return s.Watch != nil && s.base.Frame%2 == 1 }

// watch is walk of a system that is watched.
func (s *Schedule) watch(x *System, rec *Recording) {
	end, whole := s.Watch(x), false
	defer func() { end(whole) }()
	s.walk(x, rec)
	whole = true
}

// pickedFrom is how many rows a system goes over for each command at most, if it picks. An entity that
// is read here and there costs a miss, some 80 ns, and reading all costs some 0.3 ns a row: estimates of a busy machine
// (go -C bench run . -programs -rows 'bullets|50 kinds').
const pickedFrom = 256

// picks tells whether a system that has asked for some commands while it went over rows is likely to
// read entities here and there in its next run, often enough to have all of them read ahead.
func picks(commands, rows int) bool { return commands > 0 && commands*pickedFrom >= rows }

func (s *Schedule) queued() int {
	if s.Queued == nil {
		return 0
	}
	return s.Queued()
}

// mustHaveEnded panics if the system that has returned, or a condition of it, has left an iteration
// open: chunks could not move at any safe point to come.
func (s *Schedule) mustHaveEnded() {
	if s.base.Walks.Busy != "" {
		s.leftOpen()
	}
}

func (s *Schedule) leftOpen() {
	panic(fmt.Sprintf("ecs: system %q has returned while %s iterates: end the loop, or call the stop function that iter.Pull returned, before the system returns", s.running.Name, s.base.Walks.Busy))
}

// asked tells whether all conditions of the system hold.
func (x *System) asked() bool {
	for _, when := range x.When {
		if !when() {
			return false
		}
	}
	return true
}

// End ends the frame.
func (s *Schedule) End() {
	s.frame, s.next, s.started = nil, 0, true
	if s.shares() {
		s.share.endFrame(time.Now())
	}
	s.stepped += uint64(s.steps)
	s.base.Frame++
}

// abandon stops the frame, in which a system has panicked, behind that system.
func (s *Schedule) abandon() {
	x := s.frame[s.next]
	if s.asking {
		s.asking, x.Passed = false, 0
	}
	unit := "batches"
	switch {
	case x.once != nil:
		unit = "calls"
	case x.Pointers && x.Passed == 1:
		unit = "row"
	case x.Pointers:
		unit = "rows"
	case x.Passed == 1:
		unit = "batch"
	}
	s.abandoned = fmt.Errorf("%w: system %q panicked in frame %d, after %d %s; %d of %d systems had run before it. What ran stays, and the next Run begins a new frame", ErrAbandoned, x.Name, s.base.Frame+1, x.Passed, unit, s.next, len(s.frame))
	s.running = nil
	s.next++
}

// Clear removes all systems.
func (s *Schedule) Clear() {
	s.systems, s.frame, s.orders = roster.List[*System]{}, nil, [phases][]*System{}
	clear(s.names)
}
