package store

import (
	"math"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// Up to three optional components may order the tables of the commons: rows with the same bits of
// them lie together. Bits stay the truth. A change writes bits and leaves the row where it is. Before
// systems run, rows in a wrong area change places, in pairs as a rule.
//
//	areas by A and B    none        │ A        │ A B      │ B         neighbours differ in one bit
//	after changes       ···a····    │ AAA·AAAA │          │
//	                       └─────────────┘                            one swap mends two changes
//
// The order is found from bits alone, so nothing is kept up to date for it, and to leave it is free.
// Walks gain by counts: most chunks are full or empty, and need no test. The order of rows is a
// function of bits and of frames, never of time.

// OrderBy has rows of the commons lie in the order of optional components, from the next frame on.
// Without any they stay as they are. Components that are not optional order nothing. It panics
// if there are more than three.
func (s *Store) OrderBy(comps ...*Component) {
	if len(comps) > policy.OrderMost {
		panic("store: more than three components are to order rows")
	}
	s.order.by = slices.Clone(comps)
	for _, t := range s.Commons.tables {
		t.arranged = arranged{}
	}
}

// OrderedBy are the components by which rows lie in order.
func (s *Store) OrderedBy() []*Component { return s.order.by }

// KeepOrder leaves the rows of a table in the order that code gives them, for good.
func (t *Table) KeepOrder() { t.kept = true }

// BeginFrame puts rows in order, before systems run. It spends at most the policy's budget, and a swap
// more. It waits while rows move to other tables. Without an order it costs a comparison.
func (s *Store) BeginFrame() {
	if len(s.order.by) == 0 || s.working {
		return
	}
	s.left = s.policy.Budget()
	for _, t := range s.Commons.tables {
		if s.left <= 0 {
			break
		}
		if t.kept || t.bits() == t.arranged {
			continue
		}
		cost := t.swapCost()
		n := int(min(s.left/cost+1, math.MaxInt32))
		k := s.order.arrange(t, n)
		if s.left -= int64(k) * cost; k < n {
			t.arranged = t.bits()
		}
	}
}

// bits is the state of a table now.
func (t *Table) bits() arranged {
	a := arranged{rows: t.Seq.Len()}
	for _, x := range t.opts {
		a.writes += x.writes
	}
	return a
}

// arrange brings one table in order. Its cost is two looks at the counts of each chunk, a look at the
// bits of chunks that are neither full nor empty, and the swaps.
func (o *arranger) arrange(t *Table, n int) (swaps int) {
	o.opts = o.opts[:0]
	for _, c := range o.by {
		if x := t.opt(c); x != nil && x.Count > 0 && x.Count < t.Seq.Len() {
			o.opts = append(o.opts, x)
		}
	}
	if len(o.opts) == 0 {
		return 0
	}
	o.findAreas(t)
	o.findWrong(t, n)
	return o.swap(t, n)
}

// rank is the number of the area of rows with the bits g, so that neighbours differ in one bit
// (F. Gray, 1953).
func rank(g int) int {
	g ^= g >> 1
	return g ^ g>>2
}

// alike is the area in which all n rows of a chunk belong, by counts; -1: they differ.
func (o *arranger) alike(chunk, n int) int {
	g := 0
	for k, x := range o.opts {
		switch int(x.Counts[chunk]) {
		case 0:
		case n:
			g |= 1 << k
		default:
			return -1
		}
	}
	return rank(g)
}

// divide finds which of a chunk's n rows belong in which area.
func (o *arranger) divide(t *Table, chunk, n int) {
	for a := range o.areas {
		o.rows[a] = fit(o.rows[a], (n+63)/64)
	}
	for w := 0; w*64 < n; w++ {
		var has [1 << policy.OrderMost]uint64
		has[0] = between(w*64, n)
		for k, x := range o.opts {
			set := x.Bits[chunk*t.stride+w]
			for g := range 1 << k {
				has[g|1<<k] = has[g] & set
				has[g] &^= set
			}
		}
		for g := range o.areas {
			o.rows[rank(g)][w] = has[g]
		}
	}
}

// findAreas finds where each area begins and ends: the rows that belong there are counted.
func (o *arranger) findAreas(t *Table) {
	o.areas = fit(o.areas, 1<<len(o.opts))
	clear(o.areas)
	for i := range t.Seq.ChunkCount() {
		_, n := t.Seq.Chunk(i)
		if a := o.alike(i, n); a >= 0 {
			o.areas[a].end += n
			continue
		}
		o.divide(t, i, n)
		for a := range o.areas {
			o.areas[a].end += popcount(o.rows[a])
		}
	}
	first := 0
	for a := range o.areas {
		o.areas[a] = area{first, first + o.areas[a].end}
		first = o.areas[a].end
	}
}

// findWrong lists rows that lie in an area and belong in another: at most n for each pair of areas.
func (o *arranger) findWrong(t *Table, n int) {
	for a := range o.areas {
		for b := range o.areas {
			o.wrong[a][b] = o.wrong[a][b][:0]
		}
	}
	capacity, in := t.Seq.Capacity(), 0
	for i := range t.Seq.ChunkCount() {
		_, rows := t.Seq.Chunk(i)
		first, end := i*capacity, i*capacity+rows
		for o.areas[in].end <= first {
			in++
		}
		if o.areas[in].end >= end && o.alike(i, rows) == in {
			continue
		}
		o.divide(t, i, rows)
		for a := in; a < len(o.areas) && o.areas[a].first < end; a++ {
			from, to := max(o.areas[a].first, first)-first, min(o.areas[a].end, end)-first
			for b := range o.areas {
				if b != a {
					o.wrong[a][b] = listed(o.wrong[a][b], n, o.rows[b], from, to, first)
				}
			}
		}
	}
}

// listed appends the numbers of the rows whose bits from one up to another are set, until there are
// n. Bit 0 is the row first.
func listed(rows []uint32, n int, words []uint64, from, to, first int) []uint32 {
	for b := from; b < to; b = (b | 63) + 1 {
		for w := words[b/64] & between(b, to); w != 0 && len(rows) < n; w &= w - 1 {
			rows = append(rows, uint32(first+b&^63+bits.TrailingZeros64(w)))
		}
	}
	return rows
}

// swap has rows that lie wrong change places, at most n times. Pairs of which each belongs where the
// other lies come first. Then a row goes where it belongs, and the other to where that was. Each swap
// brings one row home at least.
func (o *arranger) swap(t *Table, n int) (swaps int) {
	for _, pairs := range [...]bool{true, false} {
		for again := true; again; {
			again = false
			for a := range o.areas {
				for b := range o.areas {
					k := o.exchange(t, a, b, pairs, n-swaps)
					swaps, again = swaps+k, again || k > 0
				}
			}
		}
	}
	return swaps
}

// exchange brings rows that lie in a home to b, at most n.
func (o *arranger) exchange(t *Table, a, b int, pairs bool, n int) (swaps int) {
	for len(o.wrong[a][b]) > 0 && swaps < n {
		c := a // where the row belongs that makes room
		for !pairs && len(o.wrong[b][c]) == 0 {
			if c = (c + 1) % len(o.areas); c == a {
				return swaps
			}
		}
		if len(o.wrong[b][c]) == 0 {
			return swaps
		}
		x, y := pop(&o.wrong[a][b]), pop(&o.wrong[b][c])
		t.Swap(t.Seq.At(int(x)), t.Seq.At(int(y)))
		if c != a {
			o.wrong[a][c] = append(o.wrong[a][c], x)
		}
		swaps++
	}
	return swaps
}

func pop(list *[]uint32) (last uint32) {
	n := len(*list) - 1
	last, *list = (*list)[n], (*list)[:n]
	return last
}
