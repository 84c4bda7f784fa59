// Package life runs life-like cellular automata as entities and systems: the
// scenario of `ashlar run life`.
//
// Every cell is an entity with a state, a count of live neighbours, and the
// handles of its eight neighbours. Two systems make a generation:
//
//	count   reads the neighbours' states through their handles, writes counts
//	step    reads counts, writes states
//
// Cells come in tiles. A board of fixed size is one tile, whose neighbours beyond
// the edge are null, or on the opposite edge of a torus. An unbounded board gets a
// tile wherever live cells touch the edge of one, and loses those that are empty
// again; the handles of cells that are gone are stale, which reads as dead. Which
// tiles there are is known by coordinates; which cells are neighbours only by
// handle.
package life

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
)

type (
	// State is 1 for a live cell.
	State uint8
	// Count is the number of live neighbours.
	Count uint8
	// Neighbors are handles, in the order of directions; null where there is none.
	Neighbors [8]ecs.Entity
)

type cell struct {
	State
	Count
	Neighbors
}

// side is the width and height of a tile of an unbounded board.
const side = 16

// Options say how a board is made.
type Options struct {
	Width, Height int  // of the board; 0, 0 for an unbounded one
	Torus         bool // opposite edges touch; needs a size
	ECS           ecs.Options
}

// CellsMax bounds the cells of a board of fixed size.
const CellsMax = 1 << 26

// Board is a world of cells.
type Board struct {
	World *ecs.World
	Cells *ecs.Group[cell]

	state      *ecs.Pool[State]
	neighbors  *ecs.Pool[Neighbors]
	tiles      map[pattern.Point]*tile
	order      []*tile // by birth, so that nothing depends on the map's order
	width      int     // of a tile
	height     int
	origin     pattern.Point // of the pattern's box on the board
	torus      bool
	unbounded  bool
	generation int
}

// tile is width × height cells, row by row.
type tile struct {
	at    pattern.Point // in tiles
	cells []ecs.Entity
}

// New makes a board with a pattern in its middle.
func New(p *pattern.Pattern, o Options) (*Board, error) {
	b := &Board{tiles: map[pattern.Point]*tile{}, width: side, height: side, torus: o.Torus, unbounded: o.Width == 0}
	if !b.unbounded {
		b.width, b.height = o.Width, o.Height
		if o.Width < 1 || o.Height < 1 || o.Width > CellsMax/o.Height {
			return nil, fmt.Errorf("a board of %d by %d cells: sides are at least 1, and at most %d cells in all", o.Width, o.Height, CellsMax)
		}
		if p.Width > o.Width || p.Height > o.Height {
			return nil, fmt.Errorf("the pattern has %d by %d cells, and the board %d by %d: give a larger -size", p.Width, p.Height, o.Width, o.Height)
		}
		b.origin = pattern.Point{X: (o.Width - p.Width) / 2, Y: (o.Height - p.Height) / 2}
	} else if o.Torus {
		return nil, fmt.Errorf("a torus needs a -size")
	}
	var err error
	if b.World, err = ecs.New(o.ECS); err != nil {
		return nil, err
	}
	if err := b.build(p); err != nil {
		b.World.Close()
		return nil, err
	}
	return b, nil
}

// build registers components and systems and sets the pattern.
func (b *Board) build(p *pattern.Pattern) (err error) {
	if b.state, err = ecs.Register[State](b.World, "state"); err != nil {
		return err
	}
	if _, err = ecs.Register[Count](b.World, "count"); err != nil {
		return err
	}
	if b.neighbors, err = ecs.Register[Neighbors](b.World, "neighbors"); err != nil {
		return err
	}
	if b.Cells, err = ecs.GroupOf[cell](b.World, "cell"); err != nil {
		return err
	}
	if err := b.systems(p.Rule); err != nil {
		return err
	}
	if !b.unbounded {
		if _, err := b.tile(pattern.Point{}); err != nil {
			return err
		}
	}
	for _, c := range p.Cells {
		e, err := b.make(pattern.Point{X: c.X + b.origin.X, Y: c.Y + b.origin.Y})
		if err != nil {
			return err
		}
		if err := b.state.Set(e, 1); err != nil {
			return err
		}
	}
	return b.grow()
}

func (b *Board) systems(rule pattern.Rule) error {
	type count struct {
		State     *ecs.Pool[State]
		Neighbors []Neighbors
		Count     []Count `ashlar:"write"`
	}
	if err := ecs.System(b.World, "count", func(c *count) {
		state, counts := c.State, c.Count
		for i := range c.Neighbors {
			n := Count(0)
			for _, e := range &c.Neighbors[i] {
				if s := state.Get(e); s != nil {
					n += Count(*s)
				}
			}
			counts[i] = n
		}
	}); err != nil {
		return err
	}
	type step struct {
		Count []Count
		State []State `ashlar:"write"`
	}
	next := [2]uint16{rule.Born, rule.Survive}
	return ecs.System(b.World, "step", func(c *step) {
		counts, states := c.Count, c.State
		for i, s := range states {
			states[i] = State(next[s&1] >> counts[i] & 1)
		}
	})
}

// directions, opposite ones at i and 7-i.
func directions() [8]pattern.Point {
	return [8]pattern.Point{{X: -1, Y: -1}, {X: 0, Y: -1}, {X: 1, Y: -1}, {X: -1, Y: 0}, {X: 1, Y: 0}, {X: -1, Y: 1}, {X: 0, Y: 1}, {X: 1, Y: 1}}
}

// tile returns the tile at a place in tiles, making it if it is not there.
func (b *Board) tile(at pattern.Point) (*tile, error) {
	if t := b.tiles[at]; t != nil {
		return t, nil
	}
	t := &tile{at, make([]ecs.Entity, b.width*b.height)}
	if err := b.Cells.SpawnN(t.cells, cell{}); err != nil {
		return nil, err
	}
	b.tiles[at] = t
	b.order = append(b.order, t)
	b.link(t)
	return t, nil
}

// link gives the cells of a new tile their neighbours, and those in other tiles
// the new cells.
func (b *Board) link(t *tile) {
	dirs := directions()
	for i, e := range t.cells {
		links := b.neighbors.Mut(e)
		x, y := t.at.X*b.width+i%b.width, t.at.Y*b.height+i/b.width
		for d, by := range dirs {
			p := pattern.Point{X: x + by.X, Y: y + by.Y}
			if b.torus {
				p = pattern.Point{X: mod(p.X, b.width), Y: mod(p.Y, b.height)}
			}
			n := b.find(p)
			links[d] = n
			if n != 0 && !b.torus {
				b.neighbors.Mut(n)[7-d] = e
			}
		}
	}
}

func mod(a, n int) int { return (a%n + n) % n }

func floorDiv(a, n int) int { return (a - mod(a, n)) / n }

// find returns the cell at a place, or null.
func (b *Board) find(p pattern.Point) ecs.Entity {
	t := b.tiles[pattern.Point{X: floorDiv(p.X, b.width), Y: floorDiv(p.Y, b.height)}]
	if t == nil {
		return 0
	}
	return t.cells[mod(p.Y, b.height)*b.width+mod(p.X, b.width)]
}

// make returns the cell at a place, making its tile if need be.
func (b *Board) make(p pattern.Point) (ecs.Entity, error) {
	if _, err := b.tile(pattern.Point{X: floorDiv(p.X, b.width), Y: floorDiv(p.Y, b.height)}); err != nil {
		return 0, err
	}
	return b.find(p), nil
}

// Step runs one generation. A board that has no memory left for a tile stays at
// the generation that it has reached.
func (b *Board) Step(ctx context.Context) error {
	if err := b.World.Run(ctx); err != nil {
		return err
	}
	b.generation++
	return b.grow()
}

// grow makes the tiles that live cells touch, and drops empty ones now and then.
func (b *Board) grow() error {
	if !b.unbounded {
		return nil
	}
	if b.generation%16 == 0 {
		b.drop()
	}
	for _, t := range slices.Clone(b.order) {
		for d, touched := range b.touched(t) {
			if by := directions()[d]; touched {
				if _, err := b.tile(pattern.Point{X: t.at.X + by.X, Y: t.at.Y + by.Y}); err != nil {
					return fmt.Errorf("generation %d: the board can't grow: %w", b.generation, err)
				}
			}
		}
	}
	return nil
}

// touched tells in which directions live cells touch a tile's edge.
func (b *Board) touched(t *tile) (to [8]bool) {
	for i := range side {
		x0, x1 := i == 0, i == side-1
		for _, at := range [4]struct {
			index       int
			left, up    bool
			right, down bool
		}{
			{i, x0, true, x1, false},
			{i + side*(side-1), x0, false, x1, true},
			{i * side, true, x0, false, x1},
			{i*side + side - 1, false, x0, true, x1},
		} {
			if *b.state.Get(t.cells[at.index]) == 0 {
				continue
			}
			to[0] = to[0] || at.left && at.up
			to[1] = to[1] || at.up
			to[2] = to[2] || at.right && at.up
			to[3] = to[3] || at.left
			to[4] = to[4] || at.right
			to[5] = to[5] || at.left && at.down
			to[6] = to[6] || at.down
			to[7] = to[7] || at.right && at.down
		}
	}
	return to
}

// drop destroys the tiles without live cells.
func (b *Board) drop() {
	b.order = slices.DeleteFunc(b.order, func(t *tile) bool {
		for _, e := range t.cells {
			if *b.state.Get(e) != 0 {
				return false
			}
		}
		b.World.DestroyBatch(t.cells)
		delete(b.tiles, t.at)
		return true
	})
}

// Generation is the number of generations run.
func (b *Board) Generation() int { return b.generation }

// Live returns the live cells by row and column, counted from the top left of the
// pattern's box.
func (b *Board) Live() []pattern.Point {
	var live []pattern.Point
	for _, t := range b.order {
		for i, e := range t.cells {
			if *b.state.Get(e) != 0 {
				live = append(live, pattern.Point{X: t.at.X*b.width + i%b.width - b.origin.X, Y: t.at.Y*b.height + i/b.width - b.origin.Y})
			}
		}
	}
	slices.SortFunc(live, func(a, b pattern.Point) int {
		if a.Y != b.Y {
			return a.Y - b.Y
		}
		return a.X - b.X
	})
	return live
}

// Population is the number of live cells.
func (b *Board) Population() int {
	n := 0
	for _, s := range b.state.All() {
		n += int(*s)
	}
	return n
}

// Hash is FNV-1a over the coordinates of the live cells in the order of Live: it
// does not depend on where anything lies in memory.
func (b *Board) Hash() uint64 {
	h := fnv.New64a()
	var buf [16]byte
	for _, p := range b.Live() {
		binary.LittleEndian.PutUint64(buf[:8], uint64(int64(p.X)))
		binary.LittleEndian.PutUint64(buf[8:], uint64(int64(p.Y)))
		h.Write(buf[:])
	}
	return h.Sum64()
}

// Close gives the world's memory back.
func (b *Board) Close() error { return b.World.Close() }
