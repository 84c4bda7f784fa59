package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
)

// A call that changes many rows lets them leave holes, and closes these at its end. Closing each at
// once would move rows of the end into it that leave a moment later, and so move them twice:
//
//	a  b  c  d      remove a, then d       at once   d  b  c    then   c  b
//	                                       holes     ·  b  c  ·   then   b  c
//
// It also leaves the choice how to close them until all are known: see gaps.close.

// fewShare says how many rows a table has for each span that is kept as such. Sorting more of them costs more than
// looking for them among the marks of all rows (BenchmarkDeaths).
const fewShare = 2048

// fewMost is the most spans that are kept as such in a table of so many rows.
func fewMost(rows int) int { return 8 + rows/fewShare }

// mark notes adjacent rows as holes. A row is marked once. Its values, entity and bits stay
// until close; its entry is written before or after mark, by the caller. The table of the last call is
// remembered, because calls mostly stay with one table.
func (h *holes) mark(t *Table, x span) {
	h.find(t)
	h.list[h.last].mark(x)
}

// find makes last the index of a table's holes.
func (h *holes) find(t *Table) {
	if h.last >= len(h.list) || h.list[h.last].t != t {
		if h.last = slices.IndexFunc(h.list, func(g gaps) bool { return g.t == t }); h.last < 0 {
			h.last = len(h.list)
			h.begin(t)
		}
	}
}

// number is the number of a row in its table. Rows of the last chunk are counted from the end, without
// a look at the chunk: most rows that go are there, or are many.
func (t *Table) number(l memmgr.Loc) int {
	if last := t.Seq.Last(); last.Chunk() == l.Chunk() {
		return t.Seq.Len() - 1 - int(last.Row()-l.Row())
	}
	return t.Seq.Index(l)
}

// begin makes room for the holes of one more table. The room of calls before is used again.
func (h *holes) begin(t *Table) {
	if len(h.list) < cap(h.list) {
		h.list = h.list[:len(h.list)+1]
	} else {
		h.list = append(h.list, gaps{})
	}
	g := &h.list[h.last]
	g.t, g.most = t, fewMost(t.Seq.Len())
}

// markAll notes runs of a table as holes.
func (h *holes) markAll(t *Table, runs []run) {
	for _, r := range runs {
		h.mark(t, span{t.number(r.at), r.n})
	}
}

// markBits notes rows of a table's i-th chunk as holes: n of them, as bits say.
func (h *holes) markBits(t *Table, i int, words []uint64, n int) {
	h.find(t)
	g := &h.list[h.last]
	g.spill()
	g.n += n
	at := i * t.Seq.Capacity()
	for _, w := range words {
		if w != 0 {
			g.marks[at/64] |= w << (at % 64)
			if over := w >> (63 - at%64) >> 1; over != 0 {
				g.marks[at/64+1] |= over
			}
		}
		at += 64
	}
}

// mark adds a span, in the cheapest form: it extends the last span, adds one more, or sets marks.
func (g *gaps) mark(x span) {
	g.n += x.n
	switch k := len(g.few); {
	case g.marks != nil:
		g.set(x)
	case k > 0 && g.few[k-1].at+g.few[k-1].n == x.at:
		g.few[k-1].n += x.n
	case k < g.most:
		g.few = append(g.few, x)
	default:
		g.spill()
		g.set(x)
	}
}

// spill changes few spans into marks: a bit for each row that the table has now. Calls after the first
// do nothing.
func (g *gaps) spill() {
	if g.marks != nil {
		return
	}
	words := (g.t.Seq.Len() + 63) / 64
	if len(g.room) < words {
		g.room = make(memmgr.Marks, words)
	}
	g.marks = g.room[:words]
	for _, x := range g.few {
		g.set(x)
	}
	g.few = g.few[:0]
}

func (g *gaps) set(x span) {
	for b := x.at; b < x.at+x.n; b = (b | 63) + 1 {
		g.marks[b/64] |= between(b, x.at+x.n)
	}
}
