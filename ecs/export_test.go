package ecs

import (
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// ShapeOf lists the names of a world that a profile may have statements about.
func ShapeOf(w *World) layout.Shape { return w.shape() }

// RowsOf are the rows of a group's members who are in no group within.
func RowsOf(g AnyGroup) *memmgr.Sequence { return g.asGroup().rows() }

func (g *group) rows() *memmgr.Sequence { return g.level.Main.Seq }

// EntitiesIn are the entities of a chunk that has one row, or more.
func EntitiesIn(w *World, id chunk.ID) []Entity {
	return raw.Slice[Entity](w.base.Store.IDs.Addr(id), 1)
}

// ChangedIn tells whether a component of a chunk, or its list of entities, was written after a tick.
func ChangedIn(w *World, component string, id chunk.ID, since uint64) bool {
	dir := &w.base.Store.IDs
	if component != "" {
		dir = &w.names.pool[component].component.Dir
	}
	return dir.Cell(id).Stamp > since
}

// AllRowsOf are the rows of all members of a group, the innermost first.
func AllRowsOf(g AnyGroup) (list []*memmgr.Sequence) {
	for _, t := range g.asGroup().tables() {
		list = append(list, t.Seq)
	}
	return list
}

// ChangesOver tells whether components change their way of being stored.
func ChangesOver(w *World) bool { return w.base.Store.Moving() > 0 }

// SharedOf are the counts of views.
func SharedOf(w *World) []profile.Shared { return w.views.Facts() }

// NameOf is a lock's name.
func NameOf(l *Lock) string { return l.l.Name }

// SchemaName is the name of a schema, by which its lock is listed.
func SchemaName(s *AnySchema) string { return s.x.Lock.Name }

// Drop is a command that was not carried out.
type Drop struct {
	System string
	Frame  uint64
	Entity Entity
	What   string
	Err    error
}

// DropsIn are the drops that statistics list.
func DropsIn(s Stats) (list []Drop) {
	for _, err := range s.Drops {
		d := err.(*dropped)
		list = append(list, Drop{d.system, d.frame, d.entity, d.what, d.err})
	}
	return list
}

// ErrorOf is the error of a drop.
func ErrorOf(d Drop) error { return &dropped{d.System, d.Frame, d.Entity, d.What, d.Err} }

// GroupsIn are the names of the groups that described tables belong to.
func GroupsIn(w *World) (names []string) {
	for _, t := range w.description().tables {
		names = append(names, t.group)
	}
	return names
}

// Dropped is how many commands were dropped: Stats without its other figures.
func Dropped(w *World) int { return int(w.commands.drops.Total) }

// Tidied is how many bytes of words that named no row were given back.
func Tidied(w *World) uint64 { return w.base.Store.Tidied() }

// EventCounts are the events of a type: how many were written, are there, and went unread.
type EventCounts struct{ Written, Kept, Dropped int }

// EventsIn has the counts of the only type of events.
func EventsIn(w *World) (c EventCounts) {
	for _, q := range w.names.events {
		c = EventCounts{int(q.Written()), q.Len(), int(q.Dropped())}
	}
	return c
}

// Removed is how often a component is removed in a frame, and Since the frame in which its storage was decided.
func Removed(w *World, component string) (removed float64, since uint64) {
	r := w.names.pool[component].component.Report()
	return r.Removed, uint64(r.Frame)
}

// Sorts is how many SortAs are in force.
func Sorts(w *World) int { return len(w.sorters.Stats()) }

// SortWork is the work of each SortAs, in its order.
func SortWork(w *World) []order.Stats { return w.sorters.Stats() }

// Restore stores components in other ways, and has rows lie in another order, as the policy might.
func Restore(w *World, next func(int) int) {
	var by []*store.Component
	for _, p := range w.names.pools {
		w.base.Store.Change(&p.component, store.Way(next(3)))
		if len(by) < 3 && next(2) == 0 {
			by = append(by, &p.component)
		}
	}
	w.base.Store.OrderBy(by...)
}

// Apart gives a group rows of its own.
func Apart[S any](g *Group[S]) *Group[S] {
	g.SortAs(nil, 0)
	return g
}

// WithPieces has pieces of work of about so many rows, and workers share any work.
func WithPieces(o Options, rows int) Options {
	o.pieceRows, o.shareWork = rows, 1
	return o
}

// InAdd calls f as if Add were under way in this goroutine.
func InAdd(w *World, f func()) {
	w.enter(callAdd)
	f()
	w.exit()
}

// InCommand calls f as if a command were noted in this goroutine.
func InCommand(w *World, f func()) {
	was := w.enterCommand()
	f()
	w.doing = was
}

// QueryMade and the like are QueryOf and the like for tests that use no method of the thing: the compiler writes all
// methods of Query, Group and Spawner for each struct of which such a thing is made.

func QueryMade[S any](w *World) any {
	return w.made("QueryOf").queryOf(new(S), nil, "QueryOf", "a query of ", nil).refused
}

func SliceMade[S any](w *World) any {
	return w.made("SliceOf").queryOf(new(S), nil, "SliceOf", "a slice of ", w.slice).refused
}

func SpawnerMade[S any](w *World) any { return w.made("SpawnerOf").spawnerOf(typeOf((*S)(nil))).world }

func GroupMade[S any](w *World, name string, owned ...AnyPool) any {
	_, g := w.made("GroupOf").groupMade(typeOf((*S)(nil)), name, owned)
	return g.world
}

// WatchFrames has Parallel systems watched in every second frame as in a checked build, or in none.
func WatchFrames(w *World, on bool) {
	if w.systems.Watch = nil; on {
		w.systems.Watch = w.watch
	}
}

// Logs is how many fields of systems are told of changes.
func Logs(w *World) int {
	return w.news.Logs()
}

// SystemOf is System of a struct type that is made at run time.
func SystemOf(w *World, name string, t reflect.Type, fn func(c reflect.Value), options ...SystemOption) {
	w.made("System").system(name, reflect.New(t).Interface(), func(p raw.Ptr) { fn(reflect.NewAt(t, p).Elem()) }, options)
}
