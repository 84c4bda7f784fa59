package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
	"github.com/ashlar-go/ashlar/profile/layout"
)

const (
	tableNearPs = 30000 // for each table, in less memory than the caches have; tablePs in more
	apartLeast  = 4     // rows of its own have to save one part in so many: they take memory, and a birth writes two rows
)

// apartRows finds declared groups that have no rows of their own, where systems walk their components alone, and in so
// many tables that a good part of the time passes between these.
func apartRows(x in) (lines []Line) {
	for _, g := range x.p.Groups {
		if !declared(g.Name) || g.Peak > 0 {
			continue
		}
		var gain, all time.Duration
		var slow []string
		fits := true
		for _, w := range x.walks {
			in, out := w.asks(g)
			if in == nil {
				continue
			}
			tables, rows := uint64(0), uint64(0)
			for _, g := range x.tablesWith(in) {
				tables, rows = tables+1, rows+share(1, g.Rows, x.p.Frames)
			}
			fits = fits && !out && w.rows >= rows/10*9 // else it would have to gather, or to test each row
			between, bytes := uint64(tableNearPs), uint64(0)
			for _, a := range w.Access {
				bytes += max(a.Bytes, times(a.Lines, lineBytes)) / max(w.Frames, 1)
			}
			if bytes > x.cached {
				between = tablePs
			}
			all += w.inFrame(times(w.ps, w.rows))
			if saved := w.inFrame(min(times(above(w.ps, ownPs), w.rows), times(tables, between))); saved > 0 {
				gain += saved
				slow = append(slow, fmt.Sprintf("%s walks %d rows in %d tables", text.Quote(w.Name), w.rows, tables))
			}
		}
		if fits && gain > 0 && gain >= all/apartLeast {
			lines = append(lines, Line{
				Rule: "apart", Group: g.Name, Time: gain, Why: strings.Join(slow, ", "),
				Code: "In a layout: apart " + text.Quote(g.Name),
			})
		}
	}
	return lines
}

// asks lists the components of a group that a system asks for, and tells whether it asks for others, too.
func (w walk) asks(g profile.Group) (in []string, others bool) {
	for _, a := range w.Access {
		switch {
		case !slices.Contains(g.Owns, a.Component):
			others = true
		case !slices.Contains(in, a.Component):
			in = append(in, a.Component)
		}
	}
	return in, others
}

// tablesWith lists the tables that have all of some components, and a row on average.
func (x in) tablesWith(components []string) (list []profile.Group) {
	for _, g := range x.p.Groups {
		if share(1, g.Rows, x.p.Frames) > 0 && !slices.ContainsFunc(components, func(c string) bool { return !slices.Contains(g.Owns, c) }) {
			list = append(list, g)
		}
	}
	return list
}

// parted states the groups that rule apart finds.
func parted(x in) (list []layout.Statement) {
	for _, l := range apartRows(x) {
		if l.Time >= timeLeast {
			list = append(list, layout.Statement{Word: layout.Apart, Name: l.Group, Why: fmt.Sprintf("%s; about %v a frame less", l.Why, rounded(l.Time))})
		}
	}
	return list
}
