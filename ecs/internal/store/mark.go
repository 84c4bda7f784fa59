package store

// Mark sets the bits of the table's rows whose entities have a component, wherever it is
// stored. It goes chunk by chunk in order, each from a word of its own on, as those of an Opt.
// It costs a look at the word of each entity that has it, not at those of the table's rows.
func (t *Table) Mark(bits []uint64, c *Component) {
	for _, u := range c.tables {
		if u.owner != nil && u.owner != c.owner {
			continue // columns that nobody uses any more
		}
		x, at := u.opt(c), 0
		for id, n := range u.Seq.Chunks() {
			es := t.s.Entities(id, n)
			if x == nil {
				for _, e := range es {
					t.mark(bits, e)
				}
				continue
			}
			for base := 0; base < n; base += 64 {
				for m := x.Bits[at+base/64]; m != 0; m &= m - 1 {
					t.mark(bits, es[base+trailingZeros(m)])
				}
			}
			at += u.stride
		}
	}
}

// mark sets the bit of an entity's row, if it has one here.
func (t *Table) mark(bits []uint64, e Entity) {
	w := t.words.Load(e.Index())
	if !Names(w, e) {
		return
	}
	if l := locOf(w); t.s.tableAt(l) == t {
		at, mask := t.bit(l)
		bits[at] |= mask
	}
}
