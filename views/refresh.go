package views

// Refresh gathers again what may have changed of rows that were gathered before:
// those whose place lies in a changed cell and, where owners' rows have changed,
// those that lacked the component. Places become those of now, and presence, unless
// nil, the bits of now. It returns how many rows it gathered.
func (s *Source) Refresh(dst []byte, handles []uint64, places []Place, presence []uint64, c *Changes) (gathered int) {
	size := s.fits(len(dst), len(handles))
	if len(s.Cells) != c.cells {
		panic("views: changes of a directory that has grown: find them again, and gather by handle")
	}
	var (
		b      block
		rows   [blockRows]uint16 // picked, not gathered yet
		wanted [blockRows]uint64
		found  [blockRows]Place
	)
	s.begin(&b)
	picked := 0
	for at := 0; at < len(handles); at += pickRows {
		for i, p := range places[at:min(at+pickRows, len(handles))] {
			rows[picked%blockRows] = uint16(at + i)
			wanted[picked%blockRows] = handles[at+i]
			picked += int(c.has(p))
		}
		if picked <= blockRows-pickRows && at+pickRows < len(handles) {
			continue
		}
		if picked == 0 {
			break
		}
		b.locate(s, wanted[:picked])
		b.spread(dst, rows[:picked], size)
		b.places(found[:picked])
		for i, row := range rows[:picked] {
			places[row] = found[i]
			if presence != nil {
				bit := uint64(1) << (row % 64)
				presence[row/64] &^= bit
				if found[i] != NoPlace {
					presence[row/64] |= bit
				}
			}
		}
		gathered += picked
		picked = 0
	}
	return gathered
}

// pickRows is how many rows are looked at before it is seen whether a block of
// them is full.
const pickRows = blockRows / 2
