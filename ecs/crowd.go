package ecs

import (
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// crowd is the commands of a Parallel system: a queue for each worker, in which the commands of a piece lie
// side by side. When the pieces have ended, all go to the world's queue, in the order of pieces.
//
//	worker 0   [piece 0: a b][piece 1:][piece 4: g]        world   … a b c d e f g
//	worker 1   [piece 3: e f][piece 2: c d]
//
// Entities that are spawned are taken before: see stock.
type crowd struct {
	w       *World
	x       *schedule.System
	to      *Commands // the world's
	workers []*Commands
	pieces  []where
	stock   stock
	direct  bool // entities are taken as they are spawned: pieces run in order, and are there to be watched
}

// shareCommands has pieces of a system that has fields of some kinds ask for changes, which go to commands of the world; nil: it
// has no such field.
func (w *World) shareCommands(x *schedule.System, to *Commands, fields []field, parts *schedule.Parts, kinds ...kind) *crowd {
	if !slices.ContainsFunc(fields, func(f field) bool { return slices.Contains(kinds, f.kind) }) {
		return nil
	}
	c := &crowd{w: w, x: x, to: to, workers: make([]*Commands, w.systems.Crew.Workers())}
	parts.Asks = true
	parts.InTurn = parts.InTurn || slices.ContainsFunc(fields, func(f field) bool { return f.kind == kindCommands || f.kind == kindAtEnd })
	reserve, piece, end := parts.Reserve, parts.Piece, parts.End
	if reserve == nil {
		parts.Reserve, parts.Piece, parts.End = c.begin, c.piece, c.end
		return c
	}
	parts.Reserve = func(pieces int) {
		reserve(pieces)
		c.begin(pieces)
	}
	parts.Piece = func(worker, n int) {
		piece(worker, n)
		c.piece(worker, n)
	}
	parts.End = func() {
		end()
		c.end()
	}
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
}

// mark is where the commands of a piece begin, in each list.
type mark struct{ piece, ops, values, masses, drops int }

// commandsOf returns the commands of a worker.
func (c *crowd) commandsOf(worker int) *Commands {
	if c.workers[worker] == nil {
		c.workers[worker] = &Commands{w: c.w, part: &part{of: c, worker: worker}, waitlist: waitlist{values: make([]uint64, 1)}}
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
		c.stock.begin(c.w.base.S, pieces)
	}
}

// piece is called before each, by its worker.
func (c *crowd) piece(worker, piece int) {
	do := c.workers[worker]
	p := do.part
	c.pieces[piece] = where{worker, len(p.marks)}
	p.piece = piece
	p.marks = append(p.marks, do.mark(piece))
}

// mark is the end of the queue.
func (c *Commands) mark(piece int) mark {
	return mark{piece, len(c.ops), len(c.values), len(c.masses), len(c.drops)}
}

// end is called behind the last piece: it moves all commands to the world's queue, and returns entities that were not spawned.
func (c *crowd) end() {
	c.stock.end(c.w.base.S)
	for _, at := range c.pieces {
		if at.worker >= 0 {
			do := c.workers[at.worker]
			from, end := do.part.marks[at.mark], do.mark(0)
			if at.mark+1 < len(do.part.marks) {
				end = do.part.marks[at.mark+1]
			}
			c.to.adopt(do, from, end, c.x.Name)
		}
	}
	for _, do := range c.workers {
		if do != nil {
			do.reset()
			clear(do.drops)
			do.values, do.drops, do.part.marks = do.values[:1], do.drops[:0], do.part.marks[:0]
		}
	}
}

// adopt appends commands of a worker of a system.
func (c *Commands) adopt(do *Commands, from, end mark, system string) {
	for _, d := range do.drops[from.drops:end.drops] {
		*c.list() = d
		c.owe()
	}
	if from.ops == end.ops {
		return
	}
	asker := c.asker(system)
	value, masses := uint32(len(c.values)-from.values), len(c.masses)-from.masses
	c.values = append(c.room(end.values-from.values), do.values[from.values:end.values]...)
	c.ops = grown(c.ops, end.ops-from.ops)
	for _, m := range do.masses[from.masses:end.masses] {
		if m.at > 0 {
			m.at += value
		}
		c.masses = append(c.masses, m)
	}
	for _, o := range do.ops[from.ops:end.ops] {
		if o.asker = asker; o.value > 0 {
			o.value += value
		}
		c.waiting++
		switch o.op {
		case opMass:
			o.entity += Entity(masses)
		case opFill, opPutEach:
			if b := do.bundle(&o); b != nil {
				o.of = c.bundled(b)
			}
		case opDestroy:
			c.waiting += int(o.of) - 1
			if last := len(c.ops) - 1; last >= 0 && c.ops[last].op == opDestroy && c.ops[last].asker == asker {
				c.ops[last].of += o.of // the handles are side by side, as if one piece had asked
				continue
			}
		}
		c.ops = append(c.ops, o)
	}
}

// stock is entities for the pieces of a system to spawn. An entity's handle has to be known when it is asked
// for, and must not depend on which piece is faster. So each piece has a block of its own, which is taken
// before the first piece runs: as many as it has spawned the last time, and some more. A piece that
// needs others waits for its turn. The rest is returned behind the last piece, in order.
//
// Nothing is taken before if it would be more than an eighth of those that there may be beside. A piece that finds no
// entity left first returns those that pieces up to it have not spawned: these have ended. So it is refused where it
// would be if nothing was taken ahead.
//
//	uses      bundle A               bundle B
//	grants    [0: ██░░][1: █░░░]     [0: ░░░░][1: ████]  then, in turn  [1: ██░░]
//	          spawned ↑   ↑ returned
//
// Pieces only write their own grants and counts, unless they are alone.
type stock struct {
	uses   []*use
	grants []*grant // in the order in which they were taken
	spare  []*grant
}

// use is the spawns of pieces of a bundle.
type use struct {
	bundle *store.Bundle // nil: entities without components
	counts []int         // by piece, how many it has spawned
	grants []*grant      // by piece, the one that it takes from
}

// grant is entities for a piece.
type grant struct {
	piece   int
	handles []Entity
	used    int
}

// blockLen is how many entities are taken for a piece at least: a part of a page of records.
const blockLen = 64

// blockFor is how many entities are taken for a piece that has spawned so many the last time.
func blockFor(last int) int { return (last + last/2 + blockLen) / blockLen * blockLen }

// begin takes entities for pieces, as many as were spawned the last time and some more.
func (k *stock) begin(s *store.Store, pieces int) {
	wanted := 0
	for _, u := range k.uses {
		for len(u.grants) < pieces {
			u.counts, u.grants = append(u.counts, 0), append(u.grants, nil)
		}
		wanted += u.wanted(pieces)
	}
	ahead := wanted <= s.Spare()/8 // so Options.MaxEntities says
	for _, u := range k.uses {
		wants := slices.Max(u.counts) > 0
		clear(u.grants)
		for i := 0; ahead && wants && i < pieces; i++ {
			if g, err := k.grant(s, u.bundle, i, blockFor(u.counts[i])); err == nil {
				u.grants[i] = g
			}
		}
		clear(u.counts)
	}
}

// wanted is how many entities pieces take before the first one; 0 if none has spawned the last time.
func (u *use) wanted(pieces int) (n int) {
	if slices.Max(u.counts) == 0 {
		return 0
	}
	for _, last := range u.counts[:pieces] {
		n += blockFor(last)
	}
	return n
}

// grant takes n entities for a piece.
func (k *stock) grant(s *store.Store, b *store.Bundle, piece, n int) (*grant, error) {
	if len(k.spare) == 0 {
		k.spare = append(k.spare, &grant{})
	}
	g := k.spare[len(k.spare)-1]
	g.piece, g.handles, g.used = piece, slices.Grow(g.handles[:0], n)[:n], 0
	if err := s.Reserve(b, g.handles); err != nil {
		return nil, err
	}
	k.spare = k.spare[:len(k.spare)-1]
	k.grants = append(k.grants, g)
	return g, nil
}

// of is what pieces spawn of a bundle; nil if they did not yet.
func (k *stock) of(b *store.Bundle) *use {
	for _, u := range k.uses {
		if u.bundle == b {
			return u
		}
	}
	return nil
}

// end returns entities that were not spawned.
func (k *stock) end(s *store.Store) {
	k.giveBack(s, math.MaxInt)
	k.spare = append(k.spare, k.grants...)
	clear(k.grants)
	k.grants = k.grants[:0]
}

// giveBack returns entities that pieces up to one have not spawned, the last first.
func (k *stock) giveBack(s *store.Store, most int) {
	for i := len(k.grants) - 1; i >= 0; i-- {
		if g := k.grants[i]; g.piece <= most && g.used < len(g.handles) {
			s.Return(g.handles[g.used:])
			g.handles = g.handles[:g.used]
		}
	}
}

// take takes len(dst) entities of the piece that a worker runs, or none.
func (p *part) take(b *store.Bundle, dst []Entity) (err error) {
	if p.of.direct {
		return p.of.to.take(b, dst)
	}
	k := &p.of.stock
	if u := k.of(b); len(dst) == 0 || u != nil && u.take(p.piece, dst) {
		return nil
	}
	p.of.x.Alone(p.worker, func() {
		u := k.of(b)
		if u == nil {
			n := len(p.of.pieces)
			u = &use{b, make([]int, n), make([]*grant, n)}
			k.uses = append(k.uses, u)
		}
		var g *grant
		if g, err = k.more(p, b, max(blockLen, u.counts[p.piece], len(dst)), len(dst)); err == nil {
			u.grants[p.piece] = g
			u.take(p.piece, dst)
		}
	})
	return err
}

// more is a grant of n entities for the piece that a worker runs, or of fewer, but of no fewer than least. Pieces before it
// have ended, and no other runs.
func (k *stock) more(p *part, b *store.Bundle, n, least int) (g *grant, err error) {
	s := p.of.w.base.S
	if g, err = k.grant(s, b, p.piece, n); err != nil {
		k.giveBack(s, p.piece)
		g, err = k.grant(s, b, p.piece, max(least, min(n, s.Spare())))
	}
	if err != nil { // memory is refused
		g, err = k.grant(s, b, p.piece, least)
	}
	return g, err
}

// take takes entities of the piece's grant, if it has enough.
func (u *use) take(piece int, dst []Entity) bool {
	g := u.grants[piece]
	if g == nil || len(g.handles)-g.used < len(dst) {
		return false
	}
	copy(dst, g.handles[g.used:])
	g.used += len(dst)
	u.counts[piece] += len(dst)
	return true
}
