// Package profile reads and writes profiles: text files about how a program uses its memory. They
// hold facts, which a run recorded, and hints, which a person wrote. A profile never changes a result,
// only time and place. docs/profiles.md has the text form.
//
// A world of package ecs finds its profile by ecs.Options.Profile, a [LoadOptions]. It acts on hints
// and on the recorded ways of shared components. World.Facts and World.Map return what was
// recorded, and [WriteRun] writes both:
//
//	var o ecs.Options
//	o.Record.On = true                                  // the first run
//	…
//	err := profile.WriteRun("game.profile", w.Facts(), w.Map())
//
//	o.Profile.File = "game.profile"                     // the next run
//
// Worlds of one program have names, ecs.Options.Name. [Merge] puts what several of them have
// recorded into one profile, and each goes by what is said about every world and about itself.
package profile

import (
	"io"

	core "github.com/ashlar-go/ashlar/internal/profile"
)

const (
	// EnvironmentVariable names a profile for any program, or is `off`.
	EnvironmentVariable = core.EnvironmentVariable
	// Off stands for a profile's name if nothing is to be adapted.
	Off = core.Off
	// MapSuffix is what the name of a run's map has behind that of its profile.
	MapSuffix = core.MapSuffix
)

type (
	// Profile is facts and hints. The zero value has none. Its methods check and write it.
	Profile = core.Profile
	// Hints are what a developer asks for.
	Hints = core.Hints
	// View is a hint about how a system gets a component that its group does not own.
	View = core.View
	// Budget bounds what moves take at one safe point.
	Budget = core.Budget
	// Map is where chunks lay at the end of a run.
	Map = core.Map
	// LoadOptions say where a program's profile is. The zero value looks at the environment, then
	// beside the executable.
	LoadOptions = core.LoadOptions
	// Loaded is what a program starts with, and where it was found.
	Loaded = core.Loaded
)

// Parse reads a profile: at most 16 MiB, 64 KiB a line and 262,144 statements. Name stands for r in
// errors. The error names everything that is wrong, with file, line and column, or
// wraps what r returned.
func Parse(name string, r io.Reader) (Profile, error) { return core.Parse(name, r) }

// ReadFile is Parse of a file.
func ReadFile(path string) (Profile, error) { return core.ReadFile(path) }

// ReadMap reads the map of a run from a file.
func ReadMap(path string) (Map, error) { return core.ReadMapFile(path) }

// Load reads what a program acts on of its profile: hints, and the ways of shared components.
// Statements about worlds other than LoadOptions.World are left out. A world
// does this by itself; programs that embed memmgr alone call it.
func Load(o LoadOptions) (Loaded, error) { return core.Load(o) }

// Merge returns what two profiles know together, each weighted by the frames that it stands for.
// What they say about different worlds stays apart. Profiles that contradict each other are
// refused.
func Merge(a, b Profile) (Profile, error) { return core.Merge(a, b) }

// WriteFile writes a profile to a file, whole or not at all.
func WriteFile(path string, p Profile) error { return p.WriteFile(path) }

// WriteRun writes the profile and the map of one run, that of one world, to path and path+[MapSuffix]: both or neither.
func WriteRun(path string, p Profile, m Map) error { return core.WriteRun(path, p, m) }
