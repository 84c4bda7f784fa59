// Package readonly has code that writes values which it has for reading, and code that does not.
package readonly

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

type Position struct{ X, Y float64 }

type row struct {
	Pos  []Position
	Vel  ecs.Write[Position]
	Has  ecs.Maybe[Position]
	Time ecs.Res[Position]
	Now  ecs.WriteRes[list]
	Near ecs.Look[Position]
	Old  ecs.Prior[Position]
	At   ecs.Strided[float64]
	Own  ecs.Local[list]
}

type list struct{ Pos []Position }

type one struct {
	Pos *Position
	Vel ecs.WriteOne[Position]
}

func columns(w *ecs.World) {
	ecs.System(w, "columns", func(c *row) {
		c.Vel[0] = c.Pos[0]
		c.Pos[0] = c.Vel[0] // want `system "columns" writes c.Pos, which its struct has for reading: make the field ecs.Write\[readonly.Position\]`
		pos := c.Pos
		for i := range pos {
			pos[i].X++ // want `writes c.Pos`
		}
		pos[1:][0].Y = 1                                                    // want `writes c.Pos`
		c.Has[0].X = 1                                                      // want `writes c.Has, .* make the field ecs.MaybeWrite\[readonly.Position\]`
		copy(c.Pos, c.Vel)                                                  // want `writes c.Pos`
		clear(c.Pos)                                                        // want `writes c.Pos`
		slices.SortFunc(c.Pos, func(a, b Position) int { return int(a.X) }) // want `writes c.Pos`
		func() { c.Pos[2].X = 1 }()                                         // want `writes c.Pos`
		mine := slices.Clone(c.Pos)
		mine[0].X = 1
		c.Own.Get().Pos[0].X = 1
		c.Now.Mut().Pos[0].X = 1
		c.Pos = nil
		helper(c)
		(&list{}).Pos[0].X = 1
	})
	ecs.System(w, "one", func(c *one) {
		c.Vel.X = c.Pos.X
		c.Pos.X = 1     // want `system "one" writes c.Pos, .* make the field ecs.WriteOne\[readonly.Position\]`
		*c.Pos = *c.Vel // want `writes c.Pos`
	})
	for c := range ecs.QueryOf[one](w).All() {
		c.Vel.X = 1
		c.Pos.X = 1 // want `the loop writes Pos, which its struct has for reading`
	}
}

func helper(c *row) {
	c.Vel[0].X = 1
	c.Pos[0].X = 1 // want `system "columns" writes c.Pos`
}

// Addresses of Get are for reading, wherever they are used.
func addresses(w *ecs.World, pool *ecs.Pool[Position]) {
	pool.Get(2).Y = 1 // want `writes through Get of an ecs.Pool, which is for reading: use Mut`
	pool.Mut(2).Y = 1
	ecs.System(w, "reading", func(c *row) {
		c.Time.Get().X++ // want `writes through Get of an ecs.Res, which is for reading: use ecs.WriteRes`
		p := c.Near.Get(1)
		p.X = 1            // want `writes through Get of an ecs.Look, which is for reading: use \*ecs.Pool and its Mut`
		*c.Old.Get(1) = *p // want `writes through Get of an ecs.Prior, which is for reading`
		*c.At.At(0) = 1    // want `writes through At of an ecs.Strided, which is for reading: use ecs.WriteStrided`
		q := *c.Time.Get()
		q.X++
	}, ecs.Parallel())
}

type grid struct {
	Cells map[int]int
	List  []int
	Size  *Position
}

func (g *grid) put(k int)    { g.Cells[k]++ }
func (g *grid) putTwo(k int) { g.put(k); g.put(k + 1) }
func (g *grid) at(k int) int { return g.Cells[k] }
func scale(list []Position)  { list[0].X *= 2 }
func sum(list []Position) (x float64) {
	for _, p := range list {
		x += p.X
	}
	return x
}

// Memory behind a resource is the resource's.
func behind(w *ecs.World) {
	type row struct {
		Grid ecs.Res[grid]
		Now  ecs.WriteRes[grid]
	}
	ecs.System(w, "behind", func(c *row) {
		c.Grid.Get().Cells[1] = 2     // want `writes through Get of an ecs.Res, which is for reading: use ecs.WriteRes`
		delete(c.Grid.Get().Cells, 1) // want `writes through Get of an ecs.Res`
		g := c.Grid.Get()
		g.List[0] = 1 // want `writes through Get of an ecs.Res`
		g.Size.X = 1  // want `writes through Get of an ecs.Res`
		c.Now.Mut().Cells[1] = g.at(2)
		delete(c.Now.Mut().Cells, 1)
	})
}

// A function of the package writes memory that it is passed.
func passedOn(w *ecs.World, pool *ecs.Pool[Position]) {
	type row struct {
		Pos  []Position
		Vel  ecs.Write[Position]
		Grid ecs.Res[grid]
		Now  ecs.WriteRes[grid]
	}
	ecs.System(w, "passes", func(c *row) {
		scale(c.Vel)
		scale(c.Pos) // want `system "passes" writes c.Pos, which its struct has for reading`
		c.Vel[0].X = sum(c.Pos)
		c.Grid.Get().putTwo(1) // want `writes through Get of an ecs.Res`
		c.Now.Mut().putTwo(c.Grid.Get().at(1))
		mine := append([]Position(nil), c.Pos...)
		scale(mine)
	})
	(func(p *Position) { p.X = 1 })(pool.Mut(1))
}

// Slices of events, and of values that came or went, are for reading.
func lists(w *ecs.World) {
	ecs.System(w, "lists", func(c *struct {
		Hits ecs.Events[Position]
		In   ecs.Arrived[Position]
	}) {
		for hits := range c.Hits.All() {
			x := hits[0]
			x.X = 1
			hits[0].X = 1 // want `the loop writes a slice that All passes for reading`
		}
		for es, values := range c.In.All() {
			values[0].X = 1 // want `the loop writes a slice that All passes for reading`
			es[0] = 1       // want `the loop writes a slice`
		}
	})
}
