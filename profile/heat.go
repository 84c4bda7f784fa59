package profile

import "slices"

// SetHeat fills in the heat of each chunk from facts of the same run. Heat is the bytes that
// systems asked for of the chunk's group per 1,000 frames, split over its chunks by rows. Values
// that were read by handle are split over the groups that have them, also by rows. Facts without
// frames leave the map unchanged.
func (m *Map) SetHeat(facts Profile) {
	if facts.Frames == 0 {
		return
	}
	asked, rows := map[string]uint64{}, map[string]uint64{}
	for _, s := range facts.Systems {
		for _, a := range s.Access {
			asked[a.Group] += a.Bytes
		}
	}
	for _, c := range m.Chunks {
		rows[c.Group] += c.Rows
	}
	for _, l := range facts.Lookups {
		all := uint64(0)
		for _, g := range facts.Groups {
			if slices.Contains(g.Owns, l.Component) {
				all += rows[g.Name]
			}
		}
		bytes := float64(l.Reads) * float64(facts.Size(l.Component))
		for _, g := range facts.Groups {
			if slices.Contains(g.Owns, l.Component) && rows[g.Name] > 0 {
				asked[g.Name] += uint64(bytes * float64(rows[g.Name]) / float64(all))
			}
		}
	}
	for i := range m.Chunks {
		if c := &m.Chunks[i]; c.Rows > 0 {
			c.Heat = uint64(float64(asked[c.Group]) * float64(c.Rows) / float64(rows[c.Group]) * 1000 / float64(facts.Frames))
		}
	}
}

// Size returns the size of a component's values in bytes, or 0 if it is not known.
func (p Profile) Size(component string) uint64 {
	for _, c := range p.Components {
		if c.Name == component {
			return uint64(c.Size)
		}
	}
	return 0
}
