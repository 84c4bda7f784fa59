// Package questions has contests about small questions, which come up first for the writer of a store.
//
//	fill      an array by number, a Go map, a sparse set and Ashlar, where 1, 10 or 100 % have a value
//	sorting   the three ways of sorting, of rows with 1, 4 and 16 columns
package questions

import (
	"math"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// value is a component.
type value struct{ X, Y float64 }

// Contests lists the questions, at full size or small.
func Contests(quick bool) (list []candidate.Contest) {
	many, rows := 1_000_000, 100_000
	if quick {
		many, rows = 10_000, 1000
	}
	for _, percent := range []int{1, 10, 100} {
		list = append(list, fills(many, percent)...)
	}
	for _, columns := range []int{1, 4, 16} {
		list = append(list, sorting(rows, columns))
	}
	return list
}

// contest is a question of n entities.
func contest(name string, n int) candidate.Contest {
	return candidate.Contest{Part: "questions", Name: name, Entities: n, Ops: n}
}

// newWorld is a world that logs nothing.
func newWorld() *ecs.World {
	return ecs.New(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Log: func(string) {}}}})
}

// sum is a digest of numbers.
func sum(v float64) uint64 { return math.Float64bits(v) }
