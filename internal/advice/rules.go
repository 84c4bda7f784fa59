package advice

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile"
)

const (
	orderedGainPs = 1700    // of a row that is gathered, in its readers' order against random (a Zen 3 guest)
	orderedRows   = 75      // of 100 in order: another order is not worth a word
	bytesLeast    = 1 << 20 // of memory that are worth a word
	slotBytes     = 64 << 10
)

// sortAs finds groups whose rows a system reaches through the index, and that do not fit
// into the caches, unless they lie in the order in which it comes. What it would gain is
// known where the profile knows the order.
func sortAs(x in) (lines []Line) {
	for _, s := range x.p.Systems {
		walked := ""
		for _, a := range s.Access {
			if !a.Scattered && walked == "" {
				walked = a.Group
			}
		}
		rate := x.rateOf(&s)
		if rate == 0 || s.Frames == 0 || walked == "" {
			continue
		}
		for _, a := range s.Access {
			bytes := a.Bytes / s.Frames
			order, known := orderOf(&s, walked, a.Component)
			if !a.Scattered || a.Group == walked || bytes <= x.cached || order >= orderedRows {
				continue
			}
			var l Line
			l.Text = fmt.Sprintf("%s: system %s reaches %s of %s by entity, %s a run, walking %s: SortAs would put the rows in that order",
				a.Group, s.Name, a.Component, a.Group, size(bytes), walked)
			if known {
				gain := times(times(a.Rows/s.Frames, uint64(100-order)), orderedGainPs) / 100
				l.Time = inTime(share(gain, rate, 1000))
				l.Text += fmt.Sprintf(", in which %d %% lie; about %v a run less", order, inTime(gain))
				if s.Timed > 0 {
					l.Text += fmt.Sprintf(" of %v", s.Times.P50.Round(100*time.Nanosecond))
				}
			}
			if !slices.ContainsFunc(lines, func(o Line) bool { return o.Text == l.Text }) {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// orderOf is how many of 100 rows of a component lie in the order of the group that a
// system walks, and whether its choices tell.
func orderOf(s *profile.System, walked, component string) (order int, known bool) {
	for _, c := range s.Choices {
		if c.Group == walked && (c.Component == component || strings.HasPrefix(c.Component, component+".")) {
			return c.Order, true
		}
	}
	return 0, false
}

// view finds statements of intent that force a strategy, where the trial has measured a
// cheaper one.
func view(x in) (lines []Line) {
	for _, s := range x.p.Systems {
		for _, c := range s.Choices {
			asked := slices.ContainsFunc(x.p.Intent.Views, func(v profile.View) bool {
				return v.System == s.Name && v.Component == c.Component && v.Choice == c.Use
			})
			best := c.Costs.Best(c.Use)
			if !asked || best == "" || c.Costs.Of(c.Use) <= c.Costs.Of(best) || s.Frames == 0 {
				continue
			}
			var rows uint64 // a run
			for _, a := range s.Access {
				if a.Group == c.Group && !a.Scattered {
					rows = max(rows, a.Rows/s.Frames)
				}
			}
			row := c.Costs.Of(c.Use).Nanoseconds() - c.Costs.Of(best).Nanoseconds()
			gain := times(rows, uint64(min(row*1000, 1e12)))
			lines = append(lines, Line{
				Time: inTime(share(gain, x.rateOf(&s), 1000)),
				Text: fmt.Sprintf("%s: system %s gets %s by %s, since intent asks for it, and %s was %.3g ns a row cheaper; about %v a run less without `view %s %s %s`",
					c.Group, s.Name, c.Component, c.Use, best, row, inTime(gain), quote(s.Name), quote(c.Component), c.Use),
			})
		}
	}
	return lines
}

// unused finds groups that no system touched, walking or by the entities of others.
func unused(x in) (lines []Line) {
	if x.p.Frames == 0 || len(x.p.Systems) == 0 {
		return nil
	}
	touched := make(map[string]bool)
	for _, s := range x.p.Systems {
		for _, a := range s.Access {
			touched[a.Group] = true
		}
	}
	for _, h := range x.p.Intent.Heat {
		touched[h.Group] = true // somebody has thought about it
	}
	bytes, chunks := make(map[string]uint64), make(map[string]int)
	for _, c := range x.m.Chunks {
		bytes[c.Group] += c.Bytes
		chunks[c.Group]++
	}
	for _, g := range x.p.Groups {
		if n := bytes[g.Name]; n >= bytesLeast && !touched[g.Name] {
			lines = append(lines, Line{
				Bytes: n,
				Text: fmt.Sprintf("%s: no system touched its %s in %d chunks; if nothing reads them by handle, keep them out of the world, or state `cold %s`",
					g.Name, size(n), chunks[g.Name], quote(g.Name)),
			})
		}
	}
	return lines
}

// idle finds memory that was free and resident in the end.
func idle(x in) (lines []Line) {
	slots := 0
	for _, r := range x.m.Regions {
		if free := r.Free & r.Dirty; !x.m.Whole || r.Free == ^uint32(0) {
			slots += bits.OnesCount32(free)
		}
	}
	if n := uint64(slots) * slotBytes; n >= bytesLeast {
		lines = append(lines, Line{
			Bytes: n,
			Text:  fmt.Sprintf("%s were free and resident in frame %d: they go back as they age; Manager.Release gives them back at once, after a level for example", size(n), x.m.Frame),
		})
	}
	return lines
}
