package ecs

import (
	"context"
	"fmt"
	"runtime/pprof"
	"slices"
	"time"
	"unsafe"
)

// system is a function and the query whose batches it gets.
type system struct {
	*query
	home   *pool // whose owner's rows it goes over, with views for what it reads beside them; nil for none
	into   unsafe.Pointer
	call   func(unsafe.Pointer) bool
	labels context.Context // a goroutine's while the system runs
}

// SystemOption changes what a system goes over.
type SystemOption func(*query) error

// System registers a function that every Run calls with the columns that its
// struct asks for, batch by batch; see QueryOf for the fields. The rows are those of all
// entities that have the required components, in whatever tables and groups. Systems run in the
// order of their registration. A field *Commands takes structural changes. The
// error is also returned by every Run, until System succeeds under the same name.
func System[S any](w *World, name string, fn func(*S), options ...SystemOption) error {
	if w == nil || w.m == nil {
		return fmt.Errorf("ecs: system %q: %w", name, errNoWorld)
	}
	err := addSystem(w, name, fn, options)
	if err != nil {
		err = fmt.Errorf("ecs: system %q: %w", name, err)
	}
	return w.registered("system", name, err)
}

func addSystem[S any](w *World, name string, fn func(*S), options []SystemOption) error {
	w.mustIdle("System")
	if err := checkName(name); err != nil {
		return err
	}
	if w.systemNames[name] {
		return fmt.Errorf("the name is taken by another system")
	}
	if fn == nil {
		return fmt.Errorf("its function is nil: every Run calls it")
	}
	into := new(S)
	q, err := w.newQuery(typeFor[S](), name, unsafe.Pointer(into))
	if err != nil {
		return err
	}
	for i, o := range options {
		if o == nil {
			return fmt.Errorf("option %d is nil: leave it out", i)
		}
		if err := o(q); err != nil {
			return err
		}
	}
	if !q.pointers {
		// A function of *S is called like one of unsafe.Pointer: one pointer in, nothing out.
		q.fn = *(*func(unsafe.Pointer))(unsafe.Pointer(&fn))
	}
	w.enlist(&system{
		query: q,
		into:  unsafe.Pointer(into),
		call: func(p unsafe.Pointer) bool {
			fn((*S)(p))
			q.passed++
			return true
		},
		labels: pprof.WithLabels(context.Background(), pprof.Labels("system", name)),
	})
	return nil
}

// enlist adds a system behind the others, and to what finds it by its components.
func (w *World) enlist(s *system) {
	s.number = len(w.systems)
	w.systems = append(w.systems, s)
	if w.systemNames == nil {
		w.systemNames = make(map[string]bool)
	}
	w.systemNames[s.name] = true
	for i := range s.columns {
		p := s.columns[i].pool
		if n := len(p.users); n == 0 || p.users[n-1] != s {
			p.users = append(p.users, s)
		}
	}
	for _, p := range s.planner.required {
		p.needed = append(p.needed, s)
	}
	for _, p := range s.planner.excluded {
		p.shuns = append(p.shuns, s)
	}
	i := slices.IndexFunc(s.columns, func(c column) bool { return c.whole() && !c.optional })
	if i < 0 || s.over != nil || s.pointers {
		return
	}
	s.home = s.columns[i].pool
	s.home.guests = append(s.home.guests, s)
	if g := s.home.group; g != nil {
		g.guests = append(g.guests, s)
		w.layViewsOf(g, s)
	}
}

// Run executes one frame: every system once, in order, with a safe point before
// each of them and after the last, where commands are applied and chunks may move.
// A frame that has begun is finished: ctx is asked before it only. While a system runs,
// the goroutine has the label system=NAME for CPU profiles, and those of ctx afterwards. Errors of
// registration are returned before anything runs. If memory for a command is
// refused, Run returns that error, keeps the command and all after it, and the
// next Run goes on from there.
//
// A panic of a system passes through Run, and its frame is abandoned: what ran stays, what
// did not is left out, and commands that were asked for are made at the next safe point.
// The next Run runs nothing and returns ErrAbandoned, with the system and how many batches
// it had run. The one after it begins a new frame.
func (w *World) Run(ctx context.Context) error {
	if ctx == nil {
		panic("ecs: Run with a nil context: pass context.Background()")
	}
	if w.made("Run").closed {
		return ErrClosed
	}
	if err := w.abandoned; err != nil {
		w.abandoned = nil
		return err
	}
	if len(w.refused) > 0 {
		return w.unregistered()
	}
	if w.at == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	w.mustIdle("Run")
	if !w.resolved {
		if err := w.resolve(); err != nil {
			return err
		}
	}
	var start time.Time
	timed := w.at == 0 && w.s.Tidying()
	if timed {
		start = w.now()
	}
	if err := w.runSystems(ctx); err != nil {
		return err
	}
	if err := w.SafePoint(); err != nil {
		return err
	}
	w.at = 0
	w.frame++
	w.s.EndFrame()
	w.sortRows()
	var took time.Duration
	if timed {
		took = w.now().Sub(start)
	}
	return w.endFrame(took)
}

// now is the time by the clock that adapting goes by.
func (w *World) now() time.Time {
	if c := w.options.Adapt.Clock; c != nil {
		return c()
	}
	return time.Now()
}

// runSystems runs the systems that are left of the frame, under goroutine labels that
// tell them apart in a CPU profile.
func (w *World) runSystems(ctx context.Context) error {
	running := false
	defer func() {
		if running { // a system has panicked
			pprof.SetGoroutineLabels(ctx)
			w.abandon()
		}
	}()
	for ; w.at < len(w.systems); w.at++ {
		if err := w.SafePoint(); err != nil {
			return err
		}
		w.m.Advance()
		s := w.systems[w.at]
		running, s.passed, s.met = true, 0, 0
		pprof.SetGoroutineLabels(s.labels)
		if w.rec != nil {
			w.rec.run(w.at, s)
		} else {
			s.each(s.into, s.call)
		}
		pprof.SetGoroutineLabels(ctx) // what safe points do is nobody's system
		running = false
	}
	return nil
}

// abandon ends the frame in which a system has panicked.
func (w *World) abandon() {
	s := w.systems[w.at]
	unit := "batches"
	switch {
	case s.pointers && s.passed == 1:
		unit = "row"
	case s.pointers:
		unit = "rows"
	case s.passed == 1:
		unit = "batch"
	}
	w.abandoned = fmt.Errorf("%w: system %q panicked in frame %d, after %d %s; %d of %d systems had run before it. What ran stays, and the next Run begins a new frame", ErrAbandoned, s.name, w.frame+1, s.passed, unit, w.at, len(w.systems))
	w.at = 0
}

func (w *World) endFrame(took time.Duration) error {
	if w.rec != nil {
		w.rec.endFrame(w)
	}
	err := w.m.EndFrame()
	if !w.options.NoAdapt && err == nil {
		err = inEcs(w.s.Tidy(took))
	}
	if err == nil {
		err = w.dropViews()
	}
	return err
}

// SafePoint applies the commands that wait and lets the manager move chunks. Run
// calls it; programs without systems call it between their own steps.
func (w *World) SafePoint() error {
	if w.made("SafePoint").busy != "" {
		w.mustIdle("SafePoint")
	}
	if len(w.commands.ops) > 0 {
		if err := w.commands.apply(); err != nil {
			return err
		}
	}
	return w.m.SafePoint()
}
