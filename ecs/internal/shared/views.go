package shared

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/roster"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// Views are the views of a world. New's caller sets the first fields before there are readers.
type Views struct {
	// Off keeps none, and Always all that have room. Otherwise counts decide.
	Off, Always bool
	// Intent returns the hint for a system and a component; Unset if there is none. It is
	// asked once for each table.
	Intent func(system, component string) views.Strategy
	// Page is in which memory is given back, in bytes: a chunk's unless it is set.
	Page uint32

	base    *walk.Base
	tables  []*table // that readers have met
	byTable map[*store.Table]*table
	readers roster.List[*Reader]
	made    int // how many readers there were, in all
	walks   uint64
}

// New returns the views of a world, none to begin with.
func New(b *walk.Base) *Views {
	return &Views{Page: chunk.Page, base: b, byTable: make(map[*store.Table]*table)}
}

// table is a table and its views.
type table struct {
	of     *store.Table
	seq    *memmgr.Sequence
	views  []*view
	wheres []*where
}

// tableOf is the record of a table.
func (v *Views) tableOf(of *store.Table) *table {
	t := v.byTable[of]
	if t == nil {
		t = &table{of: of, seq: of.Seq}
		v.byTable[of], v.tables = t, append(v.tables, t)
	}
	return t
}

// whereOf is the record of where the table's rows have a component.
func (t *table) whereOf(c *store.Component) *where {
	i := slices.IndexFunc(t.wheres, func(w *where) bool { return w.comp == c })
	if i < 0 {
		i = len(t.wheres)
		t.wheres = append(t.wheres, &where{comp: c})
	}
	return t.wheres[i]
}

// viewOf is the table's view of a column.
func (t *table) viewOf(x *source.Column, w *where) *view {
	i := slices.IndexFunc(t.views, func(v *view) bool { return v.where == w && v.part == x.Part })
	if i < 0 {
		i = len(t.views)
		v := &view{part: x.Part, where: w, stats: Stats{Group: t.seq.Name(), Component: x.Comp.Name, Field: x.Part.Path}}
		t.lay(v)
		t.views = append(t.views, v)
	}
	return t.views[i]
}

// Reader is a system, as far as views are concerned.
type Reader struct {
	*walk.Cursor
	views   *Views
	number  int // among all systems
	intent  func(system, component string) views.Strategy
	served  map[*store.Table]*served
	order   []*served // in which it met them
	now     *served   // of the table that serving is of
	serving source.Serving
}

// Stats are the counts of a view. keep, refresh and giveBack change them.
type Stats struct {
	Group     string // the group or table
	Component string
	Field     string
	Readers   int    // systems that asked for it in the last frame
	Built     uint64 // chunks gathered as a whole
	Refreshed uint64 // chunks in which rows that may have changed were gathered
	Reused    uint64 // chunks that were good as they were
	Bytes     uint64 // gathered
	Kept      bool   // some system used it lately
	Dropped   uint64 // bytes given back; views side by side that are dropped together are counted with the first
	Retained  uint64 // bytes of whole pages that are no longer used, and that could not be given back: in huge pages, or on the Go heap
}

// Stats are the counts of all views.
func (v *Views) Stats() (list []Stats) {
	for _, t := range v.tables {
		for _, x := range t.views {
			if st := x.stats; !t.of.Gone() {
				st.Readers, st.Kept = max(x.readers.now, x.readers.last), x.since > 0 && !x.idle(v.base.Frame)
				list = append(list, st)
			}
		}
	}
	return list
}

// Facts are the statements of a recorded profile about all views.
func (v *Views) Facts() (list []profile.Shared) {
	for _, st := range v.Stats() {
		f := profile.Shared{
			Group: st.Group, Component: st.Component, Readers: st.Readers,
			Built: st.Built, Refreshed: st.Refreshed, Reused: st.Reused, Bytes: st.Bytes, Dropped: st.Dropped,
		}
		if st.Field != "" {
			f.Component += "." + st.Field
		}
		list = append(list, f)
	}
	return list
}

// Title names the views for the rows of a table, in maps: the first field, and how many others there are.
func (v *Views) Title(table string) string {
	title, more := "", 0
	for _, t := range v.tables {
		for _, x := range t.views {
			switch {
			case t.seq.Name() != table || !x.room:
			case title == "":
				title = strings.TrimSuffix(x.stats.Component+"."+x.stats.Field, ".")
			default:
				more++
			}
		}
	}
	if title = "views/" + table + " of " + title; more > 0 {
		title += fmt.Sprintf(" and %d more", more)
	}
	return title
}

// AddReader makes a system known, the next of all.
func (v *Views) AddReader(c *walk.Cursor) *Reader {
	r := &Reader{Cursor: c, views: v, number: v.made, intent: v.Intent, served: make(map[*store.Table]*served)}
	r.serving = source.Serving{
		Begin:  func() { r.now.begin() },
		Bind:   func(j int) { r.now.bind(j) },
		Again:  func() { r.now.again() },
		Direct: func(j int, es []store.Entity) bool { return r.now.direct(j, es) },
		Kept: func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) raw.Ptr {
			return r.now.kept(j, i, id, es, from)
		},
		Where: func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) ([]views.Place, bool) {
			return r.now.where(j, i, id, es, from)
		},
	}
	v.made++
	v.readers.Add(r.number, r)
	c.Serve = r.serve
	return r
}

// Reader is the system of a number, which counts all that there were; nil if it was removed.
func (v *Views) Reader(number int) *Reader { return v.readers.Find(number) }

// Readers is how many systems are known.
func (v *Views) Readers() int { return v.readers.Len() }

// RemoveReader forgets the system of a number.
func (v *Views) RemoveReader(number int) { v.readers.Remove(number) }

// Forget lets go of all tables and readers.
func (v *Views) Forget() { v.tables, v.readers, v.byTable = nil, roster.List[*Reader]{}, nil }
