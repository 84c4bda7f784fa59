// Package escape has code that keeps memory of batches, and code that does not.
package escape

import (
	"slices"
	"sync"

	"github.com/ashlar-go/ashlar/ecs"
)

type Position struct{ X, Y float64 }

type row struct {
	Ents []ecs.Entity
	Pos  ecs.Write[Position]
	At   ecs.Strided[float64]
	Near ecs.Look[Position]
	Old  ecs.Local[[]Position]
	Res  ecs.WriteRes[state]
	Hits ecs.Events[hit]
	Do   *ecs.Commands
}

type raw struct{ Raw []byte }

type hit struct{ by *string }

type state struct {
	pos  []Position
	one  *Position
	ents []ecs.Entity
	at   *float64
}

var global []Position

func stored(w *ecs.World, out chan []Position) {
	var last, part []Position
	var ents []ecs.Entity
	var one *Position
	var all [][]Position
	var any any
	var do *ecs.Commands
	byName := map[string][]Position{}
	s := &state{}
	ecs.System(w, "store", func(c *row) {
		last = c.Pos             // want `memory c.Pos of a batch is good until system "store" returns, and is stored in last`
		part = c.Pos[1:]         // want `stored in part`
		one = &c.Pos[0]          // want `stored in one`
		s.at = &c.Pos[0].X       // want `stored in s.at`
		s.at = c.At.At(0)        // want `stored in s.at`
		s.one = c.Near.Get(1)    // want `stored in s.one`
		s.ents = c.Ents          // want `memory c.Ents of a batch .* stored in s.ents`
		global = c.Pos           // want `stored in global`
		all = append(all, c.Pos) // want `stored in all`
		any = c.Pos              // want `stored in any`
		byName["a"] = c.Pos      // want `stored in byName`
		out <- c.Pos             // want `is sent`
		*c.Old.Get() = c.Pos     // want `is stored in memory that is there longer`
		c.Res.Mut().pos = c.Pos  // want `is stored in pos`
		pos := c.Pos
		for i := range pos {
			if p := &pos[i]; p.X > 1 {
				one = p // want `stored in one`
			}
		}
		*s = state{pos: pos} // want `stored in s`
		do = c.Do
	})
	ecs.System(w, "copy", func(c *row) {
		last = slices.Clone(c.Pos)
		part = append(part, c.Pos...)
		part = append([]Position(nil), c.Pos...)
		ents = append(ents, c.Ents...)
		copy(last, c.Pos)
		last[0], byName["a"] = c.Pos[0], nil
		s.ents[0] = c.Ents[0]
		mine := state{pos: c.Pos, one: &c.Pos[0]}
		local := map[int][]Position{1: mine.pos}
		use(local[1])
		*c.Old.Get() = append((*c.Old.Get())[:0], c.Pos...)
	})
	text := ""
	ecs.System(w, "text", func(c *raw) { text = string(c.Raw) })
	_, _, _, _, _, _, _ = text, one, all, any, do, ents, part
}

type one struct {
	Ent ecs.Entity
	At  ecs.WriteOne[Position]
	Vel *Position
	Has *ecs.Pool[Position]
	Now ecs.Res[state]
	Old ecs.Prior[Position]
	Q   *ecs.Query[one]
}

func pointers(w *ecs.World) {
	var at, vel *Position
	var whole one
	var row *one
	var pool *ecs.Pool[Position]
	var now *state
	var is bool
	ecs.System(w, "one", func(c *one) {
		at = c.At   // want `memory c.At of a batch .* stored in at`
		vel = c.Vel // want `stored in vel`
		whole = *c  // want `stored in whole`
		row = c     // want `stored in row`
		pool, now = c.Has, c.Now.Get()
		vel = c.Old.Get(c.Ent) // want `stored in vel`
		found, ok := c.Q.Get(c.Ent)
		whole = found // want `stored in whole`
		is = ok
		now.one = c.Vel         // want `stored in now.one`
		c.Now.Get().one = c.Vel // want `stored in one`
	})
	_, _, _, _ = at, vel, row, whole
	_, _ = pool, is
}

func use(pos []Position) { pos[0].X = 1 }

// Functions of the package are followed.
func (s *state) keep(pos []Position) {
	s.pos = pos // want `memory pos of a batch is good until observer "deep" returns, and is stored in s.pos`
}

func (s *state) copy(pos []Position) { s.pos = append(s.pos[:0], pos...) }

func deep(w *ecs.World, s *state) {
	ecs.Observe(w, "deep", func(c *row) {
		s.keep(c.Pos)
		s.copy(c.Pos)
		var local state
		local.ents = c.Ents
	})
}

func started(w *ecs.World, wg *sync.WaitGroup) {
	var undo func()
	ecs.System(w, "go", func(c *row) {
		go func() { c.Pos[0].X = 1 }() // want `memory of a batch that the closure uses is good .* used by a goroutine that the function does not wait for`
		go use(c.Pos)                  // want `memory c.Pos of a batch .* goroutine`
		wg.Go(func() { use(c.Pos) })   // want `memory of a batch that the closure uses is good .* goroutine`
		undo = func() { use(c.Pos) }   // want `memory of a batch that the closure uses is good .* stored in undo`
		x := c.Pos[0].X
		go func() { println(x) }()
	})
	ecs.System(w, "fork", func(c *row) {
		var wg sync.WaitGroup
		wg.Go(func() { use(c.Pos) })
		go use(c.Pos)
		wg.Wait()
	})
	ecs.System(w, "channel", func(c *row) {
		done, in := make(chan bool), make(chan []Position, 1)
		go func() { use(<-in); done <- true }()
		in <- c.Pos
		<-done
	})
	_ = undo
}

func loops(q *ecs.Query[row], pool *ecs.Pool[Position], hits ecs.Events[hit], in ecs.Arrived[Position]) *Position {
	var all [][]Position
	var best *Position
	var by *string
	for c := range q.All() {
		all = append(all, c.Pos) // want `memory of a batch is good until the turn of the loop ends, and is stored in all`
		best = pool.Get(c.Ents[0])
		if c.Pos[0].X > 1 {
			return &c.Pos[0] // want `memory Pos of a batch .* is returned`
		}
	}
	for list := range hits.All() {
		by = list[0].by
	}
	var ents [][]ecs.Entity
	for es, values := range in.All() {
		ents = append(ents, es) // want `stored in ents`
		best = &values[0]       // want `stored in best`
	}
	q.DestroyWhere(func(c *row, i int) bool {
		best = &c.Pos[i] // want `good until the function that Query.DestroyWhere calls returns`
		return true
	})
	ecs.Pairs(q, func(a, b *Position) {
		best = a // want `memory a of a batch`
		b.X = a.X
	})
	_, _, _ = by, ents, all
	return best
}
