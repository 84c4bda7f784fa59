package pattern

// rle reads lines behind #, the header and the cells.
func (in *reader) rle(p *Pattern) error {
	if err := in.header(p); err != nil {
		return err
	}
	return in.runs(p)
}

// runs reads the cells: counts, b for dead, o for alive, $ for the end of a row, !
// for the end. Text behind ! is not read. Dead cells may reach beyond the
// box, where some programs write them: nothing is lost with them.
func (in *reader) runs(p *Pattern) error {
	const uncounted = -1
	x, y, count := 0, 0, uncounted
	for ; in.at < len(in.text); in.at++ {
		c, n := in.text[in.at], count
		if count == uncounted {
			n = 1
		}
		switch {
		case c >= '0' && c <= '9':
			if count = max(count, 0)*10 + int(c-'0'); count > SideMax {
				return in.fail(in.at, "a run longer than %d, which is the longest side: use a smaller pattern", SideMax)
			}
			continue
		case c == '\n' || c == ' ' || c == '\t' || c == '\r':
			continue // also between a count and its cells
		case c == '#' && in.text[in.at-1] == '\n':
			in.restOfLine()
			in.at-- // to its end
			continue
		case c == '!':
			return nil
		case n == 0:
			return in.fail(in.at, "a run of 0: leave out what is not there")
		// beyond the box it does not matter how far, and sums must not overflow
		case c == '$':
			x, y = 0, min(y+n, SideMax)
		case c == 'b':
			x = min(x+n, SideMax)
		case c == 'o':
			if x+n > p.Width || y >= p.Height {
				return in.fail(in.at, "cells outside the box of %d by %d that the header gives: correct x and y", p.Width, p.Height)
			}
			if err := in.addCells(p, x, y, n); err != nil {
				return err
			}
			x += n
		case c == '.' || c >= 'A' && c <= 'X' || c >= 'p' && c <= 'y':
			return in.fail(in.at, "state %q: this is a pattern with more than two states, and only two-state patterns (b, o) are read", c)
		default:
			return in.fail(in.at, "%q among the cells: write b, o, $, ! and numbers alone", c)
		}
		count = uncounted
	}
	return in.fail(in.at, "the cells end without \"!\": the file is cut off, get it again or end it with \"!\"")
}
