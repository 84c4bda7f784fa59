package ecs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// dissolve ends the group.
func (g *group) dissolve() error {
	w := g.world
	if w.refused != nil {
		return w.refused
	}
	if w.closed {
		return fmt.Errorf("ecs: Dissolve of group %q: %w", g.name, w.over())
	}
	w.mustIdle("Dissolve")
	if !slices.ContainsFunc(w.names.groups, func(x *group) bool { return x.name == g.name && x.level == g.level }) {
		return errDissolved(g.name)
	}
	if g.level == nil { // its values are in tables, and stay there
		w.forgetGroup(g)
		*g = group{world: newNowhere(errDissolved(g.name)), name: g.name}
		return nil
	}
	if !g.level.Sole() && g.level.Main == g.owner.Main {
		return fmt.Errorf("ecs: Dissolve of group %q, which was declared before the groups around and within it: dissolve those first", g.name)
	}
	if err := w.base.Store.Dissolve(g.level); err != nil {
		return fmt.Errorf("ecs: Dissolve of group %q: %w", g.name, err)
	}
	if len(g.owner.Comps()) == 0 {
		w.sorters.Leave(g.owner)
	}
	w.forgetGroup(g)
	return nil
}

// dissolved tells whether the group has ended.
func (g *group) dissolved() bool {
	return !slices.ContainsFunc(g.world.names.groups, func(x *group) bool { return x.level == g.level })
}

// forgetGroup ends the name of a group, and tells its observers that members leave.
func (w *World) forgetGroup(g *group) {
	w.names.removeGroup(g)
	if g.told != nil {
		w.enter(callDissolve)
		w.base.Store.Disband(g.told)
		w.exit()
	}
}

func errDissolved(name string) error {
	return fmt.Errorf("ecs: group %q is dissolved already: dissolve the group that GroupOf returned, once", name)
}

// SliceOf makes a query over the members of a group. The group must be the only one that owns
// the components of all fields of S. The query passes columns of the group's rows, and tests
// nothing. A field is []T, Write[T] or []Entity. SliceOf is
// refused if no group owns them all, or if several do: groups within each other. World.Err
// names these. More components, or OnlyIn, say which is meant.
func SliceOf[S any](w *World) *Query[S] {
	return &Query[S]{query: w.made("SliceOf").queryOf(new(S), raw.Assign[S], "SliceOf", "a slice of ", w.slice)}
}

// slice has a cursor go over the only group that owns its components.
func (w *World) slice(c *walk.Cursor) error {
	if c.Pointers || c.InRows {
		return fmt.Errorf("it has pointers or ecs.Rows: a slice passes columns; use fields []T")
	}
	var found []*group
	var names []string
	for _, g := range w.names.groups {
		if !slices.ContainsFunc(c.Columns, func(x source.Column) bool { return !g.has(x.Comp) }) {
			found, names = append(found, g), append(names, g.shown())
		}
	}
	switch len(found) {
	case 0:
		return fmt.Errorf("no group owns %s: declare one, or use QueryOf", columnNames(c))
	case 1:
		if found[0].level == nil {
			w.mustIdle("SliceOf of group " + found[0].name + ", which gets rows of its own by that,")
		}
		return w.bind(c.Plan, []AnyGroup{found[0]})
	}
	return fmt.Errorf("%d groups own %s: %s; add a component that only one has, or use a system with OnlyIn", len(found), columnNames(c), strings.Join(names, ", "))
}

func columnNames(c *walk.Cursor) string {
	var list []string
	for _, x := range c.Columns {
		list = append(list, x.Comp.Name)
	}
	return strings.Join(list, ", ")
}

// Dissolve ends the group. Components that it owned alone belong to no group then, and are stored as they
// were registered. Components of groups around or within it stay there. The group has no members from then
// on, and its name is free. It costs a move of the rows of its own, if it has any. Dissolve is refused for the first
// of several groups within each other, as long as there are others, or if memory is refused. Nothing
// has changed then. A system that goes over it with OnlyIn has no rows from then on.
func (g *Group[S]) Dissolve() error { return g.asGroup().made("Dissolve").dissolve() }
