package profile

import "fmt"

// Check returns every problem that keeps a map from being written: a name that is empty
// or too long, regions or chunks stated twice, a chunk in a slot that is free or in
// quarantine, chunks that share a slot that is not cut into blocks, or have more bytes
// together than it. The error is a *[Problems].
func (m Map) Check() error {
	ps := &Problems{}
	seen := map[string]bool{}
	note := func(about, bad string) {
		if bad == "" && seen[about] {
			bad = "it is stated twice: leave one"
		}
		seen[about] = true
		if bad != "" {
			ps.add(Problem{Text: fmt.Sprintf("%.80s: %s", about, bad)})
		}
	}
	for _, r := range m.Regions {
		note(subjectOfRegion(r), badRegion(r))
	}
	taken := make([][32]uint64, len(m.Regions))
	for _, c := range m.Chunks {
		bad, about := "", fmt.Sprintf("chunk %s %d", quote(c.Group), c.Order)
		if c.Region < 0 || c.Region >= len(m.Regions) {
			bad = fmt.Sprintf("it lies in region %d of %d: an index into Regions is meant", c.Region, len(m.Regions))
		} else {
			r := m.Regions[c.Region]
			about = subjectOfChunk(c, r)
			bad = badPlaced(c, r, &taken[c.Region])
		}
		note(about, bad)
	}
	if len(m.Regions)+len(m.Chunks) > statementMax {
		note("map", fmt.Sprintf("it has %d regions and chunks, and a file has at most %d statements", len(m.Regions)+len(m.Chunks), statementMax))
	}
	return ps.err()
}

func badRegion(r Region) string {
	switch {
	case badName(r.Range) != "":
		return badName(r.Range)
	case r.Free&r.Quarantined != 0:
		return "slots are both free and in quarantine: they are one or the other"
	case r.Quarantined&^r.Dirty != 0:
		return "slots are in quarantine and clean: their bytes are there still, so they are dirty"
	case r.Blocks&(r.Free|r.Quarantined) != 0:
		return "slots are cut into blocks and not in use: they are one or the other"
	case r.Blocks&^r.Dirty != 0:
		return "slots are cut into blocks and clean: chunks lie there, so they are dirty"
	case r.Striped && r.Blocks != 0:
		return "slots of a striped region are cut into blocks: they are positions of its stripes"
	}
	return ""
}

// badPlaced tells what is wrong with a chunk in a region, of whose slots other chunks have
// taken so many bytes.
func badPlaced(c Placed, r Region, taken *[32]uint64) string {
	if bad := badName(c.Group); bad != "" {
		return bad
	}
	if c.Slot < 0 || c.Slot > 31 {
		return fmt.Sprintf("it lies in slot %d: a region has slots 0 to 31", c.Slot)
	}
	if c.Order < -1 || c.Order > numberMax {
		return fmt.Sprintf("its order is %d: it has to be from 0 to %d, or -1 for a spare", c.Order, numberMax)
	}
	if c.Pins < 0 {
		return "it is pinned less than 0 times: count calls of Pin that wait for Unpin"
	}
	for _, f := range c.figures() {
		if f.value > f.high {
			return fmt.Sprintf("%s %d: it can be %d at most", f.key, f.value, f.high)
		}
	}
	bit := uint32(1) << c.Slot
	switch {
	case (r.Free|r.Quarantined)&bit != 0:
		return fmt.Sprintf("it lies in slot %d, which is not in use: one of the two statements is wrong", c.Slot)
	case r.Blocks&bit == 0 && taken[c.Slot] > 0:
		return fmt.Sprintf("it lies in slot %d, in which another chunk lies: only chunks in blocks share a slot, and : marks it", c.Slot)
	}
	if taken[c.Slot] += max(c.Bytes, 1); taken[c.Slot] > slotBytes {
		return fmt.Sprintf("it lies in slot %d, in which other chunks leave no room for it: one of the statements is wrong", c.Slot)
	}
	return ""
}
