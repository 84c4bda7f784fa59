package memmgr

import (
	"slices"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// With returns the options with what a layout says of sequences. Take Layout.In first if the layout is about several
// worlds.
//
//	cold   chunks in slots of their own go apart, to pages of the usual size; chunks in blocks and in stripes stay
//	near   where a region is emptied, chunks go to places by this order, and others behind them; nothing moves for
//	       order alone
//	rows   a long sequence has its chunks where they belong from the first on, in huge pages where these rows fill
//	       them, and a short one has that room at once
func (o AdaptOptions) With(l layout.Layout) AdaptOptions {
	o.cold, o.order, o.expected = slices.Clone(o.cold), slices.Clone(o.order), slices.Clone(o.expected)
	for _, s := range l.Statements {
		switch s.Word {
		case layout.Cold:
			o.cold = append(o.cold, s.Name)
		case layout.Near:
			o.order = near(o.order, s.Name, s.With)
		case layout.Rows:
			o.expected = append(o.expected, expected{s.Name, s.N})
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
