package ecs

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// Run executes one frame: every system once, in order; systems in phase Startup in the first
// frame only. There is a safe point before each system and after the last, where commands are
// applied and chunks may move. Between systems that promise Parallel and may run side by side there is none. Ctx is asked before a frame begins; once begun, it is finished.
// A world without systems has frames, too: there, the loops of queries since the last one count when the store weighs how to
// store components. While a system runs, the goroutine has the label system=NAME for CPU profiles, and the labels of
// ctx afterwards.
//
// Mistakes made in setting up the world are returned before anything runs: see World.Err. If memory
// for a command is refused, Run returns that error and keeps the command and all after it. The next Run goes on from
// there. If commands were dropped that could never be carried out, Run returns ErrDropped at
// the end of the frame, once. Systems that were removed meanwhile do not run; added ones run from the
// next frame on.
//
// A panic of a system passes through Run and abandons the frame. Changes made so far stay, and
// the rest is left out, except phase Startup. Commands that were asked for are made at the next
// safe point. The next Run runs nothing and returns ErrAbandoned, with the system and how many
// batches it had run. The one after it begins a new frame. Continue goes on with the old one
// instead. Run within a system panics.
func (w *World) Run(ctx context.Context) error {
	w.made("Run")
	return w.runFrame(ctx, func() int { return 1 })
}

// Continue goes on with a frame in which a system has panicked, instead of giving it up. The
// systems after that one run, and the frame ends as any other. The system that panicked is not
// called again for the batches that it has left. Stats.Abandoned says how much had run. Continue returns an error if no frame was
// abandoned.
func (w *World) Continue(ctx context.Context) error {
	if w.made("Continue").closed {
		return w.over()
	}
	if w.systems.Abandoned() == nil {
		return errors.New("ecs: Continue: no system has panicked since the last Run: call Run, which also resumes a frame that stopped because memory was refused")
	}
	w.systems.GoOn()
	return w.runFrame(ctx, nil)
}

// RunFor is Run for a frame that took the given time. Systems in phase Fixed run as often as
// steps of Options.FixedStep fit into the time that has passed and has not been used, at most
// Options.MaxSteps times. Time beyond that is dropped. Time below zero is refused, and no system runs.
func (w *World) RunFor(ctx context.Context, elapsed time.Duration) error {
	if elapsed < 0 {
		return fmt.Errorf("ecs: RunFor is given a time of %v: give the time that has passed since the last frame, 0 at least", elapsed)
	}
	c := &w.made("RunFor").systems.Clock
	if w.systems.Begins() && !w.closed {
		return w.runFrame(ctx, func() int { return c.Pass(elapsed) })
	}
	c.Wait(elapsed) // the frame under way has its steps
	return w.runFrame(ctx, nil)
}

// Alpha is how much of the next fixed step has passed, from 0 to less than 1. Use it to draw
// between the state before the last step and the one after it.
func (w *World) Alpha() float64 { return w.made("Alpha").systems.Clock.Alpha() }

// runFrame runs a frame with so many fixed steps, or goes on with the one under way.
func (w *World) runFrame(ctx context.Context, steps func() int) error {
	if ctx == nil {
		panic("ecs: Run with a nil context: pass context.Background()")
	}
	if w.closed {
		return w.over()
	}
	if err := w.systems.Abandoned(); err != nil {
		w.systems.GiveUp()
		return err
	}
	if err := w.pending(); err != nil {
		return err
	}
	err := w.goOn(ctx, steps)
	if made := w.pending(); made != nil { // by systems
		err = errors.Join(err, made)
	}
	return err
}

// goOn begins a frame, or goes on with the one under way, and ends it.
func (w *World) goOn(ctx context.Context, steps func() int) error {
	begins := w.systems.Begins()
	if begins {
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	w.mustIdle("Run")
	w.mustNotRun("Run")
	if err := w.checkLayout(); err != nil {
		return err
	}
	var start time.Time
	timed := begins && w.base.Store.Tidying()
	if timed {
		start = w.now()
	}
	if begins {
		if err := w.systems.Begin(steps()); err != nil {
			return err
		}
		w.pace.begin()
		w.sortLaid()
		w.base.Store.BeginFrame()
	}
	if err := w.systems.Run(ctx, w.safePoint, w.recording); err != nil {
		return err
	}
	if err := w.safePoint(); err != nil {
		return err
	}
	if err := w.endFrameChanges(); err != nil {
		return err
	}
	w.systems.End()
	w.base.Store.EndFrame()
	w.sorters.EndFrame()
	var took time.Duration
	if timed {
		took = w.now().Sub(start)
	}
	err := w.endFrame(took)
	w.pace.end()
	return err
}

// now is the time by the clock that adapting goes by.
func (w *World) now() time.Time {
	if c := w.options.Adapt.Clock; c != nil {
		return c()
	}
	return time.Now()
}

func (w *World) endFrame(took time.Duration) error {
	w.enter(callRun)
	defer w.exit()
	if w.rec != nil {
		w.rec.EndFrame(w.names.owners)
		w.noteChanges()
	}
	err := w.base.Manager.CloseFrame()
	if !w.options.Adapt.Off && err == nil {
		err = w.inEcs(w.base.Store.Tidy(took))
	}
	if err == nil {
		err = w.views.Drop()
	}
	w.commands.settle()
	w.late.settle()
	w.answers.settle()
	w.systems.Settle()
	for _, q := range w.names.events {
		q.EndFrame()
	}
	return w.commands.pay(err)
}

// SafePoint applies the commands that wait and lets the manager move chunks. Run calls it. Programs without systems call Run
// between their own steps: the end of a frame does more.
func (w *World) SafePoint() error {
	if w.made("SafePoint").refused != nil {
		return w.refused
	}
	w.mustIdle("SafePoint")
	err := w.safePoint()
	if w.closed {
		err = w.over()
	}
	return w.commands.pay(err)
}

func (w *World) safePoint() error {
	w.enter(callSafePoint)
	defer w.exit()
	w.base.Store.TellSets()
	if err := w.makeChanges(&w.commands); err != nil {
		return err
	}
	if len(w.answers.commands.q.Ops) > 0 { // of an observer that has panicked
		w.react()
	}
	return w.base.Manager.SafePoint()
}

// endFrameChanges makes the changes that were asked for the end of the frame.
func (w *World) endFrameChanges() error {
	if len(w.late.q.Ops) == 0 && w.late.drops.Len() == 0 {
		return nil
	}
	w.enter(callSafePoint)
	defer w.exit()
	defer w.commands.drops.Take(&w.late.drops) // also if an observer panics
	return w.makeChanges(&w.late)
}

// makeChanges carries out commands.
func (w *World) makeChanges(c *Commands) error {
	if len(c.q.Ops) == 0 {
		return nil
	}
	if w.traced != nil {
		w.traced.Asked(&c.q, func(of uint32) reflect.Type { return w.names.pools[of-1].typ })
	}
	return c.apply()
}
