package advice

import (
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// Costs of a row in picoseconds, measured on 2-core Xeon and EPYC guests with 256k rows of 16 to 256
// bytes. `bench -advice` compares the predictions with programs. A prediction is the present cost of a
// row less the cost after the change. The present cost comes from the system's own median.
const (
	ownPs     = 1200   // to walk a row's own columns
	placePs   = 2200   // for each further column beside them
	keptPs    = 300    // for each cached and valid column
	tablePs   = 300000 // for each table, where a system walked one group
	gatherPs  = 12000  // at most, to gather a cache line
	scatterPs = 12000  // at most, to scatter one

	// Percentages of the time of gathering that a change saves.
	orderSaves         = 20 // all rows in order, where none was
	fieldSavesGathered = 30 // a field of a cache line, where all of the line was gathered
	fieldSavesCached   = 45 // the same in a cached view: it is written and read again, too

	lineBytes = 64

	lookupPs   = 20000 // at most, to read a value by handle
	orderedPs  = 12000 // the same, of a column beside the row's own
	gatheredPs = 2500  // to gather that value instead
	nextPs     = 2900  // to fetch the next cache line of a column, in more memory than the caches have

	pagePs = 1200000 // to have a page of the usual size that is touched first, less its part of a huge one
)

// walk describes the runs of a system.
type walk struct {
	*profile.System
	rate     uint64   // runs in 1,000 frames
	groups   []string // that the system walks
	rows     uint64   // of these groups in a run
	ps       uint64   // picoseconds of a row; 0: no run was timed
	gathered []column // that it reaches by entity
	most     uint64   // picoseconds of a row that gathering these takes at most
	apart    apart    // of these
}

// column is one that a system reaches by entity.
type column struct {
	profile.Access
	most uint64 // picoseconds of a row that gathering it takes at most
}

func walkOf(s *profile.System, frames uint64) walk {
	w := walk{System: s, rate: min(share(1000, s.Frames, frames), rateMax)}
	rows, most := make(map[string]uint64), uint64(0)
	for _, a := range s.Access {
		if a.Scattered {
			w.gathered = append(w.gathered, column{Access: a})
			most = max(most, a.Rows)
			continue
		}
		if _, seen := rows[a.Group]; !seen {
			w.groups = append(w.groups, a.Group)
		}
		rows[a.Group] = max(rows[a.Group], a.Rows)
	}
	sum := uint64(0)
	for _, n := range rows {
		sum += min(n, sumMax)
	}
	if sum == 0 {
		sum = most
	}
	for i := range w.gathered {
		a := &w.gathered[i]
		n := lines(a.Access)
		a.most = n * gatherPs * w.stale(a.Component) / 100
		if a.Write {
			a.most += n * scatterPs
		}
		w.most += a.most
	}
	if s.Frames > 0 && sum/s.Frames > 0 {
		w.rows = min(sum/s.Frames+(sum%s.Frames+s.Frames/2)/s.Frames, sumMax)
		if s.Timed > 0 {
			w.ps = times(uint64(s.Times.P50), 1000) / w.rows
		}
	}
	w.apart = apartIn(w)
	return w
}

// excess estimates the time of a row that goes into gathering: all that its own columns do not
// need, at most the cost of gathering.
func (w walk) excess() uint64 { return min(above(w.ps, ownPs), w.most) }

// excessOf estimates the part of it that goes into one column.
func (w walk) excessOf(a column) uint64 { return share(w.excess(), a.most, w.most) }

// lines returns how many cache lines a system gathers of a column in a row. Older profiles only have its bytes.
func lines(a profile.Access) uint64 {
	if a.Lines == 0 {
		return linesOf(share(a.Bytes, 1, a.Rows))
	}
	return max(min(share(a.Lines, 2, a.Rows)+1, 1<<20)/2, 1)
}

// linesOf returns how many cache lines a value takes, at least 1.
func linesOf(bytes uint64) uint64 { return max(min((bytes+lineBytes-1)/lineBytes, 1<<20), 1) }

// stale returns the percentage of a column that is gathered in a run. The rest is cached and valid.
func (w walk) stale(component string) (most uint64) {
	for _, g := range w.groups {
		c, known := w.choice(g, component)
		if !known || c.Use != "cached" || c.Chunks == 0 {
			return 100
		}
		most = max(most, min(share(100, c.Stale, c.Chunks), 100))
	}
	return most
}

// choice returns how a system gets a component, or a field of one, for a group.
func (w walk) choice(group, component string) (c profile.Choice, known bool) {
	for _, c := range w.Choices {
		if c.Group == group && isPart(c.Component, component) {
			return c, true
		}
	}
	return c, false
}

// isPart reports whether a path is that of a component or of a field of it.
func isPart(path, component string) bool {
	return path == component || strings.HasPrefix(path, component+".")
}

// inFrame converts picoseconds of a run to time per frame.
func (w walk) inFrame(ps uint64) time.Duration {
	return time.Duration(share(ps, w.rate, 1000) / 1000).Round(100 * time.Nanosecond)
}

// apart is the part of a system's gathering that declared groups cause.
type apart struct {
	groups  []string // that would have to go
	columns uint64   // that would then be in the rows that it walks
	excess  uint64   // picoseconds of a row that go into gathering these
}

func apartIn(w walk) (r apart) {
	for _, a := range w.gathered {
		caused := false
		for _, g := range w.groups {
			if g == a.Group || thin(g) || thin(a.Group) || !declared(g) && !declared(a.Group) {
				continue
			}
			caused = true
			for _, name := range []string{g, a.Group} {
				if declared(name) && !slices.Contains(r.groups, name) {
					r.groups = append(r.groups, name)
				}
			}
		}
		if caused {
			r.columns++
			r.excess += w.excessOf(a)
		}
	}
	return r
}

// declared reports whether the program declared the group.
func declared(group string) bool {
	_, table := profile.ParseTable(group)
	return !table
}

// thin reports whether a group is the rows of one thin component.
func thin(group string) bool {
	t, table := profile.ParseTable(group)
	return table && t.Thin
}
