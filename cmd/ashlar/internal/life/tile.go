package life

import (
	"slices"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
)

// side is the width and height of a tile of an unbounded board.
const side = 16

// dropEvery is how many generations pass between looks for empty tiles.
const dropEvery = 16

// tile is width × height cells, row by row.
type tile struct {
	at    pattern.Point // in tiles
	cells []ecs.Entity
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
	if err := b.Cells.SpawnN(t.cells, []cell{{}}); err != nil {
		return nil, err
	}
	b.tiles[at] = t
	b.order = append(b.order, t)
	b.link(t)
	return t, nil
}

// link gives the cells of a new tile their neighbours, and cells in other tiles
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

// grow makes the tiles that live cells touch, and drops empty ones now and then.
// After an error, the arena's, it may be tried again.
func (b *Board) grow() error {
	if !b.unbounded {
		return nil
	}
	if b.generation%dropEvery == 0 {
		b.drop()
	}
	for _, t := range slices.Clone(b.order) {
		for d, touched := range b.touched(t) {
			if by := directions()[d]; touched {
				if _, err := b.tile(pattern.Point{X: t.at.X + by.X, Y: t.at.Y + by.Y}); err != nil {
					return err
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
		b.World.DestroyAll(ecs.Handles(t.cells))
		delete(b.tiles, t.at)
		return true
	})
}
