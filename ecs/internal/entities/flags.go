package entities

// SetFlagN sets a flag of the entities that are in blocks of a Kin; 0 is any. All must be
// alive. It returns how many these are.
func (s *Set) SetFlagN(handles []Entity, f Flags, kin uint32) (n int) {
	for n < len(handles) {
		b := &s.blocks[s.blockOf(handles[n].Index())]
		if kin != 0 && b.kin != kin {
			break
		}
		n += setFlag(s.records.Span(b.lo)[:b.len], b.lo, Entity(f)<<IndexBits, handles[n:])
	}
	return n
}

// setFlag is SetFlagN for the handles, from the first on, of the block whose records are
// given.
func setFlag(records []Entity, lo uint32, flag Entity, handles []Entity) int {
	for n, e := range handles {
		i := e.Index() - lo
		if uint(i) >= uint(len(records)) {
			return n
		}
		records[i] |= flag
	}
	return len(handles)
}

// OnlyFlagN tells whether entities are alive, have a flag and no other, and are in blocks of
// a Kin; 0 is any.
func (s *Set) OnlyFlagN(handles []Entity, f Flags, kin uint32) bool {
	for len(handles) > 0 {
		i := handles[0].Index()
		if i >= s.bound {
			return false
		}
		b := &s.blocks[s.blockOf(i)]
		if kin != 0 && b.kin != kin {
			return false
		}
		n := onlyFlag(s.records.Span(b.lo)[:b.len], b.lo, Entity(f)<<IndexBits, handles)
		if n == 0 {
			return false
		}
		handles = handles[n:]
	}
	return true
}

// onlyFlag is how many of the handles, from the first on, are of the block of the given records
// and have that flag alone.
func onlyFlag(records []Entity, lo uint32, flag Entity, handles []Entity) int {
	for n, e := range handles {
		i := e.Index() - lo
		if uint(i) >= uint(len(records)) || records[i] != e|flag {
			return n
		}
	}
	return len(handles)
}
