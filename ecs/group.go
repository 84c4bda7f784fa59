package ecs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// group is the part that all groups have in common: pools that it owns, and the rows of entities that
// have all of them, optional ones aside.
type group struct {
	w      *World
	name   string
	pools  []*pool
	owner  *store.Owner
	level  *store.Level
	except *store.Level // its members are left out; nil if there is no such level
	seq    *memmgr.Sequence
}

// newGroup makes a group of pools and takes in the values that entities have already, in the
// order of their rows.
func (w *World) newGroup(name string, f values) (*group, error) {
	if w.closed {
		return nil, w.over()
	}
	w.mustIdle("GroupOf")
	if w.names.group[name] {
		return nil, fmt.Errorf("the name is taken by another group: choose another one")
	}
	g := &group{w: w, name: name, pools: slices.Concat(f.pools, f.optional)}
	declared := store.Group{Name: name, Fixed: compsOf(f.pools), Optional: compsOf(f.optional), With: compsOf(f.with), Without: compsOf(f.without)}
	for _, p := range g.pools {
		if o := p.c.Owner(); w.sorters.Follows(o) {
			return nil, fmt.Errorf("component %q is owned by group %q, which takes part in a SortAs: nested groups share rows, and SortAs can't keep those in order; end that SortAs first, and call SortAs with 0 rows when order matters", p.c.Name, o.Name)
		}
	}
	level, err := w.base.S.DeclareLevel(declared)
	if err != nil {
		return nil, err
	}
	g.level, g.owner, g.seq = level, level.Owner(), level.Main.Seq
	w.names.addGroup(g)
	return g, nil
}

// tables are the tables of the members. Groups within come first.
func (g *group) tables() []*store.Table {
	if g.level == nil {
		return nil // it was refused
	}
	list := g.level.Tables()
	if g.except != nil {
		list = list[len(g.except.Tables()):]
	}
	return list
}

func (g *group) len() (n int) {
	for _, t := range g.tables() {
		n += t.Seq.Len()
	}
	return n
}

// Group owns components and keeps them in rows of its own, apart from tables. Its members are
// the entities that have all of them, optional ones aside. Members are spawned from values of
// type S, a struct with a field for each owned component. A Group lives as long as its World.
//
// A query over components in the same tables does not need a group to be fast. Use groups
// to keep components apart from the rest of wide entities, to sort rows, and for views of
// components that are stored elsewhere (docs/design/store.md).
type Group[S any] struct {
	*Spawner[S] // Spawn, SpawnN and Put make members
	group       *group
}

// GroupOf makes a group that owns the components of the fields of S: by type, or by the name in
// a tag `ashlar:"name"`. With owned, these are the components instead, in field order. A field
// _ Maybe[T] makes the component optional in the group's rows. Members are spawned without it,
// and may get it. Adding or removing it moves no row.
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
// Values that entities have already move to the group at once, which costs a pass over their
// rows. GroupOf is refused if a component is owned by a group that is not nested with this one,
// or if a SortAs goes by the rows of such a group. It is also refused if the name is taken, if the
// row does not fit in a chunk, or if memory is refused. Nothing has changed then but that World.Err
// says why.
func GroupOf[S any](w *World, name string, owned ...AnyPool) *Group[S] {
	w.made("GroupOf")
	g, err := groupOf[S](w, name, owned)
	if err != nil {
		err = fmt.Errorf("ecs: group %q: %w", name, err)
	}
	if nowhere := w.constructed(mistake{kind: "GroupOf", name: name, what: typeFor[S](), err: err}); nowhere != nil {
		return nowhereGroup[S](nowhere, name)
	}
	return g
}

// nowhereGroup is a group that was refused: it has no rows, and its bundle spawns nothing.
func nowhereGroup[S any](nowhere *World, name string) *Group[S] {
	return &Group[S]{&Spawner[S]{nowhere, nowhere.base.S.NewBundle(nil, nil), "group", name}, &group{w: nowhere, name: name}}
}

func groupOf[S any](w *World, name string, owned []AnyPool) (*Group[S], error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	f, err := w.valueFields(typeFor[S](), owned)
	if err != nil {
		return nil, err
	}
	g, err := w.newGroup(name, f)
	if err != nil {
		return nil, err
	}
	spawner := &Spawner[S]{w, w.base.S.NewBundle(f.comps(), f.offsets), "group", name}
	return &Group[S]{spawner, g}, nil
}

// members appends the members to dst in row order.
func (g *group) members(dst []Entity) []Entity {
	dst = slices.Grow(dst, g.len())
	for _, t := range g.tables() {
		for id, n := range t.Seq.Chunks() {
			dst = append(dst, g.w.base.S.Entities(id, n)...)
		}
	}
	return dst
}

func (g *group) shown() string {
	return g.name + "(" + strings.Join(g.owns(), ", ") + ")"
}
