package ecs

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// SystemOption says over which rows a system goes, and when it runs. See OnlyIn, When, InPhase,
// InSet, Before, After and Parallel.
type SystemOption struct{ set func(*placing) error }

// placing is the sum of a system's options.
type placing struct {
	schedule.Position
	phased   bool // InPhase has said the phase
	over     []AnyGroup
	parallel bool // it promises to touch only what its struct was given
}

// Phase is a part of the frame. Phases run in the order Startup, Fixed, EachFrame, Render.
type Phase uint8

const (
	// EachFrame is once a frame: where systems run unless they say otherwise.
	EachFrame = Phase(schedule.EachFrame)
	// Startup is at the beginning of the first frame, once. If that frame is abandoned, the
	// systems that it had not come to run in the next one.
	Startup = Phase(schedule.Startup)
	// Fixed runs as often as steps of Options.FixedStep fit into the time that RunFor is
	// given; once in Run.
	Fixed = Phase(schedule.Fixed)
	// Render is at the end of the frame.
	Render = Phase(schedule.Render)
)

// String is the name of a phase, or a number for one that does not exist.
func (p Phase) String() string { return schedule.Phase(p).String() }

// InPhase has a system run in a phase. A system has one.
func InPhase(p Phase) SystemOption {
	return SystemOption{func(o *placing) error {
		if p > Render {
			return fmt.Errorf("InPhase is given %v: give Startup, Fixed, EachFrame or Render", p)
		}
		if o.phased {
			return fmt.Errorf("it has InPhase twice, of %v and of %v: give one, or register the function as two systems", o.Phase, p)
		}
		o.Phase, o.phased = schedule.Phase(p), true
		return nil
	}}
}

// InSet makes a system a member of sets. A set is a name by which several systems can be
// paused, and which Before and After know.
func InSet(names ...string) SystemOption {
	return SystemOption{func(o *placing) error {
		for _, name := range names {
			if err := checkName(name); err != nil {
				return fmt.Errorf("InSet: %w", err)
			}
		}
		o.Sets = append(o.Sets, names...)
		return nil
	}}
}

// Before has a system run before others of its phase: systems or sets, by name. They may be
// registered later. Run returns an error for a name that no system and no set has, and for
// systems that wait for each other.
func Before(names ...string) SystemOption {
	return SystemOption{func(o *placing) error { o.Before = append(o.Before, names...); return nil }}
}

// After has a system run after others of its phase, as Before has it run before them.
func After(names ...string) SystemOption {
	return SystemOption{func(o *placing) error { o.After = append(o.After, names...); return nil }}
}

// When has a system run only when a condition is true, which is asked before each run. Of
// several all must be true. A system that does not run costs the question alone. The question may come
// again before the same run, if memory is refused or an observer panics in between: so it should change nothing.
func When(condition func() bool) SystemOption {
	return SystemOption{func(o *placing) error {
		if condition == nil {
			return errors.New("When is given a nil function: pass the function that tells whether the system runs")
		}
		o.When = append(o.When, condition)
		return nil
	}}
}

// place is the sum of options.
func place(options []SystemOption) (p placing, err error) {
	for i, o := range options {
		if o.set == nil {
			return p, fmt.Errorf("option %d is the zero value: options come from OnlyIn, When, InPhase, InSet, Before, After and Parallel", i)
		}
		if err := o.set(&p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Pause stops a system, or all systems of a set, until Resume is called with the same name.
// That goes for systems, too, that are registered under the name meanwhile. A system that is
// paused costs nothing to speak of. Pause returns an error if no system and no set has the name.
func (w *World) Pause(name string) error { return w.pause("Pause", name, true) }

// Resume ends Pause. A system runs again when neither it nor a set of its own is paused.
func (w *World) Resume(name string) error { return w.pause("Resume", name, false) }

func (w *World) pause(call, name string, paused bool) error {
	if w.made(call).closed {
		return w.over()
	}
	if arena.Checked {
		w.watched.MustNot(call)
	}
	if !w.systems.Pause(name, paused) {
		return fmt.Errorf("ecs: %s: no system and no set is called %q: names are those of ecs.System and ecs.InSet", call, name)
	}
	return nil
}
