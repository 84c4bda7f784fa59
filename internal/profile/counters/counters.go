// Package counters measures what a piece of work takes on the calling thread: with
// the processor's counters through perf_event where the machine allows it, and
// otherwise by time, with the clock rate measured next to it.
//
//	          ┌ Group: events counted together, read in one call   (Open, Read, Close)
//	Meter ────┤
//	          └ time: min(wall, processor time of the thread) × Rate
//
//	perf_event   user and kernel cycles of this thread, and of nothing else
//	calibrated   time × the rate at which a chain of dependent additions, 1 cycle
//	             each, runs just before and just after
//
// What always holds: a count that is not known is absent (an error, or NaN in a
// Reading), never zero; a count that the kernel had to estimate, because there were
// more events than the processor counts at once, is scaled and not Steady.
//
// All of it belongs to one operating system thread: call runtime.LockOSThread
// before, and use a Group or a Meter on that thread alone.
//
// It is one of two packages that make system calls; the other is package arena.
package counters

import (
	"errors"
	"fmt"
)

// ErrUnavailable is wrapped by the error of Open, Available, Group.Read and
// ThreadTime where what they are asked for is not to be had.
var ErrUnavailable = errors.New("counters: not available")

// Event is what a counter counts.
type Event uint8

const (
	// Cycles of the core, in user code and in the kernel.
	Cycles Event = iota
	// CyclesUser are cycles of the core in user code.
	CyclesUser
	// Instructions retired, in user code and in the kernel.
	Instructions
	// CacheMisses are accesses that the last level of cache could not serve.
	CacheMisses
	// DTLBMisses are loads whose address the first level of the TLB did not know.
	DTLBMisses
	// PageFaults, counted by the kernel.
	PageFaults
	// ContextSwitches, counted by the kernel.
	ContextSwitches
	// TaskClock is the time that the thread ran in nanoseconds, kept by the kernel.
	TaskClock

	events = iota
)

func (e Event) String() string {
	names := [events]string{"cycles", "cycles:user", "instructions", "cache-misses", "dtlb-misses", "page-faults", "context-switches", "task-clock"}
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("Event(%d)", e)
}

// Available returns nil if cycles can be counted on this machine by this process,
// or why not and what to do about it.
func Available() error {
	g, err := Open(Cycles, CyclesUser)
	if err != nil {
		return err
	}
	return g.Close()
}
