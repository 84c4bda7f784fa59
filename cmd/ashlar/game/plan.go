package game

// Spot is how many things of each kind there are on a part of the plane.
type Spot struct{ Props, Actors, Debris, Emitters, Triggers int32 }

// Plan counts things on columns × rows parts of the plane, row by row, as seen from above. It costs a
// pass over all things, and changes nothing. Spots are used for the counts if they are enough.
func (g *Game) Plan(spots []Spot, columns, rows int) []Spot {
	if n := columns * rows; cap(spots) < n {
		spots = make([]Spot, n)
	} else {
		spots = spots[:n]
		clear(spots)
	}
	for _, t := range g.transform.All() {
		x, y := int64(t.Position.X&(side-1))*int64(columns)/side, int64(t.Position.Z&(side-1))*int64(rows)/side
		s := &spots[y*int64(columns)+x]
		switch kind(t.Layer) {
		case props:
			s.Props++
		case actors:
			s.Actors++
		case debris:
			s.Debris++
		case emitters:
			s.Emitters++
		case triggers:
			s.Triggers++
		}
	}
	return spots
}
