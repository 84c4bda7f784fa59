package ecs

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Describe shows systems, tables, resources and the layout, in lines of at most 80 columns. A system is shown with its phase,
// its sets and the components that it uses. How components are stored is in Stats. It costs a pass over tables.
func (w *World) Describe() string { return w.made("Describe").description().String() }

// Layout returns the layout that the world goes by, and the statements that it can't follow, with the cause: those with a
// name that the world lacks come first.
func (w *World) Layout() (l layout.Layout, refused []string) {
	l = w.made("Layout").layout
	missing, _ := l.Missing(w.shape())
	for _, s := range missing {
		refused = append(refused, s.String()+": the program has no such name")
	}
	for _, s := range l.Statements {
		if s.Word != layout.Sort || slices.Contains(missing, s) {
			continue
		}
		if _, err := w.laidOrder(s); err != nil {
			refused = append(refused, s.String()+": "+err.Error())
		}
	}
	return l, refused
}

func (w *World) description() (d description) {
	for _, phase := range []Phase{Startup, Fixed, EachFrame, Render} {
		for _, x := range w.systems.Systems() {
			if x.Phase == schedule.Phase(phase) {
				d.systems = append(d.systems, described(x))
			}
		}
	}
	for t := range w.base.Store.Tables() {
		x := tableText{components: t.Components(), rows: t.Seq.Len(), chunks: t.Seq.ChunkCount()}
		if o := t.Owner(); o != nil {
			x.group = o.Name
		}
		d.tables = append(d.tables, x)
	}
	for t := range w.names.resources {
		d.resources = append(d.resources, t.String())
	}
	slices.Sort(d.resources)
	d.layout, d.refused = w.Layout()
	return d
}

// described is the text about a system.
func described(x *schedule.System) systemText {
	s := systemText{name: x.Name, phase: x.Phase.String(), sets: slices.Clone(x.Sets), before: slices.Clone(x.Before), after: slices.Clone(x.After), paused: x.Paused(), onlyIn: slices.Clone(x.Only)}
	var passed []*store.Component
	var written, read, with, changed, added, or, writtenRes, readRes, poolNames []string
	for _, c := range x.Columns {
		name := c.Comp.Name
		if c.Part.Path != "" {
			name += "." + c.Part.Path
		}
		into(c.Write, &written, &read, name)
		passed = append(passed, c.Comp)
	}
	for _, c := range x.Required {
		if !slices.Contains(passed, c) {
			with = append(with, c.Name)
		}
	}
	for _, any := range x.Any {
		or = append(or, strings.Join(namesOf(any), " or "))
	}
	for _, c := range x.Changes {
		into(c.Added, &added, &changed, c.Comp.Name)
	}
	for _, r := range x.Resources {
		into(r.Write, &writtenRes, &readRes, r.Type)
	}
	for _, p := range x.Pools {
		poolNames = append(poolNames, p.Comp.Name)
	}
	s.uses = []use{
		{"writes", written}, {"reads", read}, {"with", with}, {"without", namesOf(x.Excluded)}, {"any of", or}, {"changed", changed}, {"added", added},
		{"present", namesOf(x.Present)}, {"disabled", namesOf(x.Disabled)}, {"pools", poolNames}, {"later", namesOf(x.Later)},
		{"writes resources", writtenRes}, {"reads resources", readRes},
	}
	return s
}

// into appends a name to one of two lists.
func into(first bool, a, b *[]string, name string) {
	if !first {
		a = b
	}
	*a = append(*a, name)
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
