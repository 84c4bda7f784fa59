package ecs

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/internal/memmgr/recording"
	"github.com/ashlar-go/ashlar/internal/profile"
	"github.com/ashlar-go/ashlar/internal/views"
)

// profiles is what the world records, and what it has loaded.
type profiles struct {
	rec      *record.Recorder       // nil: nothing is recorded
	run      func(*schedule.System) // rec's Run: made once, since some builds allocate it each time
	loaded   profile.Loaded
	recorded map[string]profile.System // of what was loaded, as far as the world has them
	intents  map[asking]views.Strategy // what the loaded profile asks for
	unusable profile.Dropped           // what the world had no use for of what was loaded
	looked   bool                      // for a profile
	resolved bool                      // it is known
}

// asking is a system that asks for a component, or for a field of one.
type asking struct{ system, component string }

// intend notes what the loaded profile asks for.
func (p *profiles) intend() {
	p.intents = make(map[asking]views.Strategy)
	for _, v := range p.loaded.Profile.Intent.Views {
		s, err := views.StrategyOf(v.Choice)
		if err != nil {
			s = views.Unset // the reader of profiles has refused it
		}
		if a := (asking{v.System, v.Component}); p.intents[a] == views.Unset {
			p.intents[a] = s
		}
	}
}

// choice is what the choice for a system, a group and a component begins with.
func (w *World) choice(system, group, component string) (intent, recorded views.Strategy, costs profile.Costs) {
	p := &w.profiles
	if len(p.intents) > 0 {
		intent = p.intents[asking{system, component}]
	}
	list := p.recorded[system].Choices
	i := slices.IndexFunc(list, func(h profile.Choice) bool { return h.Group == group && h.Component == component })
	if i >= 0 {
		recorded, _ = views.StrategyOf(list[i].Use) // what is no strategy is Unset
		costs = list[i].Costs
	}
	return intent, recorded, costs
}

// load looks for the program's profile and has the manager act on it.
func (w *World) load() error {
	loaded, err := profile.Load(w.options.Profile)
	if err != nil {
		return fmt.Errorf("ecs: %w", err)
	}
	w.profiles.loaded, w.profiles.looked = loaded, true
	w.profiles.intend()
	if w.found() {
		w.adapt(loaded.Profile)
	}
	return nil
}

// found tells whether a profile was found that says something: a file that was skipped
// or is empty leaves Options.Adapt as it is.
func (w *World) found() bool {
	return slices.ContainsFunc(w.profiles.loaded.Sources, func(s profile.Source) bool { return s.Statements > 0 })
}

// adapt has the manager act on a profile.
func (w *World) adapt(p profile.Profile) {
	o := recording.Asked(w.options.Adapt, p.Intent)
	o.Off = o.Off || w.options.NoAdapt
	w.base.M.Adapt(o)
}

// resolve drops what the loaded profile says about things that the world has not,
// once systems, groups and components are known: before the first frame. In Strict
// mode that is an error.
func (w *World) resolve() error {
	if w.profiles.resolved {
		return nil
	}
	if !w.profiles.looked {
		if err := w.load(); err != nil {
			return err
		}
	}
	if w.found() {
		p, dropped, err := profile.Resolve(w.profiles.loaded.Profile, w.Shape(), w.options.Profile.Mode)
		if err != nil {
			return fmt.Errorf("ecs: the profile is not about this program: %w", err)
		}
		if w.profiles.unusable = dropped; dropped.Total() > 0 {
			w.adapt(p)
		}
		w.profiles.recorded = make(map[string]profile.System)
		for _, s := range p.Systems {
			if _, twice := w.profiles.recorded[s.Name]; !twice {
				w.profiles.recorded[s.Name] = s
			}
		}
	}
	w.profiles.resolved = true
	return nil
}

// Profile returns the profile that was found, where it came from, and what the world
// has no use for of it; both are known from the first frame on.
func (w *World) Profile() (profile.Loaded, profile.Dropped) {
	return w.made("Profile").profiles.loaded, w.profiles.unusable
}
