package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/order"
)

// SortStats is what a SortAs has done so far.
type SortStats struct {
	Rows, As string // the groups
	Looked   uint64 // rows of readers that were looked up
	Skipped  uint64 // those that could not have changed
	Swapped  uint64 // rows that were put where they belong
	Rounds   uint64 // how often the last of the readers was reached
}

// SortStats returns what each SortAs has done, in the order of the calls.
func (w *World) SortStats() (list []SortStats) {
	for _, s := range w.made("SortStats").sorters.Stats() {
		list = append(list, SortStats(s))
	}
	return list
}

func (g *group) sort(compare func(a, b Entity) int) {
	g.w.mustIdle("Sort")
	if compare == nil {
		panic(fmt.Sprintf("ecs: Sort of group %s with a nil function: it is asked which of two entities comes first", g.name))
	}
	order.Sort(&g.w.base, g.owner, compare)
}

func (g *group) sortAs(readers AnyGroup, n int) {
	w := g.w
	w.mustIdle("SortAs")
	if n <= 0 {
		panic(fmt.Sprintf("ecs: SortAs of group %s with %d rows a frame: it takes at least 1, and Unsort ends it", g.name, n))
	}
	var as *group
	if readers != nil {
		as = readers.asGroup()
	}
	if as == nil {
		panic(fmt.Sprintf("ecs: SortAs of group %s as readers that are nil or the zero value: readers are a *Group from GroupOf", g.name))
	}
	if as.w != w {
		panic(fmt.Sprintf("ecs: SortAs of group %s as group %s of another world: take readers of the same world", g.name, as.name))
	}
	if !w.sorters.Set(g.owner, as.owner, n) {
		panic(fmt.Sprintf("ecs: SortAs of group %s as group %s, which are sorted as these rows: leave one of both as it is, Unsort ends its SortAs", g.name, as.name))
	}
}

func (g *group) unsort() {
	g.w.mustIdle("Unsort")
	g.w.sorters.Unset(g.owner)
}
