package reference

// Group keeps the entities that are in both of two sets in the first rows of both, in the same order. So a loop over
// them looks nothing up. The sets are changed through Enter and Leave.
type Group[A, B any] struct {
	a *Set[A]
	b *Set[B]
	n int
}

// GroupOf groups two sets that are empty.
func GroupOf[A, B any](a *Set[A], b *Set[B]) *Group[A, B] { return &Group[A, B]{a: a, b: b} }

// Values are the values of both sets, row by row of the same entity.
func (g *Group[A, B]) Values() ([]A, []B) { return g.a.values[:g.n], g.b.values[:g.n] }

// Enter is called when an entity has got one of the components.
func (g *Group[A, B]) Enter(e Entity) {
	if g.a.Get(e) != nil && g.b.Get(e) != nil {
		g.a.swap(g.a.Row(e), uint32(g.n))
		g.b.swap(g.b.Row(e), uint32(g.n))
		g.n++
	}
}

// Leave is called before an entity loses one of the components.
func (g *Group[A, B]) Leave(e Entity) {
	if g.a.Get(e) != nil && g.a.Row(e) < uint32(g.n) && g.b.Get(e) != nil {
		g.n--
		g.a.swap(g.a.Row(e), uint32(g.n))
		g.b.swap(g.b.Row(e), uint32(g.n))
	}
}

// swap exchanges two rows.
func (s *Set[T]) swap(i, k uint32) {
	if i == k {
		return
	}
	a, b := s.entities[i], s.entities[k]
	s.values[i], s.values[k], s.entities[i], s.entities[k] = s.values[k], s.values[i], b, a
	s.pages[a.Index()/pageSlots][a.Index()%pageSlots].row = k
	s.pages[b.Index()/pageSlots][b.Index()%pageSlots].row = i
	s.moved(a, k)
	s.moved(b, i)
}
