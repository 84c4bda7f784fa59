package store

import (
	"fmt"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Entity is a handle: the index of a record, and the version that the record had
// when the handle was given out. It is a plain number, may be stored anywhere,
// and stays recognisable as stale after its entity has been destroyed.
//
//	63        36 35  32 31                     0
//	| version   | flags |        index          |
//	  tag·count   0 in handles; the world's own copy has them
//
// The version is four bits of the tag above a count of 24 bits that starts at
// 1 and skips 0 when it wraps. The zero Entity is null: no entity.
type Entity uint64

const (
	indexBits    = 32
	flagBits     = 4
	VersionShift = indexBits + flagBits
	countBits    = 24
	countMask    = 1<<countBits - 1
	flagMask     = (1<<flagBits - 1) << indexBits

	flagFree Entity = 1 << indexBits // the record is in the free list

	// Mark is what the versions of an entity and of its words differ by, so that no version
	// that is ever given out, and not the null one, looks like the word 0: next skips it.
	Mark = 0xA5C396F

	locMask = 1<<memmgr.LocBits - 1
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

// next is the same index with the version that comes after e's, as it lies in a
// record: flags cleared, the null version and the mark of empty words skipped.
func (e Entity) next() Entity {
	version := e.Version() + 1
	if version&countMask == 0 || version == Mark {
		version = skip(version)
	}
	return Entity(version)<<VersionShift | Entity(e.Index())
}

// skip returns the first version from one on that may be given out: a count that
// has wrapped leaves the tag as it was.
func skip(version uint32) uint32 {
	if version&countMask == 0 {
		version = (version-1)&^countMask | 1
	}
	if version == Mark {
		version++
	}
	return version
}

// word is what says that e has its row at l.
func word(e Entity, l memmgr.Loc) uint64 {
	return (uint64(e)>>VersionShift^Mark)<<VersionShift | uint64(l)
}

// Names tells whether a word is of entity e.
func Names(word uint64, e Entity) bool { return (word^uint64(e))>>VersionShift == Mark }

// locOf is the location in a word.
func locOf(word uint64) memmgr.Loc { return memmgr.Loc(word & locMask) }
