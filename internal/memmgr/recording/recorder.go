// Package recording makes profiles and maps of a memory manager, and has one do what a
// profile asks for. It stands above memmgr, which knows nothing of profiles:
//
//	memmgr.Manager ──→ Recorder: who touched what ──→ profile.Profile ──→ file
//	               ──→ Map: where chunks lie ───────→ profile.Map
//	               ←── Asked ←────────────────────── intent
package recording

import (
	"fmt"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// Recorder notes how a program uses its sequences, and returns it as a profile: what
// package ecs records of a world, for programs that embed the manager alone. Named readers say
// which columns they touch, and intervals stand where a world has frames: a frame, a request, a
// second, whatever the program repeats.
//
//	rec := recording.New(m)
//	rec.Watch(points, "time", "value")   // names for a profile
//	scan := rec.Reader("scan")
//
//	scan.Read(points, 0, 1)              // while it runs
//	rec.EndInterval()                    // now and then
//	p := rec.Profile()                   // to be written
//
// What is noted is a line per reader, group and column, not per row. A
// Recorder is used by one goroutine at a time.
type Recorder struct {
	m         *memmgr.Manager
	intervals uint64
	groups    []*watched                    // in the order in which they were first named
	of        map[*memmgr.Sequence]*watched // of sequences that are watched
	readers   []*Reader
}

// watched is a group of the profile: the sequences that are watched under its name.
type watched struct {
	name                     string
	columns                  []profile.Component
	seqs                     []*memmgr.Sequence
	rows, chunks, peak, last uint64
}

// Reader is a part of a program that touches columns: a system, a query, a kind of
// request. See Recorder.Reader.
type Reader struct {
	rec       *Recorder
	name      string
	ran       bool          // in this interval
	took      time.Duration // in this interval
	intervals uint64
	timed     uint64
	time      time.Duration
	touched   []touched
}

// touched is what a reader did to a column of a group in one way, summed up.
type touched struct {
	group            *watched
	column           int
	write, scattered bool
	rows, chunks     uint64
}

// Touch says what a reader does to one column of a sequence.
type Touch struct {
	Sequence     *memmgr.Sequence
	Column       int
	Rows, Chunks int  // that it goes over
	Write        bool // and writes, or reads alone
	Scattered    bool // in no order, not along the sequence
}

// New returns a recorder for sequences of a manager.
func New(m *memmgr.Manager) *Recorder {
	return &Recorder{m: m, of: make(map[*memmgr.Sequence]*watched)}
}

// Watch begins to note a sequence, as the group of its name, whose columns have these
// names, one each. It panics if there are more or fewer names than columns, and if a name stands for
// something else already.
func (r *Recorder) Watch(s *memmgr.Sequence, columns ...string) { r.WatchAs(s.Name(), s, columns...) }

// WatchAs is Watch under the name of a group, which many sequences with the same columns may
// share: a profile is to be read by people, and ten thousand groups are not.
func (r *Recorder) WatchAs(group string, s *memmgr.Sequence, columns ...string) {
	if s.Manager() != r.m {
		panic(fmt.Sprintf("recording: Watch of %q, which is another manager's: make a recorder for each", s.Name()))
	}
	if len(columns) != s.Layout().Columns() {
		panic(fmt.Sprintf("recording: Watch of %q with %d names, and it has %d columns: name each", s.Name(), len(columns), s.Layout().Columns()))
	}
	if r.of[s] != nil {
		panic(fmt.Sprintf("recording: Watch of %q, which is watched already: once is enough", s.Name()))
	}
	g := &watched{name: group}
	for i, name := range columns {
		spec := s.Layout().Spec(i)
		c := profile.Component{Name: name, Size: int(spec.Size), Align: int(spec.Align)}
		if name == "" || slices.ContainsFunc(g.columns, func(o profile.Component) bool { return o.Name == name }) {
			panic(fmt.Sprintf("recording: Watch of %q with columns %q: give each a name of its own", s.Name(), columns))
		}
		if o, ok := r.component(name); ok && o != c {
			panic(fmt.Sprintf("recording: Watch of %q: %q is the name of a column of %d bytes aligned to %d already: choose another one", s.Name(), name, o.Size, o.Align))
		}
		g.columns = append(g.columns, c)
	}
	if i := slices.IndexFunc(r.groups, func(o *watched) bool { return o.name == group }); i < 0 {
		r.groups = append(r.groups, g)
	} else if o := r.groups[i]; slices.Equal(o.columns, g.columns) {
		g = o
	} else {
		panic(fmt.Sprintf("recording: Watch of %q with columns %q, and group %q has other ones: give it another name", s.Name(), columns, group))
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

// Unwatch ends noting a sequence, which is about to be dropped; what was noted stays.
func (r *Recorder) Unwatch(s *memmgr.Sequence) {
	if g := r.of[s]; g != nil {
		g.seqs = slices.DeleteFunc(g.seqs, func(o *memmgr.Sequence) bool { return o == s })
		delete(r.of, s)
	}
}

// Reader returns the reader of a name, which is made at the first call.
func (r *Recorder) Reader(name string) *Reader {
	for _, rd := range r.readers {
		if rd.name == name {
			return rd
		}
	}
	rd := &Reader{rec: r, name: name}
	r.readers = append(r.readers, rd)
	return rd
}

// Read notes that columns of a sequence are read from one end to the other.
func (r *Reader) Read(s *memmgr.Sequence, columns ...int) { r.whole(s, columns, false) }

// Write notes that columns of a sequence are written from one end to the other.
func (r *Reader) Write(s *memmgr.Sequence, columns ...int) { r.whole(s, columns, true) }

func (r *Reader) whole(s *memmgr.Sequence, columns []int, write bool) {
	for _, c := range columns {
		r.Touch(Touch{Sequence: s, Column: c, Rows: s.Len(), Chunks: s.ChunkCount(), Write: write})
	}
}

// Touch notes what is done to a column, of some rows or of all. It panics if the
// sequence is not watched. It costs a look into a map and a short list.
func (r *Reader) Touch(t Touch) {
	if r.rec == nil || t.Sequence == nil {
		panic("recording: a zero Reader, or one that touches no sequence: use Recorder.Reader, and name the sequence")
	}
	g := r.rec.of[t.Sequence]
	if g == nil {
		panic(fmt.Sprintf("recording: reader %q touches %q, whose columns have no names: call Watch first", r.name, t.Sequence.Name()))
	}
	if t.Column < 0 || t.Column >= len(g.columns) || t.Rows < 0 || t.Chunks < 0 {
		panic(fmt.Sprintf("recording: reader %q touches %d rows in %d chunks of column %d of %q, which has %d columns: count from 0", r.name, t.Rows, t.Chunks, t.Column, g.name, len(g.columns)))
	}
	r.ran = true
	i := slices.IndexFunc(r.touched, func(o touched) bool {
		return o.group == g && o.column == t.Column && o.write == t.Write && o.scattered == t.Scattered
	})
	if i < 0 {
		i = len(r.touched)
		r.touched = append(r.touched, touched{group: g, column: t.Column, write: t.Write, scattered: t.Scattered})
	}
	r.touched[i].rows += uint64(t.Rows)
	r.touched[i].chunks += uint64(t.Chunks)
}

// Took notes how long the reader ran. Only some runs need be timed; those of one
// interval are added up.
func (r *Reader) Took(d time.Duration) {
	r.ran = true
	r.took += d
}

// EndInterval ends an interval: it notes which readers ran in it, and how many rows
// and chunks there are now. It costs a look at each watched sequence.
func (r *Recorder) EndInterval() {
	r.intervals++
	for _, g := range r.groups {
		g.last = 0
		for _, s := range g.seqs {
			g.last += uint64(s.Len())
			g.chunks += uint64(s.ChunkCount())
		}
		g.rows += g.last
		g.peak = max(g.peak, g.last)
	}
	for _, rd := range r.readers {
		if rd.ran {
			rd.intervals++
		}
		if rd.took > 0 {
			rd.timed++
			rd.time += rd.took
		}
		rd.ran, rd.took = false, 0
	}
}

// Profile returns what has been noted: sums over the intervals, which the profile calls frames.
// It is its caller's.
func (r *Recorder) Profile() profile.Profile {
	p := profile.Profile{Frames: r.intervals}
	for _, g := range r.groups {
		out := profile.Group{Name: g.name, Rows: g.rows, Chunks: g.chunks, Peak: g.peak, Last: g.last}
		for _, c := range g.columns {
			out.Owns = append(out.Owns, c.Name)
			if !slices.Contains(p.Components, c) {
				p.Components = append(p.Components, c)
			}
		}
		p.Groups = append(p.Groups, out)
	}
	for _, rd := range r.readers {
		s := profile.System{Name: rd.name, Frames: rd.intervals, Timed: rd.timed, Time: rd.time}
		for _, t := range rd.touched {
			if c := t.group.columns[t.column]; t.rows > 0 {
				s.Access = append(s.Access, profile.Access{
					Group: t.group.name, Component: c.Name, Write: t.write, Scattered: t.scattered,
					Rows: t.rows, Chunks: t.chunks, Bytes: t.rows * uint64(c.Size),
				})
			}
		}
		p.Systems = append(p.Systems, s)
	}
	return p
}

// Map returns where the chunks lie now, and how often they are used by what has been
// noted. See [Map].
func (r *Recorder) Map() profile.Map {
	m := Map(r.m)
	m.Frame = r.intervals
	m.SetHeat(r.Profile())
	return m
}
