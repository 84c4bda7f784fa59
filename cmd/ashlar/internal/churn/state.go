package churn

// Frame is the number of frames run.
func (c *Churn) Frame() int { return int(c.frame) }

// Births is how many entities were ever born.
func (c *Churn) Births() uint64 { return c.births }

// Group is the state of one group.
type Group struct {
	Name    string
	Members int
	Chunks  int
}

// Groups returns the state of each group.
func (c *Churn) Groups() []Group {
	var gs []Group
	for _, h := range c.herds {
		g := Group{Name: h.name, Members: h.life.Len()}
		switch h.kind {
		case walkers:
			g.Chunks = h.walkers.Sequence().ChunkCount()
		case seekers:
			g.Chunks = h.seekers.Sequence().ChunkCount()
		case plants:
			g.Chunks = h.plants.Sequence().ChunkCount()
		}
		gs = append(gs, g)
	}
	return gs
}

// Hash is a sum over all entities, so that it depends on no order, handle or place.
func (c *Churn) Hash() uint64 {
	sum := mix(c.frame)
	for _, h := range c.herds {
		for e, l := range h.life.All() {
			p := h.place.Get(e)
			var m Motion
			var target uint64
			var energy uint32
			if h.motion != nil {
				m = *h.motion.Get(e)
			}
			if h.aim != nil {
				if s := c.signal.Get(h.aim.Get(e).Target); s != nil {
					target = s.Serial
				}
			}
			if h.store != nil {
				energy = h.store.Get(e).Energy
			}
			sum += hashOf(*l, *p, m, target, energy)
		}
	}
	for e, s := range c.signal.All() {
		var f Fever
		if own := c.fever.Get(e); own != nil {
			f = *own
		}
		sum += hashOfSignal(*s, f)
	}
	return sum
}

// hashOf is an entity's part of the hash; what it has not is 0.
func hashOf(l Life, p Place, m Motion, target uint64, energy uint32) uint64 {
	return mix(l.Serial, pair(l.Group, l.Left), pair(uint32(p.X), uint32(p.Y)), pair(uint32(m.DX), uint32(m.DY)), target, uint64(energy))
}

func hashOfSignal(s Signal, f Fever) uint64 {
	return mix(s.Serial, pair(uint32(s.X), uint32(s.Y)), pair(s.Strength, f.Left))
}

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }
