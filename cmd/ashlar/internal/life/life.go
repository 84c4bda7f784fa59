// Package life runs life-like cellular automata as entities and systems: the
// scenario of `ashlar run life`.
//
// Every cell is an entity with a state, a count of live neighbours, and the
// handles of its eight neighbours. Two systems make a generation, over all cells:
//
//	count   reads the neighbours' states through their handles, writes counts
//	step    reads counts, writes states
//
//	      ┌───┬───┬───┐
//	      │ 0 │ 1 │ 2 │   a cell's neighbours, by direction: d and 7-d are
//	      ├───┼───┼───┤   opposite, so if b is a's neighbour d, then a is
//	      │ 3 │   │ 4 │   b's neighbour 7-d
//	      ├───┼───┼───┤
//	      │ 5 │ 6 │ 7 │
//	      └───┴───┴───┘
//
// Cells come in tiles. A board of fixed size is one tile; its neighbours beyond
// the edge are null, or on the opposite edge of a torus. An unbounded board gets a
// tile wherever live cells touch the edge of one, and loses tiles that are empty
// again; the handles of cells that are gone are stale, which reads as dead. Which
// tiles there are is known by coordinates; which cells are neighbours only by
// handle.
package life

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
)

// Options say how a board is made.
type Options struct {
	Width, Height int  // of the board; 0, 0 for an unbounded one
	Torus         bool // opposite edges touch; needs a size
	ECS           ecs.Options
}

// CellsMax bounds the cells of a board of fixed size: 2²⁶, or 2²² on 32 bits, where
// more can't be addressed.
const CellsMax = 1 << (22 + 4*(^uint(0)>>63))

// Board is a world of cells. New fixes the size and kind of the board. Step changes the cells and
// counts generations; on an unbounded board it also adds and removes tiles.
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

// New makes a board with a pattern in its middle.
func New(p *pattern.Pattern, o Options) (*Board, error) {
	b := &Board{tiles: map[pattern.Point]*tile{}, width: side, height: side, torus: o.Torus, unbounded: o.Width == 0 && o.Height == 0}
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
		return nil, errors.New("a torus needs a -size: a board that grows has no opposite edges")
	}
	b.World = ecs.New(o.ECS)
	if err := b.build(p); err != nil {
		return nil, errors.Join(err, b.World.Close())
	}
	return b, nil
}

// build registers components and systems and sets the pattern.
func (b *Board) build(p *pattern.Pattern) error {
	b.state = ecs.Register[State](b.World, "state")
	ecs.Register[Count](b.World, "count")
	b.neighbors = ecs.Register[Neighbors](b.World, "neighbors")
	b.Cells = ecs.GroupOf[cell](b.World, "cell")
	b.systems(p.Rule)
	if err := b.World.Err(); err != nil {
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
	return nil
}

// Step runs one generation. The board grows first. After an error, which is ctx's or the
// arena's, it is as it was, and Step may be called again. A generation that has begun is
// finished: ctx is asked only before it.
func (b *Board) Step(ctx context.Context) error {
	if err := b.grow(); err != nil {
		return fmt.Errorf("generation %d: the board can't grow: %w", b.generation, err)
	}
	if err := b.World.Run(ctx); err != nil {
		return err
	}
	b.generation++
	return nil
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
		return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
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
