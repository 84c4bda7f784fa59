// Package layout reads and writes layouts: small text files that a developer approves and keeps beside
// the code. A layout says where a program's values are put from the first frame on.
//
// A layout is an input of the program, as code is. The order of rows may depend on it, and all that a
// program derives from order: handles of new entities, sums of floating-point numbers. Values of
// components do not depend on it otherwise, nor which calls are allowed.
//
//	run ──record──→ profile ──ashlar advise -o──→ layout ──ashlar layout try──→ layout
//	                                                ↑                              │
//	                                     a person writes, approves                 ↓
//	                                                            ecs.Options.Layout of the next run
//
// # For programs
//
//	Source(Load) Layout(In Hash String) Parse EnvironmentVariable
//
// All other names are for tools and engines, and may change.
//
// # The text form
//
//	ashlar layout 1
//	# comments are kept
//	stored poison volatile           # how a component is stored from the first frame on
//	apart lights                     # a declared group with rows of its own
//	rows table/person+at 2000000     # how many rows there will be
//	sort person by at every 600      # rows in the order of a component, or of a field of one
//	cold debris                      # seldom used
//	view render transform.Pos cached # how a system gets a shared component
//	near table/a table/b             # tables that are walked one after the other
//
//	world menu                       # statements below are about the world of that name
//
// A name is quoted as in package profile. Tables have the names that profile.TableName describes.
//
// # Invariants
//
//   - A file is either valid as a whole or an error with line and column.
//   - Revise and Refute change no line that a person wrote.
//   - Equal statements have equal hashes, whatever their order and comments.
package layout
