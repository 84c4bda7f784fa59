package views

import (
	"fmt"
	"strings"
)

// Strategy is how a system gets a component that its group does not own.
type Strategy uint8

const (
	// Unset is no strategy.
	Unset Strategy = iota
	// Direct passes the owner's own column, whose rows are in this order already.
	Direct
	// Gathered copies the field just before each call and keeps nothing.
	Gathered
	// Cached copies the field into the chunk's annex, and again only what has changed.
	Cached

	strategies = int(Cached) + 1
)

func (s Strategy) String() string {
	return [...]string{"unset", "direct", "gathered", "cached"}[s]
}

// StrategyOf returns the strategy that a profile's word stands for: direct, gathered, cached,
// and gathered for none, which asks that nothing be kept. An empty word is Unset.
func StrategyOf(word string) (Strategy, error) {
	switch word {
	case "":
		return Unset, nil
	case "direct":
		return Direct, nil
	case "gathered", "none":
		return Gathered, nil
	case "cached":
		return Cached, nil
	}
	return Unset, fmt.Errorf("views: %.40q is not a strategy: direct, gathered, cached and none are", word)
}

// Set is a set of strategies.
type Set uint8

// SetOf makes a set.
func SetOf(of ...Strategy) (set Set) {
	for _, s := range of {
		set |= 1 << s
	}
	return set
}

// Has tells whether a strategy is in the set.
func (set Set) Has(s Strategy) bool { return set>>s&1 != 0 }

func (set Set) String() string {
	var words []string
	for s := Direct; int(s) < strategies; s++ {
		if set.Has(s) {
			words = append(words, s.String())
		}
	}
	return strings.Join(words, ", ")
}
