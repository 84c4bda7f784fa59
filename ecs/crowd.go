package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// shareCommands has pieces of a system that has fields of some kinds ask for changes, which go to commands of the world; nil: it
// has no such field.
func (w *World) shareCommands(x *schedule.System, to *Commands, fields []field.Field, parts *schedule.Parts, kinds ...field.Kind) *crowd {
	if !field.HasKind(fields, kinds...) {
		return nil
	}
	c := &crowd{world: w, system: x, to: to, workers: make([]*Commands, w.systems.Crew.Workers())}
	parts.Asks = true
	parts.InTurn = parts.InTurn || field.HasKind(fields, field.Commands, field.Spawner, field.AtEnd)
	parts.Stages = append(parts.Stages, schedule.Stage{Reserve: c.begin, Piece: c.piece, End: c.end, Settle: c.settle})
	return c
}

// commandsOf returns the commands of a worker.
func (c *crowd) commandsOf(worker int) *Commands {
	if c.workers[worker] == nil {
		c.workers[worker] = &Commands{world: c.world, part: &part{of: c, worker: worker}}
	}
	return c.workers[worker]
}

// begin is called before the first piece.
func (c *crowd) begin(pieces int) {
	c.pieces = c.pieces[:0]
	for range pieces {
		c.pieces = append(c.pieces, where{-1, 0})
	}
	if c.direct = c.system.Shown(); !c.direct {
		c.stock.Begin(c.world.base.Store, pieces)
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
	return mark{c.q.Mark(), len(c.part.drops)}
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
			c.to.adopt(do, from, end, c.system.Name)
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
	c.q.Adopt(&do.q, from.at, end.at, system)
}

// take takes len(dst) entities of the piece that a worker runs, or none.
func (p *part) take(b *store.Bundle, dst []Entity) (err error) {
	if p.of.direct {
		return p.of.to.take(b, dst)
	}
	if k := &p.of.stock; !k.Take(p.piece, b, dst) {
		p.of.system.Alone(p.worker, func() { err = k.Refill(p.piece, b, dst) })
	}
	return err
}
