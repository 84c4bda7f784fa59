package profile

import "github.com/ashlar-go/ashlar/internal/profile/text"

// off says that nothing is adapted.
type off struct{}

func offOf(p *Profile) []statement {
	if !p.Hints.Off {
		return nil
	}
	return []statement{off{}}
}

func readOff(*text.Cursor) statement { return off{} }

func (off) subject() string                     { return "off" }
func (off) rest() string                        { return "" }
func (off) problem() string                     { return "" }
func (o off) merge(statement) (statement, bool) { return o, true }
func (off) compared(uint64) (string, []Figure)  { return "", nil }
func (off) lacks(*index) string                 { return "" }
func (off) into(p *Profile)                     { p.Hints.Off = true }
