package store

// Seal seals the component n times more, or -n times less. While it is sealed, its directory has
// no entries, so that code that is inlined elsewhere and looks values up calls Find. That faults,
// because the values are not where it would look. What holds until something shifts does not
// hold from then on.
func (c *Component) Seal(n int) {
	if n > 0 {
		c.s.m.Shift()
	}
	c.Sealed += n
	c.point()
}

// Fault fails as a read through a nil pointer does. The walk that sealed the component says why.
func (c *Component) Fault() {
	var sealed *Words
	sealed.Load(0)
}

// Sealed are the names of all components that are sealed.
func (s *Store) Sealed() (names []string) {
	for _, c := range s.comps {
		if c.Sealed > 0 {
			names = append(names, c.Name)
		}
	}
	return names
}
