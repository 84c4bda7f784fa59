package policy

// Facts are a store's answer at a look: counts, and which components rows have in common. A component
// is known by its place in Counted, and a set of components is bits by place.
type Facts struct {
	Counted []Counted
	// Sets are of tables with rows, and of some rows where a table's rows differ. Sampled says
	// that others were left out.
	Sets    []Set
	Sampled bool
	// Living is how many tables have rows.
	Living  int64
	Systems []System
	// Rows is a number that differs where counts of rows differ: that of the last look of the same components, or 0. The store
	// sets its own, and 0 where it does not know.
	Rows uint64

	now       assignment
	rows      int64
	nowTables int64 // that now makes
	making    int64 // tables that changes have led to, in so many frames: each
	turnover  int64 // rows that came or went, in so many frames: each
	visit     int64 // cost of a table that a system visits
	swap      int64 // cost of two rows that change places
}

// Counted is a component that may change over.
type Counted struct {
	// Component is its number; Size is in bytes.
	Component int
	Size      int64
	// Have is how many entities have it.
	Have int64

	changes int64 // in so many frames: each
	among   int64 // rows that would have room for it if it were optional
	move    int64 // cost of a row that comes or goes with it
	swap    int64 // cost of two such rows that change places
}

// Set is the components that some rows have in common.
type Set struct {
	// Bits are the counted ones, Rest tells the others apart.
	Bits, Rest uint64
	// Rows is how many rows have them, and Width the bytes of one.
	Rows, Width int64
}

// System is a system that visited rows. Met is how many a frame, Pieces how many parts of 16 bytes a
// row has for it, and once more if they are written.
type System struct {
	Required, Excluded, Maybe uint64
	Pieces, Met               int64
}

// complete finds the figures that follow from counts. Rows that would have room for a component have
// it, or the same others as rows that have it.
func (f *Facts) complete() {
	bytes := int64(0)
	for i := range f.Sets {
		x := &f.Sets[i]
		f.rows, bytes = f.rows+x.Rows, bytes+x.Rows*x.Width
	}
	f.visit, f.swap = scaled(costTable, bytes/4), SwapCost(bytes/max(f.rows, 1), bytes)
	if bytes < 1<<20 { // a cache has all of them
		f.visit = costTable * 2 / 5
	}
	f.nowTables = f.tables(f.now.fixed())
	for i := range f.Counted {
		var seen seen
		bit, c := uint64(1)<<i, &f.Counted[i]
		for _, x := range f.Sets {
			if x.Bits&bit != 0 {
				w, b := seen.at(x.Bits&^bit, x.Rest)
				*w |= b
			}
		}
		rows, bytes := int64(0), int64(0)
		for _, x := range f.Sets {
			if w, b := seen.at(x.Bits&^bit, x.Rest); *w&b != 0 {
				rows, bytes = rows+x.Rows, bytes+x.Rows*x.Width
			}
		}
		c.among = max(rows, c.Have)
		c.move, c.swap = MoveCost(bytes/max(rows, 1), bytes), SwapCost(bytes/max(rows, 1), bytes)
	}
}
