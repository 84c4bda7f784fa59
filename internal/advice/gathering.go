package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile"
)

const (
	orderedRows = 75 // percentage of rows in order from which sorting is not advised
	orderGains  = 50 // percentage of the cost of gathering that a full order saves
)

// sortAs finds groups whose rows a system gathers in another order than theirs, if they exceed the
// caches. A group has one order, so of several readers only the one that gains most is reported.
func sortAs(x in) (lines []Line) {
	best := make(map[string]Line)
	for i := range x.p.Systems {
		s := &x.p.Systems[i]
		w := walkOf(s)
		if w.ps == 0 || len(w.groups) != 1 || !declared(w.groups[0]) {
			continue
		}
		readers := w.groups[0]
		for _, a := range w.gathered {
			c, known := choiceOf(s, readers, a.Component)
			if !known || c.Order >= orderedRows || !declared(a.Group) || a.Group == readers || a.Bytes/s.Frames <= x.cached {
				continue
			}
			gain := times(w.excess()/uint64(len(w.gathered)), uint64(100-c.Order)) * orderGains / 10_000
			l := Line{
				Rule: "sort", System: s.Name, Group: a.Group, Time: x.inFrame(s, times(gain, w.rows)),
				Why: fmt.Sprintf("System %s walks %s and gathers %s of %s by entity: %d rows a run, %d %% of them in its order.",
					quote(s.Name), quote(readers), quote(a.Component), quote(a.Group), w.rows, c.Order),
				Code: fmt.Sprintf("%s.SortAs(%s, 4096) // groups as GroupOf has returned them; some rows move at the end of each frame", ident(a.Group), ident(readers)),
			}
			if l.Time > best[a.Group].Time {
				best[a.Group] = l
			}
		}
	}
	for _, g := range x.p.Groups {
		if l, is := best[g.Name]; is {
			lines = append(lines, l)
		}
	}
	return lines
}

// groups finds declared groups that make systems gather from one another. Without these groups, all
// components of an entity are in one row of a table. The prediction subtracts the loss of systems
// whose cached views are valid.
func groups(x in) (lines []Line) {
	sets := make(map[string]string) // of groups that gather from each other: one of each set
	var find func(g string) string
	find = func(g string) string {
		if up, is := sets[g]; is && up != g {
			return find(up)
		}
		return g
	}
	for i := range x.p.Systems {
		w := walkOf(&x.p.Systems[i])
		for _, a := range w.gathered {
			for _, g := range w.groups {
				if declared(g) && declared(a.Group) {
					sets[find(g)] = find(a.Group)
				}
			}
		}
	}
	gains, names, slow := make(map[string]int64), make(map[string][]string), make(map[string][]string)
	for _, g := range x.p.Groups {
		if set := find(g.Name); declared(g.Name) && (set != g.Name || slices.Contains(valuesOf(sets), set)) {
			names[set] = append(names[set], g.Name)
		}
	}
	for i := range x.p.Systems {
		s := &x.p.Systems[i]
		w := walkOf(s)
		if w.ps == 0 || len(w.groups) == 0 || !declared(w.groups[0]) || !slices.ContainsFunc(w.gathered, func(a profile.Access) bool { return declared(a.Group) }) {
			continue
		}
		set := find(w.groups[0])
		left := min(uint64(len(w.gathered)), 8) * placePs
		gain := int64(times(w.excess(), w.rows)) - int64(times(left, w.rows))
		gains[set] += min(gain/1000*int64(x.rateOf(s)), sumMax)
		slow[set] = append(slow[set], quote(s.Name))
	}
	for _, g := range x.p.Groups {
		if list := names[g.Name]; gains[g.Name] > 0 && len(list) > 1 {
			last := len(list) - 1
			lines = append(lines, Line{
				Rule: "groups", System: strings.Join(slow[g.Name], ","), Group: strings.Join(list, ","),
				Time: time.Duration(gains[g.Name] / 1000).Round(100 * time.Nanosecond),
				Why: fmt.Sprintf("Systems gather from other groups, row by row: %s. Without these groups the components of an entity are in one row.",
					strings.Join(slow[g.Name], ", ")),
				Code: fmt.Sprintf("Leave out GroupOf for %s and %s; spawn with SpawnerOf", strings.Join(list[:last], ", "), list[last]),
			})
		}
	}
	return lines
}

func valuesOf(m map[string]string) (list []string) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}

// field finds components that are gathered whole and are so large that one field would be cheaper.
func field(x in) (lines []Line) {
	const few = 16 // assumed bytes of a field
	for i := range x.p.Systems {
		s := &x.p.Systems[i]
		w := walkOf(s)
		for _, a := range w.gathered {
			for _, c := range s.Choices {
				bytes := x.size(a.Component)
				if a.Write || c.Component != a.Component || bytes < 2*few || !slices.Contains(w.groups, c.Group) {
					continue
				}
				stale := uint64(100)
				if c.Use == "cached" && c.Chunks > 0 {
					stale = share(100, c.Stale, c.Chunks)
				}
				gain := min(times(bytes-few, bytePs), w.excess()) * stale / 100
				lines = append(lines, Line{
					Rule: "field", System: s.Name, Group: a.Component, Time: x.inFrame(s, times(gain, w.rows)),
					Why: fmt.Sprintf("System %s gathers all %d B of %s for each of %d rows. The saving assumes that it needs one field of about %d B.",
						quote(s.Name), bytes, quote(a.Component), w.rows, few),
					Code: fmt.Sprintf("In the struct of %s: Field []F `ashlar:\"%s.Field\"`", quote(s.Name), a.Component),
				})
			}
		}
	}
	return lines
}

// view finds hints that force a strategy although a trial has measured a cheaper one.
func view(x in) (lines []Line) {
	for i := range x.p.Systems {
		s := &x.p.Systems[i]
		w := walkOf(s)
		for _, c := range s.Choices {
			at := slices.IndexFunc(x.p.Hints.Views, func(v profile.View) bool {
				return v.System == s.Name && v.Component == c.Component && (v.Choice == c.Use || v.Choice == "none" && c.Use == "gathered")
			})
			best := c.Costs.Best(c.Use)
			if at < 0 || best == "" || c.Costs.Of(c.Use) <= c.Costs.Of(best) || !slices.Contains(w.groups, c.Group) {
				continue
			}
			gain := uint64(min(c.Costs.Of(c.Use)-c.Costs.Of(best), sumMax))
			if w.ps > 0 && len(w.gathered) == 1 {
				gain = above(w.ps, uint64(c.Costs.Of(best))) // as it is now, not as it was on trial
			}
			lines = append(lines, Line{
				Rule: "view", System: s.Name, Group: c.Group, Time: x.inFrame(s, times(gain, w.rows)),
				Why: fmt.Sprintf("System %s gets %s by the way %q because the profile asks for it. In a trial, a row took %v that way, and %v by %q.",
					quote(s.Name), c.Component, c.Use, c.Costs.Of(c.Use), c.Costs.Of(best), best),
				Code: fmt.Sprintf("In the profile, leave out: view %s %s %s", quote(s.Name), quote(c.Component), x.p.Hints.Views[at].Choice),
			})
		}
	}
	return lines
}
