package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// crowd is the commands of a Parallel system: a queue for each worker, in which the commands of a piece lie
// side by side. When the pieces have ended, all go to the world's queue, in the order of pieces.
//
//	worker 0   [piece 0: a b][piece 1:][piece 4: g]        world   … a b c d e f g
//	worker 1   [piece 3: e f][piece 2: c d]
//
// Entities that are spawned are taken before: see [queue.Stock].
type crowd struct {
	w       *World
	x       *schedule.System
	to      *Commands // the world's
	workers []*Commands
	pieces  []where
	stock   queue.Stock
	direct  bool // entities are taken as they are spawned: pieces run in order, and are there to be watched
}

// shareCommands has pieces of a system that has fields of some kinds ask for changes, which go to commands of the world; nil: it
// has no such field.
func (w *World) shareCommands(x *schedule.System, to *Commands, fields []field.Field, parts *schedule.Parts, kinds ...field.Kind) *crowd {
	if !field.HasKind(fields, kinds...) {
		return nil
	}
	c := &crowd{w: w, x: x, to: to, workers: make([]*Commands, w.systems.Crew.Workers())}
	parts.Asks = true
	parts.InTurn = parts.InTurn || field.HasKind(fields, field.Commands, field.Spawner, field.AtEnd)
	parts.Stages = append(parts.Stages, schedule.Stage{Reserve: c.begin, Piece: c.piece, End: c.end, Settle: c.settle})
	return c
}

// where is the place of a piece's commands: a worker, and the number of the mark; worker -1: it has none.
type where struct{ worker, mark int }

// part is the state of a worker's commands beside their queue.
type part struct {
	of     *crowd
	worker int
	piece  int
	marks  []mark
	drops  []queue.Drop // to be told when the commands go to the world's
}

// mark is where the commands of a piece begin, in each list.
type mark struct {
	at            queue.Mark
	masses, drops int
}

// commandsOf returns the commands of a worker.
func (c *crowd) commandsOf(worker int) *Commands {
	if c.workers[worker] == nil {
		c.workers[worker] = &Commands{w: c.w, part: &part{of: c, worker: worker}}
	}
	return c.workers[worker]
}

// begin is called before the first piece.
func (c *crowd) begin(pieces int) {
	c.pieces = c.pieces[:0]
	for range pieces {
		c.pieces = append(c.pieces, where{-1, 0})
	}
	if c.direct = c.x.Shown(); !c.direct {
		c.stock.Begin(c.w.base.S, pieces)
	}
}

// piece is called before each, by its worker.
func (c *crowd) piece(worker, piece int) {
	do := c.workers[worker]
	p := do.part
	c.pieces[piece] = where{worker, len(p.marks)}
	p.piece = piece
	p.marks = append(p.marks, do.mark())
}

// mark is the end of the queue.
func (c *Commands) mark() mark {
	return mark{c.q.Mark(), len(c.masses), len(c.part.drops)}
}

// end is called behind the last piece: it moves all commands to the world's queue, and returns entities that were not spawned.
func (c *crowd) end() {
	c.stock.End()
	for _, at := range c.pieces {
		if at.worker >= 0 {
			do := c.workers[at.worker]
			from, end := do.part.marks[at.mark], do.mark()
			if at.mark+1 < len(do.part.marks) {
				end = do.part.marks[at.mark+1]
			}
			c.to.adopt(do, from, end, c.x.Name)
		}
	}
	for _, do := range c.workers {
		if do != nil {
			do.reset()
			clear(do.part.drops)
			do.part.drops, do.part.marks = do.part.drops[:0], do.part.marks[:0]
		}
	}
}

// settle gives back buffers of workers, and handles of pieces, that were not needed of late.
func (c *crowd) settle() {
	for _, do := range c.workers {
		if do != nil {
			do.settle()
		}
	}
	c.stock.Settle()
}

// adopt appends commands of a worker of a system.
func (c *Commands) adopt(do *Commands, from, end mark, system string) {
	for _, d := range do.part.drops[from.drops:end.drops] {
		*c.drops.Next() = d
		c.drops.Owe()
	}
	masses := len(c.masses) - from.masses
	further := c.q.Adopt(&do.q, from.at, end.at, system, masses)
	for _, m := range do.masses[from.masses:end.masses] {
		if m.at > 0 {
			m.at += further
		}
		c.masses = append(c.masses, m)
	}
}

// take takes len(dst) entities of the piece that a worker runs, or none.
func (p *part) take(b *store.Bundle, dst []Entity) (err error) {
	if p.of.direct {
		return p.of.to.take(b, dst)
	}
	if k := &p.of.stock; !k.Take(p.piece, b, dst) {
		p.of.x.Alone(p.worker, func() { err = k.Refill(p.piece, b, dst) })
	}
	return err
}
