package arena

import (
	"fmt"
	"sync/atomic"
)

// New reserves address space. It makes one request to the operating system and commits
// nothing. An arena that is dropped without Close is reported to Options.Log once the garbage
// collector has found it, unless it is the process's first one: that one checked builds alone report.
func New(o Options) (*Arena, error) {
	if o.Backend > Heap {
		return nil, fmt.Errorf("arena: Options.Backend is %d: give Auto, OS or Heap", o.Backend)
	}
	a := &Arena{backend: o.Backend, huge: !o.SmallPages, fault: o.fault, log: o.Log, limit: o.Limit, budget: o.Budget}
	a.extents = a.first[:0]
	if a.backend == Auto || backendForced {
		a.backend = backendDefault
	}
	if a.backend == Heap {
		a.chunkSpace = heapChunkSpace
		if o.Reserve != 0 {
			a.chunkSpace = min(roundReserve(o.Reserve)/2, heapChunkSpace)
		}
	} else if err := a.reserveFirst(o); err != nil {
		return nil, err
	}
	if made.Swap(true) || Checked {
		a.watch()
	}
	return a, nil
}

// made is set once the process has made an arena. The first one is not watched in plain builds: most programs have no other
// one, it lives as long as they do, and to note a stack and start the runtime's cleanups is a tenth of their first frame.
var made atomic.Bool

// toldOfHeap is set once the process's log has the line that memory comes from the Go heap. A program with thousands of
// worlds runs out of address space at some of them, and all further ones would say the same.
var toldOfHeap atomic.Bool

// reserveFirst makes the reservation that Options ask for, or turns the arena to the
// Go heap where none was asked for and none is to be had.
func (a *Arena) reserveFirst(o Options) error {
	bytes := roundReserve(o.Reserve)
	var err error
	if o.Reserve != 0 {
		err = a.reserve(bytes)
	} else if bytes, err = a.reserveDefault(sysMachine().grouped(a.gauged)); bytes == 0 && o.Backend == Auto {
		a.backend = Heap
		a.chunkSpace = heapChunkSpace
		if a.log == nil && toldOfHeap.Swap(true) {
			return nil
		}
		a.say(fmt.Sprintf("arena: memory comes from the Go heap: the limits of this process leave less than %d MiB of address space for an arena, and %d MiB are reserved by others. Raise the limit (ulimit -v), or set Options.Backend to arena.Heap to have it so without this line",
			uint64(reserveMin)>>20, reservedInProcess.Load()>>20))
		return nil
	} else if bytes == 0 && err == nil {
		err = fmt.Errorf("the limits of this process leave less than %d MiB", uint64(reserveMin)>>20)
	}
	if err != nil {
		return fmt.Errorf("arena: reserving address space: %w (set Options.Reserve to what the limits of this process allow, or Options.Backend to arena.Heap)", err)
	}
	a.chunkSpace, a.arraySpace = bytes/2, bytes/2
	a.stats.Reserved = bytes
	return nil
}

// reserveDefault reserves as much as the machine allows. After a refusal it reserves half of the bytes that
// the system would have granted, so that the rest of the process finds as much. It returns 0
// if the Go heap has to serve.
func (a *Arena) reserveDefault(m machine) (bytes uint64, err error) {
	bytes = reserveFor(m, reservedInProcess.Load())
	// The system refuses without saying how much it would grant, so it is asked for half as long as
	// it refuses. The grant is then all there is, and half of that is left to others.
	for refused := false; bytes >= reserveMin; bytes = roundReserve(bytes / 2) {
		if err = a.reserve(bytes); err != nil {
			refused = true
			continue
		}
		if !refused {
			return bytes, nil
		}
		refused = false
		if err = a.release(); err != nil {
			return 0, err
		}
	}
	return 0, err
}

// Close gives everything back. All memory that came from the arena is invalid
// afterwards. A second call returns nil.
func (a *Arena) Close() error {
	if a.closed {
		return nil
	}
	if a.backend == OS {
		if err := a.release(); err != nil {
			return fmt.Errorf("arena: releasing the reservation: %w", err)
		}
	}
	// From here on nothing can fail. Counts of calls are kept for Stats.
	a.closed = true
	a.cleanup.Stop()
	a.budget.give(a.stats.Committed)
	calls := a.stats.calls
	a.tables, a.spares, a.extents, a.sliced = [ranges]table{}, 0, nil, 0
	a.stats = Stats{calls: calls}
	a.base = nil
	return nil
}
