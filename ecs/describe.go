package ecs

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Describe lists the parts of the world: systems, components, groups, tables and resources.
// Systems are listed with phase, sets, reads and writes, and components with the way they are
// stored. Counts are in Stats. It costs a look at each table for each of its components.
func (w *World) Describe() Description {
	w.made("Describe")
	var d Description
	for _, phase := range []Phase{Startup, Fixed, EachFrame, Render} {
		for _, x := range w.systems.Systems() {
			if x.Phase == schedule.Phase(phase) {
				d.Systems = append(d.Systems, described(x))
			}
		}
	}
	for _, p := range w.names.pools {
		c := p.storage()
		d.Components = append(d.Components, ComponentDescription{Name: c.Name, Type: p.typ.String(), Bytes: int(p.typ.Size()), Storage: c.Storage, Reason: c.Reason})
	}
	for _, g := range w.names.groups {
		d.Groups = append(d.Groups, GroupDescription{Name: g.name, Owns: g.owns()})
	}
	for t := range w.base.S.Tables() {
		x := TableDescription{Components: t.Components(), Rows: t.Seq.Len(), Chunks: t.Seq.ChunkCount()}
		if o := t.Owner(); o != nil {
			x.Group = o.Name
		}
		d.Tables = append(d.Tables, x)
	}
	for t := range w.names.resources {
		d.Resources = append(d.Resources, t.String())
	}
	slices.Sort(d.Resources)
	return d
}

// described is the description of a system.
func described(x *schedule.System) SystemDescription {
	s := SystemDescription{Name: x.Name, Phase: x.Phase.String(), Sets: slices.Clone(x.Sets), Before: slices.Clone(x.Before), After: slices.Clone(x.After), Paused: x.Paused()}
	var passed []*store.Component
	for _, c := range x.Columns {
		name := c.Comp.Name
		if c.Part.Path != "" {
			name += "." + c.Part.Path
		}
		if c.Write {
			s.Writes = append(s.Writes, name)
		} else {
			s.Reads = append(s.Reads, name)
		}
		passed = append(passed, c.Comp)
	}
	for _, c := range x.Required {
		if !slices.Contains(passed, c) {
			s.With = append(s.With, c.Name)
		}
	}
	for _, c := range x.Excluded {
		s.Without = append(s.Without, c.Name)
	}
	for _, any := range x.Any {
		s.Or = append(s.Or, strings.Join(namesOf(any), " or "))
	}
	for _, c := range x.Changes {
		if c.Added {
			s.Added = append(s.Added, c.Comp.Name)
		} else {
			s.Changed = append(s.Changed, c.Comp.Name)
		}
	}
	s.Present, s.Disabled, s.Pools, s.Later, s.OnlyIn = namesOf(x.Present), namesOf(x.Disabled), namesOf(x.Pools), namesOf(x.Later), slices.Clone(x.Only)
	for _, r := range x.Resources {
		if r.Write {
			s.ResourcesWritten = append(s.ResourcesWritten, r.Type)
		} else {
			s.ResourcesRead = append(s.ResourcesRead, r.Type)
		}
	}
	return s
}

// namesOf are the names of components; nil stands for the entity as a whole.
func namesOf(cs []*store.Component) (names []string) {
	for _, c := range cs {
		if c == nil {
			names = append(names, "entity")
		} else {
			names = append(names, c.Name)
		}
	}
	return names
}
