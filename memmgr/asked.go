package memmgr

import (
	"slices"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// With returns the options with what a layout says of sequences: those that are cold, those that lie
// beside each other, and how many rows there will be. Take Layout.In first if the layout is about several
// worlds.
func (o AdaptOptions) With(l layout.Layout) AdaptOptions {
	o.Cold, o.Order, o.Expected = slices.Clone(o.Cold), slices.Clone(o.Order), slices.Clone(o.Expected)
	for _, s := range l.Statements {
		switch s.Word {
		case layout.Cold:
			o.Cold = append(o.Cold, s.Name)
		case layout.Near:
			o.Order = near(o.Order, s.Name, s.With)
		case layout.Rows:
			o.Expected = append(o.Expected, Expected{s.Name, s.N})
		}
	}
	return o
}

// near puts a name behind another one in a list, and both at its end if it lacks the first.
func near(list []string, first, second string) []string {
	if slices.Contains(list, second) {
		return list
	}
	at := slices.Index(list, first) + 1
	if at == 0 {
		return append(list, first, second)
	}
	return slices.Insert(list, at, second)
}
