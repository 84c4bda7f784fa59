package arena

import (
	"errors"
	"fmt"
	"runtime"
)

const (
	// SlotBytes is the size of a slot.
	SlotBytes = 64 << 10
	// RegionBytes is the size of a region, and of a huge page on most machines.
	RegionBytes = 2 << 20
	// SlotsPerRegion is the number of slots in a region.
	SlotsPerRegion = RegionBytes / SlotBytes

	heapChunkSpace = 1 << 39 // of numbers for slots, on the heap back end
)

var (
	// ErrLimit is returned when Options.Limit or Options.Budget would be exceeded, and no
	// empty region is left to give back.
	ErrLimit = errors.New("arena: memory limit reached: raise arena.Options.Limit or its Budget, or free something first")
	// ErrFull is returned when the reservation, or an array's maximum, is used up.
	ErrFull = errors.New("arena: address space used up: raise arena.Options.Reserve")
	// ErrClosed is returned for every request after Close.
	ErrClosed = errors.New("arena: closed: ask before Close, or make a new one")
)

// Slot is the number of a slot, counted from the start of the chunk space.
type Slot uint32

// NoSlot is no slot.
const NoSlot = ^Slot(0)

// Backend is where memory comes from.
type Backend uint8

const (
	// Auto is OS, or Heap in race builds and where there is no virtual memory.
	Auto Backend = iota
	// OS is memory mapped from the operating system.
	OS
	// Heap is Go memory.
	Heap
)

func (b Backend) String() string { return [...]string{"auto", "os", "heap"}[b] }

// Range is a part of the chunk space under one kind of advice.
type Range uint8

const (
	// Normal has pages of the usual size, whatever the system's default: what is not
	// touched is not resident.
	Normal Range = iota
	// Huge is advised to use huge pages, if Options.HugePages is set: what is touched
	// there is resident with all of its region.
	Huge
	// Cold is like Normal, and apart from it: for what is rarely used, so that it
	// shares no region with what is.
	Cold
	ranges
)

func (r Range) String() string { return [...]string{"normal", "huge", "cold"}[r] }

// Purpose is what memory is accounted for.
type Purpose uint8

const (
	// PurposeChunks is slots.
	PurposeChunks Purpose = iota
	// PurposeEntities is arrays with a record per entity: dense.
	PurposeEntities
	// PurposeSlots is sparse arrays of slots, by entity index.
	PurposeSlots
	// PurposeOther is everything else.
	PurposeOther
	// Purposes is the number of purposes.
	Purposes
)

func (p Purpose) String() string {
	return [...]string{"chunks", "entities", "slots", "other"}[p]
}

// Op is a kind of request to the operating system.
type Op uint8

const (
	// OpReserve takes address space.
	OpReserve Op = iota
	// OpCommit makes reserved pages usable.
	OpCommit
	// OpAdvise asks for huge pages, or for none.
	OpAdvise
	// OpPurge gives pages back and keeps them usable; they read as zero then.
	OpPurge
	// OpDecommit gives pages back and makes them unusable.
	OpDecommit
	// OpRelease gives the reservation back.
	OpRelease
	// Ops is the number of kinds.
	Ops
)

func (o Op) String() string {
	return [...]string{"reserve", "commit", "advise", "purge", "decommit", "release"}[o]
}

// Call is one request to the operating system, as Options.Fault sees it.
type Call struct {
	Op    Op
	N     int // the N-th request of this kind, from 1
	Bytes uint64
}

// Options say how an arena is made. The zero value is what most programs want.
type Options struct {
	// Reserve is the address space to reserve, in bytes: half for chunks, half for arrays. An
	// array that finds no room there is a Go slice. 0 means what the machine, its limits
	// (RLIMIT_AS) and the other arenas of the process allow: 1 TiB for each of the first
	// eight, 128 GiB up to about two hundred, 14 GiB for the 1,000th. If that is less than 1
	// GiB, memory comes from the Go heap, and Log reports it.
	Reserve uint64
	// Limit bounds the committed bytes, Stats.Committed; 0 means no limit. What counts:
	//   - 2 MiB for each region with a slot that is or was in use, until it is purged.
	//     What chunks leave free in a region can be used without counting again;
	//   - 64 KiB for each position of a striped region that is or was in use, likewise,
	//     and 64 KiB or so for its borders; 2 MiB where it is in the Huge range;
	//   - what arrays have committed: 64 KiB, doubling up to 2 MiB at a time, and no
	//     more than is needed, in steps of 64 KiB, where the limit is near;
	//   - arrays that are Go slices, on the heap back end above all: they double, or
	//     where the limit is near grow by less. What they have grown out of is garbage,
	//     and does not count.
	// What lies on the Go heap otherwise (tables of chunks and regions, directories)
	// and reserved address space do not count. Before anything is refused, regions
	// without a slot in use and idle positions are given back, if that is enough, and
	// slots of all ranges are tried.
	Limit uint64
	// Budget, if not nil, is a limit shared with other arenas. It counts what Limit
	// counts; both hold.
	Budget *Budget
	// Backend chooses where memory comes from.
	Backend Backend
	// HugePages advises huge pages for the Huge range and for dense arrays.
	HugePages bool
	// Log reports, in a line or a few, that memory comes from the Go heap because of limits.
	// It also reports that this arena was dropped without Close, with the stack that made it.
	// It may be called from any goroutine, and must not refer to the arena or to what uses it.
	// Nil is slog.Warn.
	Log func(text string)
	// Fault, if not nil, is called before each request to the operating system. An error that
	// it returns is taken as the system's refusal. For tests.
	Fault func(Call) error
}

// Arena is a reservation and what has been made of it. See the package comment
// for its layout. Use New.
type Arena struct {
	base    address // start of the chunk space, region-aligned; nil on the heap back end
	mapped  mapping // what was asked of the system, for Close
	backend Backend
	huge    bool
	small   bool // the reservation is advised to use no huge pages
	closed  bool
	fault   func(Call) error
	log     func(string)
	limit   uint64
	budget  *Budget         // nil: none
	cleanup runtime.Cleanup // tells that the arena was forgotten
	gauge   *Gauge          // of the process's control groups, once looked for
	looked  bool

	chunkSpace uint64 // bytes of the chunk space
	arraySpace uint64 // bytes of the array space, behind it
	carved     uint64 // bytes of the array space given to arrays
	extents    []extent
	first      [4]extent // room for those of a small program, without an allocation
	sliced     uint64    // bytes of arrays that are Go slices

	tables [ranges]table
	spares uint64 // bytes that giveBack can give back
	stats  Stats
}

// New reserves address space. It makes one request to the operating system and commits
// nothing. An arena that is dropped without Close is reported to Options.Log once the garbage
// collector has found it.
func New(o Options) (*Arena, error) {
	a := &Arena{backend: o.Backend, huge: o.HugePages, fault: o.Fault, log: o.Log, limit: o.Limit, budget: o.Budget}
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
	a.watch()
	return a, nil
}

// ask counts a request to the operating system and lets Options.Fault refuse it.
func (a *Arena) ask(op Op, bytes uint64) error {
	a.stats.Calls[op]++
	if a.fault == nil {
		return nil
	}
	return a.fault(Call{Op: op, N: int(a.stats.Calls[op]), Bytes: bytes})
}

// SetLimit changes the limit; 0 means none. What is committed already stays.
func (a *Arena) SetLimit(bytes uint64) { a.limit = bytes }

// Backend returns the back end in force.
func (a *Arena) Backend() Backend { return a.backend }

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
	a.closed = true
	a.cleanup.Stop()
	a.budget.give(a.stats.Committed)
	calls := a.stats.Calls
	a.tables, a.spares, a.extents, a.sliced = [ranges]table{}, 0, nil, 0
	a.stats = Stats{Calls: calls}
	a.base = nil
	return nil
}

// FailNth returns a function for Options.Fault that refuses the n-th request of
// the given kind and grants all others.
func FailNth(op Op, n int) func(Call) error {
	return func(c Call) error {
		if c.Op == op && c.N == n {
			return fmt.Errorf("injected: %v %d", op, n)
		}
		return nil
	}
}

// FailFrom returns a function for Options.Fault that refuses the n-th and every
// later request of the given kind.
func FailFrom(op Op, n int) func(Call) error {
	return func(c Call) error {
		if c.Op == op && c.N >= n {
			return fmt.Errorf("injected: %v from %d", op, n)
		}
		return nil
	}
}
