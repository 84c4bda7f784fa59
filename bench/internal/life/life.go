// Package life is the experiment of the two storage models: Conway's Life with every cell an entity,
// and every entity updated in every frame. Each candidate runs the same pattern on a torus.
//
//	components   position · state · count · near: the eight neighbours
//	count        adds up the neighbours' states
//	rule         makes the next state from state and count
//	draw         puts each cell into a picture; in a whole frame alone
//
// A cell knows its neighbours by *handle*, by stored *row*, or by *field* of a contract, which Ashlar alone has. An object points
// to them.
package life

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

type (
	// Position is the place of a cell on the board.
	Position struct{ X, Y int32 }
	// State is 1 if the cell is alive.
	State struct{ Alive uint8 }
	// Count is how many neighbours are alive.
	Count struct{ N uint8 }
	// Near has the neighbours.
	Near[H any] struct{ Of [8]H }
)

// Grid is a torus of cells.
type Grid struct{ Width, Height int }

// GridOf is the grid of n cells that is nearest to a square.
func GridOf(n int) Grid {
	g := Grid{n, 1}
	for h := 2; h*h <= n; h++ {
		if n%h == 0 {
			g = Grid{n / h, h}
		}
	}
	return g
}

// Cells is the number of cells.
func (g Grid) Cells() int { return g.Width * g.Height }

// Position is the place of a cell.
func (g Grid) Position(cell int) Position {
	return Position{int32(cell % g.Width), int32(cell / g.Width)}
}

// Near are the numbers of a cell's neighbours.
func (g Grid) Near(cell int) (near [8]int) {
	x, y, i := cell%g.Width, cell/g.Width, 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx != 0 || dy != 0 {
				near[i] = (y+dy+g.Height)%g.Height*g.Width + (x+dx+g.Width)%g.Width
				i++
			}
		}
	}
	return near
}

// First is the state of a cell before the first frame: 35 % are alive, at random.
func (g Grid) First(cell int) State {
	if twin.Mix(uint64(cell), 1970)%100 < 35 {
		return State{1}
	}
	return State{}
}

// Game is a candidate's board. To put another library beside Ashlar, write one and add it to Candidates.
type Game interface {
	// Step runs the systems count and rule, and draw if the game was opened so.
	Step()
	// Alive is the state of a cell. It is not measured.
	Alive(cell int) bool
	// Picture is the drawing, a byte a cell: nil if nothing is drawn.
	Picture() []byte
	Close()
}

// Way is how a cell knows its neighbours.
type Way string

// The ways.
const (
	ByHandle Way = "by handle"
	ByRow    Way = "by row"
	ByField  Way = "by field"
)

// Candidate is a way of storing cells.
type Candidate struct {
	Storage string
	Way     Way
	Guide   string // the page of docs/guide that the code follows
	Open    func(g Grid, draw bool) Game
}

// Candidates lists all that take part. A storage without contracts stands by handle beside Ashlar's.
func Candidates() []Candidate {
	return []Candidate{
		{candidate.Ashlar, ByHandle, "systems.md", openHandles},
		{candidate.Ashlar, ByRow, "systems.md", openNumbers},
		{candidate.Ashlar, ByField, "contracts.md", openFields},
		{candidate.Sparse, ByHandle, "", openSparseHandles},
		{candidate.Sparse, ByRow, "", openSparseRows},
		{candidate.Archetype, ByHandle, "", openArchetypeHandles},
		{candidate.Archetype, ByRow, "", openArchetypeRows},
		{candidate.Hybrid, ByHandle, "", openHybrid},
		{candidate.Objects, ByHandle, "", openObjects},
		{candidate.Arrays, ByRow, "", openArrays},
	}
}

// partners are the candidates of a way. Where it has no entry for a storage, that storage's first one takes part.
func partners(way Way) (list []Candidate) {
	seen := map[string]bool{}
	for _, exact := range []bool{true, false} {
		for _, c := range Candidates() {
			if !seen[c.Storage] && (c.Way == way || !exact) {
				seen[c.Storage] = true
				list = append(list, c)
			}
		}
	}
	return list
}

// turn is how many frames a candidate runs before the next one's turn, if there are enough for turnsLeast turns.
const (
	turn       = 10
	turnsLeast = 5
)

// Contests are systems alone and whole frames of the experiment, n cells each. frames is how many are measured of each.
func Contests(n, frames int) (list []candidate.Contest) {
	for _, draw := range []bool{false, true} {
		for _, way := range []Way{ByHandle, ByRow, ByField} {
			what := "systems"
			if draw {
				what = "frame"
			}
			c := candidate.Contest{Part: "life", Name: fmt.Sprintf("life %s %s", what, way), Entities: n, Ops: 1, Samples: frames, Turn: min(turn, frames/turnsLeast)}
			for _, p := range partners(way) {
				c.Entries = append(c.Entries, candidate.Entry{Storage: p.Storage, Guide: p.Guide, Open: func() candidate.Body { return body(p.Open(GridOf(n), draw), n) }})
			}
			list = append(list, c)
		}
	}
	return list
}

// body measures a game's frames.
func body(g Game, n int) candidate.Body {
	return candidate.Body{
		Work:   func() int { g.Step(); return n },
		Digest: func() uint64 { return digest(g, n) },
		Close:  g.Close,
	}
}

func digest(g Game, n int) (sum uint64) {
	picture := g.Picture()
	for i := range n {
		if g.Alive(i) {
			sum += twin.Mix(uint64(i), 1)
		}
		if picture != nil && picture[i] != 0 {
			sum += twin.Mix(uint64(i), 2)
		}
	}
	return sum
}
