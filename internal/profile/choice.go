package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Choice is how a system gets a component that its group does not own, for the rows of one group.
type Choice struct {
	Group     string
	Component string // as in Shared
	Use       string // "direct", "gathered" or "cached"
	Frames    uint64 // of the run that Use and Costs are of, in which the system had rows there
	Chunks    uint64 // that the system went over through a cached view, summed over frames
	Stale     uint64 // of these, had to be gathered
	Order     int    // of 100 rows, how many lie right behind the one before in the owner's chunks, as last looked at
	Costs     Costs
}

// choiceOf is a choice with its system.
type choiceOf struct {
	system string
	Choice
}

// strategies are what Choice.Use can be, in the order in which costs are written.
func strategies() []string { return []string{"direct", "gathered", "cached"} }

func readChoice(c *text.Cursor) statement {
	h := choiceOf{system: c.Name("the system's name"), Choice: Choice{Group: c.Name("the group's name"), Component: c.Name("the component's name")}}
	h.Use = c.Choice("strategy", strategies()...)
	fields := []text.Field{{Key: "order", Optional: true, Read: func(key string) { h.Order = int(c.Number(key, 100)) }}}
	for _, s := range strategies() {
		fields = append(fields, text.Field{Key: s, Optional: true, Read: func(key string) {
			c.Text("cost", "nanoseconds a row above 0, with at most 3 decimals, as in 4.13ns", func(word string) bool {
				cost, ok := parseCost(word)
				h.Costs.Set(key, cost)
				return ok && cost > 0
			})
		}})
	}
	c.Fields(h.figures(), fields...)
	return h
}

func (c *Choice) figures() []text.Figure {
	return []text.Figure{{Key: "frames", Value: &c.Frames}, {Key: "chunks", Value: &c.Chunks}, {Key: "stale", Value: &c.Stale}}
}

func (c choiceOf) subject() string { return text.Subject("choice", c.system, c.Group, c.Component) }

func (c choiceOf) rest() string {
	rest := " " + c.Use + text.Write(c.figures())
	if c.Order != 0 {
		rest += fmt.Sprintf(" order %d", c.Order)
	}
	for _, s := range strategies() {
		if cost := c.Costs.Of(s); cost > 0 {
			rest += " " + s + " " + cost.String()
		}
	}
	return rest
}

func (c choiceOf) problem() string {
	switch {
	case !slices.Contains(strategies(), c.Use):
		return fmt.Sprintf("%.40q is not a strategy: direct, gathered and cached are", c.Use)
	case c.Order < 0 || c.Order > 100:
		return fmt.Sprintf("order %d: it is a number of rows out of 100", c.Order)
	case max(c.Costs.Direct, c.Costs.Gathered, c.Costs.Cached) > costMax:
		return fmt.Sprintf("its cost is too high: at most %v a row is allowed", RowCost(costMax))
	}
	return badNames(c.Group, c.Component)
}

// merge sums up what is a sum. Costs of two machines have no mean, so the strategy and its
// costs are those of the longer run. Its frames are not added: otherwise the order of
// merging would decide which run is the longer one.
func (c choiceOf) merge(with statement) (statement, bool) {
	d := with.(choiceOf)
	chunks, stale := add(c.Chunks, d.Chunks), add(c.Stale, d.Stale)
	if cmp.Or(
		cmp.Compare(c.Frames, d.Frames), cmp.Compare(c.Use, d.Use), cmp.Compare(c.Order, d.Order),
		cmp.Compare(c.Costs.Direct, d.Costs.Direct), cmp.Compare(c.Costs.Gathered, d.Costs.Gathered), cmp.Compare(c.Costs.Cached, d.Costs.Cached),
	) < 0 {
		c = d
	}
	c.Chunks, c.Stale = chunks, stale
	return c, true
}

func (c choiceOf) compared(frames uint64) (string, []Figure) {
	figures := []Figure{per(c.Chunks, frames, "chunks/frame"), per(c.Stale, frames, "stale chunks/frame")}
	for _, s := range strategies() {
		if cost := c.Costs.Of(s); cost > 0 {
			figures = append(figures, Figure{Unit: s + " ns/row", Is: cost.Nanoseconds()})
		}
	}
	return " " + c.Use, figures
}

func (c choiceOf) lacks(s *index) string {
	if !s.systems[c.system] || !s.group(c.Group) || !s.field(c.Component) {
		return "the program has no such system, group or component"
	}
	return ""
}

func (c choiceOf) into(p *Profile) {
	s := p.system(c.system)
	s.Choices = append(s.Choices, c.Choice)
}

// Costs are medians of a trial. What was not tried, or is not known, is 0.
type Costs struct {
	Direct, Gathered, Cached RowCost
}

// RowCost is the time that a row takes a system, gathering included, in picoseconds.
type RowCost uint64

// RowCostOf is a cost that was measured in nanoseconds: at least a picosecond, because 0
// means that none is known.
func RowCostOf(ns float64) RowCost {
	if !(ns > 0) { // or is not a number
		return 0
	}
	return RowCost(min(max(math.Round(ns*1000), 1), costMax))
}

const costMax = text.NumberMax*1000 + 999

// Nanoseconds is the cost as people count it.
func (c RowCost) Nanoseconds() float64 { return float64(c) / 1000 }

// String is the cost with all its decimals, as in 4.13ns.
func (c RowCost) String() string {
	s := fmt.Sprintf("%d.%03d", c/1000, c%1000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "ns"
}

// parseCost is the inverse of String; it takes fewer decimals and more zeros.
func parseCost(s string) (c RowCost, ok bool) {
	digits, unit := strings.CutSuffix(s, "ns")
	whole, part, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 31)
	thousandths, errPart := strconv.ParseUint((part + "000")[:max(len(part), 3)], 10, 10)
	ok = unit && err == nil && errPart == nil && len(part) <= 3 && !strings.HasSuffix(digits, ".")
	return RowCost(n*1000 + thousandths), ok
}

// Of is the cost of a strategy, 0 if it is not known.
func (c Costs) Of(strategy string) RowCost {
	switch strategy {
	case "direct":
		return c.Direct
	case "gathered":
		return c.Gathered
	case "cached":
		return c.Cached
	}
	return 0
}

// Set notes the cost of a strategy.
func (c *Costs) Set(strategy string, cost RowCost) {
	switch strategy {
	case "direct":
		c.Direct = cost
	case "gathered":
		c.Gathered = cost
	case "cached":
		c.Cached = cost
	default:
		panic(fmt.Sprintf("profile: %q is not a strategy: direct, gathered and cached are", strategy))
	}
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
