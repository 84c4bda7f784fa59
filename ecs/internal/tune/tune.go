// Package tune has the numbers that follow from the caches of a processor. They decide times, and who does a piece of
// work, never results.
//
//	L1       HeldRows    rows that are gathered for one call
//	L2       WarmFrom    entities from which it pays to look ahead
//	sharing  Neighbours  workers that share a cache: they help each other first
//
// The work from which workers share a walk does not follow from caches. A walk of 10 µs gains by it, whether its rows
// lie in a cache or in none. docs/results/caches.md has all four beside fixed numbers.
package tune

// Sizes are such numbers.
type Sizes struct {
	// HeldRows is how many rows of several chunks are gathered before a system is called.
	HeldRows int
	// WarmFrom is from how many indexes on the store reads records and entries ahead.
	WarmFrom uint64
	// Neighbours is how many workers share the last level of cache.
	Neighbours int
}

const (
	// heldBytes is how much of the first level there is for a row that is held. Half and twice as much take as long
	// (BenchmarkCachesHeld).
	heldBytes = 128
	// indexBytes is how much of the second level an index takes: a record, and the handle beside its row.
	indexBytes = 16
	// WarmLeast is the least WarmFrom. It does not pay below, whatever the caches are (BenchmarkCachesAhead).
	WarmLeast = 1 << 14
)

// Of returns the numbers for caches: bytes of the first level and of the second, and how many processors share the last
// one. Manager.Caches of memmgr has them.
func Of(l1, l2 uint64, sharing int) Sizes {
	return Sizes{
		HeldRows:   int(max(l1/heldBytes, 1)),
		WarmFrom:   max(l2/indexBytes, WarmLeast),
		Neighbours: max(sharing, 1),
	}
}
