package ecs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// group is what all groups have in common: pools that it owns, and rows of entities that
// have them all, but for optional ones.
type group struct {
	w      *World
	name   string
	pools  []*pool
	owner  *store.Owner
	seq    *memmgr.Sequence // of those that have all
	bundle *store.Bundle
}

// newGroup makes a group of pools and takes in what entities have of them, in the order in
// which their rows lie.
func (w *World) newGroup(name string, pools []*pool, optional []bool) (*group, error) {
	if w.closed {
		return nil, ErrClosed
	}
	w.mustIdle("GroupOf")
	if len(pools) == 0 {
		return nil, fmt.Errorf("it owns no component")
	}
	if w.names.group[name] {
		return nil, fmt.Errorf("the name is taken by another group")
	}
	g := &group{w: w, name: name, pools: pools}
	var comps, opts []*store.Component
	for i, p := range pools {
		if p.group != nil {
			return nil, fmt.Errorf("component %q is owned by group %q: a component has one owner; let this group read it through a query instead", p.c.Name, p.group.name)
		}
		if slices.Contains(pools[:i], p) {
			return nil, fmt.Errorf("component %q is named twice", p.c.Name)
		}
		if optional[i] {
			opts = append(opts, &p.c)
		} else {
			comps = append(comps, &p.c)
		}
	}
	owner, err := w.base.S.Declare(name, comps, opts)
	if err != nil {
		return nil, err
	}
	g.owner, g.seq = owner, owner.Main.Seq
	for _, p := range pools {
		p.group = g
	}
	w.names.addGroup(g)
	w.views.AddGroup(owner)
	return g, nil
}

// Group owns components and keeps them in rows of its own, apart from the tables where
// other components lie. Its members are the entities that have all of them, but for
// optional ones. Members are spawned from values of type S, a struct with a field for each
// owned component. A Group lives as long as its world.
//
// Groups are not needed for speed where a query's components lie in the same tables. They
// are for components that are to lie apart from the rest of wide entities, for rows that
// are sorted, and for views of components that lie elsewhere (docs/store.md).
type Group[S any] struct{ *group }

// GroupOf makes a group that owns the components of the fields of S: by type, or
// by the name in a tag `ashlar:"name"`. With owned, these are the components instead, in
// field order. The word optional in a tag makes the component optional in the group's
// rows: members may lack it, and adding and removing it moves no row.
//
// Values that entities have already move to the group at once, which costs a pass over
// their rows. GroupOf is refused if a component is owned by another group, if the row does
// not fit in a chunk, or if memory is refused. Nothing has changed then. The error is also
// returned by every Run, until GroupOf succeeds under the same name.
func GroupOf[S any](w *World, name string, owned ...AnyPool) (*Group[S], error) {
	if w == nil || w.base.M == nil {
		return nil, fmt.Errorf("ecs: group %q: %w", name, errNoWorld)
	}
	g, err := groupOf[S](w, name, owned)
	if err != nil {
		err = fmt.Errorf("ecs: group %q: %w", name, err)
	}
	return g, w.registered("group", name, err)
}

func groupOf[S any](w *World, name string, owned []AnyPool) (*Group[S], error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	f, err := w.valueFields(typeFor[S](), owned)
	if err != nil {
		return nil, err
	}
	g, err := w.newGroup(name, f.pools, f.optional)
	if err != nil {
		return nil, err
	}
	g.bundle = w.base.S.NewBundle(f.comps(), f.offsets)
	return &Group[S]{g}, nil
}

// members appends the members to dst in row order.
func (g *group) members(dst []Entity) []Entity {
	dst = slices.Grow(dst, g.seq.Len())
	for id, n := range g.seq.Chunks() {
		dst = append(dst, g.w.base.S.Entities(id, n)...)
	}
	return dst
}

func (g *group) shown() string {
	return g.name + "(" + strings.Join(record.Owns(g.owner), ", ") + ")"
}
