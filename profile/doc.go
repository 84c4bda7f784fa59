// Package profile reads, writes, merges and compares profiles: facts that a run recorded about
// its use of memory. A program acts on no fact. Package layout has what a developer approves of,
// and what a program acts on.
//
//	var o ecs.Options
//	o.Record = true
//	…
//	err := profile.WriteRun("game.profile", w.Facts(), w.Map())
//
// # For programs
//
//	Profile(WriteTo WriteFile) Map
//	Parse ReadFile WriteRun Merge MapSuffix RecordVariable
//
// All other names are for tools and engines, and may change. Package advice names changes to
// a program, and the command ashlar draws the record.
//
// # Words
//
// A [Profile] names systems, groups and components, never addresses or chunk numbers, so it
// is true for the next run and the next machine. Its facts are sums over frames, so [Merge] is
// weighted by frames and associative. An [Access] counts the reads and writes of one system of one component in one
// group. A [Lookup] is how often it read one by handle, which is counted in some frames. A [Handle] is a field that refers to an entity. A [Shared] is a view of a component that systems ask for in a group that does not own
// it. A [Choice] is how one system gets that component. A [Map] says
// where chunks were at the end of one run.
//
// A program may have several worlds, in which the same name means different things. Statements
// below a line `world NAME` are about the world of that name; statements above are about every world.
// In the model these are a Profile and its Worlds. A profile about one world alone has no Worlds,
// but the name in World.
//
// # Picture
//
//	running program ──record──→ Profile ──write──→ file ──Parse──→ show, diff, pprof, advise ──→ layout
//
// # Invariants
//
//   - A profile never changes a result, only time and place.
//   - A written profile reads back the same; writing is canonical.
//   - A figure that was not measured is absent, not zero.
//
// # The text form
//
//	ashlar profile 1
//
//	frames 1200 sampled 5 early 126300us
//
//	component position size 16 align 8
//	handle agent.Home
//
//	stored poison optional reason "removed often" entities 40 tables 1 since 24 adds 0,48,96,4656 removes 0,48,96,4656
//
//	group body owns position,velocity rows 1200000 chunks 6000 peak 1010 last 990
//
//	shared sprite transform.Position readers 2 built 40 refreshed 12 reused 7900 bytes 3291136
//
//	lookup position by aim reads 480000 far 470000
//
//	system move frames 1200 matched 1200000 timed 75 p10 15us p50 16460ns p90 18us p99 25us
//	access move body position write rows 1200000 chunks 6000 bytes 19200000
//	access move body velocity read scattered rows 1200000 chunks 6000 bytes 19200000
//	choice move sprite transform.Position cached frames 1180 chunks 4720 stale 52
//
//	world menu
//
//	frames 300
//
//	system blink frames 300
//
//	end
//
// Package text defines how words and figures are written. Facts are sums over the frames that `frames`
// states, for each world; it also has the hash of the layout that the run went by. A
// file with facts ends with `end`, so truncation is detected. Absent figures are left out.
// Statements about a world may come in any order, except that a system comes before its accesses and choices.
// Each is stated once for each world, and each world begins once. The order above is canonical: by name within a kind, systems as they run,
// accesses as systems walk. Comments are lost when a program writes the file.
//
// Tags of the model's fields say how they are read, written, checked, merged and compared. The table
// of the kinds of statements is in kind.go.
package profile
