package life

import "github.com/ashlar-go/ashlar/bench/internal/reference"

// sparse is a game on sparse sets. H is a handle, or a row of the set of states.
type sparse[H any] struct {
	canvas
	cells     []reference.Entity
	positions *reference.Set[Position]
	states    *reference.Set[State]
	counts    *reference.Set[Count]
	nears     *reference.Set[Near[H]]
	neighbour func(s *sparse[H]) // the system count

	count, rule, draw *reference.Kept
}

func openSparse[H any](g Grid, draws bool, of func(s *sparse[H], e reference.Entity) H, count func(s *sparse[H])) Game {
	w := &reference.Sparse{}
	s := &sparse[H]{canvas: newCanvas(g, draws), positions: reference.SetOf[Position](w), states: reference.SetOf[State](w),
		counts: reference.SetOf[Count](w), nears: reference.SetOf[Near[H]](w), neighbour: count}
	for i := range g.Cells() {
		e := w.Spawn()
		s.cells = append(s.cells, e)
		s.positions.Add(e, g.Position(i))
		s.states.Add(e, g.First(i))
		s.counts.Add(e, Count{})
		s.nears.Add(e, Near[H]{})
	}
	for i, e := range s.cells {
		*s.nears.Get(e) = translate(g, i, func(n int) H { return of(s, s.cells[n]) })
	}
	s.count, s.rule, s.draw = w.Keep(0b1100, 0), w.Keep(0b0110, 0), w.Keep(0b0011, 0)
	return s
}

func openSparseHandles(g Grid, draws bool) Game {
	return openSparse(g, draws, func(_ *sparse[reference.Entity], e reference.Entity) reference.Entity { return e }, func(s *sparse[reference.Entity]) {
		near, states, counts, at := s.nears.Values(), s.states, s.counts.Values(), s.count.Rows(0)
		for i, row := range s.count.Rows(1) {
			n := uint8(0)
			for _, other := range near[row].Of {
				n += states.Get(other).Alive
			}
			counts[at[i]].N = n
		}
	})
}

func openSparseRows(g Grid, draws bool) Game {
	return openSparse(g, draws, func(s *sparse[uint32], e reference.Entity) uint32 { return s.states.Row(e) }, func(s *sparse[uint32]) {
		near, states, counts, at := s.nears.Values(), s.states.Values(), s.counts.Values(), s.count.Rows(0)
		for i, row := range s.count.Rows(1) {
			counts[at[i]].N = alive(states, &near[row].Of)
		}
	})
}

// Step goes over the rows that the query of each system keeps.
func (s *sparse[H]) Step() {
	s.neighbour(s)
	states, counts, at := s.states.Values(), s.counts.Values(), s.rule.Rows(1)
	for i, row := range s.rule.Rows(0) {
		state := &states[row]
		state.Alive = next(state.Alive, counts[at[i]].N)
	}
	if s.picture != nil {
		positions, at := s.positions.Values(), s.draw.Rows(0)
		for i, row := range s.draw.Rows(1) {
			p := positions[at[i]]
			s.picture[int(p.Y)*s.width+int(p.X)] = -states[row].Alive
		}
	}
}

// Alive asks for a cell's state.
func (s *sparse[H]) Alive(cell int) bool { return s.states.Get(s.cells[cell]).Alive == 1 }

// Close has nothing to do.
func (s *sparse[H]) Close() {}

// tables is a game on archetypes. openTables sets its fields.
type tables[H any] struct {
	canvas
	cells             []reference.Entity
	positions         *reference.Pool[Position]
	states            *reference.Pool[State]
	counts            *reference.Pool[Count]
	nears             *reference.Pool[Near[H]]
	count, rule, draw *reference.Query
	neighbour         func(s *tables[H], t *reference.Table)
}

func openTables[H any](g Grid, draws bool, of func(w *reference.Archetypes, e reference.Entity) H, count func(s *tables[H], t *reference.Table)) Game {
	w := &reference.Archetypes{}
	s := &tables[H]{canvas: newCanvas(g, draws), positions: reference.PoolOf[Position](w), states: reference.PoolOf[State](w),
		counts: reference.PoolOf[Count](w), nears: reference.PoolOf[Near[H]](w), neighbour: count}
	s.count, s.rule, s.draw = w.Query(0b1100, 0), w.Query(0b0110, 0), w.Query(0b0011, 0)
	t := w.Table(0b1111)
	for i := range g.Cells() {
		s.cells = append(s.cells, w.Spawn(t))
		s.positions.Push(t, g.Position(i))
		s.states.Push(t, g.First(i))
		s.counts.Push(t, Count{})
		s.nears.Push(t, Near[H]{})
	}
	for i, e := range s.cells {
		*s.nears.Get(e) = translate(g, i, func(n int) H { return of(w, s.cells[n]) })
	}
	return s
}

func openArchetypeHandles(g Grid, draws bool) Game {
	return openTables(g, draws, func(_ *reference.Archetypes, e reference.Entity) reference.Entity { return e }, func(s *tables[reference.Entity], t *reference.Table) {
		count, states := s.counts.Column(t), s.states
		for i, near := range s.nears.Column(t) {
			n := uint8(0)
			for _, e := range near.Of {
				n += states.Get(e).Alive
			}
			count[i].N = n
		}
	})
}

func openArchetypeRows(g Grid, draws bool) Game {
	return openTables(g, draws, func(w *reference.Archetypes, e reference.Entity) uint32 { return w.Row(e) }, func(s *tables[uint32], t *reference.Table) {
		countRows(s.counts.Column(t), s.nears.Column(t), s.states.Column(t))
	})
}

// Step goes over the tables of each system.
func (s *tables[H]) Step() {
	for _, t := range s.count.Tables() {
		s.neighbour(s, t)
	}
	for _, t := range s.rule.Tables() {
		rule(s.states.Column(t), s.counts.Column(t))
	}
	if s.picture != nil {
		for _, t := range s.draw.Tables() {
			draw(s.picture, s.width, s.positions.Column(t), s.states.Column(t))
		}
	}
}

// Alive asks for a cell's state.
func (s *tables[H]) Alive(cell int) bool { return s.states.Get(s.cells[cell]).Alive == 1 }

// Close has nothing to do.
func (s *tables[H]) Close() {}

// hybrid is a game with states in a sparse set, because they are asked for by handle, and the rest in a table.
type hybrid struct {
	canvas
	cells     []reference.Entity
	states    reference.Set[State]
	positions *reference.Pool[Position]
	counts    *reference.Pool[Count]
	nears     *reference.Pool[Near[reference.Entity]]
	all       *reference.Query
}

func openHybrid(g Grid, draws bool) Game {
	w := &reference.Archetypes{}
	s := &hybrid{canvas: newCanvas(g, draws), positions: reference.PoolOf[Position](w), counts: reference.PoolOf[Count](w), nears: reference.PoolOf[Near[reference.Entity]](w)}
	s.all = w.Query(0b111, 0)
	t := w.Table(0b111)
	for i := range g.Cells() {
		e := w.Spawn(t)
		s.cells = append(s.cells, e)
		s.positions.Push(t, g.Position(i))
		s.counts.Push(t, Count{})
		s.nears.Push(t, Near[reference.Entity]{})
		s.states.Add(e, g.First(i))
	}
	for i, e := range s.cells {
		*s.nears.Get(e) = translate(g, i, func(n int) reference.Entity { return s.cells[n] })
	}
	return s
}

// Step goes over tables and looks states up.
func (s *hybrid) Step() {
	states := &s.states
	for _, t := range s.all.Tables() {
		count := s.counts.Column(t)
		for i, near := range s.nears.Column(t) {
			n := uint8(0)
			for _, e := range near.Of {
				n += states.Get(e).Alive
			}
			count[i].N = n
		}
	}
	for _, t := range s.all.Tables() {
		count := s.counts.Column(t)
		for i, e := range t.Entities() {
			if v := states.Get(e); v != nil {
				v.Alive = next(v.Alive, count[i].N)
			}
		}
	}
	if s.picture == nil {
		return
	}
	for _, t := range s.all.Tables() {
		position := s.positions.Column(t)
		for i, e := range t.Entities() {
			if v := states.Get(e); v != nil {
				s.picture[int(position[i].Y)*s.width+int(position[i].X)] = -v.Alive
			}
		}
	}
}

// Alive asks for a cell's state.
func (s *hybrid) Alive(cell int) bool { return s.states.Get(s.cells[cell]).Alive == 1 }

// Close has nothing to do.
func (s *hybrid) Close() {}
