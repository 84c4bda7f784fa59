package ecs

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// profiles has the world's recorder, the loaded profile, and the parts that act on it.
type profiles struct {
	rec      *record.Recorder    // nil: nothing is recorded
	run      *schedule.Recording // rec's, made once
	loaded   profile.Loaded
	looked   bool // for a profile
	resolved bool // it is known
}

// intent is how a system is to get a component, as the loaded profile asks. The first of several
// statements applies.
func (w *World) intent(system, component string) views.Strategy {
	for _, v := range w.profiles.loaded.Profile.Hints.Views {
		if v.System == system && v.Component == component {
			use, _ := views.StrategyOf(v.Choice) // any other word is Unset
			return use
		}
	}
	return views.Unset
}

// load looks for the program's profile and has the manager act on it.
func (w *World) load() error {
	loaded, err := profile.Load(w.options.Profile)
	if err != nil {
		return fmt.Errorf("ecs: %w", err)
	}
	w.profiles.loaded, w.profiles.looked = loaded, true
	if w.found() {
		w.adapt(loaded.Profile)
	}
	return nil
}

// found tells whether a profile was found that says something that the world acts on. A file that
// was skipped, or has facts alone, leaves Options.Adapt as it is.
func (w *World) found() bool {
	return slices.ContainsFunc(w.profiles.loaded.Sources, func(s profile.Source) bool { return s.Statements > 0 })
}

// adapt has the manager act on a profile.
func (w *World) adapt(p profile.Profile) {
	if err := w.base.M.Adapt(w.options.Adapt, p.Hints); err != nil {
		panic(err) // New has refused such options
	}
}

// resolve drops statements of the loaded profile about things that the world does not have,
// once systems, groups and components are known: before the first frame. If Strict, that is an
// error.
func (w *World) resolve() error {
	if w.profiles.resolved {
		return nil
	}
	return w.resolveNow()
}

func (w *World) resolveNow() error {
	if !w.profiles.looked {
		if err := w.load(); err != nil {
			return err
		}
	}
	if w.found() {
		p, dropped, err := profile.Resolve(w.profiles.loaded.Profile, w.shape())
		if err != nil && w.options.Profile.Strict {
			return fmt.Errorf("ecs: the profile is not about this program: %w", err)
		}
		if w.profiles.loaded.Dropped = dropped; dropped > 0 {
			w.adapt(p)
		}
	}
	w.profiles.resolved = true
	return nil
}

// Profile returns the statements on which the world acts, the source of the profile, and the
// number of statements about things that the world lacks. All is known from the first frame on.
func (w *World) Profile() profile.Loaded { return w.made("Profile").profiles.loaded }
