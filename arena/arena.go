package arena

import (
	"errors"
	"fmt"
)

const (
	// SlotBytes is the size of a slot.
	SlotBytes = 64 << 10
	// RegionBytes is the size of a region, and of a huge page on most machines.
	RegionBytes = 2 << 20
	// SlotsPerRegion is the number of slots in a region.
	SlotsPerRegion = RegionBytes / SlotBytes

	reserveDefault = 1 << 40 // of address space, on 64 bit
	reserveMin     = 1 << 30 // what is still asked for after refusals
)

var (
	// ErrLimit is returned when Options.Limit would be exceeded.
	ErrLimit = errors.New("arena: memory limit reached: raise Options.Limit or free something first")
	// ErrFull is returned when the reservation, or an array's maximum, is used up.
	ErrFull = errors.New("arena: address space used up: raise Options.Reserve")
	// ErrClosed is returned for every request after Close.
	ErrClosed = errors.New("arena: closed")
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
	// Normal has pages of the usual size: what is not touched is not resident.
	Normal Range = iota
	// Huge is advised to use huge pages, if Options.HugePages is set.
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
	// OpAdvise asks for huge pages.
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
	// Reserve is the address space to reserve, in bytes: half for chunks, half
	// for arrays. 0 means 1 TiB, halved while the operating system refuses.
	Reserve uint64
	// Limit bounds the committed bytes; 0 means no limit.
	Limit uint64
	// Backend chooses where memory comes from.
	Backend Backend
	// HugePages advises huge pages for the Huge range and for dense arrays.
	HugePages bool
	// Fault, if not nil, is called before each request to the operating system;
	// an error that it returns stands for the system's refusal. For tests.
	Fault func(Call) error
}

// Arena is a reservation and what has been made of it. See the package comment
// for its layout. Use New.
type Arena struct {
	base    address // start of the chunk space, region-aligned; nil on the heap back end
	mapped  mapping // what was asked of the system, for Close
	backend Backend
	huge    bool
	closed  bool
	fault   func(Call) error
	limit   uint64

	chunkSpace uint64 // bytes of the chunk space
	arraySpace uint64 // bytes of the array space, behind it
	carved     uint64 // bytes of the array space given to arrays
	extents    []extent

	tables [ranges]table
	stats  Stats
}

// New reserves address space. It makes one request to the operating system and
// commits nothing.
func New(o Options) (*Arena, error) {
	a := &Arena{backend: o.Backend, huge: o.HugePages, fault: o.Fault, limit: o.Limit}
	if a.backend == Auto || backendForced {
		a.backend = backendDefault
	}
	reserve := o.Reserve
	if reserve == 0 {
		reserve = reserveDefault
	}
	if reserve < 4*RegionBytes {
		reserve = 4 * RegionBytes
	}
	reserve = reserve / (2 * RegionBytes) * (2 * RegionBytes)
	if a.backend == Heap {
		a.chunkSpace = min(reserve/2, 1<<39)
		return a, nil
	}
	for {
		err := a.reserve(reserve)
		if err == nil {
			break
		}
		if o.Reserve != 0 || reserve <= reserveMin {
			return nil, fmt.Errorf("arena: reserving %d MiB of address space: %w (set Options.Reserve to what the limits of this process allow, or Options.Backend to arena.Heap)", reserve>>20, err)
		}
		reserve /= 2
	}
	a.chunkSpace, a.arraySpace = reserve/2, reserve/2
	a.stats.Reserved = reserve
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

// charge accounts for bytes about to be committed, or refuses.
func (a *Arena) charge(p Purpose, bytes uint64) error {
	if a.closed {
		return ErrClosed
	}
	if a.limit != 0 && a.stats.Committed+bytes > a.limit {
		return fmt.Errorf("%w (%d bytes committed, %d more wanted, limit %d)", ErrLimit, a.stats.Committed, bytes, a.limit)
	}
	a.stats.Committed += bytes
	a.stats.CommittedBy[p] += bytes
	return nil
}

// discharge is the reverse of charge.
func (a *Arena) discharge(p Purpose, bytes uint64) {
	a.stats.Committed -= bytes
	a.stats.CommittedBy[p] -= bytes
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
	calls := a.stats.Calls
	a.tables, a.extents = [ranges]table{}, nil
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
