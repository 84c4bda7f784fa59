// Package arena says how memory is asked from the operating system: limits, back ends, and
// budgets that several managers share. A program sets its [Options] in memmgr.Options.Arena,
// or in ecs.Options.Memory.Arena.
//
// # Picture
//
//	Options ──→ arena ──→ operating system        one reservation a manager, made by New
//	               │
//	               ├─ Limit    bounds one manager
//	               └─ Budget   bounds several together
//
//	reserved → committed → dirty (live | quarantined | idle) → given back
//
// # Words
//
// A block is 64 KiB, a region is 2 MiB or 32 blocks. Memory is reserved as address space,
// committed when it may be used, dirty when it may be resident, and live while chunks or
// arrays are in it. Idle memory is dirty and free: it can be given back.
//
// # Invariants
//
//   - reserved ≥ committed ≥ dirty ≥ live, and resident ≤ dirty but for huge pages.
//   - Limits are compared with committed bytes before the operating system is asked. A
//     refusal is an error, and leaves what is there as it was.
//   - Results are the same with any back end and any limit that suffices.
package arena

import core "github.com/ashlar-go/ashlar/internal/arena"

// Options say how address space is reserved and what bounds it. The zero value is what most
// programs want. Its fields:
//
//	Backend    where memory comes from; Auto
//	Reserve    bytes of address space; 0 chooses
//	Limit      bytes that may be committed; 0 is no limit
//	Budget     a limit shared by several arenas; nil is none
//	HugePages  set by memmgr.Options
//	Fault      refuses requests, for tests: see [Call]; nil refuses none
//	Log        is told what was forgotten: an arena that was dropped without Close
type Options = core.Options

// Backend is where memory comes from: [Auto], [OS] or [Heap].
type Backend = core.Backend

const (
	// Auto is OS where the platform has it, and Heap elsewhere and in race builds.
	Auto = core.Auto
	// OS is address space of the operating system, outside of the Go heap.
	OS = core.OS
	// Heap is Go memory, in slabs of 2 MiB. The race detector sees it.
	Heap = core.Heap
)

// Stats is the accounting of one arena, in bytes: Reserved, Committed, Dirty, Live,
// Quarantined, Idle and IdleRegions; and Calls and Refused, which count requests to the
// operating system by [Op].
type Stats = core.Stats

// Budget is one limit on the committed memory of several managers or worlds: those that name
// it in Options.Budget. Used says how many bytes are committed, Limit how many may be. It is
// safe for concurrent use and must not be copied.
type Budget = core.Budget

// NewBudget makes a budget of so many bytes. 0 is no limit: it counts only.
func NewBudget(bytes uint64) *Budget { return core.NewBudget(bytes) }

// Call is a request to the operating system, as Options.Fault sees it: Op is its kind, N counts
// the requests of that kind from 1, and Bytes is how much is asked for. An error of Fault is
// taken as the system's refusal:
//
//	o.Fault = func(c arena.Call) error {
//		if c.Op == arena.OpCommit && c.N > 3 {
//			return errors.New("no more memory")
//		}
//		return nil
//	}
type Call = core.Call

// Op is a kind of request to the operating system. It is the index of Stats.Calls and
// Stats.Refused. String is its name.
type Op = core.Op

const (
	// OpReserve takes address space.
	OpReserve = core.OpReserve
	// OpCommit makes reserved pages usable.
	OpCommit = core.OpCommit
	// OpAdvise asks for huge pages, or for none. A refusal costs memory or speed.
	OpAdvise = core.OpAdvise
	// OpPurge gives pages back and keeps them usable.
	OpPurge = core.OpPurge
	// OpDecommit gives pages back and makes them unusable.
	OpDecommit = core.OpDecommit
	// OpRelease gives the reservation back.
	OpRelease = core.OpRelease
)

var (
	// ErrLimit is returned when Options.Limit or Options.Budget would be exceeded, and no
	// empty region is left to give back. Raise it, or remove something first.
	ErrLimit = core.ErrLimit
	// ErrFull is returned when the reserved address space is used up. Raise Options.Reserve.
	ErrFull = core.ErrFull
	// ErrClosed is returned for every request after Close.
	ErrClosed = core.ErrClosed
)
