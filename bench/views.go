package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// viewRows are the rows of the table about views.
func viewRows() []row {
	five := readers{rows: k262, groups: 1, systems: 5, changed: 10}
	unchanged, tenth, inOrder, apart := five, five, five, five
	unchanged.changed = 0
	tenth.changed = 1
	inOrder.order = ordered
	apart.groups, apart.systems = 5, 1
	line := func(name string, r readers, rival func(readers) stage, against string, bar float64) row {
		return row{name: fmt.Sprintf("shared: %s, against %s", name, against), ops: r.rows * r.groups * r.systems, bar: bar, ratio: true,
			make: func() (ours, other, limit piece) { return r.piece(r.views(options())), r.piece(rival(r)), limit }}
	}
	many := func(rows, changed int) row {
		r := readers{rows: rows, groups: 1, systems: 400, changed: changed}
		return row{name: fmt.Sprintf("shared: 400 systems, %d rows, %d in 10 chunks changed, against ViewsOff", rows, changed), ops: rows * r.systems, bar: 1.05, ratio: true,
			make: func() (ours, other, limit piece) {
				return r.piece(r.views(viewing(ecs.Views{}))), r.piece(r.views(viewing(ecs.Views{Off: true}))), limit
			}}
	}
	return []row{
		many(64, 0), many(64, 10), many(1024, 0), many(1024, 10),
		line("5 systems, owner random, changed", five, readers.direct, "direct", 1./3),
		line("5 systems, owner random, changed", five, readers.inline, "inline", 1.1),
		line("5 systems, owner random, unchanged", unchanged, readers.inline, "inline", 0.6),
		line("5 systems, owner random, a tenth changed", tenth, readers.inline, "inline", 0.7),
		line("5 systems, owner in order, changed", inOrder, readers.inline, "inline", 0.8),
		line("5 groups, owner random, changed", apart, readers.direct, "direct", 1/1.8),
	}
}
