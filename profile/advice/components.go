package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// stated is the reason that a profile gives if the code declares the component's storage.
const stated = "stated"

// stored finds components that are declared thin although many entities have them, or volatile
// although few do.
func stored(x in) (lines []Line) {
	for _, c := range x.p.Stored {
		switch {
		case c.Reason != stated:
		case c.Way == "thin":
			lines = append(lines, x.thin(c)...)
		case c.Way == "optional":
			lines = append(lines, x.volatile(c)...)
		}
	}
	return lines
}

// thin predicts the time that systems would save if a thin component were a column beside the others.
func (x in) thin(c profile.Stored) (lines []Line) {
	name := profile.TableName{Fixed: []string{c.Component}, Thin: true}.String()
	saved, rows, systems := time.Duration(0), uint64(0), []string(nil)
	for _, w := range x.walks {
		apart := slices.ContainsFunc(w.gathered, func(a column) bool { return a.Group == name })
		if !apart || w.ps == 0 {
			continue
		}
		left := uint64(0)
		for _, a := range w.gathered {
			left += x.placed(a.Component)
		}
		saved += w.inFrame(times(above(w.excess(), left), w.rows))
		rows = max(rows, w.rows)
		systems = append(systems, text.Quote(w.Name))
	}
	if times(c.Entities, 8) < rows || saved == 0 {
		return nil
	}
	return []Line{{
		Rule: "stored", System: strings.Join(systems, ","), Group: c.Component, Time: saved,
		Why:  fmt.Sprintf("Component %s is declared thin, and %d entities have it: %s looks up each of them.", c.Component, c.Entities, strings.Join(systems, ", ")),
		Code: fmt.Sprintf("ecs.Register[%s](w, %q) // without ecs.Thin", title(c.Component), c.Component),
	}}
}

// volatile computes the memory of a column that is empty in most rows of its tables.
func (x in) volatile(c profile.Stored) []Line {
	rows := uint64(0)
	for _, g := range x.p.Groups {
		if t, ok := profile.ParseTable(g.Name); ok && slices.Contains(t.Optional, c.Component) {
			rows += min(g.Last, sumMax)
		}
	}
	const fewest = 16 // rows for each that has it
	bytes := x.p.Size(c.Component)
	column, alone := times(rows, bytes), times(c.Entities, bytes+8)
	if times(c.Entities, fewest) > rows || column <= alone {
		return nil
	}
	return []Line{{
		Rule: "stored", Group: c.Component, Bytes: column - alone,
		Why:  fmt.Sprintf("Component %s is declared volatile: %d rows have room for it, and %d entities have it.", c.Component, rows, c.Entities),
		Code: fmt.Sprintf("ecs.Register[%s](w, %q, ecs.Thin)", title(c.Component), c.Component),
	}}
}

// unchangedRuns is the number of checked runs after which a column counts as never changed.
const unchangedRuns = 3

// write finds columns that a system gathers and scatters and never changes. If the system only
// reads them, they can stay cached until another system writes them.
func write(x in) (lines []Line) {
	for _, w := range x.walks {
		for _, a := range w.gathered {
			if !a.Write || a.Unchanged < unchangedRuns {
				continue
			}
			left := uint64(keptPs)
			if x.othersWrite(w.Name, a.Component) {
				left = w.excessOf(a) / 2
			}
			gain := above(w.excessOf(a), left)
			lines = append(lines, Line{
				Rule: "write", System: w.Name, Group: a.Component, Time: w.inFrame(times(gain, w.rows)),
				Why: fmt.Sprintf("System %s declares that it writes %s of %s, and changed no value in %d runs. It gathers and scatters %d rows each time.",
					text.Quote(w.Name), text.Quote(a.Component), text.Quote(a.Group), a.Unchanged, w.rows),
				Code: fmt.Sprintf("In the struct of %s, the field of %s: a plain slice, not an ecs.Write", text.Quote(w.Name), text.Quote(a.Component)),
			})
		}
	}
	return lines
}

// othersWrite reports whether another system writes a component.
func (x in) othersWrite(system, component string) bool {
	return slices.ContainsFunc(x.p.Systems, func(s profile.System) bool {
		return s.Name != system && slices.ContainsFunc(s.Access, func(a profile.Access) bool {
			return a.Component == component && a.Write && a.Unchanged == 0
		})
	})
}
