// Package profile holds what is known of how a program uses its memory: facts,
// which a run recorded, and intent, which a developer wrote down. It reads, writes,
// merges and compares them, and turns them into files for pprof. What a memory
// manager does with them is the manager's business.
//
// # Words
//
// A [Profile] names systems, groups and components, never addresses or chunk
// numbers, so that it holds for the next run and the next machine. Its facts are
// sums over the frames that it stands for: that makes [Merge] weighted by frames
// and associative. An [Access] is what one system did to one component in one
// group; a [Shared] is a view of a component that systems ask for in a group that does
// not own it, and a [Choice] how one of them gets it. A [File] is a profile in its text form, with the comments that people put
// into it; [Load] finds a program's files and puts them together as layers. A
// [Shape] is what a program has, by which [Resolve] drops what a profile says of
// another one. A [Map] is where chunks lay at one moment: of one run only, and
// therefore never a part of a profile.
//
// # Picture
//
//	running program ──record──→ Profile ──write──→ file ──read──┐
//	developer ──────writes────→ file (intent) ──────────read──┤ layers, merge
//	options in code ──────────→ Profile ────────────────────────┘
//	                                          │
//	        ecs: cold, pinned, views  ←───────┴────→  pprof, show, diff, advise
//
// # Invariants
//
//   - A profile never changes a result, only time and place.
//   - Reading what was written gives the same profile; writing is canonical.
//   - A figure that could not be measured is absent, not zero.
package profile
