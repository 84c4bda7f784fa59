package pattern

import "strings"

// plaintext reads the .cells format: comments behind !, then rows of . and O. An
// empty line is a row of dead cells, and the box is as wide as its widest row.
func (in *reader) plaintext() (*Pattern, error) {
	p := &Pattern{Rule: Life()}
	x, y := 0, 0
	for {
		c, ok, err := in.next()
		if err != nil {
			return nil, err
		}
		if ok && c == '!' && x == 0 {
			text, err := in.restOfLine()
			if err != nil {
				return nil, err
			}
			p.bangLine(text)
			continue
		}
		switch {
		case !ok && x == 0:
			p.Height = y
			return p, nil
		case !ok:
			p.Height = y + 1
			return p, nil
		case c == '\r' || c == ' ' || c == '\t':
			continue
		case x == SideMax && c != '\n' || y == SideMax:
			return nil, in.fail("the pattern is larger than %d by %d, which is all that is read: use a smaller pattern", SideMax, SideMax)
		case c == '\n':
			x, y = 0, y+1
			continue
		case c == '.':
		case c == 'O' || c == 'o' || c == '*':
			if err := in.addCells(p, x, y, 1); err != nil {
				return nil, err
			}
		default:
			return nil, in.fail("%q is no cell: write . for dead, O for alive, and ! before comments", c)
		}
		x++
		p.Width = max(p.Width, x)
	}
}

// bangLine keeps the text of a line behind !.
func (p *Pattern) bangLine(text string) {
	name, isName := strings.CutPrefix(text, "Name:")
	author, isAuthor := strings.CutPrefix(text, "Author:")
	switch {
	case isName && p.Name == "":
		p.Name = trim(name)
	case isAuthor && p.Author == "":
		p.Author = trim(author)
	default:
		p.addComment(text)
	}
}
