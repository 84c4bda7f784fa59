package source

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/views"
)

// scarceRows has the facts of an optional column that a table lacks, if few of its rows can have
// the component. These rows are marked from the component's side, as for tests. Only they are looked
// up, and the others are zeros.
type scarceRows struct {
	marks  []uint64       // of the table's rows: the table's own, good while rows stay
	at     []uint16       // positions in the batch of rows that have it, ascending
	es     []store.Entity // their entities
	values []uint64       // their values, side by side
}

const (
	scarceShare = 4  // how many times as many rows a table must have
	scarceLeast = 64 // and at least, or it would cost more to ask how many have the component
)

// scarcely is the kind of a column that the table lacks: scarce, or gathered. It decides when the
// table is entered, by counts. Marking writes bits that the table keeps, so parallel walks take
// the lock. Structs of pointers look up each row anyway.
func (s *Set) scarcely(j int, c *Column) kind {
	n := s.table.Seq.Len()
	if !c.Optional || s.fields.Pointers || n < scarceLeast || c.Comp.Len() > n/scarceShare {
		return gathered
	}
	if s.finding != nil {
		s.finding.Lock()
		defer s.finding.Unlock()
	}
	s.farOf(j).scarce.marks = s.table.Marked(c.Comp)
	return scarce
}

// bringScarce is bring for such a column.
//
//	rows      0 1 2 3 4 5 6 7
//	marks     0 0 1 0 0 1 0 0      at = 2 5
//	values    v2 v5                gathered, side by side
//	column    0 0 v2 0 0 v5 0 0    put to their rows
//
// It costs a clear of the column and a look-up for each row that has the component.
func (s *Set) bringScarce(x *source, b *Batch) {
	f, from := &x.far.scarce, &x.far.from
	x.zero(b.N)
	x.has(f.marks[b.Chunk*s.table.Stride():][:s.table.Stride()], b)
	f.at = raw.Numbers(f.at[:0], x.presence, 0)
	if f.at = f.at[:within(f.at, b.N)]; len(f.at) == 0 {
		return
	}
	f.es = f.es[:0]
	for _, k := range f.at {
		f.es = append(f.es, b.Entities[k])
	}
	from.Gather(room(&f.values, len(f.at), x.size), raw.Words(f.es), views.Found{})
	raw.Put(x.base, raw.Data(f.values), f.at, x.size, x.size)
}

// within is how many numbers, which ascend, are less than n.
func within(numbers []uint16, n int) int {
	k := len(numbers)
	for k > 0 && int(numbers[k-1]) >= n {
		k--
	}
	return k
}

// scatterScarce copies back the values that bringScarce has looked up. It uses at and es as bringScarce left
// them, so no batch of the column may be brought in between.
func (g *far) scatterScarce(x *source, tick uint64) {
	f := &g.scarce
	if len(f.at) > 0 {
		values := room(&f.values, len(f.at), x.size)
		raw.Pick(raw.Data(f.values), x.base, f.at, x.size, x.size)
		g.from.Scatter(values, raw.Words(f.es), tick)
	}
}
