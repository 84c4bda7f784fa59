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

// groups finds declared groups that make systems gather: from one another, or from tables, or into
// tables. Without these groups, all components of an entity are in one row of a table. The
// prediction subtracts the loss of systems whose cached views are valid, and of those that walk many
// tables instead of one group.
func groups(x in) (lines []Line) {
	sets := make(map[string]string) // of groups that systems need together: one of each set
	var find func(g string) string
	find = func(g string) string {
		if up, is := sets[g]; is && up != g {
			return find(up)
		}
		return g
	}
	walks, readers := make([]walk, len(x.p.Systems)), make([]reader, len(x.p.Systems))
	for i := range x.p.Systems {
		walks[i] = walkOf(&x.p.Systems[i])
		readers[i] = readerOf(walks[i])
		for _, g := range readers[i].groups {
			sets[find(g)] = find(readers[i].groups[0])
		}
	}
	gains, names, slow := make(map[string]int64), make(map[string][]string), make(map[string][]string)
	for _, g := range x.p.Groups {
		if _, is := sets[g.Name]; is {
			names[find(g.Name)] = append(names[find(g.Name)], g.Name)
		}
	}
	tables := x.tables()
	for i := range x.p.Systems {
		s, w, r := &x.p.Systems[i], walks[i], readers[i]
		inFrame := func(ps int64) int64 { return min(ps/1000*int64(x.rateOf(s)), sumMax) }
		switch {
		case len(r.groups) == 0:
			for _, g := range w.groups {
				gains[find(g)] -= inFrame(int64(times(tables, tablePs)))
			}
		case w.ps > 0:
			set := find(r.groups[0])
			excess := w.excess() * r.apart / uint64(len(w.gathered))
			gains[set] += inFrame(int64(times(excess, w.rows)) - int64(times(min(r.apart, 8)*placePs, w.rows)))
			slow[set] = append(slow[set], quote(s.Name))
		}
	}
	for _, g := range x.p.Groups {
		if list := names[g.Name]; gains[g.Name] > 0 {
			lines = append(lines, Line{
				Rule: "groups", System: strings.Join(slow[g.Name], ","), Group: strings.Join(list, ","),
				Time: time.Duration(gains[g.Name] / 1000).Round(100 * time.Nanosecond),
				Why: fmt.Sprintf("Systems gather from other groups or tables, row by row: %s. Without %s the components of an entity are in one row.",
					strings.Join(slow[g.Name], ", "), these(list)),
				Code: fmt.Sprintf("Leave out GroupOf for %s; spawn with SpawnerOf", and(list)),
			})
		}
	}
	return lines
}

// reader says what of a system's gathering declared groups cause.
type reader struct {
	groups []string // that would have to go
	apart  uint64   // columns that would then be in the rows that it walks
}

func readerOf(w walk) (r reader) {
	for _, a := range w.gathered {
		apart := false
		for _, g := range w.groups {
			if g == a.Group || thin(g) || thin(a.Group) || !declared(g) && !declared(a.Group) {
				continue
			}
			apart = true
			for _, name := range []string{g, a.Group} {
				if declared(name) && !slices.Contains(r.groups, name) {
					r.groups = append(r.groups, name)
				}
			}
		}
		if apart {
			r.apart++
		}
	}
	return r
}

// tables counts the tables that had a row on average.
func (x in) tables() (n uint64) {
	for _, g := range x.p.Groups {
		if !declared(g.Name) && !thin(g.Name) && g.Rows >= x.p.Frames {
			n++
		}
	}
	return n
}

// thin reports whether a group is the rows of one thin component.
func thin(group string) bool {
	t, table := profile.ParseTable(group)
	return table && t.Thin
}

// and lists names: a, b and c.
func and(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func these(groups []string) string {
	if len(groups) == 1 {
		return "this group"
	}
	return "these groups"
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
