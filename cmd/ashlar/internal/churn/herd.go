package churn

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	walker struct {
		Place  Place
		Motion Motion
		Life   Life
		Trail  Trail
	}
	seeker struct {
		Place  Place
		Motion Motion
		Life   Life
		Aim    Aim
	}
	plant struct {
		Place Place
		Life  Life
		Store Store
	}
)

// herd is one group with components of its own. Only born and rate change after it is made: Step sets
// them in each frame.
type herd struct {
	number int
	kind   kind
	name   string
	born   uint64 // by waves, so far
	rate   uint32 // of deaths in this frame

	any    ecs.AnyGroup
	place  *ecs.Pool[Place]
	life   *ecs.Pool[Life]
	motion *ecs.Pool[Motion] // of walkers and seekers
	trail  *ecs.Pool[Trail]  // of walkers
	aim    *ecs.Pool[Aim]    // of seekers
	store  *ecs.Pool[Store]  // of plants

	walkers *ecs.Group[walker] // one of them, by kind
	seekers *ecs.Group[seeker]
	plants  *ecs.Group[plant]
}

func newHerd(w *ecs.World, number int) *herd {
	h := &herd{number: number, kind: kind(number) % kinds}
	h.name = fmt.Sprintf("%v.%d", h.kind, number)
	h.place = register[Place](w, "place", number)
	h.life = register[Life](w, "life", number)
	if h.kind != plants {
		h.motion = register[Motion](w, "motion", number)
	}
	switch h.kind {
	case walkers:
		h.trail = register[Trail](w, "trail", number)
		h.walkers = ecs.GroupOf[walker](w, h.name, h.place, h.motion, h.life, h.trail)
		h.any = h.walkers
	case seekers:
		h.aim = register[Aim](w, "aim", number)
		h.seekers = ecs.GroupOf[seeker](w, h.name, h.place, h.motion, h.life, h.aim)
		h.any = h.seekers
	case plants:
		h.store = register[Store](w, "store", number)
		h.plants = ecs.GroupOf[plant](w, h.name, h.place, h.life, h.store)
		h.any = h.plants
	}
	return h
}

// register makes a component of one group: the same type has a name for each.
func register[T any](w *ecs.World, name string, number int) *ecs.Pool[T] {
	return ecs.Register[T](w, fmt.Sprintf("%s.%d", name, number))
}

// spawn makes n entities, all or none.
func (h *herd) spawn(n int, c *Churn) ([]ecs.Entity, error) {
	switch h.kind {
	case walkers:
		return spawnEach(h.walkers, n, func(i int) walker {
			l, p, m := born(c.serial(h, h.born+uint64(i)), h.number)
			return walker{Place: p, Motion: m, Life: l}
		})
	case seekers:
		return spawnEach(h.seekers, n, func(i int) seeker {
			l, p, m := born(c.serial(h, h.born+uint64(i)), h.number)
			return seeker{p, m, l, Aim{Target: c.landmark(l.Serial)}}
		})
	}
	return spawnEach(h.plants, n, func(i int) plant {
		l, p, _ := born(c.serial(h, h.born+uint64(i)), h.number)
		return plant{p, l, Store{}}
	})
}

func spawnEach[S any](g *ecs.Group[S], n int, value func(i int) S) ([]ecs.Entity, error) {
	values, handles := make([]S, n), make([]ecs.Entity, n)
	for i := range values {
		values[i] = value(i)
	}
	return handles, g.SpawnN(handles, values)
}
