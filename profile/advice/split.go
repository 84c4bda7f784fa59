package advice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Costs in picoseconds for each byte of a row: the program of bench -advice, each system by itself.
const (
	copyPs  = 65 // to copy a field for a call, or to put it back
	splitPs = 60 // to put a whole together from its fields, or to take it apart
	wastePs = 50 // of a line, in more memory than the caches have, that no field of the system is in
)

// split finds components of which systems ask for fields, over rows that have the component. Registered split, each
// field is a column of its own: nothing is copied, and lines have nothing else. Systems that ask for all of it lose.
func split(x in) (lines []Line) {
	for _, c := range x.p.Components {
		if u := x.fieldsOf(c); u.gain > 2*u.loss {
			lines = append(lines, Line{
				Rule: "split", System: strings.Join(u.systems, ","), Group: c.Name, Time: u.gain - u.loss,
				Why: fmt.Sprintf("Systems ask for fields of %s (%d B), over up to %d rows that have it: %s. Of the cache lines, they use %d %%.",
					text.Quote(c.Name), c.Size, u.rows, strings.Join(u.asked, ", "), share(100, u.needed, u.touched)),
				Code: fmt.Sprintf("ecs.RegisterSplit[%s](w, %q) // in place of ecs.Register", title(c.Name), c.Name),
			})
		}
	}
	return lines
}

// fieldsUse is the use that systems make of fields of one component.
type fieldsUse struct {
	gain, loss            time.Duration // of a frame, if it were split
	systems, asked        []string      // systems that gain, and the same with the fields that they ask for
	rows, needed, touched uint64        // of these: rows at most, and bytes of fields and of lines in all runs
}

// fieldsOf sums up how systems use a component, over rows of tables that have it.
func (x in) fieldsOf(c profile.Component) (u fieldsUse) {
	for _, w := range x.walks {
		for _, a := range w.Access {
			if a.Component != c.Name || a.Scattered || declared(a.Group) || a.Rows == 0 || a.Lines == 0 || w.Frames == 0 {
				continue
			}
			n := a.Rows / w.Frames
			if a.Bytes/a.Rows >= uint64(c.Size) {
				u.loss += w.inFrame(times(times(copied(a), splitPs), n))
				continue
			}
			u.gain += w.inFrame(times(min(x.fieldCost(w, a), above(w.ps, ownPs)), n))
			if q := text.Quote(w.Name); !slices.Contains(u.systems, q) {
				u.systems, u.asked = append(u.systems, q), append(u.asked, q+w.fieldsIn(c.Name))
			}
			u.rows, u.needed, u.touched = max(u.rows, n), u.needed+a.Bytes/w.Frames, u.touched+times(a.Lines, lineBytes)/w.Frames
		}
	}
	return u
}

// fieldsIn lists the fields of a component that a system asks for, in parentheses behind a blank; "" if they are not known.
func (w walk) fieldsIn(component string) string {
	var names []string
	for _, f := range w.Fields {
		if name, is := strings.CutPrefix(f.Path, component+"."); is && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// copied is how many bytes of a row are copied for a call, and put back.
func copied(a profile.Access) uint64 {
	if a.Write {
		return 2 * (a.Bytes / a.Rows)
	}
	return a.Bytes / a.Rows
}

// fieldCost is the picoseconds of a row that go into copies of fields, and into bytes beside them.
func (x in) fieldCost(w walk, a profile.Access) uint64 {
	ps, moved := times(copied(a), copyPs), times(a.Lines, lineBytes)
	if moved/w.Frames > x.cached {
		ps += times(above(share(1, moved, a.Rows), a.Bytes/a.Rows), wastePs)
	}
	return ps
}
