package store

// Entries are the component's entries, whether it is sealed or not.
func (c *Component) Entries() *Words { return c.words }

func (c *Component) setWords(w *Words) {
	c.words = w
	c.Seal(0)
}

// Seal seals the component n times more, or -n times less. While it is sealed, Words are nil.
// So code that is inlined elsewhere and reads them faults, because the values are not where it
// would look. Readers need no test for it. What holds until something shifts does not hold
// from then on.
func (c *Component) Seal(n int) {
	if n > 0 {
		c.s.m.Shift()
	}
	c.Words = c.words
	if c.Sealed += n; c.Sealed > 0 {
		c.Words = nil
	}
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
