package pattern

import "strings"

// plaintext reads the .cells format: comments behind !, then rows of . and O.
func (in *reader) plaintext() (*Pattern, error) {
	p := &Pattern{Rule: Life()}
	x, y := 0, 0
	for {
		c, ok, err := in.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			if x > 0 {
				y++
			}
			p.Height = y
			return p, nil
		}
		switch {
		case c == '!' && x == 0:
			text, err := in.restOfLine()
			if err != nil {
				return nil, err
			}
			if name, ok := strings.CutPrefix(text, "Name:"); ok {
				p.Name = strings.TrimSpace(name)
			} else if text != "" && len(p.Comments) < 256 {
				p.Comments = append(p.Comments, text)
			}
			continue
		case c == '\n':
			in.line, in.col = in.line+1, 0
			x, y = 0, y+1
		case c == '\r' || c == ' ' || c == '\t':
		case c == '.':
			x++
		case c == 'O' || c == 'o' || c == '*':
			if len(p.Cells) == CellsMax {
				return nil, in.fail("more than %d live cells", CellsMax)
			}
			p.Cells = append(p.Cells, Point{x, y})
			x++
		default:
			return nil, in.fail("%q is no cell: . is dead, O is alive, lines with ! are comments", c)
		}
		if x > SideMax || y > SideMax {
			return nil, in.fail("the pattern is larger than %d by %d", SideMax, SideMax)
		}
		p.Width = max(p.Width, x)
	}
}
