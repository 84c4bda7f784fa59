package ecs

import (
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Stats returns the state of the world: how each component is stored and why, members of
// groups, and the manager's statistics. It also counts the work of views and SortAs, and
// lists dropped commands. It costs a look at each table for each of its components, and a pass
// over chunks.
func (w *World) Stats() Stats {
	w.made("Stats").mustPromiseNone("Stats", "call it in a system without the option")
	c := &w.commands
	s := Stats{
		Frame: w.base.Frame, Entities: w.base.S.Len(), Unseen: w.base.S.Unseen(), Systems: len(w.systems.Systems()),
		Locked:  len(w.base.S.Held()),
		Waiting: c.q.Waiting + w.late.q.Waiting, Dropped: c.drops.Total, Drops: c.listed(),
		Tidied: w.base.S.Tidied(), Memory: w.base.M.Stats(),
	}
	for range w.base.S.Tables() {
		s.Tables++
	}
	for _, x := range w.views.Stats() {
		s.Views = append(s.Views, ViewStats{
			Group: x.Group, Component: x.Component, Field: x.Field, Readers: x.Readers, Built: x.Built,
			Refreshed: x.Refreshed, Reused: x.Reused, Bytes: x.Bytes, Kept: x.Kept, Dropped: x.Dropped,
		})
	}
	for _, x := range w.sorters.Stats() {
		s.Sorts = append(s.Sorts, SortStats{Rows: x.Rows, As: x.As, Swapped: x.Swapped, Rounds: x.Rounds})
	}
	for _, p := range w.names.pools {
		s.Components = append(s.Components, p.storage())
	}
	for _, g := range w.names.groups {
		s.Groups = append(s.Groups, GroupStats{Name: g.name, Owns: g.owns(), Members: g.len()})
	}
	for t, q := range w.names.events {
		s.Events = append(s.Events, EventStats{t.String(), q.Written(), q.Len(), q.Dropped()})
	}
	slices.SortFunc(s.Events, func(a, b EventStats) int { return strings.Compare(a.Type, b.Type) })
	if err := w.systems.Abandoned(); err != nil {
		s.Abandoned = err.Error()
	}
	return s
}

func (p *pool) storage() ComponentStats {
	way, changing := p.c.Changing()
	r := p.c.Report()
	c := ComponentStats{
		Name: p.c.Name, Type: p.typ.String(), Bytes: int(p.typ.Size()), Storage: storages[way], Reason: r.Reason.String(), Since: uint64(r.Frame),
		Changing: changing, Entities: p.c.Len(), Removed: r.Removed,
	}
	if g := p.w.groupOf(p); g != nil {
		if c.Group = g.name; g.level != nil {
			c.Reason = "declared by its group"
		}
	}
	for _, t := range p.c.Tables() {
		if t.Count(&p.c) > 0 {
			c.Tables++
		}
	}
	return c
}

// storages are ways of the store as options of Register.
var storages = [...]Storage{store.Fixed: Stable, store.Optional: Volatile, store.Thin: Thin}
