package profile

import (
	"slices"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Group is a sequence of chunks as it was at the end of frames. A table is a group that nobody
// declared; its name says what it owns, see [TableName].
type Group struct {
	Name   string
	Owns   []string // components, in the order of their columns
	Rows   uint64   // summed over frames: Rows/Frames is the mean
	Chunks uint64   // summed over frames
	Peak   uint64   // most rows at the end of any frame
	Last   uint64   // rows at the end of the last frame
}

func groupsOf(p *Profile) []statement { return collect(p.Groups, itself[Group]) }

func readGroup(c *text.Cursor) statement {
	g := Group{Name: c.Name("the group's name")}
	c.Fields(g.figures(), text.Field{Key: "owns", Optional: true, Read: func(string) { g.Owns = c.Names("a component's name") }})
	return g
}

func (g *Group) figures() []text.Figure {
	return []text.Figure{{Key: "rows", Value: &g.Rows}, {Key: "chunks", Value: &g.Chunks}, {Key: "peak", Value: &g.Peak}, {Key: "last", Value: &g.Last}}
}

func (g Group) owns() string {
	if len(g.Owns) == 0 {
		return ""
	}
	return " owns " + text.QuoteList(g.Owns)
}

func (g Group) subject() string { return text.Subject("group", g.Name) }
func (g Group) rest() string    { return g.owns() + text.Write(g.figures()) }

func (g Group) problem() string {
	if bad := text.BadName(g.Name); bad != "" {
		return bad
	}
	return text.BadNames(g.Owns...)
}

func (g Group) merge(with statement) (statement, bool) {
	h := with.(Group)
	same := slices.Equal(g.Owns, h.Owns)
	g.Rows, g.Chunks = add(g.Rows, h.Rows), add(g.Chunks, h.Chunks)
	g.Peak, g.Last = max(g.Peak, h.Peak), max(g.Last, h.Last)
	return g, same
}

func (g Group) compared(frames uint64) (string, []Figure) {
	return g.owns(), []Figure{per(g.Rows, frames, "rows/frame"), per(g.Chunks, frames, "chunks/frame"), per(g.Peak, 1, "rows at most"), per(g.Last, 1, "rows at last")}
}

func (g Group) into(p *Profile) {
	g.Owns = slices.Clone(g.Owns)
	p.Groups = append(p.Groups, g)
}
