package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

const (
	orderedRows = 75 // percentage of rows in order from which sorting is not advised
	surely      = 2  // times the losses that a gain must be: each of both may be off by 2x
)

// sortAs finds groups with rows that a system gathers in another order than theirs, if they exceed the
// caches. A group has one order, so the loss of other systems by a new one is subtracted.
func sortAs(x in) (lines []Line) {
	for _, g := range x.p.Groups {
		if !declared(g.Name) {
			continue
		}
		var told Line
		uses := x.orderUses(g.Name)
		for i, best := range uses {
			gain, loss := time.Duration(0), time.Duration(0)
			for j, u := range uses {
				switch {
				case u.readers != best.readers:
					loss += u.full
				case u.gain > best.gain || u.gain == best.gain && j < i:
					best.gain = 0 // the line is another one's
				default:
					gain += u.gain
				}
			}
			if l := best.line; best.gain > 0 && gain >= surely*loss && gain-loss > told.Time {
				told, told.Time = l, gain-loss
			}
		}
		if told.Time > 0 {
			lines = append(lines, told)
		}
	}
	return lines
}

// orderUse is a column that a system gathers, at a cost that depends on the order of a group.
type orderUse struct {
	readers string        // the group with the best order for it; "": today's is
	full    time.Duration // saved by the best order, and lost by another
	gain    time.Duration // that sorting as readers saves
	line    Line          // that says so, without the time
}

// orderUses lists the systems that gather from a group or walk it, with their gathering. They lose all that an
// order saves if the group gets another one, whatever order they have now: a profile does not count
// rows that ascend with gaps as in order, and these are cheap to gather, too.
func (x in) orderUses(group string) (uses []orderUse) {
	for _, w := range x.walks {
		if w.ps == 0 || len(w.gathered) == 0 {
			continue
		}
		for _, a := range w.gathered {
			saves := w.excessOf(a) * orderSaves / 100
			u := orderUse{full: w.inFrame(times(saves, w.rows))}
			switch walks := slices.Contains(w.groups, group); {
			case !walks && a.Group != group:
				continue
			case !walks && len(w.groups) == 1:
				u.readers = w.groups[0]
				u.gain, u.line = x.sorting(w, a, saves)
			}
			uses = append(uses, u)
		}
	}
	return uses
}

// sorting returns the time that a system saves if the rows that it gathers are sorted as the rows that it walks.
// It is 0 if they are in a cached view: order saves little there.
func (x in) sorting(w walk, a column, saves uint64) (time.Duration, Line) {
	readers := w.groups[0]
	c, known := w.choice(readers, a.Component)
	if !known || c.Use == "cached" || c.Order >= orderedRows || !declared(readers) || max(a.Bytes, times(a.Lines, lineBytes))/w.Frames <= x.cached {
		return 0, Line{}
	}
	return w.inFrame(times(saves*uint64(100-c.Order)/100, w.rows)), Line{
		Rule: "sort", System: w.Name, Group: a.Group,
		Why: fmt.Sprintf("System %s walks %s and gathers %s of %s by entity: %d rows a run, %d %% of them in its order.",
			text.Quote(w.Name), text.Quote(readers), text.Quote(a.Component), text.Quote(a.Group), w.rows, c.Order),
		Code: fmt.Sprintf("%s.SortAs(%s, 4096) // groups as GroupOf has returned them; some rows move at the end of each frame", ident(a.Group), ident(readers)),
	}
}

// groups finds declared groups that make systems gather: from one another, or from tables, or into
// tables. Without these groups, all components of an entity are in one row of a table. The
// prediction subtracts the loss of systems that have valid cached views, and of systems that walk many
// tables instead of one group.
func groups(x in) (lines []Line) {
	families := familiesOf(x)
	tables := x.tables()
	for _, w := range x.walks {
		inFrame := func(ps int64) int64 { return min(ps/1000*int64(w.rate), sumMax) }
		switch {
		case len(w.apart.groups) == 0:
			for _, g := range w.groups {
				if f := families[g]; f != nil {
					f.loss += inFrame(int64(times(tables, tablePs)))
				}
			}
		case w.ps > 0:
			f := families[w.apart.groups[0]]
			saved := inFrame(int64(times(w.apart.excess, w.rows)) - int64(times(min(w.apart.columns, 8)*placePs, w.rows)))
			f.gain += max(saved, 0)
			f.loss += max(-saved, 0)
			f.slow = append(f.slow, text.Quote(w.Name))
		}
	}
	for _, g := range x.p.Groups {
		f := families[g.Name]
		if f == nil || f.names[0] != g.Name || f.gain < max(surely*f.loss, 1) {
			continue
		}
		slow := strings.Join(f.slow, ", ")
		lines = append(lines, Line{
			Rule: "groups", System: strings.Join(f.slow, ","), Group: strings.Join(f.names, ","),
			Time: time.Duration((f.gain - f.loss) / 1000).Round(100 * time.Nanosecond),
			Why:  fmt.Sprintf("Systems gather from other groups or tables, row by row: %s. Without %s the components of an entity are in one row.", slow, these(f.names)),
			Code: fmt.Sprintf("Leave out GroupOf for %s; spawn with SpawnerOf", and(f.names)),
		})
	}
	return lines
}

// family is groups that systems need together, with the gain and the loss without them, in picoseconds of 1,000 frames.
type family struct {
	names      []string
	gain, loss int64
	slow       []string // systems
}

// familiesOf returns the families by group.
func familiesOf(x in) map[string]*family {
	families := make(map[string]*family)
	for _, w := range x.walks {
		joined := &family{}
		for _, g := range w.apart.groups {
			old := families[g]
			if families[g] = joined; old == nil {
				continue
			}
			for name, f := range families {
				if f == old {
					families[name] = joined
				}
			}
		}
	}
	for _, g := range x.p.Groups {
		if f := families[g.Name]; f != nil {
			f.names = append(f.names, g.Name)
		}
	}
	return families
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
	const few, least = 16, 48 // assumed bytes of a field, and of a component that is worth it
	for _, w := range x.walks {
		for _, a := range w.gathered {
			for _, c := range w.Choices {
				bytes := x.p.Size(a.Component)
				if a.Write || c.Component != a.Component || bytes < least || !slices.Contains(w.groups, c.Group) {
					continue
				}
				saves := uint64(fieldSavesGathered)
				if c.Use == "cached" {
					saves = fieldSavesCached
				}
				gathers := w.excessOf(a)
				gain := gathers - gathers*(100-saves)/100/linesOf(bytes)
				lines = append(lines, Line{
					Rule: "field", System: w.Name, Group: a.Component, Time: w.inFrame(times(gain, w.rows)),
					Why: fmt.Sprintf("System %s gathers all %d B of %s for each of %d rows. The saving assumes that it needs one field of about %d B.",
						text.Quote(w.Name), bytes, text.Quote(a.Component), w.rows, few),
					Code: fmt.Sprintf("In the struct of %s: Field []F `ashlar:\"%s.Field\"`", text.Quote(w.Name), a.Component),
				})
			}
		}
	}
	return lines
}
