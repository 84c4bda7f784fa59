package store

import (
	"math/bits"
	"slices"
)

// Holes are closed in one of two ways, and which one is part of the result: it decides the order of
// rows. So it depends on the number of holes and rows alone, never on chunks or on the list's order.
//
//	a [b] c [d] e  f  g  h       pack   a  c  e  f  g  h        rows behind the first hole move up
//	                             fill   a  g  c  h  e  f        rows of the end move into holes
//
// Pack keeps the order and reads columns front to back. Fill moves no more rows than there are holes.

// close removes all holes, table by table. It must run before the call that made them returns, also
// after an error: until then entries name rows elsewhere while the holes still count as rows. The room
// for marks and spans is kept for later calls.
func (h *holes) close() {
	h.used = h.used || len(h.list) > 0
	for i := range h.list {
		g := &h.list[i]
		if first := g.close(h.kept); g.marks != nil {
			clear(g.marks[first/64:])
			g.marks = nil
		}
		g.t, g.n, g.few = nil, 0, g.few[:0]
	}
	h.list, h.kept = h.list[:0], false
}

// release drops the room for marks and spans, if no call has used it since the last release. A peak
// leaves some 10 KB behind for each table that has lost many rows.
func (h *holes) release() {
	if !h.used && len(h.list) == 0 { // and none is under way
		*h = holes{}
	}
	h.used = false
}

// close removes the holes of a table. Entries that named them point elsewhere by now. It returns the
// row from which on marks are to be cleared, because gaps.room must be all 0 between calls.
//
//	all rows, or the last ones  dropSpan: no row moves
//	many holes in the tail      pack: rows move up and keep their order
//	few holes                   fill: rows from the end fill them; or pack, if their order is kept
func (g *gaps) close(kept bool) (first int) {
	t, length := g.t, g.t.Seq.Len()
	g.few = joined(g.few)
	first = g.first()
	whole := g.marks == nil && len(g.few) == 1 || first+g.n == length
	switch {
	case whole && t.dropSpan(span{first, g.n}, kept):
	case kept || packs(g.n, length-first):
		t.Seq.Shift()
		g.spill()
		g.pack(first)
	default:
		t.Seq.Shift()
		g.fill()
	}
	return first
}

// dropSpan removes holes that are side by side, and needs no list of them. It refuses where rows from
// behind have to move up, as they always have if their order is kept.
func (t *Table) dropSpan(x span, kept bool) bool {
	length := t.Seq.Len()
	switch {
	case x.n == length:
		t.dropAll()
	case x.at+x.n == length:
		t.Seq.Shift()
		t.dropLast(x.n)
	case kept || packs(x.n, length-x.at):
		return false
	default:
		t.Seq.Shift()
		one := [1]span{x}
		t.fillHoles(one[:])
	}
	return true
}

// fill removes the holes: the last rows of the table move there.
func (g *gaps) fill() {
	if g.marks != nil {
		for at, end := range g.marks.Runs(0, g.t.Seq.Len(), true) {
			g.few = append(g.few, span{at, end - at})
		}
	}
	g.t.fillHoles(g.few)
}

// joined sorts spans in place and joins the ones that touch. The order of rows after fill depends on the
// spans, so it must not depend on the order in which rows were marked.
func joined(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.at - b.at })
	list := spans[:0]
	for _, x := range spans {
		if k := len(list) - 1; k >= 0 && list[k].at+list[k].n == x.at {
			list[k].n += x.n
		} else {
			list = append(list, x)
		}
	}
	return list
}

// first is the number of the first hole. There is at least one. The list few must be sorted, which
// joined has done.
func (g *gaps) first() int {
	if g.marks == nil {
		return g.few[0].at
	}
	k := 0
	for g.marks[k] == 0 {
		k++
	}
	return k*64 + trailingZeros(g.marks[k])
}

// packShare decides how holes are closed. If at least one in packShare of the rows from the first
// hole on is a hole, the others move up and keep their order. Otherwise the last rows fill the
// holes. A row that moves up costs a fraction of one that fills a hole, which is read and written
// far from its neighbours (BenchmarkHoles).
const packShare = 16

// packs tells whether holes are closed by rows that move up. The argument rows counts from the first
// hole to the end of the table: rows before the first hole do not move in either case.
func packs(holes, rows int) bool { return holes*packShare >= rows }

// pack removes the holes and keeps the order of the other rows.
//
//	a  b [c] d [e] f  g      without c, e:  a  b  d  f  g
func (g *gaps) pack(first int) {
	// Stamps go before PackFrom, because carryStamps finds chunks by the old numbers of rows.
	t := g.t
	if len(t.watched) > 0 {
		g.carryStamps(first)
	}
	for _, x := range t.opts {
		if x.Count > 0 {
			g.packBits(x, first)
		}
	}
	capacity := t.Seq.Capacity()
	t.store.SeeChunks(t.Seq, first/capacity, t.Seq.ChunkCount())
	t.Seq.PackFrom(first, g.marks)
	for i := first / capacity; i < t.Seq.ChunkCount(); i++ {
		id, n := t.Seq.Chunk(i)
		if row := max(first-i*capacity, 0); row < n {
			t.pointRun(t.store.locAt(id, row), n-row)
		} else {
			t.store.stampRow(t.store.locAt(id, 0)) // rows at its end have gone
		}
	}
}

// carryStamps is pack for the stamps of chunks from which rows move to others. Stamps are per chunk,
// so it takes one step for rows that share both chunks, not one for each row.
func (g *gaps) carryStamps(first int) {
	seq, to := g.t.Seq, first
	capacity := seq.Capacity()
	for from, end := range g.marks.Runs(first, seq.Len(), false) {
		for from < end {
			g.t.carried(seq.At(from), seq.At(to))
			n := min(end-from, capacity-from%capacity, capacity-to%capacity)
			from, to = from+n, to+n
		}
	}
}

// packBits is pack for the presence bits of an optional component. It copies the old bits to scratch,
// clears them with their counts, and sets each bit of a kept row at its new number:
//
//	new number = old number - holes before it
//
// The cost is the number of bits that are set, and a look at each word.
func (g *gaps) packBits(x *Opt, first int) {
	t, capacity := g.t, g.t.Seq.Capacity()
	base := first / capacity
	bitsFrom := x.Bits[base*t.stride:]
	old := append(t.store.bits[:0], bitsFrom...)
	t.store.bits = old
	clear(bitsFrom)
	for i := base; i < len(x.Counts); i++ {
		x.count(i*t.stride, -int(x.Counts[i]))
	}
	gone, word := 0, first/64 // holes in the words of marks before word
	for k, w := range old {
		for ; w != 0; w &= w - 1 {
			row := (base+k/t.stride)*capacity + k%t.stride*64 + trailingZeros(w)
			if g.marks.Has(row) { // its bit goes with it
				continue
			}
			for ; word < row/64; word++ {
				gone += bits.OnesCount64(g.marks[word])
			}
			to := row
			if row > first {
				to -= gone + bits.OnesCount64(g.marks[row/64]&(1<<(row%64)-1))
			}
			at := to / capacity
			x.set(at*t.stride+(to-at*capacity)/64, 1<<((to-at*capacity)%64))
		}
	}
}

// dropLast removes the last n rows. Their entries point elsewhere. Each chunk that loses rows is
// stamped while it still has one.
func (t *Table) dropLast(n int) {
	for n > 0 {
		k := min(n, int(t.Seq.Last().Row())+1)
		if len(t.opts) > 0 {
			t.unsetLast(k)
		}
		t.store.IDs.CellOf(t.Seq.Last()).Stamp = t.store.manager.Tick()
		t.Seq.DropTail(k)
		n -= k
	}
}

// unsetLast clears the presence bits of the last n rows, all in one chunk. Bits behind the last row
// are always 0, which append relies on.
func (t *Table) unsetLast(n int) {
	from := t.bitAt(t.Seq.Last()) - n + 1
	for _, x := range t.opts {
		for b := from; b < from+n && x.Count > 0; b = (b | 63) + 1 {
			w := x.Bits[b/64] & between(b, from+n)
			x.Bits[b/64] &^= w
			x.count(b/64, -bits.OnesCount64(w))
		}
	}
}
