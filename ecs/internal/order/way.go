package order

// Way is how rows are sorted. All end in the same order.
type Way uint8

const (
	// Auto is the one that seems the cheapest, see choose.
	Auto Way = iota
	// InPlace leaves as many rows as it can where they are. It finds the positions of the
	// others among them, and moves the others. It takes 8 bytes a row, or none if all are in order,
	// and a comparison or two a row if few are not.
	InPlace
	// Permute sorts copies of values, or keys, and then brings all rows into that order,
	// column by column. It costs the same whatever order rows are in, and memory for each.
	Permute
	// Mixed sorts the entities of the rows where they are noted, and has their entries, which say
	// where their values are still, as the notes by which values follow. It takes no memory,
	// and each comparison looks two entries up.
	Mixed
)

// found is the result of a look at rows.
type found struct {
	rows    int
	dropped int // without which the others are in order; counted up to one more than nearly
	bytes   int // of memory that Permute would take
}

const (
	// nearlyOneIn is how few rows may be out of order for the others to count as sorted
	// (BenchmarkSort).
	nearlyOneIn = 16
	// scratchMost is how much memory is taken without being asked.
	scratchMost = 1 << 30
)

// nearly is how many rows may be out of order of rows that are nearly sorted.
func nearly(rows int) int { return rows / nearlyOneIn }

// choose returns the way that Auto takes.
func choose(f found) Way {
	switch {
	case f.dropped <= nearly(f.rows):
		return InPlace
	case f.bytes > scratchMost:
		return Mixed
	}
	return Permute
}
