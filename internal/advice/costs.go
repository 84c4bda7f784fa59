package advice

import "github.com/ashlar-go/ashlar/internal/profile"

// What a row costs, in picoseconds. They were measured on a 2-core Xeon guest with 256k rows of 64
// and 16 bytes; what is predicted from them is held against programs by `bench -advice`. A
// system's own median is the larger part of each prediction: what a row takes now, less
// what is left of that.
const (
	ownPs     = 1200  // to go over a row's own columns
	placePs   = 2200  // for each column that lies beside them
	keptPs    = 300   // for each column that is kept and good
	gatherPs  = 15000 // at most, that is believed to go into gathering a column
	scatterPs = 15000 // and into putting it back
	bytePs    = 110   // for each byte of a value that is gathered
)

// walk is what the runs of a system are like.
type walk struct {
	groups   []string         // that it goes over
	rows     uint64           // of them in a run
	ps       uint64           // that a row takes; 0: no run was timed
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
	w.rows = min(sum/s.Frames, sumMax)
	if s.Timed > 0 {
		w.ps = times(uint64(s.Times.P50), 1000) / w.rows
	}
	return w
}

// excess is how much of a row's time may go into gathering: all that is not needed to go over
// its own columns, but no more than that takes.
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

// choiceOf is how a system gets a component for a group, or a field of one.
func choiceOf(s *profile.System, group, component string) (c profile.Choice, known bool) {
	for _, c := range s.Choices {
		if c.Group == group && isPart(c.Component, component) {
			return c, true
		}
	}
	return c, false
}

// isPart tells whether what is asked for is a component or a field of it.
func isPart(asked, component string) bool {
	return len(asked) >= len(component) && asked[:len(component)] == component &&
		(len(asked) == len(component) || asked[len(component)] == '.')
}
