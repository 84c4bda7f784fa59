package life

// objects is a game without a store: each cell is an object that points to its neighbours.
type objects struct {
	canvas
	cells []*object
}

type object struct {
	near     [8]*object
	position Position
	state    State
	count    Count
}

func openObjects(g Grid, draws bool) Game {
	s := &objects{canvas: newCanvas(g, draws)}
	for i := range g.Cells() {
		s.cells = append(s.cells, &object{position: g.Position(i), state: g.First(i)})
	}
	for i, o := range s.cells {
		o.near = translate(g, i, func(n int) *object { return s.cells[n] }).Of
	}
	return s
}

// Step follows pointers.
func (s *objects) Step() {
	for _, o := range s.cells {
		near := &o.near // without a loop, as alive
		o.count.N = near[0].state.Alive + near[1].state.Alive + near[2].state.Alive + near[3].state.Alive +
			near[4].state.Alive + near[5].state.Alive + near[6].state.Alive + near[7].state.Alive
	}
	for _, o := range s.cells {
		o.state.Alive = next(o.state.Alive, o.count.N)
	}
	if s.picture != nil {
		for _, o := range s.cells {
			s.picture[int(o.position.Y)*s.width+int(o.position.X)] = -o.state.Alive
		}
	}
}

// Alive asks for a cell's state.
func (s *objects) Alive(cell int) bool { return s.cells[cell].state.Alive == 1 }

// Close has nothing to do.
func (s *objects) Close() {}

// arrays is the limit: a slice for each component, by number of the cell. The links are stored, as in the others.
type arrays struct {
	canvas
	position []Position
	state    []State
	count    []Count
	near     []Near[uint32]
}

func openArrays(g Grid, draws bool) Game {
	n := g.Cells()
	s := &arrays{newCanvas(g, draws), make([]Position, n), make([]State, n), make([]Count, n), make([]Near[uint32], n)}
	for i := range n {
		s.position[i], s.state[i] = g.Position(i), g.First(i)
		s.near[i] = translate(g, i, func(n int) uint32 { return uint32(n) })
	}
	return s
}

// Step loops over slices.
func (s *arrays) Step() {
	countRows(s.count, s.near, s.state)
	rule(s.state, s.count)
	if s.picture != nil {
		draw(s.picture, s.width, s.position, s.state)
	}
}

// Alive asks for a cell's state.
func (s *arrays) Alive(cell int) bool { return s.state[cell].Alive == 1 }

// Close has nothing to do.
func (s *arrays) Close() {}
