package ecs

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// newGroup makes a group of pools. It is apart at once if the layout says so, if it has conditions, or if it
// shares components with another one: then both are.
func (w *World) newGroup(name string, t reflect.Type, f values) (*group, error) {
	w.mustIdle("GroupOf")
	if w.names.group[name] {
		return nil, fmt.Errorf("the name is taken by another group: choose another one")
	}
	g := &group{world: w, name: name, typ: t, offsets: f.offsets, pools: slices.Concat(f.pools, f.optional)}
	g.declared = store.Group{Name: name, Fixed: compsOf(f.pools), Optional: compsOf(f.optional), With: compsOf(f.with), Without: compsOf(f.without)}
	if err := g.declared.Fits(); err != nil {
		return nil, err
	}
	_, apart := w.layout.Find(layout.Apart, name)
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
			return nil, fmt.Errorf("component %q is owned by group %q, which takes part in a SortAs: nested groups share rows, and SortAs can't keep those in order; end that SortAs first, and call SortAs with 0 rows when order matters", p.component.Name, x.owner.Name)
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
	if nowhere := w.constructed(mistake{kind: "GroupOf", says: "group", name: name, what: t, err: err}); nowhere != nil {
		return nowhereGroup(nowhere, name)
	}
	return b, g
}

func nowhereGroup(nowhere *World, name string) (spawner, *group) {
	return spawner{nowhere, nowhere.base.Store.NewBundle(nil, nil), 0, "group", name}, &group{world: nowhere, name: name}
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
	return spawner{w, w.base.Store.NewBundle(f.comps(), f.offsets), t.Size(), "group", name}, g, nil
}

// Len is the number of members.
func (g *Group[S]) Len() int { return g.asGroup().made("Len").len() }

// Members appends the members to dst in row order and returns it: members of groups within
// come first.
func (g *Group[S]) Members(dst []Entity) []Entity { return g.asGroup().made("Members").members(dst) }

func (g *Group[S]) asGroup() *group {
	if g == nil {
		return nil
	}
	return g.group
}
