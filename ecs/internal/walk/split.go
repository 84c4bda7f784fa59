package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Split is a walk that is cut in pieces, which parallel cursors pass, one or several at the same time.
//
//	tables    ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ ▓▓▓▓ ▓ ▓▓
//	pieces    └──0──┘└──1──┘└2┘ └────3───┘      whole chunks, of one table or of several
//
// Where pieces end follows from the plan's tables and their rows. It is the same for any number of
// cursors, and for any order in which they take pieces. A steady walk allocates nothing.
//
//	Cut ─► Begin         ─► Pass of each piece ─► End
//	Cut ─► Start ─► Fill ─► Pass of each piece ─► End      beside other walks
type Split struct {
	of     *Cursor // whose walk it is
	tables []Table
	starts []start // of each piece, and one behind the last
	rows   int     // of all tables
	since  uint64  // as Cursor.since
	asks   bool    // as Cursor.asks
	number uint64  // of the walk under way; 0: others go on beside it
	at     uint64  // tick of such a walk; else 0
	kept   kept
}

// start is where a piece begins: a table, and a chunk of it.
type start struct{ table, chunk int }

// chunksOfPiece is how many chunks of so many rows each are a piece of about rows: one at least, and no more than
// keep a worker's caches warm.
func chunksOfPiece(rows, capacity int) int { return max(1, min(rows/capacity, 8)) }

// Cut cuts a walk of the cursor, and returns how many pieces there are. It finds the plan's tables, so it is
// called by the goroutine that has the world.
func (s *Split) Cut(c *Cursor) (pieces int) {
	s.of, s.tables, s.starts, s.rows = c, c.Tables(), s.starts[:0], 0
	room := 0 // rows that the last piece still takes
	for i := range s.tables {
		seq := s.tables[i].Seq
		left := seq.Len()
		if s.rows += left; left == 0 {
			continue
		}
		chunks, step := seq.ChunkCount(), chunksOfPiece(c.base.PieceRows, seq.Capacity())
		for at := 0; at < chunks; at += step {
			n := min(left, step*seq.Capacity())
			if left -= n; n > room || len(s.starts) == 0 {
				s.starts, room = append(s.starts, start{i, at}), c.base.PieceRows
			}
			room -= n
		}
	}
	pieces = len(s.starts)
	s.starts = append(s.starts, start{len(s.tables), 0})
	return pieces
}

// Work is about how much work the walk is: rows by their parts of 16 bytes, those that are written twice. A part costs
// a sweep a quarter of a nanosecond at least.
func (s *Split) Work() int { return s.rows * (1 + s.of.pieces) }

// Apart tells whether pieces may be passed at the same time: whether what they write, stamps included, lies in
// their own chunks.
func (s *Split) Apart() bool {
	for j := range s.of.Columns {
		if !s.of.Columns[j].Write {
			continue
		}
		for i := range s.tables {
			t := &s.tables[i]
			if t.comps[j].AsksRows() || t.extents[j] == match.Elsewhere {
				return false
			}
			for _, change := range s.of.Changes {
				if change.Comp == t.comps[j] {
					return false
				}
			}
		}
	}
	return true
}

// Begin begins the walk, with no other beside it. Parallel cursors may pass pieces until End.
func (s *Split) Begin() {
	s.Start(0)
	c := s.of
	s.number = c.base.Walks.begin(c.Name, c.passing)
	s.Fill()
	c.base.Walks.Split = true
}

// Start begins the walk in a tick, where walks of other plans go on beside it: see Base.Beside. Values that it
// writes have that tick's stamp. It is called by the goroutine that has the world, for all of these walks before a
// piece of any is passed: so views have room before the first one is used.
func (s *Split) Start(tick uint64) {
	c := s.of
	c.walked++
	c.running = true
	c.ownTick, s.at, s.number = tick, tick, 0
	s.since, s.asks = c.since, (len(c.Disabled) > 0 || c.base.Store.Disables()) && c.hides()
	s.kept.bind(s)
}

// Fill brings columns that views keep up to date. It is called before the first piece, by any goroutine, when
// walks have ended that write values of this one.
func (s *Split) Fill() {
	if len(s.kept.of) > 0 {
		s.of.base.finding.Lock()
		defer s.of.base.finding.Unlock()
		s.kept.fill(s)
	}
}

// End ends the walk. Whole says that all pieces were passed to their ends. Otherwise changes stay new.
func (s *Split) End(whole bool) {
	c := s.of
	if s.number > 0 {
		c.base.Walks.Split = false
	}
	c.done(s.number)
	if whole && len(c.Changes) > 0 {
		c.seen()
	}
	c.ownTick = 0
}

// Stamped tells whether all stamps of the walk are of its tick: else no walk may go on beside it. Values that are
// written by handle, and notes of rows, have the manager's tick.
func (s *Split) Stamped() bool {
	c := s.of
	for j := range c.Columns {
		x := &c.Columns[j]
		if !x.Write {
			continue
		}
		for i := range s.tables {
			t := &s.tables[i]
			of, far := t.comps[j], t.extents[j] == match.Elsewhere
			if of.AsksRows() || of.Pinned() || c.Pointers && (far || x.Optional) {
				return false
			}
		}
	}
	return true
}

// Pass passes a piece with a cursor that NewParallel has made, over the same plan.
func (s *Split) Pass(c *Cursor, piece int, into raw.Ptr, call func(raw.Ptr) bool) {
	c.since, c.asks, c.running, c.ownTick = s.since, s.asks, true, s.at
	if c.Serve = nil; len(s.kept.of) > 0 {
		c.Serve = s.kept.serve
	}
	defer func() { c.running = false }()
	c.walked++
	c.set.SetTick(s.at)
	c.set.Begin(nil)
	if c.walks != nil {
		defer c.walks.End(c.walks.begin(c.Name, c.passing))
	}
	if c.base.Guard {
		c.guards()
		watched := call
		call = func(into raw.Ptr) bool { return c.watch(into, watched) }
	}
	w := c.wholes
	whole := wholeTables && w.may && !(c.base.Store.AsksRows() && c.writesRows())
	notes := whole && w.noting && !c.asks && c.Visit == nil
	if notes {
		w.follow(s.tables, c.found)
	}
	from, end := s.starts[piece], s.starts[piece+1]
	for i := from.table; i <= end.table && i < len(s.tables); i++ {
		t := &s.tables[i]
		some := all(t)
		if i == end.table {
			some.end = end.chunk
		}
		if i == from.table {
			some.first = from.chunk
		}
		switch {
		case t.Seq.Len() == 0 || some.first >= some.end:
		case !whole || !c.isWhole(t):
			c.cut.spans = whole
			c.passTable(t, some, into, call)
		case some == all(t):
			i, _ = c.passWhole(s.tables[:end.table], i, notes, into, call)
			i--
		default:
			c.passPartOf(t, some, into, call)
		}
	}
}

// passPartOf passes some chunks of a whole table.
func (c *Cursor) passPartOf(t *Table, some span, into raw.Ptr, call func(raw.Ptr) bool) {
	_, last := t.Seq.Chunk(some.end - 1)
	rows := (some.end-some.first-1)*t.Seq.Capacity() + last
	c.Met += rows
	if c.Visit != nil {
		c.Visit(t.Seq, rows, some.end-some.first, 0)
	}
	c.cut.span = some
	c.passSpan(t, into, call)
}
