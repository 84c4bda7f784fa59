package arena

import "math/bits"

// filled is from how many slots in use in the Huge range on its regions are advised to
// use huge pages. A huge page holds what 512 small ones do, and is cleared whole: before,
// that would be memory that may never be used.
const filled = 8

// adviseFilled has a region use huge pages if the range is filled well enough: an arena
// that has used so much goes on. What the first region has by then on small pages is
// put into a huge page at once, where the system can do that: it would not happen by
// itself for seconds, if ever.
func (a *Arena) adviseFilled(r Range, i int) {
	t := &a.tables[r]
	g := &t.regions[i]
	if g.advised || t.used < filled || a.backend == Heap {
		return
	}
	g.advised = true
	at := a.regionBase(r, i)
	a.advise(at, RegionBytes)
	if bits.OnesCount32(g.dirty) > 1 { // something is there
		a.collapse(at, RegionBytes)
	}
}

// adviseAnew has a region that comes into use again begin on small pages, if the range
// is not filled well any more.
func (a *Arena) adviseAnew(r Range, i int) {
	if g := &a.tables[r].regions[i]; g.advised && a.tables[r].used < filled {
		g.advised = false
		a.adviseSmall(a.regionBase(r, i), RegionBytes)
	}
}
