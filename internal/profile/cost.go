package profile

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// strategies are what Choice.Use can be, in the order in which costs are written.
func strategies() []string { return []string{"direct", "gathered", "cached"} }

// Costs are medians of a trial. What was not tried, or is not known, is 0.
type Costs struct {
	Direct, Gathered, Cached RowCost
}

// RowCost is the time that a row takes a system, gathering included, in picoseconds.
type RowCost uint64

const costMax = text.NumberMax*1000 + 999

// RowCostOf is a cost that was measured in nanoseconds: at least a picosecond, because 0
// means that none is known.
func RowCostOf(ns float64) RowCost {
	if !(ns > 0) { // or is not a number
		return 0
	}
	return RowCost(min(max(math.Round(ns*1000), 1), costMax))
}

// Nanoseconds is the cost as people count it.
func (c RowCost) Nanoseconds() float64 { return float64(c) / 1000 }

// String is the cost with all its decimals, as in 4.13ns.
func (c RowCost) String() string {
	s := fmt.Sprintf("%d.%03d", c/1000, c%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "ns"
}

// Read is the inverse of String; it takes fewer decimals and more zeros. It tells whether the word
// is a cost above 0.
func (c *RowCost) Read(word string) bool {
	digits, unit := strings.CutSuffix(word, "ns")
	whole, part, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 31)
	thousandths, errPart := strconv.ParseUint((part + "000")[:max(len(part), 3)], 10, 10)
	*c = RowCost(n*1000 + thousandths)
	return unit && err == nil && errPart == nil && len(part) <= 3 && !strings.HasSuffix(digits, ".") && *c > 0
}

// Like says how a word that Read takes looks.
func (c RowCost) Like() string {
	return "nanoseconds a row above 0, with at most 3 decimals, as in 4.13ns"
}

// of is where the cost of a strategy is; nil if it is not one.
func (c *Costs) of(strategy string) *RowCost {
	switch strategy {
	case "direct":
		return &c.Direct
	case "gathered":
		return &c.Gathered
	case "cached":
		return &c.Cached
	}
	return nil
}

// Of is the cost of a strategy, 0 if it is not known.
func (c Costs) Of(strategy string) RowCost {
	if cost := c.of(strategy); cost != nil {
		return *cost
	}
	return 0
}

// Set notes the cost of a strategy.
func (c *Costs) Set(strategy string, cost RowCost) {
	into := c.of(strategy)
	if into == nil {
		panic(fmt.Sprintf("profile: %q is not a strategy: direct, gathered and cached are", strategy))
	}
	*into = cost
}

// Best is the cheapest strategy of those measured besides one; "" if there is none.
func (c Costs) Best(besides string) (best string) {
	for _, s := range strategies() {
		if s != besides && c.Of(s) > 0 && (best == "" || c.Of(s) < c.Of(best)) {
			best = s
		}
	}
	return best
}
