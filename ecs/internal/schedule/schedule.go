// Package schedule runs systems, frame by frame.
//
// # Words
//
// A [System] is a function and the cursor that walks its rows. A frame is every system
// once, in order, with a safe point before each of them. A frame in which a system panics is
// abandoned: what ran stays, and the next frame begins anew.
//
// # Picture
//
//	Run:  safe point · system 0 · safe point · system 1 · … · system n-1
//	            ↑ an error: the next Run goes on here
package schedule

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"

	"github.com/ashlar-go/ashlar/ecs/internal/query"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// ErrAbandoned is returned once by the Run after one in which a system has panicked.
var ErrAbandoned = errors.New("ecs: the last frame was abandoned")

// System is a function, and the cursor that walks its rows.
type System struct {
	*query.Cursor
	// Number is its place among all.
	Number int
	into   raw.Ptr
	call   func(raw.Ptr) bool
	labels context.Context // a goroutine's while the system runs
}

// Schedule is systems in their order.
type Schedule struct {
	// Systems are all of them.
	Systems []*System

	base      *query.Base
	names     map[string]bool
	needed    [][]*System // by component: those that require it
	shuns     [][]*System // and those that exclude it
	at        int         // the system that Run goes on with
	abandoned error       // of a frame, until Run has returned it
}

// New returns a schedule without systems.
func New(b *query.Base) *Schedule { return &Schedule{base: b, names: make(map[string]bool)} }

// Has tells whether a name is taken.
func (s *Schedule) Has(name string) bool { return s.names[name] }

// Add adds a system behind the others: a cursor that fills the struct at into, and what is
// called with it.
func (s *Schedule) Add(c *query.Cursor, into raw.Ptr, call func(raw.Ptr)) *System {
	x := &System{Cursor: c, Number: len(s.Systems), into: into, labels: pprof.WithLabels(context.Background(), pprof.Labels("system", c.Name))}
	if !c.Pointers {
		c.Fn = call
	}
	x.call = func(p raw.Ptr) bool {
		call(p)
		c.Passed++
		return true
	}
	s.Systems = append(s.Systems, x)
	s.names[c.Name] = true
	for _, of := range c.Required {
		s.needed = enter(s.needed, of, x)
	}
	for _, of := range c.Excluded {
		s.shuns = enter(s.shuns, of, x)
	}
	return x
}

// enter notes a system under a component.
func enter(lists [][]*System, of *store.Component, x *System) [][]*System {
	for len(lists) <= int(of.ID) {
		lists = append(lists, nil)
	}
	lists[of.ID] = append(lists[of.ID], x)
	return lists
}

// Visits is how many rows systems went over in this frame that require a component, and
// that exclude it.
func (s *Schedule) Visits(c *store.Component) (required, excluded int) {
	return met(s.needed, c), met(s.shuns, c)
}

func met(lists [][]*System, c *store.Component) (rows int) {
	if int(c.ID) < len(lists) {
		for _, x := range lists[c.ID] {
			rows += x.Met
		}
	}
	return rows
}

// Walk runs the system once.
func (x *System) Walk() { x.Each(x.into, x.call) }

// Abandoned returns the error of a frame that was abandoned, once.
func (s *Schedule) Abandoned() error {
	err := s.abandoned
	s.abandoned = nil
	return err
}

// Begins tells whether the next Run begins a frame: the one before has come to its end.
func (s *Schedule) Begins() bool { return s.at == 0 }

// Run runs the systems that are left of the frame, each by run and after a safe point. It
// returns the error of a safe point, and goes on there the next time. While a system
// runs, the goroutine has the label system=NAME, and those of ctx afterwards. End ends the
// frame.
func (s *Schedule) Run(ctx context.Context, safePoint func() error, run func(*System)) error {
	running := false
	defer func() {
		if running { // a system has panicked
			pprof.SetGoroutineLabels(ctx)
			s.abandon()
		}
	}()
	for ; s.at < len(s.Systems); s.at++ {
		if err := safePoint(); err != nil {
			return err
		}
		s.base.M.Advance()
		x := s.Systems[s.at]
		running, x.Passed, x.Met = true, 0, 0
		pprof.SetGoroutineLabels(x.labels)
		if run != nil {
			run(x)
		} else {
			x.Walk()
		}
		pprof.SetGoroutineLabels(ctx) // what safe points do is nobody's system
		running = false
	}
	return nil
}

// End ends the frame.
func (s *Schedule) End() {
	s.at = 0
	s.base.Frame++
}

// abandon ends the frame in which a system has panicked.
func (s *Schedule) abandon() {
	x := s.Systems[s.at]
	unit := "batches"
	switch {
	case x.Pointers && x.Passed == 1:
		unit = "row"
	case x.Pointers:
		unit = "rows"
	case x.Passed == 1:
		unit = "batch"
	}
	s.abandoned = fmt.Errorf("%w: system %q panicked in frame %d, after %d %s; %d of %d systems had run before it. What ran stays, and the next Run begins a new frame", ErrAbandoned, x.Name, s.base.Frame+1, x.Passed, unit, s.at, len(s.Systems))
	s.at = 0
}
