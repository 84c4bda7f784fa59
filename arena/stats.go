package arena

// Stats is the accounting of an arena, in bytes unless said otherwise. Arena.Stats fills a copy,
// which never changes.
type Stats struct {
	Reserved    uint64           // address space
	Committed   uint64           // usable
	committedBy [purposes]uint64 // the same by purpose
	Dirty       uint64           // may be resident: an upper bound of Resident
	dirtyBy     [purposes]uint64 // the same by purpose
	Live        uint64           // slots in use, and arrays
	Quarantined uint64           // slots out of use and not yet free
	Idle        uint64           // free and dirty slots that Purge could give back now
	idleRegions uint64           // of Idle, in regions without a slot in use
	calls       [ops]uint64      // requests to the operating system, by kind
	refused     [ops]uint64      // calls that it, or a test, refused
}

// liveArrays is the bytes that arrays hold. They are live if they may be resident.
func (s *Stats) liveArrays() uint64 { return s.Dirty - s.dirtyBy[PurposeChunks] }

func sum(by [purposes]uint64) (n uint64) {
	for _, b := range by {
		n += b
	}
	return n
}
