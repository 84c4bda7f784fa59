package reference

// Kept is a query over sparse sets that keeps its members and their rows, so a loop over it probes no set. The queries
// of a set are the edges of a graph of components and queries: a change of the set visits them and no others.
type Kept struct {
	with, without uint32
	members       Set[struct{}] // the row of an entity in it is the row of rows
	parts         []part        // by component of with
	rows          [][]uint32    // by part: the rows in its set
}

// part is a set of values of any type.
type part interface {
	Remove(e Entity) bool
	Row(e Entity) uint32
	Entities() []Entity
	keep(s seat)
}

// seat is a query of a set. column is -1 if the query excludes the component.
type seat struct {
	query  *Kept
	column int
}

// Keep makes a query of the entities that have some components, at least one, and lack others. The smallest set is searched.
func (w *Sparse) Keep(with, without uint32) *Kept {
	q := &Kept{with: with, without: without}
	for i, s := range w.sets {
		switch {
		case with>>i&1 != 0:
			s.keep(seat{q, len(q.parts)})
			q.parts = append(q.parts, s)
		case without>>i&1 != 0:
			s.keep(seat{q, -1})
		}
	}
	q.rows = make([][]uint32, len(q.parts))
	least := q.parts[0]
	for _, p := range q.parts {
		if len(p.Entities()) < len(least.Entities()) {
			least = p
		}
	}
	for _, e := range least.Entities() {
		q.change(e, 0, w.masks[e.Index()])
	}
	return q
}

// Rows are the rows of all members in the set of the query's nth component. They are good until a set changes.
func (q *Kept) Rows(n int) []uint32 { return q.rows[n] }

func (q *Kept) match(mask uint32) bool { return mask&q.with == q.with && mask&q.without == 0 }

// change follows an entity whose mask has changed.
func (q *Kept) change(e Entity, before, after uint32) {
	switch was, is := q.match(before), q.match(after); {
	case is && !was:
		q.members.Add(e, struct{}{})
		for i, p := range q.parts {
			q.rows[i] = append(q.rows[i], p.Row(e))
		}
	case was && !is:
		row, last := q.members.Row(e), len(q.members.values)-1
		q.members.Remove(e)
		for i, list := range q.rows {
			list[row] = list[last]
			q.rows[i] = list[:last]
		}
	}
}

func (s *Set[T]) keep(of seat) { s.queries = append(s.queries, of) }

// change sets an entity's mask and tells the queries.
func (s *Set[T]) change(e Entity, after uint32) {
	at := &(*s.masks)[e.Index()]
	before := *at
	*at = after
	for _, of := range s.queries {
		of.query.change(e, before, after)
	}
}

// moved tells the queries that an entity's value has another row.
func (s *Set[T]) moved(e Entity, row uint32) {
	for _, of := range s.queries {
		if of.column >= 0 && of.query.match((*s.masks)[e.Index()]) {
			of.query.rows[of.column][of.query.members.Row(e)] = row
		}
	}
}
