package entities

import (
	"fmt"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Entity is a handle: the index of a record, and the version that the record had
// when the handle was given out. It is a plain number, may be stored anywhere,
// and stays recognisable as stale after its entity has been destroyed.
//
//	63        36 35  32 31                     0
//	| version   |   0   |        index          |
//	  tag·count
//
// The version is four bits of Options.Tag above a count of 24 bits that starts at
// 1 and skips 0 when it wraps. The zero Entity is null: no entity.
type Entity uint64

const (
	// VersionShift is where the version begins, in handles and in entries.
	VersionShift = memmgr.LocBits
	// CountBits is how many bits of a version count up; the tag is above them.
	CountBits = 24
	// TagMax is the largest tag.
	TagMax = 1<<(64-VersionShift-CountBits) - 1

	countMask = 1<<CountBits - 1
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
