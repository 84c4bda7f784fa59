// Package profile reads and writes profiles: text files about how a program uses its memory. They
// hold facts, which a run recorded, and hints, which a person wrote. A profile never changes a result,
// only time and place. docs/profiles.md has the text form.
//
// A world of package ecs finds its profile by ecs.Options.Profile, a [LoadOptions]. It acts on hints.
// World.Facts and World.Map return what was
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

	"github.com/ashlar-go/ashlar/internal/advice"
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
	// Profile is facts and hints. The zero value has none. Its fields:
	//
	//	World       the name of the world that it is about; "": every world
	//	Hints       what a developer asks for
	//	Frames      how many frames its facts are sums over; Sampled: those in which Lookups were counted
	//	Components  types; Stored: how a world stores them
	//	Groups      rows and chunks of tables and groups
	//	Systems     times and accesses, in the order in which systems run; Shared, Lookups: the like
	//	Worlds      facts and hints about further worlds
	//
	// Check returns what is wrong with it, WriteTo writes its text, and WriteFile a file.
	Profile = core.Profile
	// Hints are what a developer asks for. The zero value asks for nothing. Its fields:
	//
	//	Off     nothing is adapted
	//	Budget  Time and Bytes that moves may take at one safe point
	//	Goal    Resident bytes and the time of a Frame to keep to
	//	Cold    groups whose chunks are rarely used
	//	Pinned  groups whose chunks stay where they are
	//	Views   ways to get shared components: System, Component, Choice
	Hints = core.Hints
	// View is a hint about how a system gets a component that its group does not own.
	View = core.View
	// Map is where chunks lay at the end of a run.
	Map = core.Map
	// LoadOptions say where a program's profile is. The zero value looks at the environment, then
	// beside the executable. Its fields:
	//
	//	File    the file to read, or "off"
	//	Code    hints that overrule the file, statement by statement
	//	World   the name of the program's world; a world of package ecs sets it
	//	Named   without File, no file is looked for
	//	Strict  unknown names are errors, and so is a bad file beside the executable
	//	Log     gets one line about what was found; nil: slog.Default()
	//
	// Open opens File if it is no file of the file system. Getenv and Executable are for tests.
	LoadOptions = core.LoadOptions
	// Loaded is what a program starts with: Profile, with hints, the Sources where they
	// were found, and how many statements were Dropped, about names that the program lacks.
	Loaded = core.Loaded
	// Advice is one change of code that would save time or memory. Its String is what
	// `ashlar advise` prints.
	//
	//	Rule    name of the rule
	//	World   its name, or ""
	//	System  the slow one, or ""
	//	Group   or component
	//	Time    saved in a frame
	//	Bytes   that would be given back
	//	Why     what the run showed
	//	Code    what to write
	Advice = advice.Line
)

// Parse reads a profile: at most 16 MiB, 64 KiB a line and 262,144 statements. Name stands for r in
// errors. The error names everything that is wrong, with file, line and column, or
// wraps what r returned.
func Parse(name string, r io.Reader) (Profile, error) { return core.Parse(name, r) }

// ReadFile is Parse of a file.
func ReadFile(path string) (Profile, error) { return core.ReadFile(path) }

// ReadMap reads the map of a run from a file.
func ReadMap(path string) (Map, error) { return core.ReadMapFile(path) }

// Load reads what a program acts on of its profile: hints.
// Statements about worlds other than LoadOptions.World are left out. A world
// does this by itself; programs that embed memmgr alone call it.
func Load(o LoadOptions) (Loaded, error) { return core.Load(o) }

// Merge returns what two profiles know together, each weighted by the frames that it stands for.
// What they say about different worlds stays apart. Profiles that contradict each other are
// refused. So are profiles with facts about the same world that have no component, group or
// system in common: they are of different programs, or of worlds that need names.
func Merge(a, b Profile) (Profile, error) { return core.Merge(a, b) }

// WriteRun writes the profile and the map of one run, that of one world, to path and path+[MapSuffix]: both or neither.
func WriteRun(path string, p Profile, m Map) error { return core.WriteRun(path, p, m) }

// Advise returns what only code can change, as `ashlar advise` does: what saves time first, then
// what saves memory, the most first. Map is of the run's last frame; the zero Map leaves out what
// needs one. Cache is how many bytes of cache a processor has, which is the second level's in the output of `ashlar topo`.
// Savings are no sum: follow the first, record again, and ask again.
func Advise(p Profile, m Map, cache uint64) []Advice { return advice.Of(p, m, cache) }
