package arena

import "runtime"

// Arena is a reservation of address space with its regions, slots and arrays. See the package comment
// for its layout. Use New.
//
// It is open from New to Close, which sets closed. New settles the back end. The sums that limits
// are compared with change in charge and discharge alone. The free and committed bits of a region
// change between uncount and count alone. The sums and spares are cached from regions and extents:
// Check recomputes them.
type Arena struct {
	base    address // start of the chunk space, region-aligned; nil on the heap back end
	mapped  mapping // the mapping as the system made it, for Close
	backend Backend
	huge    bool
	small   bool // the reservation is advised to use no huge pages
	closed  bool
	garbage bool // memory of the Go heap was dropped, and not collected since
	fault   func(call) error
	log     func(string)
	limit   uint64
	budget  *Budget         // nil: none
	cleanup runtime.Cleanup // tells that the arena was forgotten
	gauge   *gauge          // of the process's control groups, once looked for
	looked  bool

	chunkSpace uint64 // bytes of the chunk space
	arraySpace uint64 // bytes of the array space, behind it
	carved     uint64 // bytes of the array space given to arrays
	extents    []extent
	first      [4]extent // room for the arrays of a small program, without an allocation
	sliced     uint64    // bytes of arrays that are Go slices

	tables [ranges]table
	spares uint64 // bytes that giveBack can give back, so that a hopeless refusal costs no search
	stats  Stats
}

// ask counts a request to the operating system and lets a test refuse it. Each request
// passes here before it is made, so a test can refuse any of them by its kind and number.
func (a *Arena) ask(op Op, bytes uint64) error {
	a.stats.calls[op]++
	if a.fault == nil {
		return nil
	}
	return a.fault(call{op, int(a.stats.calls[op]), bytes})
}

// SetLimit changes the limit; 0 means none. Committed bytes stay. The next request
// that needs more also gives back the excess, if enough is idle.
func (a *Arena) SetLimit(bytes uint64) { a.limit = bytes }

// Backend returns the back end in force.
func (a *Arena) Backend() Backend { return a.backend }

// Stats returns the accounting. It costs a copy.
func (a *Arena) Stats() Stats { return a.stats }

// Idle is Stats().Idle, and how much of it lies in regions without a slot in use.
func (a *Arena) Idle() (all, regions uint64) { return a.stats.Idle, a.stats.idleRegions }

// DirtyBy is how much of Stats().Dirty was taken for one purpose.
func (a *Arena) DirtyBy(p Purpose) uint64 { return a.stats.dirtyBy[p] }
