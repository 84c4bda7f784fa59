package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile"
)

// togetherMost is how many pairs the table of columns that are used together has.
const togetherMost = 20

// pair is two columns that systems ask for in the same rows, in the order of their names.
type pair struct{ a, b string }

// together lists pairs of components, or of fields where systems ask for these alone, by how many rows systems
// walk with both.
func together(p profile.Profile) table {
	rows, by := make(map[pair]uint64), make(map[pair]int)
	for _, s := range p.Systems {
		columns := columnsOf(s)
		names := slices.Sorted(maps.Keys(columns))
		for i, a := range names {
			for _, b := range names[i+1:] {
				rows[pair{a, b}] += min(columns[a], columns[b])
				by[pair{a, b}]++
			}
		}
	}
	pairs := slices.SortedFunc(maps.Keys(rows), func(x, y pair) int {
		return cmp.Or(cmp.Compare(rows[y], rows[x]), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	t := newTable("<used together", "<with", "rows", "systems")
	for _, k := range pairs[:min(len(pairs), togetherMost)] {
		t.add(legible(k.a), legible(k.b), mean(rows[k], p.Frames), fmt.Sprint(by[k]))
	}
	return t
}

// columnsOf is the rows of each component that a system asks for, or of each of its fields that it has alone.
func columnsOf(s profile.System) map[string]uint64 {
	rows := make(map[string]uint64)
	for _, a := range s.Access {
		alone := false
		for _, f := range s.Fields {
			if strings.HasPrefix(f.Path, a.Component+".") && f.Write == a.Write {
				rows[f.Path] += a.Rows
				alone = true
			}
		}
		if !alone {
			rows[a.Component] += a.Rows
		}
	}
	return rows
}
