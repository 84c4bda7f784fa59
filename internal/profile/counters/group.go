package counters

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Group is events of one thread that are counted together, all or none at any
// moment, so that their ratios mean something. It counts from Open to Close.
type Group struct {
	kernel kernel
	events []Event
	fds    []int // in the order of events; the first leads
	buf    []byte
	last   snapshot
}

// kernel is what a group asks of the operating system; tests give another one.
type kernel struct {
	// open makes a counter of the calling thread in the group that leader leads;
	// -1: it leads a new one. Its error wraps ErrUnavailable.
	open func(e Event, leader int) (fd int, err error)
	// start begins to count with the whole group that fd leads. Counters that count
	// from open on would begin at different times, and those that another part of
	// the kernel keeps than the leader only after the next switch of threads: until
	// then they say 0.
	start func(fd int) error
	// read fills buf with: events, time enabled, time running, a count per event.
	read  func(fd int, buf []byte) (int, error)
	close func(fd int) error
}

// snapshot is one reading of a group as the kernel gives it.
type snapshot struct {
	enabled, running uint64 // nanoseconds: running is less where events took turns
	counts           []uint64
}

// Open begins to count events of the calling thread, on which the goroutine has
// to stay: call runtime.LockOSThread before. The error wraps ErrUnavailable and
// says what to do. The group has to be closed.
//
// A processor counts few events at once, some four to eight of its own; those that
// the kernel counts (PageFaults, ContextSwitches, TaskClock) do not matter for that.
func Open(events ...Event) (*Group, error) { return open(system(), events) }

func open(k kernel, list []Event) (*Group, error) {
	if len(list) == 0 {
		panic("counters: Open without events: name at least one")
	}
	for _, e := range list {
		if e >= events {
			panic(fmt.Sprintf("counters: Open with %v: use one of the constants", e))
		}
	}
	g := &Group{kernel: k, buf: make([]byte, 8*(3+len(list))), last: newSnapshot(len(list))}
	for _, e := range list {
		leader := -1
		if len(g.fds) > 0 {
			leader = g.fds[0]
		}
		fd, err := k.open(e, leader)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("counting %v: %w", e, err), g.Close())
		}
		g.fds, g.events = append(g.fds, fd), append(g.events, e)
	}
	if err := k.start(g.fds[0]); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: starting to count %v: %w", ErrUnavailable, list, err), g.Close())
	}
	return g, nil
}

func newSnapshot(n int) snapshot { return snapshot{counts: make([]uint64, n)} }

// Events returns what is counted, in the order of Open. The caller must not change
// it.
func (g *Group) Events() []Event { return g.events }

// Read writes the counts since Open to dst, one per event in the order of Open. If
// events had to take turns, the counts are scaled to the whole time. It is one
// system call and allocates nothing. The error wraps ErrUnavailable where the
// events have had no turn at all: then ask for fewer.
//
// Preconditions: len(dst) is at least the number of events.
func (g *Group) Read(dst []uint64) error {
	if len(dst) < len(g.events) {
		panic(fmt.Sprintf("counters: Read of %d events into %d: make dst longer", len(g.events), len(dst)))
	}
	if err := g.snapshot(&g.last); err != nil {
		return err
	}
	for i, n := range g.last.counts {
		v, ok := scale(n, g.last.enabled, g.last.running)
		if !ok {
			return fmt.Errorf("%w: %v have had no turn on the processor: ask for fewer events at once", ErrUnavailable, g.events)
		}
		dst[i] = v
	}
	return nil
}

// snapshot reads the group as it is.
func (g *Group) snapshot(s *snapshot) error {
	if len(g.fds) == 0 {
		return errors.New("counters: reading a group that is closed")
	}
	n, err := g.kernel.read(g.fds[0], g.buf)
	if err != nil {
		return fmt.Errorf("counters: reading %v: %w", g.events, err)
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(g.buf[8*i:]) }
	if n != len(g.buf) || word(0) != uint64(len(g.events)) {
		return fmt.Errorf("counters: reading %v: the kernel gave %d bytes, want %d", g.events, n, len(g.buf))
	}
	s.enabled, s.running = word(1), word(2)
	for i := range s.counts {
		s.counts[i] = word(3 + i)
	}
	return nil
}

// scale is what a count would be had it been taken all the time that it was
// enabled. ok is false if there is nothing to go by.
func scale(count, enabled, running uint64) (n uint64, ok bool) {
	switch {
	case running >= enabled:
		return count, true
	case running == 0:
		return 0, false
	}
	hi, lo := bits.Mul64(count, enabled)
	if hi >= running { // more than 64 bits hold
		return 0, false
	}
	n, _ = bits.Div64(hi, lo, running)
	return n, true
}

// Close ends counting. A second one does nothing.
func (g *Group) Close() error {
	var errs []error
	for _, fd := range g.fds {
		if err := g.kernel.close(fd); err != nil {
			errs = append(errs, fmt.Errorf("counters: closing: %w", err))
		}
	}
	g.fds = nil
	return errors.Join(errs...)
}
