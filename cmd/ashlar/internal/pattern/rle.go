package pattern

// rle reads lines behind #, the header and the cells.
func (in *reader) rle() (*Pattern, error) {
	p := &Pattern{Rule: Life()}
	if err := in.header(p); err != nil {
		return nil, err
	}
	if err := in.runs(p); err != nil {
		return nil, err
	}
	return p, nil
}

// runs reads the cells: counts, b for dead, o for alive, $ for the end of a row, !
// for the end. Text behind ! is not read. Dead cells may reach beyond the
// box, where some programs write them: nothing is lost with them.
func (in *reader) runs(p *Pattern) error {
	x, y, count := 0, 0, 0
	counted := false
	for {
		c, ok, err := in.next()
		if err != nil {
			return err
		}
		if !ok {
			return in.fail("the cells end without \"!\": the file is cut off, get it again or end it with \"!\"")
		}
		if c >= '0' && c <= '9' {
			if count = count*10 + int(c-'0'); count > SideMax {
				return in.fail("a run longer than %d, which is the longest side: use a smaller pattern", SideMax)
			}
			counted = true
			continue
		}
		n := 1
		if counted {
			n = count
		}
		switch {
		case c == '\n' || c == ' ' || c == '\t' || c == '\r':
			continue // also between a count and its cells
		case c == '#' && in.col == 1:
			if _, err := in.restOfLine(); err != nil {
				return err
			}
			continue
		case c == '!':
			return nil
		case counted && n == 0:
			return in.fail("a run of 0: leave out what is not there")
		// beyond the box it does not matter how far, and sums must not overflow
		case c == '$':
			x, y = 0, min(y+n, SideMax)
		case c == 'b':
			x = min(x+n, SideMax)
		case c == 'o':
			if x+n > p.Width || y >= p.Height {
				return in.fail("cells outside the box of %d by %d that the header gives: correct x and y", p.Width, p.Height)
			}
			if err := in.addCells(p, x, y, n); err != nil {
				return err
			}
			x += n
		case c == '.' || c >= 'A' && c <= 'X' || c >= 'p' && c <= 'y':
			return in.fail("state %q: this is a pattern with more than two states, and only two-state patterns (b, o) are read", c)
		default:
			return in.fail("%q among the cells: write b, o, $, ! and numbers alone", c)
		}
		count, counted = 0, false
	}
}
