// Package questions has contests about the three ways of sorting, of rows with 1, 4 and 16 columns. Its test counts the
// memory that calls touch.
package questions

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// value is a component.
type value struct{ X, Y float64 }

// Contests are the ways of sorting, at full size or small.
func Contests(quick bool) (list []candidate.Contest) {
	rows := 100_000
	if quick {
		rows = 1000
	}
	for _, columns := range []int{1, 4, 16} {
		list = append(list, sorting(rows, columns))
	}
	return list
}

// newWorld is a world that logs nothing.
func newWorld() *ecs.World {
	return ecs.New(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Log: func(string) {}}}})
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
