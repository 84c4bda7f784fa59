package life

// Candidates with columns share the machine code of rule, draw and countRows: none is inlined. So they don't differ by where
// the linker places it.

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
		count[i].N = alive(state, &near[i].Of)
	}
}

// alive is how many of eight rows are alive. It has no loop: with one of eight turns, archetypes took 34 to 57 µs for 10,000
// cells, as the linker placed it. They take 21 so.
func alive(state []State, of *[8]uint32) uint8 {
	return state[of[0]].Alive + state[of[1]].Alive + state[of[2]].Alive + state[of[3]].Alive +
		state[of[4]].Alive + state[of[5]].Alive + state[of[6]].Alive + state[of[7]].Alive
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
