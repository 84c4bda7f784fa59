package policy

import "math/bits"

// Costs are in tenths of a nanosecond of a machine of 2026. Decisions depend on their ratios alone.
// The decisions are shown by `go -C bench run . -sweep`.
const (
	costValue  = 11      // 16 bytes that are gathered or put back
	costTable  = 250     // a table that a system visits, or a run of rows
	CostMove   = 350     // a row that moves, beside its columns, and beside a bit
	costColumn = 40      // 16 bytes of a row that moves; twice that with each fourfold size of the tables
	CostMake   = 300_000 // a table that is made
	costEmpty  = 512     // bytes without a value that cost one unit a frame
)

const (
	runRows = 16 // rows of a run that is passed in place: walk.RunLength
	piece   = 16 // bytes of a column
)

// MoveCost is the cost of a row that moves, among rows of so many bytes.
func MoveCost(width, bytes int64) int64 { return CostMove + scaled(costColumn, bytes)*Pieces(width) }

// scaled doubles a cost with each fourfold size above 1 MiB.
func scaled(cost, bytes int64) int64 { return cost << (bits.Len64(uint64(bytes>>20)) / 2) }

// Pieces is how many parts of 16 bytes a value has. Copying it costs as many.
func Pieces(bytes int64) int64 { return (bytes + piece - 1) / piece }

// cost predicts a frame's cost if some components are fixed, and the others optional.
func (f *Facts) cost(fixed uint64) (total int64) {
	for i := range f.Counted {
		if c := &f.Counted[i]; fixed>>i&1 != 0 {
			total += c.changes * c.move / each
		} else {
			total += max(c.among-c.Have, 0) * c.Size / costEmpty
		}
	}
	tables := f.tables(fixed)
	if fixed != 0 && f.making > 0 {
		total += f.making * CostMake / each * tables / max(f.tables(f.now), 1)
	}
	for i := range f.Systems {
		s := &f.Systems[i]
		total += max(tables>>bits.OnesCount64((s.Required|s.Excluded)&fixed), 1) * f.visit
		if loose := (s.Required | s.Excluded) &^ fixed; loose != 0 && s.Met > 0 {
			total += f.loop(s, loose)
		}
		for x := s.Maybe &^ (fixed | s.Required); x != 0; x &= x - 1 {
			total += s.Met * Pieces(f.Counted[bits.TrailingZeros64(x)].Size) * costValue
		}
	}
	return total
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
	return s.Met*s.Pieces*costValue + walked/runRows
}

// tables is how many tables with rows there would be. Where only some of the sets of components were
// looked at, and most of these differ, there are as many as components allow.
func (f *Facts) tables(fixed uint64) (n int64) {
	var seen seen
	for i := range f.Sets {
		seen.add(f.Sets[i].Bits&fixed, f.Sets[i].Rest)
	}
	for _, w := range seen {
		n += int64(bits.OnesCount64(w))
	}
	if f.Sampled && n*2 > int64(len(f.Sets)) {
		n = max(n, f.doubled(f.Living, fixed&^f.now))
		n = min(n, f.doubled(f.Living, fixed))
	}
	return n
}

// doubled is a number of tables after so many components have split each of them.
func (f *Facts) doubled(n int64, by uint64) int64 {
	for ; by != 0 && n < f.rows; by &= by - 1 {
		n *= 2
	}
	return min(n, f.rows)
}

// seenWords is the length of a set of hashes. With 512 sets of components, one in sixteen has its bit
// in common with another.
const seenWords = 64

// seen is a set of hashes of sets of components. It may tell of one that it does not have.
type seen [seenWords]uint64

func hash(set, rest uint64) (word, bit uint64) {
	h := (set ^ rest) * 0x9E3779B97F4A7C15
	h = (h ^ h>>29) * 0xBF58476D1CE4E5B9 >> 52
	return h / 64, h % 64
}

func (s *seen) add(set, rest uint64) {
	w, b := hash(set, rest)
	s[w] |= 1 << b
}

func (s *seen) has(set, rest uint64) bool {
	w, b := hash(set, rest)
	return s[w]>>b&1 != 0
}

// best descends from an assignment, one component at a time, to one that costs least.
func (f *Facts) best(from uint64) (fixed uint64, least int64) {
	fixed, least = from, f.cost(from)
	for again := true; again; {
		again = false
		from = fixed
		for i := range f.Counted {
			if x := f.cost(from ^ 1<<i); x < least {
				fixed, least, again = from^1<<i, x, true
			}
		}
	}
	return fixed, least
}

// choose returns the assignment that costs least, of three descents: from the present one, from all
// fixed and from none. Of equals it takes the first.
func (f *Facts) choose() (fixed uint64, least int64) {
	fixed, least = f.best(f.now)
	for _, from := range [...]uint64{1<<len(f.Counted) - 1, 0} {
		if a, x := f.best(from); x < least {
			fixed, least = a, x
		}
	}
	return fixed, least
}

// price is the cost to go over to an assignment: all rows of tables that have a component, or
// would have room for it, move, and tables are made.
func (f *Facts) price(fixed uint64) int64 {
	rows, row := int64(0), int64(0)
	for x := fixed ^ f.now; x != 0; x &= x - 1 {
		c := &f.Counted[bits.TrailingZeros64(x)]
		rows, row = rows+c.among, max(row, c.move)
	}
	return min(rows, f.rows)*row + f.tables(fixed)*CostMake
}
