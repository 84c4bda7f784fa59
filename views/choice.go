package views

import (
	"fmt"
	"slices"
)

// Strategy is how a system gets a component that the rows of its table do not have.
type Strategy uint8

const (
	// Unset is no strategy.
	Unset Strategy = iota
	// Direct passes the owner's own column: its rows are in this order already.
	Direct
	// Gathered copies the field just before each call and keeps nothing.
	Gathered
	// Cached copies the field into the chunk's annex, and again only the changed rows.
	Cached
)

func (s Strategy) String() string {
	return [...]string{"unset", "direct", "gathered", "cached"}[s]
}

// StrategyOf returns the strategy that a profile's word stands for: direct, gathered, cached,
// and gathered for none, which asks that nothing be kept. An empty word is Unset.
func StrategyOf(word string) (Strategy, error) {
	if word == "none" {
		return Gathered, nil
	}
	if i := slices.Index([]string{"", "direct", "gathered", "cached"}, word); i >= 0 {
		return Strategy(i), nil
	}
	return Unset, fmt.Errorf("views: %.40q is not a strategy: direct, gathered, cached and none are", word)
}

// Counts are the input of Choose. None of them is a time.
type Counts struct {
	InOrder bool // the rows are in long runs of the owner's order, and its column may be passed
	Rows    int  // of the readers' table
	Chunks  int  // of the owner, at each of which a check of a view looks
	Readers int  // columns that asked for these values in the last frame; 0: not known yet
	Moved   int  // of the last 8 frames, the number in which rows came, went or changed places
}

// Choose returns the strategy for the next walk. A cached view pays where it is read more often
// than it is gathered, and where it is gathered again by noted places. A single reader that finds
// other rows in most frames has neither, and gathers. `go -C bench run . -regret` compares
// the rule with each fixed strategy.
func Choose(c Counts) Strategy {
	switch {
	case c.InOrder:
		return Direct
	case c.Readers == 0 || c.Rows < RowsLeast || !c.Looks():
		return Gathered
	case c.Readers == 1 && c.Moved >= oftenOf8:
		return Gathered
	}
	return Cached
}

// Notes reports whether a gather notes where values are, for the next one. That takes 4 bytes a
// row. It pays unless rows come or go in most frames, and only one column of the frame (a reader) has to find
// them.
func Notes(c Counts) bool {
	return c.Looks() && (c.Readers > 1 || c.Moved < oftenOf8)
}

// Limits of the rule.
const (
	oftenOf8  = 6  // frames of 8 in which a view would be stale (TestStrategyFollowsCounts, bench -regret)
	RowsLeast = 64 // a page for a view, and its check, cost more than to copy fewer (BenchmarkReaders)
)

// Looks reports whether it pays to look at the owner's chunks for changes. A look at one
// costs as much as to find a row.
func (c Counts) Looks() bool { return c.Chunks <= max(RowsLeast, c.Rows/8) }
