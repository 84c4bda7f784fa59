package profile

import "github.com/ashlar-go/ashlar/internal/profile/text"

// place is a hint about where the chunks of a group lie: cold or pin.
type place struct{ word, group string }

func coldOf(p *Profile) []statement {
	return collect(p.Hints.Cold, func(g string) statement { return place{"cold", g} })
}

func pinnedOf(p *Profile) []statement {
	return collect(p.Hints.Pinned, func(g string) statement { return place{"pin", g} })
}

func readCold(c *text.Cursor) statement { return place{"cold", c.Name("the group's name")} }
func readPin(c *text.Cursor) statement  { return place{"pin", c.Name("the group's name")} }

func (h place) subject() string                        { return text.Subject(h.word, h.group) }
func (h place) rest() string                           { return "" }
func (h place) problem() string                        { return text.BadName(h.group) }
func (h place) merge(with statement) (statement, bool) { return equal(h, with) }
func (h place) compared(uint64) (string, []Figure)     { return "", nil }

func (h place) lacks(s *index) string {
	if !s.group(h.group) {
		return "the program has no such group"
	}
	return ""
}

func (h place) into(p *Profile) {
	if h.word == "cold" {
		p.Hints.Cold = append(p.Hints.Cold, h.group)
	} else {
		p.Hints.Pinned = append(p.Hints.Pinned, h.group)
	}
}
