package plan

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
)

// region is the working copy of a Region: who lies where. What is free and can be
// given back counts as clean, since it may be by the time that an action is due.
type region struct {
	used, dirty uint32
	owner       [arena.SlotsPerRegion]int32 // index of the chunk + 1; 0 if none is known
}

// RangeCount is the number of ranges.
const RangeCount = 3

// state is a placement that moves are tried on. What was done since a mark is taken
// back, or becomes an action.
type state struct {
	in     *Placement
	wishes []wish
	chain  [][]int // chunks by group, in order

	chunks  []Chunk
	regions [RangeCount][]region
	journal []step // moves that are neither taken back nor part of an action yet
	copied  uint64 // bytes, by these
	bytes   uint64 // resident once all that is free has been given back
}

// step is a move and what it takes to undo it.
type step struct {
	chunk  int
	move   Move
	opened bool      // nothing was used in the region that it came to
	dirty  [2]uint32 // masks of the regions that it left and came to
}

// mark is a state of the state.
type mark struct {
	steps         int
	copied, bytes uint64
}

func newState(in *Placement, ws []wish) *state {
	st := &state{in: in, wishes: ws}
	st.chain = make([][]int, len(in.Groups))
	st.chunks = slices.Clone(in.Chunks)
	for _, r := range in.Regions {
		g := st.region(r.Range, r.Number)
		g.used, g.dirty = r.Used, r.Dirty|r.Used
	}
	for i, c := range st.chunks {
		st.chain[c.Group] = append(st.chain[c.Group], i)
		g := st.region(c.At.Range, c.At.Region())
		g.used, g.dirty = g.used|c.At.bit(), g.dirty|c.At.bit()
		g.owner[c.At.N%arena.SlotsPerRegion] = int32(i + 1)
	}
	for r := range arena.Range(RangeCount) {
		for i := range st.regions[r] {
			g := &st.regions[r][i]
			st.clean(g)
			st.bytes += st.regionBytes(g)
		}
	}
	return st
}

// region returns a region, making it and those before it up where need be.
func (st *state) region(r arena.Range, n uint32) *region {
	for uint32(len(st.regions[r])) <= n {
		st.regions[r] = append(st.regions[r], region{})
	}
	return &st.regions[r][n]
}

func (st *state) mark() mark { return mark{len(st.journal), st.copied, st.bytes} }

// since is how many bytes came free since a mark, and how many were copied.
func (st *state) since(m mark) (gives, copies uint64) {
	return m.bytes - min(m.bytes, st.bytes), st.copied - m.copied
}

// rollback takes back what was done since a mark.
func (st *state) rollback(m mark) {
	for _, s := range slices.Backward(st.journal[m.steps:]) {
		to := st.regionAt(s.move.To)
		to.used &^= s.move.To.bit()
		to.owner[s.move.To.N%arena.SlotsPerRegion] = 0
		to.dirty = s.dirty[1]
		from := st.regionAt(s.move.From)
		from.used |= s.move.From.bit()
		from.owner[s.move.From.N%arena.SlotsPerRegion] = int32(s.chunk + 1)
		from.dirty = s.dirty[0]
		st.chunks[s.chunk].At = s.move.From
	}
	st.journal, st.copied, st.bytes = st.journal[:m.steps], m.copied, m.bytes
}

// action makes an action of what was done since the journal was empty.
func (st *state) action(gives uint64, k Kind, about, reason string) Action {
	a := Action{Kind: k, About: about, Reason: reason, Gives: gives, Copies: st.copied}
	var opened []RegionID
	for _, s := range st.journal {
		a.Moves = append(a.Moves, s.move)
		if s.opened {
			opened = append(opened, RegionID{s.move.To.Range, s.move.To.Region()})
		}
		from := RegionID{s.move.From.Range, s.move.From.Region()}
		if st.regionAt(s.move.From).used == 0 && !slices.Contains(opened, from) && !slices.Contains(a.Empties, from) {
			a.Empties = append(a.Empties, from)
		}
	}
	st.journal, st.copied = st.journal[:0], 0
	return a
}

// avoided tells whether an action is not to be asked for now.
func (st *state) avoided(k Kind, about string) bool {
	return len(st.in.Avoid) > 0 && slices.Contains(st.in.Avoid, key(k, about))
}

// free tells whether nobody lies at a place.
func (st *state) free(p Place) bool {
	return int(p.Region()) >= len(st.regions[p.Range]) || st.regions[p.Range][p.Region()].used&p.bit() == 0
}

// movable tells whether a chunk may be moved.
func (st *state) movable(c int) bool {
	ch := &st.chunks[c]
	return ch.Pins == 0 && !st.wishes[ch.Group].pinned &&
		(ch.Since == 0 || ch.Since+st.in.Cooling <= st.in.Frame)
}

// regionAt is the region of a place that is known.
func (st *state) regionAt(p Place) *region { return &st.regions[p.Range][p.Region()] }

// move puts a chunk at a free place.
func (st *state) move(c int, to Place) {
	st.region(to.Range, to.Region()) // may make room, so before addresses are taken
	from, g := st.regionAt(st.chunks[c].At), st.regionAt(to)
	s := st.leave(c)
	s.move.To, s.opened, s.dirty[1] = to, g.used == 0, g.dirty
	if from == g {
		s.dirty[1] = s.dirty[0]
	}
	st.bytes -= st.regionBytes(g)
	g.used, g.dirty = g.used|to.bit(), g.dirty|to.bit()
	g.owner[to.N%arena.SlotsPerRegion] = int32(c + 1)
	st.chunks[c].At = to
	st.bytes += st.regionBytes(g)
	st.journal = append(st.journal, s)
}

// leave takes a chunk from its place, and returns the step that has begun.
func (st *state) leave(c int) step {
	ch := &st.chunks[c]
	from := st.regionAt(ch.At)
	s := step{chunk: c, move: Move{Group: ch.Group, Order: ch.Order, From: ch.At}, dirty: [2]uint32{from.dirty}}
	st.bytes -= st.regionBytes(from)
	from.used &^= ch.At.bit()
	from.owner[ch.At.N%arena.SlotsPerRegion] = 0
	st.clean(from)
	st.bytes += st.regionBytes(from)
	st.copied += st.rowBytes(c)
	return s
}

// clean forgets the dirty slots of a region that can be given back whole. Where slots
// go back one by one only those in use are counted anyway.
func (st *state) clean(g *region) {
	if g.used == 0 {
		g.dirty = 0
	}
}

// regionBytes is how many bytes of a region should be resident once all that is free has
// been given back, where memory goes back by whole regions: none if nothing is used.
func (st *state) regionBytes(g *region) uint64 {
	return uint64(bits.OnesCount32(g.dirty)) * arena.SlotBytes
}

// rowBytes is how many bytes the rows of a chunk have.
func (st *state) rowBytes(c int) uint64 {
	return uint64(st.chunks[c].Rows) * uint64(st.in.Groups[st.chunks[c].Group].RowBytes)
}

// freeRun returns the first n places in a row that are free.
func (st *state) freeRun(r arena.Range, n int) Place {
	run := 0
	for at := uint32(0); ; at++ {
		if !st.free(Place{r, at}) {
			run = 0
		} else if run++; run == n {
			return Place{r, at + 1 - uint32(n)}
		}
	}
}
