package shared

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/memmgr"
)

// lay makes room in the annexes of a group's chunks for the views that readers ask for. It
// counts the readers of each view. What has no room there is gathered.
func (v *Views) lay(g *group) {
	if v.o.Mode == Off {
		return
	}
	g.asked(g.findRoom)
	for _, x := range g.views {
		x.readers = 0
	}
	g.asked(func(x *source.Column) {
		if w := g.view(x); w != nil {
			w.readers++
		}
	})
}

// layFor is lay after one reader more has come. There are often many that ask for the
// same: then the layout is as it was.
func (v *Views) layFor(g *group, r *Reader) {
	if v.o.Mode == Off {
		return
	}
	var asked []*source.Column
	for j := range r.Columns {
		if x := &r.Columns[j]; r.reads(g, x) {
			if g.view(x) == nil {
				v.lay(g)
				return
			}
			asked = append(asked, x)
		}
	}
	for _, x := range asked {
		g.view(x).readers++
	}
}

// leave counts the views of a reader that has gone down.
func (g *group) leave(r *Reader) {
	for j := range r.Columns {
		if x := &r.Columns[j]; r.reads(g, x) {
			if w := g.view(x); w != nil {
				w.readers--
			}
		}
	}
}

// asked calls f with each column that some reader may have to gather for the group, in
// the order of the readers.
func (g *group) asked(f func(*source.Column)) {
	for _, r := range g.guests.All() {
		for j := range r.Columns {
			if x := &r.Columns[j]; r.reads(g, x) {
				f(x)
			}
		}
	}
}

// findRoom gives a column room in the annexes, behind the views that have some, unless
// there is none.
func (g *group) findRoom(x *source.Column) {
	if g.view(x) != nil {
		return
	}
	v := &view{comp: x.Comp, part: x.Part, where: g.whereOf(x.Comp), stats: Stats{Group: g.owner.Name, Component: x.Comp.Name, Field: x.Part.Path}}
	for _, o := range g.views {
		v.offset = max(v.offset, o.offset+inPages(g.bytes(o)))
	}
	if v.offset+inPages(g.bytes(v)) <= memmgr.AnnexMost {
		g.views = append(g.views, v)
		g.laid++
	}
}

// annexBytes is how large annexes have to be.
func (g *group) annexBytes() (n uint32) {
	for _, v := range g.views {
		n = max(n, v.offset+g.bytes(v))
	}
	return n
}

// bytes is what a view takes in a chunk.
func (g *group) bytes(v *view) uint32 { return g.seq.Layout().Capacity() * uint32(v.part.Size) }

func inPages(bytes uint32) uint32 { return (bytes + chunk.Page - 1) / chunk.Page * chunk.Page }
