package entities

import "fmt"

// Entity is a handle: the index of a record, and the version that the record had
// when the handle was given out. It is a plain number, may be stored anywhere,
// and stays recognisable as stale after its entity has been destroyed.
//
//	63        36 35  32 31                     0
//	| version   | flags |        index          |
//	  tag·count   0 in handles; records have them
//
// The version is four bits of Options.Tag above a count of 24 bits that starts at
// 1 and skips 0 when it wraps. The zero Entity is null: no entity.
type Entity uint64

const (
	// IndexBits is the size of an index.
	IndexBits = 32
	// FlagBits is the number of flags.
	FlagBits = 4
	// VersionShift is where the version begins, in handles and in entries.
	VersionShift = IndexBits + FlagBits
	// CountBits is how many bits of a version count up; the tag is above them.
	CountBits = 24
	// TagMax is the largest tag.
	TagMax = 1<<(64-VersionShift-CountBits) - 1

	countMask = 1<<CountBits - 1
	locMask   = 1<<VersionShift - 1
	flagMask  = (1<<FlagBits - 1) << IndexBits

	flagFree = Entity(Free) << IndexBits
)

// Index is the number of the entity's record, from 1.
func (e Entity) Index() uint32 { return uint32(e) }

// Version is the version that the handle was given out with.
func (e Entity) Version() uint32 { return uint32(e >> VersionShift) }

// IsNull tells the null handle.
func (e Entity) IsNull() bool { return e == 0 }

func (e Entity) String() string {
	if e == 0 {
		return "null"
	}
	return fmt.Sprintf("%dv%d", e.Index(), e.Version())
}

// freed is e's record once its index is free: the version that comes next, and the
// free index that comes after it.
func (e Entity) freed(link uint32) Entity {
	next := e + 1<<VersionShift
	if next&(countMask<<VersionShift) == 0 { // a count that has wrapped leaves the tag as it was
		next = e&^(countMask<<VersionShift) + 1<<VersionShift
	}
	return next>>VersionShift<<VersionShift | flagFree | Entity(link)
}

// used is a free record once its index is in use: a handle.
func (e Entity) used(index uint32) Entity {
	return e&^locMask | Entity(index)
}

// Word is an entity's version above a location of VersionShift bits (a memmgr.Loc). Zero means
// that an entity has no location: no version is zero.
func Word(e Entity, loc uint64) uint64 {
	return uint64(e)>>VersionShift<<VersionShift | loc
}

// WordIs tells whether an entry is of the entity, in the version of the handle.
func WordIs(word uint64, e Entity) bool { return word^uint64(e) < 1<<VersionShift && word != 0 }

// WordLoc is the location in an entry.
func WordLoc(word uint64) uint64 { return word & locMask }
