package ecs

import "unsafe"

// Spawn makes an entity with the group's components. Errors are the arena's;
// nothing has changed then. It allocates nothing on the Go heap.
func (g *Group[S]) Spawn(v S) (Entity, error) {
	return g.made("Spawn").spawn(unsafe.Pointer(&v))
}

// spawn is Spawn from where the value lies. What is done most often, a recycled index
// and a row in a chunk that has room, is done here without a call.
func (g *group) spawn(v unsafe.Pointer) (Entity, error) {
	w, i := g.w, g.w.freeHead
	if w.busy != "" || i == 0 || i >= g.ready {
		return g.spawnSlow(v)
	}
	l := g.seq.TryAppend()
	if l == 0 {
		return g.spawnSlow(v)
	}
	r := w.recordAt(i)
	e := r.id>>versionShift<<versionShift | Entity(i)
	w.freeHead = r.id.Index()
	w.alive++
	r.id, r.set = e, g.first
	w.putEntity(l, e)
	cols, s := g.cols, makeSlot(e, l)
	for i := range cols {
		c := &cols[i]
		copyValue(c.at(l), unsafe.Add(v, c.field), c.size)
		*c.slot(e.Index()) = s
	}
	return e, nil
}

func (g *group) spawnSlow(v unsafe.Pointer) (Entity, error) {
	w := g.w
	if w.busy != "" {
		w.mustIdle("Spawn")
	}
	e, r, err := w.create()
	if err != nil {
		return 0, err
	}
	if err = g.fill(e, r, v); err != nil {
		w.release(r)
		e = 0
	}
	return e, err
}

// prepare makes an entity's slots and places in the set.
func (g *group) prepare(e Entity) error {
	ready := ^uint32(0)
	for _, p := range g.pools {
		if err := p.prepare(e, false); err != nil {
			return err
		}
		_, n := p.slots.Base()
		ready = min(ready, n)
	}
	if len(g.need) == 1 {
		g.ready = ready
	}
	return nil
}

// fill gives a new entity the group's components, whose values are fields of v.
func (g *group) fill(e Entity, r *record, v unsafe.Pointer) error {
	if e.Index() >= g.ready {
		if err := g.prepare(e); err != nil {
			return err
		}
	}
	l := g.seq.TryAppend()
	if l == 0 {
		var err error
		if l, err = g.append(); err != nil {
			return err
		}
	}
	g.w.putEntity(l, e)
	cols, s := g.cols, makeSlot(e, l)
	for i := range cols {
		c := &cols[i]
		copyValue(c.at(l), unsafe.Add(v, c.field), c.size)
		*c.slot(e.Index()) = s
	}
	r.set |= g.first
	if len(g.need) > 1 {
		for n, need := range g.need[1:] {
			if need != 0 { // else nobody has made a place in that plane
				*g.w.planes[n].Ptr(e.Index()) |= need
			}
		}
	}
	return nil
}
