package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Costs in picoseconds for each byte of a row: the program of bench -advice, each system by itself.
const (
	copyPs  = 65 // to copy a field for a call, or to put it back
	splitPs = 60 // to put a whole together from its fields, or to take it apart
	wastePs = 50 // of a line, in more memory than the caches have, that no field of the system is in
)

// split finds components of which systems ask for fields, over rows that have the component. Registered split, each
// field is a column of its own: nothing is copied, and lines hold nothing else. Systems that ask for all of it lose.
func split(x in) (lines []Line) {
	for _, c := range x.p.Components {
		var gain, loss uint64 // nanoseconds of a frame
		var systems []string
		rows, asked, touched := uint64(0), uint64(0), uint64(0)
		for i := range x.p.Systems {
			s := &x.p.Systems[i]
			w := walkOf(s)
			for _, a := range s.Access {
				if a.Component != c.Name || a.Scattered || declared(a.Group) || a.Rows == 0 || a.Lines == 0 || s.Frames == 0 {
					continue
				}
				n, copied := a.Rows/s.Frames, a.Bytes/a.Rows
				moved := times(a.Lines, lineBytes)
				waste := above(share(1, moved, a.Rows), copied)
				if a.Write {
					copied *= 2
				}
				switch far := moved/s.Frames > x.cached; {
				case a.Bytes/a.Rows >= uint64(c.Size):
					loss += uint64(x.inFrame(s, times(times(copied, splitPs), n)))
					continue
				case !far:
					waste = 0
				}
				gain += uint64(x.inFrame(s, times(min(times(copied, copyPs)+times(waste, wastePs), above(w.ps, ownPs)), n)))
				if q := quote(s.Name); !slices.Contains(systems, q) {
					systems = append(systems, q)
				}
				rows, asked, touched = max(rows, n), asked+a.Bytes/s.Frames, touched+moved/s.Frames
			}
		}
		if gain <= 2*loss {
			continue
		}
		lines = append(lines, Line{
			Rule: "split", System: strings.Join(systems, ","), Group: c.Name, Time: time.Duration(gain - loss),
			Why: fmt.Sprintf("Systems ask for fields of %s (%d B), over up to %d rows that have it: %s. Of the cache lines, they use %d %%.",
				quote(c.Name), c.Size, rows, strings.Join(systems, ", "), share(100, asked, touched)),
			Code: fmt.Sprintf("ecs.RegisterSplit[%s](w, %q) // in place of ecs.Register", title(c.Name), c.Name),
		})
	}
	return lines
}
