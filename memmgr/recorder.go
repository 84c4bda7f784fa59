package memmgr

import (
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/histogram"
)

// Recorder notes which parts of a program touch which columns, and returns it as a profile,
// for programs that embed the manager alone. Package ecs records its worlds itself. A reader is
// a part of the program that has a name: a system, a query, a kind of request. An interval is
// whatever the program repeats: a frame, a request, a second.
//
//	var rec memmgr.Recorder
//	rec.Watch("points", points, "time", "value")  // names for a profile
//
//	rec.Read("scan", points, 0, 1)                // while it runs
//	rec.EndInterval()                             // now and then
//	p, _ := rec.Profile()                         // to be written
//
// It notes a line for each reader, group and column, not for each row. A Read or Write counts
// all rows of the sequence: it is for code that goes over them. Leave out code that reaches
// single rows. The zero value is
// ready for the sequences of one manager. It is used by the manager's goroutine.
type Recorder struct {
	m         *Manager // of the first sequence
	intervals uint64
	groups    []*watched             // in the order in which they were first named
	of        map[*Sequence]*watched // of sequences that are watched
	readers   []*reader              // in the order in which they were first named
}

// watched is a group of the profile: the sequences that are watched under its name.
type watched struct {
	profile.Group
	columns []profile.Component
	seqs    []*Sequence
}

// reader is the record of a part of the program.
type reader struct {
	profile.System
	ran   bool                // in this interval
	took  time.Duration       // in this interval
	times histogram.Histogram // of intervals
}

// Watch begins to note a sequence under the name of a group, and names its columns, one each.
// Many sequences with the same columns may share a group: people read a profile. A sequence
// that is dropped is watched no more, and its record stays. It panics if a name stands
// for something else already, or if there are more or fewer names than columns.
func (r *Recorder) Watch(group string, s *Sequence, columns ...string) {
	rows := (*Sequence)(s)
	if r.m == nil {
		r.m, r.of = rows.manager, make(map[*Sequence]*watched)
	}
	if rows.manager != r.m {
		panic(fmt.Sprintf("memmgr: Watch of %q, which is another manager's: declare a Recorder for each", rows.Name()))
	}
	if len(columns) != rows.Layout().Columns() {
		panic(fmt.Sprintf("memmgr: Watch of %q with %d names, and it has %d columns: name each", rows.Name(), len(columns), rows.Layout().Columns()))
	}
	if group == "" {
		panic(fmt.Sprintf("memmgr: Watch of %q as a group without a name, which no profile can have: name it", rows.Name()))
	}
	if r.of[s] != nil {
		panic(fmt.Sprintf("memmgr: Watch of %q, which is watched already: once is enough", rows.Name()))
	}
	g := &watched{Group: profile.Group{Name: group, Owns: slices.Clone(columns)}}
	for i, name := range columns {
		spec := rows.Layout().Spec(i)
		c := profile.Component{Name: name, Size: int(spec.Size), Align: int(spec.Align)}
		if name == "" || slices.ContainsFunc(g.columns, func(o profile.Component) bool { return o.Name == name }) {
			panic(fmt.Sprintf("memmgr: Watch of %q with columns %q: give each a name of its own", rows.Name(), columns))
		}
		if o, ok := r.component(name); ok && o != c {
			panic(fmt.Sprintf("memmgr: Watch of %q: %q is the name of a column of %d bytes aligned to %d already: choose another one", rows.Name(), name, o.Size, o.Align))
		}
		g.columns = append(g.columns, c)
	}
	if i := slices.IndexFunc(r.groups, func(o *watched) bool { return o.Name == group }); i < 0 {
		r.groups = append(r.groups, g)
	} else if o := r.groups[i]; slices.Equal(o.columns, g.columns) {
		g = o
	} else {
		panic(fmt.Sprintf("memmgr: Watch of %q with columns %q, and group %q has other ones: give it another name", rows.Name(), columns, group))
	}
	g.seqs = append(g.seqs, s)
	r.of[s] = g
}

// component finds a column by name.
func (r *Recorder) component(name string) (profile.Component, bool) {
	for _, g := range r.groups {
		for _, c := range g.columns {
			if c.Name == name {
				return c, true
			}
		}
	}
	return profile.Component{}, false
}

// Read notes that a reader goes over columns of a sequence, counted from 0. It panics if the
// sequence is not watched. It costs a look into a map and short lists.
func (r *Recorder) Read(reader string, s *Sequence, columns ...int) {
	r.touch(reader, s, columns, false)
}

// Write notes that a reader goes over columns of a sequence and writes them, as Read does.
func (r *Recorder) Write(reader string, s *Sequence, columns ...int) {
	r.touch(reader, s, columns, true)
}

func (r *Recorder) touch(name string, s *Sequence, columns []int, write bool) {
	g := r.of[s]
	if g == nil {
		panic(fmt.Sprintf("memmgr: reader %q touches %q, whose columns have no names: call Watch first", name, (*Sequence)(s).Name()))
	}
	for _, c := range columns {
		if c < 0 || c >= len(g.columns) {
			panic(fmt.Sprintf("memmgr: reader %q touches column %d of %q, which has %d columns: count from 0", name, c, g.Name, len(g.columns)))
		}
	}
	rd := r.reader(name)
	rd.ran = true
	for _, c := range columns {
		a := rd.access(g.Name, g.columns[c].Name, write)
		a.Rows += uint64(s.Len())
		a.Chunks += uint64((*Sequence)(s).ChunkCount())
		a.Bytes += uint64(s.Len()) * uint64(g.columns[c].Size)
	}
}

// access returns the sum of the accesses to a column of a group.
func (r *reader) access(group, column string, write bool) *profile.Access {
	for i := range r.Access {
		if a := &r.Access[i]; a.Group == group && a.Component == column && a.Write == write {
			return a
		}
	}
	r.Access = append(r.Access, profile.Access{Group: group, Component: column, Write: write})
	return &r.Access[len(r.Access)-1]
}

// reader returns the reader of a name.
func (r *Recorder) reader(name string) *reader {
	if name == "" {
		panic("memmgr: a Recorder was told of a reader without a name, which no profile can have: name it")
	}
	for _, rd := range r.readers {
		if rd.Name == name {
			return rd
		}
	}
	rd := &reader{System: profile.System{Name: name}}
	r.readers = append(r.readers, rd)
	return rd
}

// Took notes how long a reader ran. Times within one interval are added up. Only some
// intervals need be timed.
func (r *Recorder) Took(reader string, d time.Duration) {
	rd := r.reader(reader)
	rd.ran = true
	rd.took += d
}

// EndInterval ends an interval: it notes which readers ran in it, and how many rows and
// chunks there are. It costs a look at each watched sequence.
func (r *Recorder) EndInterval() {
	r.intervals++
	for _, g := range r.groups {
		g.seqs = slices.DeleteFunc(g.seqs, r.dropped)
		g.Last = 0
		for _, s := range g.seqs {
			g.Last += uint64(s.Len())
			g.Chunks += uint64((*Sequence)(s).ChunkCount())
		}
		g.Rows += g.Last
		g.Peak = max(g.Peak, g.Last)
	}
	for _, rd := range r.readers {
		if rd.ran {
			rd.Frames++
		}
		if rd.took > 0 {
			rd.times.Add(rd.took)
		}
		rd.ran, rd.took = false, 0
	}
}

// dropped tells whether a sequence was dropped, and forgets it then.
func (r *Recorder) dropped(s *Sequence) bool {
	if r.m.Named((*Sequence)(s).Name()) == (*Sequence)(s) {
		return false
	}
	delete(r.of, s)
	return true
}

// Profile returns the record, summed over intervals, which a profile calls frames; and
// where chunks lie now, which is for people to look at. It costs a pass over chunks. The
// caller may change both.
func (r *Recorder) Profile() (profile.Profile, profile.Map) {
	p := profile.Profile{Frames: r.intervals}
	for _, g := range r.groups {
		out := g.Group
		out.Owns = slices.Clone(g.Owns)
		p.Groups = append(p.Groups, out)
		for _, c := range g.columns {
			if !slices.Contains(p.Components, c) {
				p.Components = append(p.Components, c)
			}
		}
	}
	for _, rd := range r.readers {
		s := rd.System
		s.Timed, s.Times = rd.times.Times()
		s.Access = slices.DeleteFunc(slices.Clone(rd.Access), func(a profile.Access) bool { return a.Rows == 0 })
		p.Systems = append(p.Systems, s)
	}
	var places profile.Map
	if r.m != nil {
		places = r.m.Map()
		places.Frame = r.intervals
		places.SetHeat(p)
	}
	return p, places
}
