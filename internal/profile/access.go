package profile

import "github.com/ashlar-go/ashlar/internal/profile/text"

// Access is what one system did to one component's column in one group, summed over frames.
type Access struct {
	Group     string
	Component string
	Write     bool // read otherwise; writing includes reading
	Scattered bool // rows were reached by entity, not in sequence
	Rows      uint64
	Chunks    uint64
	Bytes     uint64
	// Unchanged is in how many runs that were looked at a system that declares to write
	// changed no value; 0 if it ever changed one.
	Unchanged uint64
}

// accessOf is an access with its system.
type accessOf struct {
	system string
	Access
}

func readAccess(c *text.Cursor) statement {
	a := accessOf{system: c.Name("the system's name"), Access: Access{Group: c.Name("the group's name"), Component: c.Name("the component's name")}}
	a.Write = c.Choice("mode", "read", "write") == "write"
	a.Scattered = c.Keyword("scattered") != ""
	c.Fields(a.figures())
	return a
}

func (a *Access) figures() []text.Figure {
	return []text.Figure{{Key: "rows", Value: &a.Rows}, {Key: "chunks", Value: &a.Chunks}, {Key: "bytes", Value: &a.Bytes}, {Key: "unchanged", Value: &a.Unchanged, Optional: true}}
}

// How is read or write, and scattered behind it.
func (a Access) How() string {
	how := "read"
	if a.Write {
		how = "write"
	}
	if a.Scattered {
		how += " scattered"
	}
	return how
}

func (a accessOf) subject() string {
	return text.Subject("access", a.system, a.Group, a.Component) + " " + a.How()
}

func (a accessOf) rest() string    { return text.Write(a.figures()) }
func (a accessOf) problem() string { return badNames(a.Group, a.Component) }

func (a accessOf) merge(with statement) (statement, bool) {
	b := with.(accessOf)
	unchanged := min(a.Unchanged, b.Unchanged) // a run that changed some has 0
	sum(a.figures(), b.figures())
	a.Unchanged = unchanged
	return a, true
}

func (a accessOf) compared(frames uint64) (string, []Figure) {
	return "", []Figure{per(a.Rows, frames, "rows/frame"), per(a.Chunks, frames, "chunks/frame"), per(a.Bytes, frames, "bytes/frame")}
}

func (a accessOf) into(p *Profile) {
	s := p.system(a.system)
	s.Access = append(s.Access, a.Access)
}
