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
	rows := c.World.Manager().Stats().Sequences
	for _, h := range c.herds {
		g := Group{Name: h.name, Members: h.life.Len()}
		for _, s := range rows {
			if s.Name == h.name {
				g.Chunks += s.Chunks
			}
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
			var wide uint64
			if h.motion != nil {
				m = *h.motion.Get(e)
			}
			if h.aim != nil {
				a := h.aim.Get(e)
				if s := c.signal.Get(a.Target); s != nil {
					target = s.Serial
				}
				wide = a.hash()
			}
			if h.trail != nil {
				wide = h.trail.Get(e).hash()
			}
			if h.store != nil {
				wide = h.store.Get(e).hash()
			}
			sum += hashOf(*l, *p, m, target, wide)
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

// hashOf is an entity's part of the hash; a missing component is 0, and wide is the part of
// the components of its kind alone.
func hashOf(l Life, p Place, m Motion, target, wide uint64) uint64 {
	return mix(l.Serial, pair(l.Group, l.Left), pair(uint32(p.X), uint32(p.Y)), pair(uint32(m.DX), uint32(m.DY)), target, wide)
}

func hashOfSignal(s Signal, f Fever) uint64 {
	return mix(s.Serial, pair(uint32(s.X), uint32(s.Y)), pair(s.Strength, f.Left))
}

func (t *Trail) hash() uint64 {
	h := uint64(0)
	for _, p := range t.At {
		h = mix(h, pair(uint32(p.X), uint32(p.Y)))
	}
	return h
}

func (a *Aim) hash() uint64 { return mix(a.Lost[:]...) }

func (s *Store) hash() uint64 {
	h := uint64(s.Energy)
	for _, r := range s.Rings {
		h = mix(h, uint64(r))
	}
	return h
}

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }
