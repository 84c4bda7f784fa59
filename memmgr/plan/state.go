package plan

import (
	"math/bits"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/topology"
)

// region is the working copy of a Region: who lies where. What is free and can be
// given back counts as clean, since it may be by the time that an action is due.
type region struct {
	used, dirty uint32
	measured    uint64 // resident when only the slots of was were dirty; 0: not known
	was         uint32
	owner       [arena.SlotsPerRegion]int32 // index of the chunk + 1; 0 if none is known
}

// RangeCount is the number of ranges.
const RangeCount = 3

// state is a placement that moves are tried on. What was done since a mark is taken
// back, or becomes an action.
type state struct {
	in      *Placement
	machine topology.Topology
	whole   bool // huge pages are in force: a huge region in use is resident as a whole
	page    uint64
	know    []knowledge
	pairs   []pair
	chain   [][]int // chunks by group, in order

	chunks  []Chunk
	regions [RangeCount][]region
	journal []step // moves that are neither taken back nor part of an action yet
	cost    Cost   // of these
	bytes   uint64 // resident once all that is free has been given back
}

// step is a move and what it takes to undo it.
type step struct {
	chunk  int
	move   Move
	small  bool      // laid out so before
	fresh  bool      // the place was not dirty
	opened bool      // nothing was used in its region
	dirty  [2]uint32 // masks of the regions that it left and came to
	bytes  uint64    // measured in the region that it left
}

// mark is a state of the state.
type mark struct {
	steps int
	cost  Cost
	bytes uint64
}

func newState(in *Placement, machine topology.Topology, ks []knowledge, pairs []pair) *state {
	st := &state{in: in, machine: machine, whole: in.Huge && hugePages(machine), page: uint64(max(machine.Page.N, 1)), know: ks, pairs: pairs}
	st.chain = make([][]int, len(in.Groups))
	st.chunks = slices.Clone(in.Chunks)
	for _, r := range in.Regions {
		g := st.region(r.Range, r.Number)
		g.used, g.dirty = r.Used, r.Dirty|r.Used
		g.measured, g.was = r.Resident, g.dirty
	}
	for i, c := range st.chunks {
		st.chain[c.Group] = append(st.chain[c.Group], i)
		g := st.region(c.At.Range, c.At.Region())
		g.used, g.dirty = g.used|c.At.bit(), g.dirty|c.At.bit()
		g.owner[c.At.N%arena.SlotsPerRegion] = int32(i + 1)
	}
	for r := range arena.Range(RangeCount) {
		for i := range st.regions[r] {
			st.clean(r, &st.regions[r][i])
			st.bytes += st.regionBytes(r, uint32(i))
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

func (st *state) mark() mark { return mark{len(st.journal), st.cost, st.bytes} }

// rollback takes back what was done since a mark.
func (st *state) rollback(m mark) {
	for _, s := range slices.Backward(st.journal[m.steps:]) {
		to, from := st.regionAt(s.move.To), st.regionAt(s.move.From)
		to.used &^= s.move.To.bit()
		to.owner[s.move.To.N%arena.SlotsPerRegion] = 0
		from.used |= s.move.From.bit()
		from.owner[s.move.From.N%arena.SlotsPerRegion] = int32(s.chunk + 1)
		from.dirty, to.dirty, from.measured = s.dirty[0], s.dirty[1], s.bytes
		st.chunks[s.chunk].At, st.chunks[s.chunk].Small = s.move.From, s.small
	}
	st.journal, st.cost, st.bytes = st.journal[:m.steps], m.cost, m.bytes
}

// gain is what was gained in memory since a mark.
func (st *state) gain(m mark) (g Gain) {
	if m.bytes > st.bytes {
		g.Bytes = m.bytes - st.bytes
	}
	return g
}

// action makes an action of what was done since the journal was empty.
func (st *state) action(g Gain, k Kind, about, reason string) Action {
	a := Action{Kind: k, About: about, Reason: reason, Gain: g, Cost: st.cost}
	var opened []RegionID
	for _, s := range st.journal {
		a.Moves = append(a.Moves, s.move)
		if to := (RegionID{s.move.To.Range, s.move.To.Region()}); s.opened {
			opened = append(opened, to)
		}
		from := RegionID{s.move.From.Range, s.move.From.Region()}
		if st.regionAt(s.move.From).used == 0 && !slices.Contains(opened, from) && !slices.Contains(a.Empties, from) {
			a.Empties = append(a.Empties, from)
		}
	}
	st.journal, st.cost = st.journal[:0], Cost{}
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
	return ch.Pins == 0 && !st.know[ch.Group].pinned &&
		(ch.Since == 0 || ch.Since+st.in.Cooling <= st.in.Frame)
}

// allMovable tells whether all chunks of a group may be moved.
func (st *state) allMovable(g int) bool {
	return !slices.ContainsFunc(st.chain[g], func(c int) bool { return !st.movable(c) })
}

// regionAt is the region of a place that is known.
func (st *state) regionAt(p Place) *region { return &st.regions[p.Range][p.Region()] }

// move puts a chunk at a free place.
func (st *state) move(c int, to Place, small bool) {
	ch := &st.chunks[c]
	st.region(to.Range, to.Region()) // may make room, so before addresses are taken
	from, g := st.regionAt(ch.At), st.regionAt(to)
	st.bytes -= st.regionBytes(ch.At.Range, ch.At.Region())
	if from != g {
		st.bytes -= st.regionBytes(to.Range, to.Region())
	}
	s := step{c, Move{ch.Group, ch.Order, ch.At, to, small}, ch.Small, g.dirty&to.bit() == 0, g.used == 0, [2]uint32{from.dirty, g.dirty}, from.measured}
	st.journal = append(st.journal, s)
	st.charge(ch, g, s)

	from.used &^= ch.At.bit()
	from.owner[ch.At.N%arena.SlotsPerRegion] = 0
	g.used, g.dirty = g.used|to.bit(), g.dirty|to.bit()
	g.owner[to.N%arena.SlotsPerRegion] = int32(c + 1)
	ch.At, ch.Small = to, small
	st.clean(s.move.From.Range, from)

	st.bytes += st.regionBytes(to.Range, to.Region())
	if f := s.move.From; from != g {
		st.bytes += st.regionBytes(f.Range, f.Region())
	}
}

// charge adds what a move costs: the copy, and the first touch of new memory.
func (st *state) charge(ch *Chunk, to *region, s step) {
	bytes := uint64(ch.Rows) * uint64(st.in.Groups[ch.Group].RowBytes)
	st.cost.Bytes += bytes
	st.cost.Time += time.Duration(bytes / copyBytesPerNs)
	switch huge := st.whole && s.move.To.Range == arena.Huge; {
	case !s.fresh || huge && to.dirty != 0:
	case huge:
		st.cost.Time += arena.SlotsPerRegion * touchHuge
	default:
		st.cost.Time += touchNormal * time.Duration(bytes) / arena.SlotBytes
	}
}

// clean forgets dirty slots that can be given back.
func (st *state) clean(r arena.Range, g *region) {
	if g.used == 0 || !st.coarse(r) {
		g.dirty = g.used
	}
	if g.used == 0 {
		g.measured = 0
	}
}

// coarse tells whether a range gives memory back by whole regions alone.
func (st *state) coarse(r arena.Range) bool { return r == arena.Huge || st.in.Whole }

// regionBytes is how many bytes of a region should be resident once all that is
// free has been given back.
func (st *state) regionBytes(r arena.Range, number uint32) (n uint64) {
	g := &st.regions[r][number]
	switch {
	case g.used == 0:
		return 0
	case r == arena.Huge && st.whole && g.measured == 0:
		return arena.RegionBytes
	case r == arena.Huge && st.whole:
		return min(arena.RegionBytes, g.measured+uint64(bits.OnesCount32(g.dirty&^g.was))*arena.SlotBytes)
	case st.coarse(r):
		return uint64(bits.OnesCount32(g.dirty)) * arena.SlotBytes
	}
	for left := g.used; left != 0; left &= left - 1 {
		if c := g.owner[bits.TrailingZeros32(left)]; c != 0 {
			n += st.touched(int(c) - 1)
		} else {
			n += arena.SlotBytes
		}
	}
	return n
}

// touched is how many bytes of a chunk's slot are resident, in normal pages: the
// pages of each column.
func (st *state) touched(c int) uint64 {
	ch := &st.chunks[c]
	g := &st.in.Groups[ch.Group]
	bytes := uint64(ch.Rows) * uint64(g.RowBytes)
	if !ch.Small {
		bytes += uint64(g.Columns) * st.page // each column begins somewhere in a page
	}
	return min(arena.SlotBytes, max(1, (bytes+st.page-1)/st.page)*st.page)
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
