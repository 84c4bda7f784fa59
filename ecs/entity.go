package ecs

import "fmt"

// Entity is a handle: the index of a record, and the version that the record had
// when the handle was given out. It is a plain number, may be stored anywhere,
// and stays recognisable as stale after its entity has been destroyed.
//
//	63        36 35  32 31                     0
//	| version   | flags |        index          |
//	  tag·count   0 in handles; the world's own copy has them
//
// The version is four bits of Options.Tag above a count of 24 bits that starts at
// 1 and skips 0 when it wraps. The zero Entity is null: no entity.
type Entity uint64

const (
	indexBits    = 32
	flagBits     = 4
	versionShift = indexBits + flagBits
	countBits    = 24
	countMask    = 1<<countBits - 1
	flagMask     = (1<<flagBits - 1) << indexBits

	flagFree Entity = 1 << indexBits // the record is in the free list
)

// Index is the number of the entity's record, from 1.
func (e Entity) Index() uint32 { return uint32(e) }

// Version is the version that the handle was given out with.
func (e Entity) Version() uint32 { return uint32(e >> versionShift) }

// IsNull tells the null handle.
func (e Entity) IsNull() bool { return e == 0 }

func (e Entity) String() string {
	if e == 0 {
		return "null"
	}
	return fmt.Sprintf("%dv%d", e.Index(), e.Version())
}

// next is the same index with the version that comes after e's, as it lies in a
// record: flags cleared, the null version and the mark of empty slots skipped.
func (e Entity) next() Entity {
	version := e.Version() + 1
	if version&countMask == 0 || version == slotMark {
		version = skip(version)
	}
	return Entity(version)<<versionShift | Entity(e.Index())
}

// skip returns the first version from one on that may be given out: a count that
// has wrapped leaves the tag as it was.
func skip(version uint32) uint32 {
	if version&countMask == 0 {
		version = (version-1)&^countMask | 1
	}
	if version == slotMark {
		version++
	}
	return version
}
