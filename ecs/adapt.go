package ecs

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/profile"
)

// load looks for the program's profile and has the manager act on it.
func (w *World) load() error {
	loaded, err := profile.Load(w.options.Profile)
	if err != nil {
		return fmt.Errorf("ecs: %w", err)
	}
	w.loaded, w.looked = loaded, true
	w.intend()
	if w.found() {
		w.adapt(loaded.Profile)
	}
	return nil
}

// found tells whether a profile was found that says something: a file that was skipped
// or is empty leaves Options.Adapt as it is.
func (w *World) found() bool {
	return slices.ContainsFunc(w.loaded.Sources, func(s profile.Source) bool { return s.Statements > 0 })
}

// adapt has the manager act on a profile.
func (w *World) adapt(p profile.Profile) {
	o := w.options.Adapt
	o.Profile = p
	o.Profile.Intent.Off = p.Intent.Off || w.options.NoAdapt
	w.m.Adapt(o)
}

// resolve drops what the loaded profile says about things that the world has not,
// once systems, groups and components are known: before the first frame. In Strict
// mode that is an error.
func (w *World) resolve() error {
	if !w.looked {
		if err := w.load(); err != nil {
			return err
		}
	}
	if w.found() {
		p, dropped, err := profile.Resolve(w.loaded.Profile, w.Shape(), w.options.Profile.Mode)
		if err != nil {
			return fmt.Errorf("ecs: the profile is not about this program: %w", err)
		}
		if w.unusable = dropped; dropped.Total() > 0 {
			w.adapt(p)
		}
		w.recorded = make(map[string]profile.System)
		for _, s := range p.Systems {
			if _, twice := w.recorded[s.Name]; !twice {
				w.recorded[s.Name] = s
			}
		}
	}
	w.resolved = true
	return nil
}

// Profile returns the profile that was found, where it came from, and what the world
// has no use for of it; both are known from the first frame on.
func (w *World) Profile() (profile.Loaded, profile.Dropped) {
	return w.made("Profile").loaded, w.unusable
}
