package store

// CountReads begins or ends to count reads by handle. Meanwhile no directory has entries, so that
// code that is inlined elsewhere and looks values up calls Find, which counts. That takes several
// times as long as a read, and finds the same.
func (s *Store) CountReads(on bool) {
	s.counting = on
	for _, c := range s.comps {
		c.point()
	}
}

// TakeReads passes on how many values of each component were read by handle since the last call,
// while they were counted.
func (s *Store) TakeReads(note func(c *Component, n uint64)) {
	for _, c := range s.comps {
		if n := c.reads.Swap(0); n > 0 {
			note(c, n)
		}
	}
}
