package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shared is a view as a run used it: a component, or a field of one, that systems ask
// for in a group that does not own it. Its figures are summed over frames.
type Shared struct {
	Group     string
	Component string // with a field's path behind a dot, if only that is asked for
	Readers   int    // systems that ask for it
	Built     uint64 // chunks that were gathered as a whole
	Refreshed uint64 // chunks of which the rows that may have changed were gathered
	Reused    uint64 // chunks that were good as they were
	Bytes     uint64 // gathered
	Dropped   uint64 // bytes of annexes given back
}

// Choice is how a system gets such a component for the rows of one group.
type Choice struct {
	Group     string
	Component string // as in Shared
	Use       string // "alias", "stream" or "keep"
	Frames    uint64 // of the run that Use and Costs are of, in which the system had rows there
	Chunks    uint64 // that the system went over through a kept view, summed over frames
	Stale     uint64 // of these, had to be gathered
	Order     int    // of 100 rows, how many lie right behind the one before in the owner's chunks, as last looked at
	Costs     Costs
}

// Costs are medians of a trial. What was not tried, or is not known, is 0.
type Costs struct {
	Alias, Stream, Keep RowCost
}

// RowCost is the time that a row takes a system, what is gathered for it included, in
// picoseconds.
type RowCost uint64

// RowCostOf is a cost that was measured in nanoseconds: at least a picosecond, since 0
// is none.
func RowCostOf(ns float64) RowCost {
	if !(ns > 0) { // or is none
		return 0
	}
	return RowCost(min(max(math.Round(ns*1000), 1), costMax))
}

// Nanoseconds is the cost as people count it.
func (c RowCost) Nanoseconds() float64 { return float64(c) / 1000 }

// String is the cost with all its decimals, as in 4.13ns.
func (c RowCost) String() string {
	text := fmt.Sprintf("%d.%03d", c/1000, c%1000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "ns"
}

const costMax = numberMax*1000 + 999

// parseCost is the inverse of String; it takes fewer decimals and more zeros.
func parseCost(text string) (c RowCost, ok bool) {
	digits, unit := strings.CutSuffix(text, "ns")
	whole, part, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 31)
	thousandths, errPart := strconv.ParseUint((part + "000")[:max(len(part), 3)], 10, 10)
	ok = unit && err == nil && errPart == nil && len(part) <= 3 && !strings.HasSuffix(digits, ".")
	return RowCost(n*1000 + thousandths), ok
}

// strategies are what Choice.Use can be, in the order in which Costs are written.
func strategies() []string { return []string{"alias", "stream", "keep"} }

// whole was a strategy: keep, in a view that held more. Files that have the word are read
// as if they had keep, without its cost.
const whole = "whole"

// keepForWhole is a strategy that was read.
func keepForWhole(use string) string {
	if use == whole {
		return "keep"
	}
	return use
}

// Of is the cost of a strategy.
func (c Costs) Of(strategy string) RowCost {
	if p := c.at(strategy); p != nil {
		return *p
	}
	return 0
}

// Set notes the cost of a strategy.
func (c *Costs) Set(strategy string, cost RowCost) {
	p := c.at(strategy)
	if p == nil {
		panic(fmt.Sprintf("profile: %q is no strategy: alias, stream and keep are", strategy))
	}
	*p = cost
}

func (c *Costs) at(strategy string) *RowCost {
	switch strategy {
	case "alias":
		return &c.Alias
	case "stream":
		return &c.Stream
	case "keep":
		return &c.Keep
	}
	return nil
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

func sharedSubject(s Shared) string { return subject("shared", s.Group, s.Component) }

func choiceSubject(system string, c Choice) string {
	return subject("choice", system, c.Group, c.Component)
}

func (s Shared) text() string {
	text := fmt.Sprintf("%s readers %d built %d refreshed %d reused %d bytes %d", sharedSubject(s), s.Readers, s.Built, s.Refreshed, s.Reused, s.Bytes)
	if s.Dropped > 0 {
		text += fmt.Sprintf(" dropped %d", s.Dropped)
	}
	return text
}

func (c Choice) text(system string) string {
	text := fmt.Sprintf("%s %s frames %d chunks %d stale %d", choiceSubject(system, c), c.Use, c.Frames, c.Chunks, c.Stale)
	if c.Order != 0 {
		text += fmt.Sprintf(" order %d", c.Order)
	}
	for _, s := range strategies() {
		if cost := c.Costs.Of(s); cost > 0 {
			text += " " + s + " " + cost.String()
		}
	}
	return text
}

func sharedKey(s Shared) Shared { return Shared{Group: s.Group, Component: s.Component} }

func mergeShared(s, t Shared) Shared {
	s.Readers = max(s.Readers, t.Readers)
	s.Built, s.Refreshed, s.Reused = add(s.Built, t.Built), add(s.Refreshed, t.Refreshed), add(s.Reused, t.Reused)
	s.Bytes, s.Dropped = add(s.Bytes, t.Bytes), add(s.Dropped, t.Dropped)
	return s
}

func choiceKey(c Choice) Choice { return Choice{Group: c.Group, Component: c.Component} }

// mergeChoice sums up what is a sum. What a strategy costs on two machines has no
// mean, so the strategy and its costs are those of the longer run: its frames stay as
// they are and are not added, or which run it is would depend on the order of merging.
func mergeChoice(c, d Choice) Choice {
	chunks, stale := add(c.Chunks, d.Chunks), add(c.Stale, d.Stale)
	if c.compare(d) < 0 {
		c = d
	}
	c.Chunks, c.Stale = chunks, stale
	return c
}

// compare is a total order of what is no sum.
func (c Choice) compare(d Choice) int {
	return cmp.Or(
		cmp.Compare(c.Frames, d.Frames), cmp.Compare(c.Use, d.Use), cmp.Compare(c.Order, d.Order),
		cmp.Compare(c.Costs.Alias, d.Costs.Alias), cmp.Compare(c.Costs.Stream, d.Costs.Stream),
		cmp.Compare(c.Costs.Keep, d.Costs.Keep),
	)
}

func badStrategy(use string) string {
	if !slices.Contains(strategies(), use) {
		return fmt.Sprintf("%.40q is no strategy: alias, stream and keep are", use)
	}
	return ""
}

func badOrder(order int) string {
	if order < 0 || order > 100 {
		return fmt.Sprintf("order %d: it is a number of rows of 100", order)
	}
	return ""
}

func badCost(c RowCost) string {
	if c > costMax {
		return fmt.Sprintf("a cost of %v a row: at most %v is taken", c, RowCost(costMax))
	}
	return ""
}

// facet is the choice as people compare it: how long the runs were is no difference.
func (c Choice) facet(system string, frames uint64) facet {
	s := choiceSubject(system, c)
	f := facet{s, s + " " + c.Use, []Figure{
		perFigure(c.Chunks, frames, "chunks/frame"), perFigure(c.Stale, frames, "stale chunks/frame")}}
	for _, use := range strategies() {
		if cost := c.Costs.Of(use); cost > 0 {
			f.figures = append(f.figures, Figure{Unit: use + " ns/row", Is: cost.Nanoseconds()})
		}
	}
	return f
}

func (s Shared) facet(frames uint64) facet {
	return facet{sharedSubject(s), sharedSubject(s), []Figure{
		perFigure(uint64(s.Readers), 1, "readers"),
		perFigure(s.Built, frames, "chunks built/frame"), perFigure(s.Refreshed, frames, "chunks refreshed/frame"), perFigure(s.Reused, frames, "chunks reused/frame"),
		perFigure(s.Bytes, frames, "bytes/frame"), perFigure(s.Dropped, frames, "bytes dropped/frame")}}
}

func (p *Profile) sharedTable() table {
	t := table{rows: [][]string{{"shared in", "component", "readers", "built", "refreshed", "reused", "bytes", "dropped"}}, left: []int{0, 1}}
	for _, s := range p.Shared {
		t.add(quote(s.Group), quote(s.Component), fmt.Sprint(s.Readers), perText(s.Built, p.Frames), perText(s.Refreshed, p.Frames),
			perText(s.Reused, p.Frames), perText(s.Bytes, p.Frames), perText(s.Dropped, p.Frames))
	}
	return t
}

func (p *Profile) choiceTable() table {
	t := table{rows: [][]string{{"choice of", "group", "component", "use", "alias/row", "stream/row", "keep/row", "chunks", "stale"}}, left: []int{0, 1, 2, 3}}
	for i := range p.Systems {
		s := &p.Systems[i]
		for _, c := range s.Choices {
			cells := []string{quote(s.Name), quote(c.Group), quote(c.Component), c.Use}
			for _, use := range strategies() {
				if cost := c.Costs.Of(use); cost > 0 {
					cells = append(cells, cost.String())
				} else {
					cells = append(cells, "–")
				}
			}
			t.add(append(cells, perText(c.Chunks, p.Frames), perText(c.Stale, p.Frames))...)
		}
	}
	return t
}
