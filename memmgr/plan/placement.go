package plan

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
)

// Place is a slot by its number within a range.
type Place struct {
	Range arena.Range
	N     uint32
}

// Region is the number of the place's region within the range.
func (p Place) Region() uint32 { return p.N / arena.SlotsPerRegion }

// bit is the place's bit in its region's masks.
func (p Place) bit() uint32 { return 1 << (p.N % arena.SlotsPerRegion) }

// next is the place n further.
func (p Place) next(n int) Place { return Place{p.Range, p.N + uint32(n)} }

func (p Place) String() string {
	return fmt.Sprintf("%v %d:%02d", p.Range, p.Region(), p.N%arena.SlotsPerRegion)
}

// Placement is where everything lies at one moment.
type Placement struct {
	Frame   uint64   // of the moment
	Cooling uint64   // frames for which a chunk stays where it was put
	Whole   bool     // memory goes back by whole regions alone
	Most    int      // actions of a plan; 0 is no bound
	Avoid   []string // keys of actions that are not to be asked for now
	Regions []Region // by range, then by number, without gaps within a range
	Groups  []Group
	Chunks  []Chunk // by group, then by order: 0, 1, …; only those in slots of their own
}

// Region is 32 slots, a bit a slot in each mask.
type Region struct {
	Range  arena.Range
	Number uint32
	Used   uint32 // by a chunk of Placement.Chunks, or by something that can't be moved
	Dirty  uint32 // may be resident; used slots are
}

// Group is a sequence of chunks.
type Group struct {
	Name     string
	RowBytes uint32
}

// Chunk is one chunk in a slot of its own. A spare, which holds no rows, is none; its
// slot is used.
type Chunk struct {
	Group int // index into Placement.Groups
	Order int
	At    Place
	Rows  uint32
	Pins  uint32
	Since uint64 // frame in which it was put there
}

// Move puts one chunk at another place.
type Move struct {
	Group, Order int
	From, To     Place
}
