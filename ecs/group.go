package ecs

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// group is the part that all groups have in common: pools that it owns, and the entities that have all
// of them, optional ones aside.
//
//	among   level is nil: its components stay with the commons, and members are looked for there
//	apart   it has rows of its own
//
//	among ─setApart: it is to be ordered, sliced or named by OnlyIn→ apart
//
// newGroup fills all but owner and level, which setApart sets, except, which without does, and told, which subject does.
//
// A group that is apart stays so. In a table its values lie beside the others of the entity, so a loop
// over both looks nothing up. Rows of its own are for needs that a table can't meet.
type group struct {
	w        *World
	name     string
	pools    []*pool
	declared store.Group
	typ      reflect.Type // of the struct, with its components at offsets
	offsets  []uintptr
	told     *store.Subject // nil: nobody has asked about them
	owner    *store.Owner   // nil while it is among the commons
	level    *store.Level   // nil while it is among the commons
	except   *store.Level   // its members are left out; nil if there is no such level
}

// newGroup makes a group of pools. It is apart at once if the layout says so, if it has conditions, or if it
// shares components with another one: then both are.
func (w *World) newGroup(name string, t reflect.Type, f values) (*group, error) {
	if w.closed {
		return nil, w.over()
	}
	w.mustIdle("GroupOf")
	if w.names.group[name] {
		return nil, fmt.Errorf("the name is taken by another group: choose another one")
	}
	g := &group{w: w, name: name, typ: t, offsets: f.offsets, pools: slices.Concat(f.pools, f.optional)}
	g.declared = store.Group{Name: name, Fixed: compsOf(f.pools), Optional: compsOf(f.optional), With: compsOf(f.with), Without: compsOf(f.without)}
	if err := g.declared.Fits(); err != nil {
		return nil, err
	}
	_, apart := w.approved.Find(layout.Apart, name)
	apart = apart || len(f.with)+len(f.without) > 0
	for _, p := range g.pools {
		x := w.groupOf(p)
		if x == nil {
			continue
		}
		if apart = true; x.level == nil {
			if err := x.setApart(); err != nil {
				return nil, err
			}
		} else if w.sorters.Follows(x.owner) {
			return nil, fmt.Errorf("component %q is owned by group %q, which takes part in a SortAs: nested groups share rows, and SortAs can't keep those in order; end that SortAs first, and call SortAs with 0 rows when order matters", p.c.Name, x.owner.Name)
		}
	}
	if apart {
		if err := g.setApart(); err != nil {
			return nil, err
		}
	}
	w.names.addGroup(g)
	return g, nil
}

// setApart gives a group rows of its own, and moves the values there that entities have already, in the
// order of their rows.
func (g *group) setApart() error {
	if g.level != nil {
		return nil
	}
	level, err := g.w.base.S.DeclareLevel(g.declared)
	if err == nil {
		g.level, g.owner = level, level.Owner()
		g.w.names.addOwner(g.owner)
	}
	return err
}

// ordered is setApart for a call that orders rows and returns no error: a refusal is a mistake. It tells
// whether there are such rows.
func (g *group) ordered(call string) bool {
	w := g.w
	if w.refused != nil {
		return false
	}
	err := g.setApart()
	if err != nil {
		err = fmt.Errorf("ecs: %s of group %q, which gets rows of its own by that: %w", call, g.name, err)
	}
	return w.constructed(mistake{kind: call, name: g.name, err: err}) == nil
}

// owned are the components of the group: first the fixed ones by ID, then the optional ones.
func (g *group) owned() []*store.Component {
	if g.level != nil {
		return g.level.Owns()
	}
	return g.declared.Owns()
}

// has tells whether all members have a component that the group owns.
func (g *group) has(c *store.Component) bool {
	if g.level != nil {
		return g.level.Main.Has(c)
	}
	return slices.Contains(g.declared.Fixed, c)
}

// runs goes over the members, those of groups within first. The slices are good until rows change.
func (g *group) runs() iter.Seq[[]Entity] {
	if g.level == nil {
		return g.w.base.S.Having(g.declared.Fixed)
	}
	return func(yield func([]Entity) bool) {
		for _, t := range g.tables() {
			for id, n := range t.Seq.Chunks() {
				if !yield(g.w.base.S.Entities(id, n)) {
					return
				}
			}
		}
	}
}

// tables are the tables of the members of a group that is apart. Groups within come first.
func (g *group) tables() []*store.Table {
	list := g.level.Tables()
	if g.except != nil {
		list = list[len(g.except.Tables()):]
	}
	return list
}

func (g *group) len() (n int) {
	if g.level == nil {
		return g.w.base.S.HavingLen(g.declared.Fixed)
	}
	for es := range g.runs() {
		n += len(es)
	}
	return n
}

// Group owns components. Its members are the entities that have all of them, optional ones aside.
// Members are spawned from values of type S, a struct with a field for each owned component. A Group
// lives as long as its World.
//
// Values stay in the rows of tables, beside their other components. A group gets rows of its own,
// apart from tables, when it is sorted, by any call of Sort, SortAs or their pools', when it is sliced
// by SliceOf or named in OnlyIn, when it has conditions, and when it shares components with another
// group. It keeps them from then on (docs/design/store.md).
type Group[S any] struct {
	*Spawner[S] // Spawn, SpawnN and Put make members
	group       *group
}

// GroupOf makes a group that owns the components of the fields of S: by type, or by the name in
// a tag `ashlar:"name"`. With owned, these are the components instead, in field order. A field
// _ Maybe[T] makes the component optional in the group's rows. Members are spawned without it,
// and may get it. Adding or removing it moves no row that is the group's own.
//
// Fields With[T] and Without[T] are components that the group observes and does not own.
// Members must have the first and lack the second. Adding or removing such a component moves
// the entity's row of the group. A world with such groups adds and removes all components one
// by one, also in batches.
//
// A group is nested within another one if it has all components of that and more, With and
// Without included. Both then share their rows. Members of the inner group are members of the
// outer one, and come first there. Groups within each other make a chain; two groups of the
// same components are refused if neither stands within the other. Either may be declared
// first. A component that is optional in one of them may be in any of the shared rows. It can't
// be a required component of another one.
//
// Where the group gets rows of its own, values that entities have already move there at once, which
// costs a pass over their rows. It is refused if the row does not fit in a chunk, or if memory is.
// Sort, SortAs and Respect leave that error to World.Err. GroupOf is refused if the name is taken, if a
// component is owned by a group that is not nested with this one, or if a SortAs goes by the rows of
// such a group. Nothing has changed then but that World.Err says why, and that groups with the same
// components may have rows of their own.
func GroupOf[S any](w *World, name string, owned ...AnyPool) *Group[S] {
	b, g := w.made("GroupOf").groupMade(typeOf((*S)(nil)), name, owned)
	return &Group[S]{&Spawner[S]{spawner: b}, g}
}

// groupMade is a group and the way to spawn its members. One that was refused has no rows, and spawns nothing.
func (w *World) groupMade(t reflect.Type, name string, owned []AnyPool) (spawner, *group) {
	b, g, err := w.newGroupOf(t, name, owned)
	if err != nil {
		err = fmt.Errorf("ecs: group %q: %w", name, err)
	}
	if nowhere := w.constructed(mistake{kind: "GroupOf", name: name, what: t, err: err}); nowhere != nil {
		return nowhereGroup(nowhere, name)
	}
	return b, g
}

func nowhereGroup(nowhere *World, name string) (spawner, *group) {
	return spawner{nowhere, nowhere.base.S.NewBundle(nil, nil), 0, "group", name}, &group{w: nowhere, name: name}
}

func (w *World) newGroupOf(t reflect.Type, name string, owned []AnyPool) (b spawner, g *group, err error) {
	if err := checkName(name); err != nil {
		return b, nil, err
	}
	f, err := w.valueFields(t, owned)
	if err != nil {
		return b, nil, err
	}
	if g, err = w.newGroup(name, t, f); err != nil {
		return b, nil, err
	}
	return spawner{w, w.base.S.NewBundle(f.comps(), f.offsets), t.Size(), "group", name}, g, nil
}

// members appends the members to dst in row order.
func (g *group) members(dst []Entity) []Entity {
	for es := range g.runs() {
		dst = append(dst, es...)
	}
	return dst
}

func (g *group) shown() string {
	return g.name + "(" + strings.Join(g.owns(), ", ") + ")"
}
