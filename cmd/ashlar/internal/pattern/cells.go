package pattern

import "strings"

// plaintext reads the .cells format: comments behind !, then rows of . and O. An
// empty line is a row of dead cells, and the box is as wide as its widest row.
func (in *reader) plaintext(p *Pattern) error {
	x, y := 0, 0
	for in.at < len(in.text) {
		c := in.text[in.at]
		if c == '!' && x == 0 {
			if name, is := strings.CutPrefix(in.restOfLine(), "!Name:"); is {
				p.setName(name)
			}
			continue
		}
		switch {
		case c == '\r' || c == ' ' || c == '\t':
		case x == SideMax && c != '\n' || y == SideMax:
			return in.fail(in.at, "the pattern is larger than %d by %d, which is all that is read: use a smaller pattern", SideMax, SideMax)
		case c == '\n':
			x, y = 0, y+1
		case c == '.':
			x++
		case c == 'O' || c == 'o' || c == '*':
			if err := in.addCells(p, x, y, 1); err != nil {
				return err
			}
			x++
		default:
			return in.fail(in.at, "%q is no cell: write . for dead, O for alive, and ! before comments", c)
		}
		in.at++
		p.Width = max(p.Width, x)
	}
	if p.Height = y; x > 0 {
		p.Height++
	}
	return nil
}
