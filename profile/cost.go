package profile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// strategies are the values of Choice.Use, in the order in which costs are written.
func strategies() []string { return []string{"direct", "gathered", "cached"} }

// Costs are the medians of a trial. A cost of 0 was not tried or is not known.
type Costs struct {
	Direct   RowCost `key:"direct" what:"cost" if:"set" merge:"longer" unit:"direct ns/row"`
	Gathered RowCost `key:"gathered" what:"cost" if:"set" merge:"longer" unit:"gathered ns/row"`
	Cached   RowCost `key:"cached" what:"cost" if:"set" merge:"longer" unit:"cached ns/row"`
}

// RowCost is a system's time per row in picoseconds, gathering included.
type RowCost uint64

const costMax = text.NumberMax*1000 + 999

// RowCostOf converts a cost in nanoseconds. The result is at least one picosecond, because 0
// means unknown.
func RowCostOf(ns float64) RowCost {
	if !(ns > 0) { // also true for NaN
		return 0
	}
	return RowCost(min(max(math.Round(ns*1000), 1), costMax))
}

// Nanoseconds returns the cost in nanoseconds.
func (c RowCost) Nanoseconds() float64 { return float64(c) / 1000 }

// String is the cost with all its decimals, as in 4.13ns.
func (c RowCost) String() string {
	s := fmt.Sprintf("%d.%03d", c/1000, c%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "ns"
}

// Read is the inverse of String, and also accepts fewer decimals and more zeros. It reports
// whether the word is a cost above 0.
func (c *RowCost) Read(word string) bool {
	digits, unit := strings.CutSuffix(word, "ns")
	whole, part, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 31)
	thousandths, errPart := strconv.ParseUint((part + "000")[:max(len(part), 3)], 10, 10)
	*c = RowCost(n*1000 + thousandths)
	return unit && err == nil && errPart == nil && len(part) <= 3 && !strings.HasSuffix(digits, ".") && *c > 0
}

// Like describes the words that Read accepts.
func (c RowCost) Like() string {
	return "nanoseconds a row above 0, with at most 3 decimals, as in 4.13ns"
}

// of returns a pointer to the cost of a strategy, or nil for an unknown strategy.
func (c *Costs) of(strategy string) *RowCost {
	if i := slices.Index(strategies(), strategy); i >= 0 {
		return []*RowCost{&c.Direct, &c.Gathered, &c.Cached}[i]
	}
	return nil
}

// Of returns the cost of a strategy, 0 if it is not known.
func (c Costs) Of(strategy string) RowCost {
	if cost := c.of(strategy); cost != nil {
		return *cost
	}
	return 0
}

// Set stores the cost of a strategy.
func (c *Costs) Set(strategy string, cost RowCost) {
	into := c.of(strategy)
	if into == nil {
		panic(fmt.Sprintf("profile: %q is not a strategy: use direct, gathered or cached", strategy))
	}
	*into = cost
}

// Best returns the cheapest measured strategy other than the given one, or "".
func (c Costs) Best(besides string) (best string) {
	for _, s := range strategies() {
		if s != besides && c.Of(s) > 0 && (best == "" || c.Of(s) < c.Of(best)) {
			best = s
		}
	}
	return best
}
