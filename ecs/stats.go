package ecs

import "github.com/ashlar-go/ashlar/ecs/internal/store"

// Stats returns the state of the world: how each component is stored and why, dropped commands, and
// the manager's statistics. The work of views is in Facts. It costs a look at each table for each of its components, and a pass over
// chunks.
func (w *World) Stats() Stats {
	w.made("Stats").mustPromiseNone("Stats", "call it in a system without the option")
	c := &w.commands
	s := Stats{
		Unseen: w.base.Store.Unseen(), Waiting: c.q.Waiting + w.late.q.Waiting, Dropped: c.drops.Total, Drops: c.listed(),
		Memory: w.base.Manager.Stats(),
	}
	for _, p := range w.names.pools {
		s.Components = append(s.Components, p.storage())
	}
	if err := w.systems.Abandoned(); err != nil {
		s.Abandoned = err.Error()
	}
	return s
}

func (p *pool) storage() ComponentStats {
	r := p.component.Report()
	c := ComponentStats{
		Name: p.component.Name, Bytes: int(p.typ.Size()), Storage: storages[p.component.Way()], Reason: r.Reason.String(),
		Entities: p.component.Len(),
	}
	if g := p.world.groupOf(p); g != nil {
		if c.Group = g.name; g.level != nil {
			c.Reason = "declared by its group"
		}
	}
	for _, t := range p.component.Tables() {
		if t.Count(&p.component) > 0 {
			c.Tables++
		}
	}
	return c
}

// storages are ways of the store as options of Register.
var storages = [...]Storage{store.Fixed: Stable, store.Optional: Volatile, store.Thin: Thin}
