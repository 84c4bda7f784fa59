package schedule

import (
	"context"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/legs"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// leg is two systems or more that may run side by side, between two safe points. None sees the structural changes
// that another asks for. A system of it that is paused, or has a condition that is false, is left out.
//
//	safe point ─► start of each ─► a flow of their pieces           ─► end of each, in order ─► safe point
//	safe point ─► in order: one worker, or little work                                       ─► safe point
//
// Both have the same results, state behind a panic included. Each system has a tick of its own, and ticks ascend in
// the order of systems. So stamps are as of systems that run one after the other. Run changes all but the first
// fields.
type leg struct {
	schedule *Schedule
	name     string // of the systems, in messages
	systems  []*System
	waits    [][]legs.Wait
	flow     crew.Flow

	base   int           // position in the frame
	runs   []bool        // by system: it runs in this frame
	skips  []bool        // a system that it waits for has panicked, or was skipped
	faults []*crew.Fault // its panic
	timed  []bool
	work   []int // as team.load has it
	rests  int   // frames in which it is not asked again whether systems run side by side
	paths  []int // work of the longest chain of systems up to this one
}

// plan finds the legs of all phases but Startup: systems of that phase run once, and may be left over from a frame that
// was abandoned.
func (s *Schedule) plan() {
	for p, order := range s.orders {
		for _, x := range order {
			x.leg = nil
		}
		if Phase(p) == Startup || s.Crew == nil {
			continue
		}
		for _, l := range legs.Plan(s.Declared(order)) {
			if l.End-l.First > 1 {
				s.newLeg(order[l.First:l.End], l.Waits)
			}
		}
	}
}

// Declared are the declarations of systems. Observers may answer the change of one component by others, so with them a
// system that asks for one may ask for any.
func (s *Schedule) Declared(order []*System) (list []legs.System) {
	for _, x := range order {
		d := x.Declares
		if s.answers && len(d.Changes) > 0 {
			d.Changes = []string{legs.Any}
		}
		list = append(list, d)
	}
	return list
}

// Answer says whether there are observers.
func (s *Schedule) Answer(answers bool) {
	if s.answers != answers {
		s.answers, s.arranged = answers, false
	}
}

// newLeg makes a leg of systems, with a task of a flow for each.
func (s *Schedule) newLeg(systems []*System, waits [][]legs.Wait) {
	n := len(systems)
	l := &leg{schedule: s, systems: systems, waits: waits, runs: make([]bool, n), skips: make([]bool, n), faults: make([]*crew.Fault, n)}
	l.timed, l.work, l.paths = make([]bool, n), make([]int, n), make([]int, n)
	l.flow.Tasks = make([]crew.Task, n)
	for i, x := range systems {
		x.leg = l
		x.team.early = len(waits[i]) == 0 && len(x.Priors) > 0
		t, task := x.team, &l.flow.Tasks[i]
		task.Job.Do, task.Job.Labels, task.Job.InTurn = t.do, x.labels, t.InTurn
		task.Begin = t.begin
		if s.ended != nil || slices.ContainsFunc(t.Stages, func(s Stage) bool { return s.Seal != nil }) {
			task.End = t.ends
		}
		task.Waits = len(waits[i])
		for _, w := range waits[i] {
			l.flow.Tasks[w.On].Next = append(l.flow.Tasks[w.On].Next, i)
		}
	}
	to := ", "
	if n > 2 {
		to = " … "
	}
	l.name = systems[0].Name + to + systems[n-1].Name
}

// begins tells whether a rest of a frame begins with the leg, and has all of it.
func (l *leg) begins(rest []*System) bool {
	return len(rest) >= len(l.systems) && rest[0] == l.systems[0] && slices.Equal(rest[:len(l.systems)], l.systems)
}

// run runs the leg behind a safe point. It panics with the first system's panic, in their order.
func (l *leg) run(ctx context.Context, safePoint func() error, rec *Recording) error {
	s := l.schedule
	l.base = s.next
	any := false
	for i, x := range l.systems {
		l.runs[i] = x.paused == 0 && (i > 0 || s.holds(x)) // only the first may have conditions
		any = any || l.runs[i]
	}
	if !any {
		return nil
	}
	if err := safePoint(); err != nil {
		return err
	}
	clear(l.skips)
	clear(l.faults)
	if help, beside := l.besides(rec); beside {
		l.runBeside(ctx, rec, help)
	} else {
		l.runInOrder(ctx, rec)
	}
	if fault := l.abandons(); fault != nil {
		panic(fault)
	}
	return nil
}

// besides decides whether the systems run side by side: whether enough work can be done at the same time. It goes by
// counts of rows. A system counts with its share of a worker if its pieces are shared.
func (l *leg) besides(rec *Recording) (help crew.Help, beside bool) {
	s := l.schedule
	workers := s.Crew.Workers()
	if s.watches() {
		return 0, false
	}
	if s.Chance != nil {
		l.cut()
		_, may := l.ready(rec, 1, workers)
		return crew.None, may
	}
	if workers == 1 {
		return 0, false
	}
	if l.rests > 0 {
		l.rests--
		return 0, false
	}
	total := l.cut()
	if total < 2*s.ShareWork {
		l.rest(total / 2)
		return 0, false
	}
	longest, may := l.ready(rec, s.ShareWork, workers)
	if !may {
		return 0, false
	}
	if gain := total - max(longest, total/workers); gain < s.ShareWork {
		l.rest(gain)
		return 0, false
	}
	if help = s.share.help(s.ShareWork, total, workers, always); help != crew.Called && !s.Crew.Awake() {
		l.rest(0)
		return 0, false
	}
	return help, true
}

// cut cuts the systems in pieces, and returns how much work there is in all.
func (l *leg) cut() (total int) {
	for i, x := range l.systems {
		if l.work[i] = 0; l.runs[i] {
			x.team.cut()
			l.work[i] = x.team.load()
			total += l.work[i]
		}
	}
	return total
}

// ready readies the tasks of the flow, with systems shared that are at least so much work. It returns the work of the
// longest chain, and whether all systems may run beside others.
func (l *leg) ready(rec *Recording, least, workers int) (longest int, may bool) {
	for i, x := range l.systems {
		task := &l.flow.Tasks[i]
		task.Idle, task.Pieces, task.Whole = !l.runs[i], 0, true
		path := l.work[i]
		if l.runs[i] {
			may = (x.once != nil || x.team.split.Stamped()) && x.writesBeside()
			if rec != nil {
				var alone bool
				alone, l.timed[i] = rec.Beside(x)
				may = may && alone
			}
			if !may {
				return 0, false
			}
			task.Pieces = x.team.pieces
			if task.Whole = !x.team.shares(least, l.work[i]); !task.Whole {
				path /= workers
			}
		}
		before := 0
		for _, w := range l.waits[i] {
			before = max(before, l.paths[w.On])
		}
		l.paths[i] = before + path
		longest = max(longest, l.paths[i])
	}
	return longest, true
}

// rest has the next frames not ask again, if much less work could be saved than pays: with some systems of few rows the
// question would be a large part of the time.
func (l *leg) rest(gain int) {
	if gain < l.schedule.ShareWork/2 {
		l.rests = frames.Many / 8
	}
}

func always() bool { return true }

// runInOrder runs the systems one after the other.
func (l *leg) runInOrder(ctx context.Context, rec *Recording) {
	s := l.schedule
	for i, x := range l.systems {
		l.skips[i] = slices.ContainsFunc(l.waits[i], func(w legs.Wait) bool { return l.skips[w.On] || l.faults[w.On] != nil })
		switch s.next = l.base + i; {
		case !l.runs[i]:
		case l.skips[i]:
			x.team.leave()
		default:
			l.faults[i] = s.attempt(ctx, x, rec)
		}
	}
	s.next = l.base
}

// attempt runs a system by itself, and returns its panic.
func (s *Schedule) attempt(ctx context.Context, x *System, rec *Recording) (fault *crew.Fault) {
	defer func() {
		if v := recover(); v != nil {
			var is bool
			if fault, is = v.(*crew.Fault); !is {
				fault = &crew.Fault{Value: v, Stack: debug.Stack()}
			}
			s.running = nil
			pprof.SetGoroutineLabels(ctx)
		}
	}()
	s.step(ctx, x, rec)
	return nil
}

// runBeside runs the systems side by side.
func (l *leg) runBeside(ctx context.Context, rec *Recording, help crew.Help) {
	s := l.schedule
	s.base.Manager.Advance()
	tick := s.base.Manager.Tick()
	for i, x := range l.systems {
		if l.runs[i] {
			x.ran, x.Passed = true, 0
			x.team.start(&l.flow.Tasks[i].Job, tick+uint64(i))
			switch x.team.clock = nil; {
			case l.timed[i]:
				x.team.clock = rec.Clock
			case x.team.pace.due(s.base.Frame):
				x.team.clock = time.Now
			}
		}
	}
	s.running, s.beside = l.systems[0], l
	end := s.base.Beside(l.name)
	defer func() { // a piece may have ended the goroutine
		end()
		s.beside = nil
		l.end(rec, tick)
		if pprof.SetGoroutineLabels(ctx); s.running != nil {
			l.abandons()
		}
	}()
	if s.Chance != nil {
		s.Crew.ShuffleFlow(&l.flow, s.Chance)
	} else {
		s.Crew.RunFlow(&l.flow, help)
	}
	s.running = nil
}

// end ends the runs of systems, in their order.
func (l *leg) end(rec *Recording, tick uint64) {
	s := l.schedule
	for i, x := range l.systems {
		if !l.runs[i] {
			continue
		}
		t := x.team
		l.skips[i], l.faults[i] = l.flow.Tasks[i].Skipped(), l.flow.Tasks[i].Fault()
		x.RunIn(0)
		queued, met := s.queued(), x.Met
		t.end(!l.skips[i] && l.faults[i] == nil)
		x.Picks = picks(s.queued()-queued, x.Met-met)
		took := t.paced()
		if rec != nil && !l.skips[i] {
			rec.Ran(x, took)
		}
	}
	for s.base.Manager.Tick() < tick+uint64(len(l.systems)) {
		s.base.Manager.Advance()
	}
}

// abandons returns the first system's panic, in their order, and has the frame stop behind that system; nil: none has
// panicked. If the frame goes on, it goes on with the systems that were skipped.
func (l *leg) abandons() *crew.Fault {
	first := slices.IndexFunc(l.faults, func(f *crew.Fault) bool { return f != nil })
	if first < 0 {
		return nil
	}
	s := l.schedule
	var ran, skipped []*System
	for i, x := range l.systems {
		switch {
		case l.skips[i] && l.runs[i]:
			skipped = append(skipped, x)
		case i != first:
			ran = append(ran, x)
		}
	}
	x, n := l.systems[first], len(l.systems)
	s.frame = slices.Concat(s.frame[:l.base], ran, []*System{x}, skipped, s.frame[l.base+n:])
	s.next, s.running = l.base+len(ran), x
	return l.faults[first]
}

// start begins the run of a system beside others, in a tick of its own: see walk.Split.Start.
func (t *team) start(job *crew.Job, tick uint64) {
	t.note, t.now, t.tick, t.shown = nil, job, tick, false
	t.system.LendAhead(true)
	if t.system.once == nil {
		t.split.Start(tick)
	}
	t.reserve()
	if t.early {
		t.fill()
	}
}

// fill fills fields of the system's struct for the run.
func (t *team) fill() {
	t.system.RunIn(t.tick)
	if t.system.Begin != nil {
		t.system.Begin()
	}
}

// begin is called when the systems have ended that it waits for.
func (t *team) begin() {
	if !t.early {
		t.fill()
	}
	t.open()
	if t.system.once == nil {
		t.split.Fill()
	}
}

// writesBeside tells whether values that the system writes where they lie may be written beside other systems: nobody has to
// know of it at once.
func (x *System) writesBeside() bool {
	return !slices.ContainsFunc(x.Reached, func(c *store.Component) bool { return c.AsksRows() || c.Noticed() })
}

// ends is called behind the last piece.
func (t *team) ends() {
	t.seal()
	if t.schedule.ended != nil {
		t.schedule.ended(t.system)
	}
}

// leave is called instead of a run in a leg, if a system has panicked that it waits for. It has the effects of a run beside
// others that was skipped.
func (t *team) leave() {
	t.shown = false
	t.cut()
	t.reserve()
	t.stop()
}

// shares tells whether pieces of a walk of so much work are shared.
func (t *team) shares(least, work int) bool { return work >= least && t.apart() }

// apart tells whether pieces of the walk that was cut may run at the same time, and in any order.
func (t *team) apart() bool {
	return t.system.once == nil && !t.InOrder && t.pieces > 1 && t.split.Apart()
}
