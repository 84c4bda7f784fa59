package entities

import "github.com/ashlar-go/ashlar/memmgr"

// A record is a word by index. It is an entry (Word), too: of the rows whose entries are the records.
//
//	63     36 35                  0
//	| version |  location          |   in use, with a row
//	| version |  0                 |   in use, without
//	| version |  1 · link ·      0 |   free, with the version that comes next
//
// A location with chunk 0 is none. The link is the place of the next free index within the block, counted
// from 1; 0 is the end of the list.
const (
	linkBits  = 10 // 1 to pageLen
	linkShift = VersionShift - 1 - linkBits
	linkMask  = 1<<linkBits - 1
	linkOne   = 1 << linkShift

	freeBit = 1 << (VersionShift - 1)

	// Bare is the bits of the version, which is all that is in the record of an entity without a location.
	Bare = 1<<64 - 1<<VersionShift
)

// bare is a record of which the version is left: of an entity without a row.
func bare(r uint64) uint64 { return r & Bare }

// isFree tells whether the index of a record is free.
func isFree(r uint64) bool { return r&freeBit != 0 && memmgr.Loc(r).Chunk() == 0 }

// linkOf is the link of a free record.
func linkOf(r uint64) uint32 { return uint32(r>>linkShift) & linkMask }

// linked is a free record with a version and a link.
func linked(version uint64, link uint32) uint64 { return version | freeBit | uint64(link)<<linkShift }

// freed is the record of an entity, or any bits below its version, once it has ended: the version that comes
// next, and a link.
func freed(e uint64, link uint32) uint64 {
	next := bare(e) + 1<<VersionShift
	if next&(countMask<<VersionShift) == 0 { // a count that has wrapped leaves the tag as it was
		next = bare(e)&^(countMask<<VersionShift) + 1<<VersionShift
	}
	return linked(next, link)
}

// Word is an entity's version above a location of VersionShift bits (a memmgr.Loc). Zero means
// that an entity has no location: no version is zero.
func Word(e Entity, loc uint64) uint64 { return bare(uint64(e)) | loc }

// WordIs tells whether an entry is of the entity, in the version of the handle, and has a location.
func WordIs(word uint64, e Entity) bool {
	return word^uint64(e) < 1<<VersionShift && memmgr.Loc(word).Chunk() != 0
}

// WordLoc is the location in an entry.
func WordLoc(word uint64) uint64 { return word & (1<<VersionShift - 1) }
