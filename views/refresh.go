package views

// Refresh gathers some rows again that were gathered before: rows with a place in a changed
// cell and, if owners' rows have changed, rows that lacked the component. It updates places. It
// returns how many rows it gathered.
func (s *Source) Refresh(dst []byte, handles []uint64, places []Place, c *Changes) (gathered int) {
	size := s.fits(len(dst), len(handles))
	if len(s.Cells) != c.cells {
		panic("views: changes of a directory that has grown: find them again, and gather by handle")
	}
	var b block
	var rows [blockRows]uint16 // picked, not gathered yet
	s.ready(&b)
	picked := 0
	for at := 0; at < len(handles); at += pickRows {
		end := min(at+pickRows, len(handles))
		picked = c.pick(&rows, picked, places[at:end], at)
		if picked > blockRows-pickRows || end == len(handles) && picked > 0 {
			b.again(s, dst, size, rows[:picked], handles, places, c)
			gathered, picked = gathered+picked, 0
		}
	}
	return gathered
}

// pickRows is how many rows are looked at before it is seen whether a block of
// them is full.
const pickRows = blockRows / 2

// pick adds the rows with values that may have changed to the picked ones, and
// returns how many there are. The first of places is row at's. In a frame of its own
// the loop's variables stay in registers.
//
//go:noinline
func (c *Changes) pick(rows *[blockRows]uint16, picked int, places []Place, at int) int {
	hits, n := c.hits, uint(picked)
	for _, p := range places {
		rows[n%blockRows] = uint16(at)
		n += uint(hits[int(p>>rowBits)&(len(hits)-1)] & hitValues)
		at++
	}
	return int(n)
}

// again gathers a block of rows; by handle if they may have moved.
func (b *block) again(s *Source, dst []byte, size int, rows []uint16, handles []uint64, places []Place, c *Changes) {
	var at [blockRows]Place
	var hit byte
	for i, row := range rows {
		at[i%blockRows] = places[row]
		hit |= c.hit(places[row])
	}
	if hit&hitOrder == 0 {
		b.locatePlaces(at[:len(rows)])
		b.spread(dst, rows, size)
		return
	}
	var who [blockRows]uint64
	for i, row := range rows {
		who[i%blockRows] = handles[row]
	}
	b.locate(s, who[:len(rows)])
	b.spread(dst, rows, size)
	b.places(at[:len(rows)])
	for i, row := range rows {
		places[row] = at[i]
	}
}
