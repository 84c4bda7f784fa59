package advice

import "github.com/ashlar-go/ashlar/internal/profile"

// Costs of a row in picoseconds, measured on a 2-core Xeon guest with 256k rows of 64 and 16 bytes.
// `bench -advice` compares the predictions with programs. A prediction is the present cost of a
// row less the cost after the change. The present cost comes from the system's own median.
const (
	ownPs     = 1200   // to walk a row's own columns
	placePs   = 2200   // for each further column beside them
	keptPs    = 300    // for each cached and valid column
	tablePs   = 300000 // for each table, where a system walked one group
	gatherPs  = 15000  // at most, to gather a column
	scatterPs = 15000  // at most, to scatter a column
	bytePs    = 110    // for each gathered byte

	lookupPs   = 20000 // at most, to read a value by handle
	orderedPs  = 12000 // the same, of a column beside the row's own
	gatheredPs = 2500  // to gather that value instead
)

// walk describes the runs of a system.
type walk struct {
	groups   []string         // that the system walks
	rows     uint64           // of these groups in a run
	ps       uint64           // picoseconds of a row; 0: no run was timed
	gathered []profile.Access // columns that it reaches by entity
}

func walkOf(s *profile.System) (w walk) {
	rows, most := make(map[string]uint64), uint64(0)
	for _, a := range s.Access {
		if a.Scattered {
			w.gathered = append(w.gathered, a)
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
	if s.Frames == 0 || sum/s.Frames == 0 {
		return w
	}
	w.rows = min(sum/s.Frames+(sum%s.Frames+s.Frames/2)/s.Frames, sumMax)
	if s.Timed > 0 {
		w.ps = times(uint64(s.Times.P50), 1000) / w.rows
	}
	return w
}

// excess estimates the time of a row that goes into gathering: all that its own columns do not
// need, at most the cost of gathering.
func (w walk) excess() uint64 {
	most := uint64(0)
	for _, a := range w.gathered {
		most += gatherPs
		if a.Write {
			most += scatterPs
		}
	}
	return min(above(w.ps, ownPs), most)
}

// choiceOf returns how a system gets a component, or a field of one, for a group.
func choiceOf(s *profile.System, group, component string) (c profile.Choice, known bool) {
	for _, c := range s.Choices {
		if c.Group == group && isPart(c.Component, component) {
			return c, true
		}
	}
	return c, false
}

// isPart reports whether a path is that of a component or of a field of it.
func isPart(asked, component string) bool {
	return len(asked) >= len(component) && asked[:len(component)] == component &&
		(len(asked) == len(component) || asked[len(component)] == '.')
}
