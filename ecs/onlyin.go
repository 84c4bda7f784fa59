package ecs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// OnlyIn makes a system go over the rows of the given groups, in that order, and
// nothing else. In each group a field stands for the owned component of its type,
// so that one system serves many groups with columns of the same types. It is not needed
// for speed: a system without it goes over the tables and groups that match. The groups
// must be of the system's world, at least one, and each once. Of groups within each other, name one:
// no row is passed twice. A system without OnlyIn, with a field Without, leaves out the members of an inner one.
func OnlyIn(groups ...AnyGroup) SystemOption {
	return SystemOption{func(o *placing) error {
		if len(groups) == 0 {
			return errors.New("OnlyIn is given no group: name the groups to go over, or leave OnlyIn out to go over all rows that match")
		}
		if o.over != nil {
			return errors.New("it has OnlyIn twice: name all groups in one")
		}
		o.over = groups
		return nil
	}}
}

// bind makes a system's plan go over the rows of some groups and nothing else, each with
// its own components of the fields' types.
func (w *World) bind(p *walk.Plan, over []AnyGroup) error {
	var found []walk.Given
	var groups []*group
	for i, any := range over {
		var g *group
		if any != nil {
			g = any.asGroup()
		}
		switch {
		case g == nil:
			return fmt.Errorf("group %d of OnlyIn is nil or the zero value: groups come from ecs.GroupOf", i)
		case g.world.refused != nil:
			return fmt.Errorf("group %d of OnlyIn: %w", i, errGiven("group", g.name))
		case g.world != w:
			return fmt.Errorf("group %q of OnlyIn is of another world: name groups of the system's world", g.name)
		}
		if err := g.setApart(); err != nil {
			return fmt.Errorf("group %q: %w", g.name, err)
		}
		if slices.ContainsFunc(groups, func(x *group) bool { return x.level == g.level }) {
			return fmt.Errorf("group %q stands twice in OnlyIn: name it once, or its rows would be passed twice", g.name)
		}
		if i := slices.IndexFunc(groups, g.shares); i >= 0 {
			return fmt.Errorf("groups %q and %q of OnlyIn share rows, which would be passed twice: one is nested within the other; name the outer one alone", groups[i].name, g.name)
		}
		given, err := g.rebind(p)
		if err != nil {
			return err
		}
		found, groups = append(found, given), append(groups, g)
	}
	p.Over(func() (list []walk.Given) {
		for i, g := range groups {
			for _, t := range g.tables() {
				given := found[i]
				given.Seq = t.Seq
				list = append(list, given)
			}
		}
		return list
	})
	return nil
}

// rebind finds the components of the group for a plan's columns. It refuses filters that would
// have to be tested row by row.
func (g *group) rebind(p *walk.Plan) (given walk.Given, err error) {
	for _, c := range p.Required {
		of, err := g.standIn(c)
		if err != nil {
			return given, fmt.Errorf("group %q does not own component %q, which is required: OnlyIn goes over whole groups and tests nothing; leave it out, or leave OnlyIn out", g.name, c.Name)
		}
		if err := g.hasAll(of); err != nil {
			return given, err
		}
		given.Required = append(given.Required, of)
	}
	for _, c := range p.Excluded {
		return given, fmt.Errorf("component %q is excluded: OnlyIn goes over whole groups and tests nothing; leave Without out, or leave OnlyIn out", c.Name)
	}
	for _, x := range p.Changes {
		return given, fmt.Errorf("it has ecs.Changed or ecs.Added of component %q: OnlyIn goes over whole groups and tests nothing; leave that field out, or leave OnlyIn out", x.Comp.Name)
	}
	columns := make([]source.Column, len(p.Columns))
	for j, x := range p.Columns {
		c, err := g.standIn(x.Comp)
		if err != nil {
			return given, err
		}
		if !x.Whole() {
			return given, fmt.Errorf("it asks for field %s of component %q: OnlyIn passes whole columns; ask for the component, or leave OnlyIn out", x.Part.Path, c.Name)
		}
		if err := g.hasAll(c); err != nil {
			return given, err
		}
		columns[j] = x
		columns[j].Comp = c
		given.Comps = append(given.Comps, c)
	}
	if err := source.Clash(columns); err != nil {
		return given, fmt.Errorf("in group %q: %w", g.name, err)
	}
	return given, nil
}

// hasAll returns an error if members of the group may lack a component.
func (g *group) hasAll(c *store.Component) error {
	if g.has(c) {
		return nil
	}
	return fmt.Errorf("component %q is optional in group %q: OnlyIn passes whole columns and tests nothing; leave the component out, or leave OnlyIn out", c.Name, g.name)
}

// standIn returns the component of the group that takes the place of c: of the same type.
func (g *group) standIn(c *store.Component) (found *store.Component, err error) {
	t := g.world.poolOf(c).typ
	for _, p := range g.pools {
		if p.typ == t {
			if found != nil {
				return nil, fmt.Errorf("group %q owns two components of type %v", g.name, t)
			}
			found = &p.component
		}
	}
	if found == nil {
		return nil, fmt.Errorf("group %q owns no component of type %v", g.name, t)
	}
	return found, nil
}
