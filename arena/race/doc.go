// Package race tells tests whether they run under the race detector, which makes them
// about ten times slower and puts all memory on the Go heap. Tests that repeat one thing
// for many seeds, sizes or options take few of them there, and leave out cases that differ in
// the back end alone: the plain run has them all.
//
// All names are for engines, and may change.
package race
