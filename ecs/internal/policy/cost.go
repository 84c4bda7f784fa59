package policy

import "math/bits"

// Costs are in tenths of a nanosecond of a machine of 2026. Decisions depend on their ratios alone.
// The decisions are shown by `go -C bench run . -sweep`.
const (
	costValue  = 11      // 16 bytes that are gathered or put back
	costTable  = 250     // a table that a system visits, less where a cache has all; or a run of rows
	CostMove   = 350     // a row that moves, beside its columns, and beside a bit; more where there are many tables
	costColumn = 40      // 16 bytes of a row that moves; twice that with each fourfold size of the tables
	costSwap   = 500     // two rows that change places, beside their columns
	CostMake   = 300_000 // a table that is made
	costEmpty  = 512     // bytes without a value that cost one unit a frame
	costPass   = 2       // 16 bytes that a system is passed in place

	runRows = 16 // rows of a run that is passed in place: walk.RunLength
	piece   = 16 // bytes of a column

	tableBytes = 2 << 10 // of a table beside its rows: a row that moves looks at both tables, and at an edge
)

// MoveCost is the cost of a row that moves, among rows of so many bytes.
func MoveCost(width, bytes int64) int64 { return CostMove + scaled(costColumn, bytes)*Pieces(width) }

// SwapCost is the cost of two rows that change places, likewise.
func SwapCost(width, bytes int64) int64 { return costSwap + scaled(costColumn, bytes)*Pieces(width) }

// scaled doubles a cost with each fourfold size above 1 MiB.
func scaled(cost, bytes int64) int64 { return cost << (bits.Len64(uint64(bytes>>20)) / 2) }

// Pieces is how many parts of 16 bytes a value has. Copying it costs as many.
func Pieces(bytes int64) int64 { return (bytes + piece - 1) / piece }

// assignment is how components are stored, by place: fixed to begin with.
type assignment [most]Way

// fixed is a bit for each component that is fixed. Places beyond the last count as such.
func (a *assignment) fixed() (set uint64) {
	for i, w := range a {
		if w == Fixed {
			set |= 1 << i
		}
	}
	return set
}

// cost predicts a frame's cost by an assignment that makes so many tables. A row that comes or goes is
// out of order at about every second border between areas. One swap mends two changes of a component
// that orders rows, and fewer where there are more areas.
func (f *Facts) cost(a *assignment, tables int64) (total int64) {
	var fixed, order uint64
	comes, swaps, empty := f.turnover/2, int64(0), int64(0)
	far := scaled(CostMove, tables*tableBytes) - CostMove // beyond move
	for i := range f.Counted {
		c := &f.Counted[i]
		switch a[i] {
		case Fixed:
			fixed |= 1 << i
			total += c.changes * (c.move + far)
			comes += c.changes
			continue
		case Ordered:
			order |= 1 << i
			swaps += c.changes * c.swap / 2
		}
		empty += max(c.among-c.Have, 0) * c.Size / costEmpty
	}
	ordered := bits.OnesCount64(order)
	if ordered > OrderMost {
		return 1 << 62
	}
	total += comes*f.swap*(1<<ordered-1) + swaps*int64(1+ordered)/2
	if fixed != 0 {
		total += f.making * CostMake * tables / max(f.nowTables, 1)
	}
	total = total/each + empty
	for i := range f.Systems {
		s := &f.Systems[i]
		asked := s.Required | s.Excluded
		visits := max(tables>>bits.OnesCount64(asked&fixed), 1)
		if asked&^fixed != 0 && s.Met > 0 { // a further table of which rows or areas are told apart costs eight visits
			total += (visits - 1) * 8 * costTable
		}
		if in := asked & order; in != 0 {
			visits <<= bits.OnesCount64(order &^ in)
		}
		total += visits*f.visit + s.Met*s.Pieces*costPass
		if loose := asked &^ (fixed | order); loose != 0 && s.Met > 0 {
			total += f.loop(s, loose)
		}
		for x := s.Maybe &^ (fixed | s.Required); x != 0; x &= x - 1 {
			total += s.Met * Pieces(f.Counted[bits.TrailingZeros64(x)].Size) * costValue
		}
	}
	return total
}

// wide tells whether components that are not fixed take more of a row than they may.
func (f *Facts) wide(a *assignment) bool {
	bytes := int64(0)
	for i := range f.Counted {
		if a[i] != Fixed {
			bytes += f.Counted[i].Size
		}
	}
	return bytes > roomMost
}

// loop is the cost of a system beyond a walk of whole tables if some components have to be tested row
// by row. Where rows lie at random, a run is as long as rows between runs are rare.
func (f *Facts) loop(s *System, loose uint64) int64 {
	walked := s.Met
	for x := loose; x != 0; x &= x - 1 {
		i := bits.TrailingZeros64(x)
		c := &f.Counted[i]
		part := c.Have
		if s.Excluded>>i&1 != 0 {
			part = c.among - c.Have
		}
		walked = min(walked*c.among/max(part, 1), f.rows)
	}
	gone := max(walked-s.Met, 1)
	if length := max(walked/gone, 1); length >= runRows {
		return s.Met / length * costTable
	}
	return s.Met*s.Pieces*costValue + walked/runRows + 8*costTable
}

// tables is how many tables with rows there would be. Where only some of the sets of components were
// looked at, and most of these differ, each component that becomes fixed makes twice as many.
func (f *Facts) tables(fixed uint64) (n int64) {
	var seen seen
	for i := range f.Sets {
		w, bit := seen.at(f.Sets[i].Bits&fixed, f.Sets[i].Rest)
		n += int64(bits.OnesCount64(bit &^ *w))
		*w |= bit
	}
	if f.Sampled && n*2 > int64(len(f.Sets)) {
		n = max(n, min(f.Living<<min(bits.OnesCount64(fixed&^f.now.fixed()), bits.Len64(uint64(f.rows))), f.rows))
	}
	return n
}

// seen is a set of hashes of sets of components. It may tell of one that it does not have: among 512 sets,
// one in sixteen has its bit in common with another.
type seen [64]uint64

// at is where a set of components is noted.
func (s *seen) at(set, rest uint64) (word *uint64, bit uint64) {
	h := (set ^ rest) * 0x9E3779B97F4A7C15
	h = (h ^ h>>29) * 0xBF58476D1CE4E5B9 >> 52
	return &s[h/64], 1 << (h % 64)
}

// best descends from an assignment, one component at a time, to one that costs least.
func (f *Facts) best(a assignment) (_ assignment, least int64) {
	n := f.tables(a.fixed())
	least = f.cost(&a, n)
	for again := true; again; {
		again = false
		from, now := a, n
		for i := range f.Counted {
			other := f.tables(from.fixed() ^ 1<<i)
			for _, w := range [...]Way{Fixed, Optional, Ordered} {
				b, tables := from, now
				if b[i] = w; (w == Fixed) != (from[i] == Fixed) {
					tables = other
				}
				if w != Fixed && from[i] == Fixed && f.wide(&b) {
					continue
				}
				if x := f.cost(&b, tables); x < least {
					a, n, least, again = b, tables, x, true
				}
			}
		}
	}
	return a, least
}

// choose returns the assignment that costs least, of three descents: from the present one, from all
// fixed and from none. Of equals it takes the first.
func (f *Facts) choose() (a assignment, least int64) {
	a, least = f.best(f.now)
	for _, w := range [...]Way{Fixed, Optional} {
		var from assignment
		for i := range f.Counted {
			if from[i] = w; f.wide(&from) {
				from[i] = Fixed
			}
		}
		if b, x := f.best(from); x < least {
			a, least = b, x
		}
	}
	return a, least
}

// price is the cost to go over to an assignment. All rows of tables that have a component, or
// would have room for it, move, and tables are made. An edge is found for each set of components,
// which costs an eighth of a table. Rows change places to be in an order, and to
// leave it costs as much: it may have to be entered again.
func (f *Facts) price(a *assignment) (price int64) {
	rows, row := int64(0), int64(0)
	for i := range f.Counted {
		c, was := &f.Counted[i], f.now[i]
		if (a[i] == Fixed) != (was == Fixed) {
			rows, row = rows+c.among, max(row, c.move)
		}
		if (a[i] == Ordered) != (was == Ordered) {
			price += min(c.Have, max(c.among-c.Have, 0)) * c.swap / 2
		}
	}
	if rows > 0 {
		price += f.tables(a.fixed())*CostMake + f.tables(^uint64(0))*CostMake/8
	}
	return price + min(rows, f.rows)*row
}
