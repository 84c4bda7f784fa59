package walk

import (
	"hash/maphash"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Witness is Each for which note learns whether the call changed any value of a column that
// is declared to be written, batch by batch. It sums the values before and after each call. The
// recorder uses it in some runs, until each column that is declared to be written has changed once.
// Equal sums of different values are possible, and then a change is missed.
func (c *Cursor) Witness(into raw.Ptr, call func(raw.Ptr) bool, note func(column int, changed bool)) {
	fn := c.Fn
	c.Fn = nil // or whole chunks would be passed without a detour
	defer func() { c.Fn = fn }()
	c.Each(into, c.Witnessed(into, call, note))
}

// Witnessed is call with sums before and after it, as Witness makes them. Fn must be nil.
func (c *Cursor) Witnessed(into raw.Ptr, call func(raw.Ptr) bool, note func(column int, changed bool)) func(raw.Ptr) bool {
	seed, sums := maphash.MakeSeed(), make([]uint64, len(c.Columns))
	sum := func(j int) uint64 { return c.valuesOf(j, into).sum(seed) }
	return func(into raw.Ptr) bool {
		for j := range c.Columns {
			if c.Columns[j].Write {
				sums[j] = sum(j)
			}
		}
		more := call(into)
		for j := range c.Columns {
			if c.Columns[j].Write {
				note(j, sum(j) != sums[j])
			}
		}
		return more
	}
}
