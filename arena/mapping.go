package arena

// The pages of a region are opened and closed as one, whatever counts of it: each border between
// usable and unusable pages splits a mapping of the kernel, and a process may have some 65,000. Limits
// are no matter here: callers charge before, and discharge after a refusal.

// mapRegion makes the pages of a region usable, if they are not.
func (a *Arena) mapRegion(r Range, i int) error {
	g := &a.tables[r].regions[i]
	if g.mapped {
		return nil
	}
	if a.backend == Heap {
		if err := a.heapRoom(RegionBytes + SlotBytes); err != nil {
			return err
		}
		g.slab, g.keep = newSlab()
		a.stats.Reserved += RegionBytes
	} else {
		at := a.regionBase(r, i)
		if err := a.commit(at, RegionBytes); err != nil {
			return err
		}
		// Once for each region: advice outlives a decommit, and each request costs a call.
		if r == Huge && !g.advised {
			g.advised = true
			a.advise(at, RegionBytes)
		}
	}
	g.mapped = true
	return nil
}

// shut decommits a region without live or quarantined slots. It stays in the table and keeps its
// number, so that the next one that is needed is at the same place. After an error nothing has
// changed. On the heap back end the slab is garbage at once, and gone with the next collection.
func (a *Arena) shut(r Range, i int) error {
	t := &a.tables[r]
	g := &t.regions[i]
	if a.backend == Heap {
		g.slab, g.keep, a.garbage = nil, nil, true
		a.stats.Reserved -= RegionBytes
	} else if err := a.decommit(a.regionBase(r, i), RegionBytes); err != nil {
		return err
	}
	a.uncount(r, g)
	a.clean(PurposeChunks, g.dirtied())
	a.discharge(PurposeChunks, g.charged())
	g.committed, g.dirty, g.borders, g.runs, g.laid, g.mapped = 0, 0, 0, nil, nil, false
	return nil
}
