package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/views"
)

// few is what is known of an optional column that a source lacks, if few of its rows can have the
// component: which ones, marked from the component's side as for tests. Only these are looked up, and
// the others are zeros.
type few struct {
	marks  []uint64       // of the source's rows; nil: they may be many
	at     []uint16       // which of the batch have it
	es     []store.Entity // whose rows these are
	values []uint64       // of them, side by side
}

const (
	fewShare = 4  // how many times as many rows a source must have
	fewRows  = 64 // and at least, or it would cost more to ask how many have the component
)

// findFew finds which of a source's columns few of its rows have.
func (c *Cursor) findFew(s *Source) {
	for j := range c.Columns {
		x, f, n := &c.Columns[j], &c.columns[j].few, s.Seq.Len()
		f.marks = nil
		if x.Optional && !s.own && s.place[j] == Absent && n >= fewRows && x.Comp.Len() <= n/fewShare {
			f.marks = c.marksOf(s, x.Comp)
		}
	}
}

// marksOf returns which of a source's rows have a component.
func (c *Cursor) marksOf(s *Source, of *store.Component) []uint64 {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	return s.Table.Marked(of)
}

// gatherFew is gather of the j-th column for the given rows of the i-th chunk, or for all if none are
// given.
func (c *Cursor) gatherFew(s *Source, i, j int, es []store.Entity, rows []uint16) raw.Ptr {
	g := c.gathered(j)
	f, size := &g.few, uintptr(g.source.Size)
	to := g.zeros(&c.Columns[j], len(es))
	if marks := f.marks[i*s.Table.Stride():][:s.Table.Stride()]; rows == nil {
		g.allOf(marks, len(es))
	} else {
		g.present(marks, rows)
	}
	f.at = raw.Numbers(f.at[:0], g.presence, 0)
	if len(f.at) == 0 {
		return to
	}
	f.es = f.es[:0]
	for _, k := range f.at {
		f.es = append(f.es, es[k])
	}
	g.source.Gather(room(&f.values, len(f.at), size), raw.Words(f.es), views.Found{})
	raw.Put(to, raw.Data(f.values), f.at, size, size)
	return to
}

// scatterFew copies what gatherFew has looked up back, as scatter.
func (g *gathered) scatterFew(tick uint64) {
	f, size := &g.few, uintptr(g.source.Size)
	if len(f.at) > 0 {
		values := room(&f.values, len(f.at), size)
		raw.Pick(raw.Data(f.values), raw.Data(g.scratch), f.at, size, size)
		g.source.Scatter(values, raw.Words(f.es), tick)
	}
}
