package ecs

import (
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/events"
	"github.com/ashlar-go/ashlar/ecs/internal/news"
	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/promise"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/shared"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// World has entities, their components, groups and systems. Use New, and Close when
// done. It is made, refused by New, or closed. It is not safe for concurrent use.
type World struct {
	base      walk.Base // the store, the manager, iterations
	options   Options
	closed    bool
	refused   error  // why New could not make it, or of a nowhere the mistake; nil: it was made
	disown    func() // has the manager's Close work
	names     names
	systems   *schedule.Schedule
	commands  Commands
	late      Commands // for the end of the frame
	views     *shared.Views
	sorters   *order.Sorters
	layout    layout.Layout       // that New has read: see layout.go
	fits      bool                // names that the layout has and the world lacks were looked for
	pace      *pace               // nil: frames are not timed
	rec       *record.Recorder    // nil: nothing is recorded
	recording *schedule.Recording // rec's, made once
	news      news.News
	answers   answers
	doing     call           // the one under way: see enter
	traced    *promise.Trace // of Shuffled; nil: nothing is
	watched   promise.Watch  // of checked builds
}

// made returns the world if New has made it, and panics if not.
func (w *World) made(call string) *World {
	if w == nil || w.base.Manager == nil {
		panic(unmade{"World", call})
	}
	return w
}

// names is the registered things, by name and in order. Constructors change it.
type names struct {
	pools  []*pool
	pool   map[string]*pool
	ofType map[reflect.Type][]*pool
	groups []*group
	owners []*store.Owner // of those that have rows of their own
	group  map[string]bool

	mistakes []mistake        // of constructors, until they are handed over or put right
	spare    *store.Component // of a nowhere: the component of things there that need one

	splits    map[reflect.Type]*split
	schemas   map[reflect.Type]*contract.Schema // of structs
	resources map[reflect.Type]any              // a pointer to each, by its type
	events    map[reflect.Type]events.Any
}

// mistake is a constructor's refusal.
type mistake struct {
	kind string // the constructor; two kinds may share a name
	says string // the thing in the text of the error, before the name; "": as kind
	name string // "" for kinds without names
	what any    // which one of the kind: a type, the names of pools, or a system as aSystem
	err  error
}

// pool is the part that pools of all types have in common.
type pool struct {
	component store.Component
	world     *World
	typ       reflect.Type
	handle    any            // the *Pool[T]
	tallies   tallies        // of the record, behind frames 1, 2, 4, 8 and so on
	adds      *news.Interest // in who gets it, from the first frame on in which that is counted; else nil
}

func (p *pool) made(call string) *pool {
	if p == nil || p.world == nil {
		panic(unmade{"Pool", call})
	}
	return p
}

// group is the part that all groups have in common: pools that it owns, and the entities that have all
// of them, optional ones aside.
//
//	among   level is nil: its components stay with the commons, and members are looked for there
//	apart   it has rows of its own
//
//	among ─setApart: it is to be ordered, sliced or named by OnlyIn→ apart
//
// newGroup fills all but owner and level, which setApart sets, and told, which subject does.
//
// A group that is apart stays so. In a table its values lie beside the others of the entity, so a loop
// over both looks nothing up. Rows of its own are for needs that a table can't meet.
type group struct {
	world    *World
	name     string
	pools    []*pool
	declared store.Group
	typ      reflect.Type // of the struct, with its components at offsets
	offsets  []uintptr
	told     *store.Subject // nil: nobody has asked about them
	owner    *store.Owner   // nil while it is among the commons
	level    *store.Level   // nil while it is among the commons
}

func (g *group) made(call string) *group {
	if g == nil {
		panic(unmade{"Group", call})
	}
	return g
}

// split is a type whose fields are components.
type split struct {
	name  string
	of    reflect.Type
	parts []splitPart
	comes *store.Exchange // adds all
	goes  *store.Exchange // tells whether all may go
}

// splitPart is a field, and where a value of the type has it.
type splitPart struct {
	p      *pool
	name   string
	offset uintptr
}

// Query goes over the entities that match a struct type S; see QueryOf.
type Query[S any] struct {
	of    of[S]
	_     apart
	query query
}

// query is the part that queries of all structs have in common.
type query struct {
	world   *World
	cursor  *walk.Cursor
	of      reflect.Type    // of the struct
	into    raw.Ptr         // the struct that is passed
	point   *contract.Point // of Get
	refused error           // nil: it was made
	beside  *walk.Cursor    // of a worker of a Parallel system; nil: it is none's
}

func (q *query) made(call string) *query {
	if q == nil || q.cursor == nil {
		panic(unmade{"Query", call})
	}
	return q
}

// Spawner makes entities with several components at once, from values of a struct S with a
// field for each component. Each value is written once, where it belongs. That is cheaper
// than to spawn bare and to add one component after the other, which moves the row each
// time. A Spawner lives as long as its world.
type Spawner[S any] struct {
	of      of[S]
	_       apart
	spawner spawner
}

// spawner is the part that spawners of all structs have in common.
type spawner struct {
	world      *World
	bundle     *store.Bundle
	bytes      uintptr // of a struct
	kind, name string  // its name in messages
}

func (s *spawner) made(call string) *spawner {
	if s == nil || s.world == nil {
		panic(unmade{"Spawner", call})
	}
	return s
}
