package life

// Candidates with columns share the machine code of rule, draw and countRows: none is inlined. A copy in each candidate
// took 40 or 63 µs for 10,000 cells, as the linker placed it.

// rule makes the next states. A cell lives if it has three neighbours, or two and is alive.
//
//go:noinline
func rule(state []State, count []Count) {
	count = count[:len(state)]
	for i := range state {
		state[i].Alive = next(state[i].Alive, count[i].N)
	}
}

func next(alive, n uint8) uint8 {
	if n|alive == 3 {
		return 1
	}
	return 0
}

// draw puts cells into a picture.
//
//go:noinline
func draw(picture []byte, width int, position []Position, state []State) {
	state = state[:len(position)]
	for i, p := range position {
		picture[int(p.Y)*width+int(p.X)] = -state[i].Alive
	}
}

// countRows adds up states by the rows of neighbours.
//
//go:noinline
func countRows(count []Count, near []Near[uint32], state []State) {
	count = count[:len(near)]
	for i := range near {
		n := uint8(0)
		for _, row := range near[i].Of {
			n += state[row].Alive
		}
		count[i].N = n
	}
}

// canvas is the picture of a game that draws, and its width.
type canvas struct {
	picture []byte
	width   int
}

func newCanvas(g Grid, draws bool) canvas {
	if !draws {
		return canvas{width: g.Width}
	}
	return canvas{make([]byte, g.Cells()), g.Width}
}

// Picture is nil if nothing is drawn.
func (c *canvas) Picture() []byte { return c.picture }

// translate makes the references to a cell's neighbours.
func translate[H any](g Grid, cell int, of func(cell int) H) (near Near[H]) {
	for i, n := range g.Near(cell) {
		near.Of[i] = of(n)
	}
	return near
}
