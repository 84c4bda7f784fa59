package churn

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// systems registers the systems in the order in which they run. Fields name the
// components of the first group that has such; ecs.OnlyIn binds them to each group's.
func (c *Churn) systems() {
	of := [kinds][]ecs.AnyGroup{}
	var all, moving []ecs.AnyGroup
	for _, h := range c.herds {
		of[h.kind] = append(of[h.kind], h.any)
		all = append(all, h.any)
		if h.kind != plants {
			moving = append(moving, h.any)
		}
	}
	c.emit(of[walkers])
	if len(of[seekers]) > 0 {
		c.seek(of[seekers])
		c.aim(of[seekers])
	}
	c.move(moving)
	c.loose()
	if len(of[plants]) > 0 {
		c.grow(of[plants])
	}
	c.age(all)
	c.cull(all)
	for _, h := range c.herds {
		if h.kind == plants {
			c.breed(h)
		}
	}
}

// due tells whether a rare rule is to run in this frame.
func (c *Churn) due(every uint64) bool { return c.frame%every == 0 }

func (c *Churn) emit(over []ecs.AnyGroup) {
	type emit struct {
		Ents   []ecs.Entity
		Place  []Place          `ashlar:"place.0"`
		Trail  ecs.Write[Trail] `ashlar:"trail.0"`
		Signal *ecs.Pool[Signal]
	}
	ecs.System(c.World, "emit", func(s *emit) {
		if !c.due(emitEvery) {
			return
		}
		place, trail, signal := s.Place, s.Trail, s.Signal
		for i, e := range s.Ents {
			trail[i].mark(place[i], c.frame)
			if own := signal.Mut(e); own != nil {
				own.emit(place[i])
			}
		}
	}, ecs.OnlyIn(over...))
}

func (c *Churn) seek(over []ecs.AnyGroup) {
	type seek struct {
		Place  []Place           `ashlar:"place.0"`
		Aim    []Aim             `ashlar:"aim.1"`
		Motion ecs.Write[Motion] `ashlar:"motion.0"`
		Signal ecs.Look[Signal]
	}
	ecs.System(c.World, "seek", func(s *seek) {
		place, motion, signal := s.Place, s.Motion, s.Signal
		aim := s.Aim
		for i := range aim {
			motion[i].steer(place[i], signal.Get(aim[i].Target))
		}
	}, ecs.OnlyIn(over...), ecs.Parallel())
}

// aim gives entities without a live target another one.
func (c *Churn) aim(over []ecs.AnyGroup) {
	type aim struct {
		Life   []Life         `ashlar:"life.0"`
		Aim    ecs.Write[Aim] `ashlar:"aim.1"`
		Signal ecs.Look[Signal]
	}
	ecs.System(c.World, "aim", func(s *aim) {
		if !c.due(aimEvery) {
			return
		}
		life, aims := s.Life, s.Aim
		for i := range aims {
			if s.Signal.Get(aims[i].Target) == nil {
				aims[i].lose(c.frame)
				aims[i].Target = c.landmark(life[i].Serial)
			}
		}
	}, ecs.OnlyIn(over...), ecs.Parallel())
}

func (c *Churn) move(over []ecs.AnyGroup) {
	type move struct {
		Place  ecs.Write[Place] `ashlar:"place.0"`
		Motion []Motion         `ashlar:"motion.0"`
	}
	ecs.System(c.World, "move", func(s *move) {
		place, motion := s.Place, s.Motion
		for i := range place {
			place[i].move(motion[i])
		}
	}, ecs.OnlyIn(over...), ecs.Parallel())
}

// loose registers the systems over components that no group owns.
func (c *Churn) loose() {
	type fade struct {
		Signal ecs.Write[Signal]
	}
	type burn struct {
		Ents   []ecs.Entity
		Fever  ecs.Write[Fever]
		Signal ecs.Write[Signal]
		Later  *ecs.Commands
	}
	type infect struct {
		Ents   []ecs.Entity
		Signal []Signal
		_      ecs.Without[Fever]
		Later  *ecs.Commands
	}
	ecs.System(c.World, "fade", func(s *fade) {
		signal := s.Signal
		for i := range signal {
			signal[i].fade()
		}
	}, ecs.Parallel())
	ecs.System(c.World, "burn", func(s *burn) {
		fever, signal := s.Fever, s.Signal
		for i := range fever {
			if fever[i].burn(&signal[i]) {
				c.fever.Later(s.Later).Remove(s.Ents[i])
			}
		}
	}, ecs.Parallel())
	ecs.System(c.World, "infect", func(s *infect) {
		if !c.due(infectEvery) {
			return
		}
		for i, e := range s.Ents {
			if infected(s.Signal[i].Serial, c.frame) {
				c.fever.Later(s.Later).Add(e, Fever{feverTime})
			}
		}
	}, ecs.Parallel())
}

func (c *Churn) grow(over []ecs.AnyGroup) {
	type grow struct {
		Place []Place          `ashlar:"place.0"`
		Store ecs.Write[Store] `ashlar:"store.2"`
	}
	ecs.System(c.World, "grow", func(s *grow) {
		place, store := s.Place, s.Store
		for i := range store {
			store[i].grow(place[i])
		}
	}, ecs.OnlyIn(over...), ecs.Parallel())
}

// age ends lives that are over, by commands.
func (c *Churn) age(over []ecs.AnyGroup) {
	type age struct {
		Ents  []ecs.Entity
		Life  ecs.Write[Life] `ashlar:"life.0"`
		Later *ecs.Commands
	}
	ecs.System(c.World, "age", func(s *age) {
		life, ents := s.Life, s.Ents
		for i := range life {
			if life[i].age() {
				s.Later.Destroy(ents[i])
			}
		}
	}, ecs.OnlyIn(over...), ecs.Parallel())
}

// cull notes who is to die when a wave falls; Step destroys them in one batch.
func (c *Churn) cull(over []ecs.AnyGroup) {
	type cull struct {
		Ents []ecs.Entity
		Life []Life `ashlar:"life.0"`
	}
	ecs.System(c.World, "cull", func(s *cull) {
		rate := c.herds[s.Life[0].Group].rate
		if rate == 0 {
			return
		}
		for i, l := range s.Life {
			if culled(l.Serial, c.frame, rate) {
				c.victims = append(c.victims, s.Ents[i])
			}
		}
	}, ecs.OnlyIn(over...))
}

// breed is a system of one group, since its children go there. It is the last one,
// so that a child that finds no memory is as well born after it.
func (c *Churn) breed(h *herd) {
	type breed struct {
		Life  []Life           `ashlar:"life.0"`
		Store ecs.Write[Store] `ashlar:"store.2"`
		Later *ecs.Commands
	}
	ecs.System(c.World, fmt.Sprintf("breed.%d", h.number), func(s *breed) {
		if !c.due(breedEvery) {
			return
		}
		for i := range s.Store {
			if !s.Store[i].breed(c.frame) {
				continue
			}
			l, p, _ := born(child(s.Life[i].Serial, c.frame), h.number)
			c.births++
			if h.plants.Later(s.Later).Spawn(plant{p, l, Store{}}) == 0 {
				c.unborn = append(c.unborn, unborn{h, plant{p, l, Store{}}})
			}
		}
	}, ecs.OnlyIn(h.any))
}
