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

	heapChunkSpace = 1 << 39 // of numbers for slots, on the heap back end
)

var (
	// ErrLimit is returned when Options.Limit or Options.Budget would be exceeded, and no
	// empty region is left to give back.
	ErrLimit = errors.New("arena: memory limit reached: free something first, or raise the limit")
	// ErrFull is returned when the reservation, or an array's maximum, is used up.
	ErrFull = errors.New("arena: address space used up: raise arena.Options.Reserve")
	// ErrClosed is returned for every request after Close.
	ErrClosed = errors.New("arena: closed: ask before Close, or make a new one")
)

// Slot is the number of a slot, counted by regions from the end of the chunk space, and upwards within a region.
type Slot uint32

// noSlot is no slot.
const noSlot = ^Slot(0)

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

// String is the name of a back end, or a number for one that does not exist.
func (b Backend) String() string {
	if b > Heap {
		return fmt.Sprint("backend ", uint8(b))
	}
	return [...]string{"auto", "os", "heap"}[b]
}

// Range is a part of the chunk space under one kind of advice.
type Range uint8

const (
	// Normal has pages of the usual size, whatever the system's default: a page that is not
	// touched is not resident.
	Normal Range = iota
	// Huge is advised to use huge pages, unless Options.SmallPages is set: a page that is touched
	// there is resident with all of its region.
	Huge
	// Cold is like Normal, and apart from it: for chunks in rare use, so that they
	// share no region with others.
	Cold
	ranges
)

func (r Range) String() string { return [...]string{"normal", "huge", "cold"}[r] }

// Purpose says why memory was taken; Stats counts each apart.
type Purpose uint8

const (
	// PurposeChunks is slots.
	PurposeChunks Purpose = iota
	// PurposeEntities is arrays with a record per entity.
	PurposeEntities
	// PurposeSlots is sparse arrays of slots, by entity index.
	PurposeSlots
	// purposes is the number of purposes.
	purposes
)

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
	// ops is the number of kinds.
	ops
)
