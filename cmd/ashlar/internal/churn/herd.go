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

func newHerd(w *ecs.World, number int) (h *herd, err error) {
	h = &herd{number: number, kind: kind(number) % kinds}
	h.name = fmt.Sprintf("%v.%d", h.kind, number)
	if h.place, err = register[Place](w, "place", number); err != nil {
		return nil, err
	}
	if h.life, err = register[Life](w, "life", number); err != nil {
		return nil, err
	}
	if h.kind != plants {
		if h.motion, err = register[Motion](w, "motion", number); err != nil {
			return nil, err
		}
	}
	switch h.kind {
	case walkers:
		if h.trail, err = register[Trail](w, "trail", number); err != nil {
			return nil, err
		}
		h.walkers, err = ecs.GroupOf[walker](w, h.name, h.place, h.motion, h.life, h.trail)
		h.any = h.walkers
	case seekers:
		if h.aim, err = register[Aim](w, "aim", number); err != nil {
			return nil, err
		}
		h.seekers, err = ecs.GroupOf[seeker](w, h.name, h.place, h.motion, h.life, h.aim)
		h.any = h.seekers
	case plants:
		if h.store, err = register[Store](w, "store", number); err != nil {
			return nil, err
		}
		h.plants, err = ecs.GroupOf[plant](w, h.name, h.place, h.life, h.store)
		h.any = h.plants
	}
	return h, err
}

// register makes a component of one group: the same type has a name for each.
func register[T any](w *ecs.World, name string, number int) (*ecs.Pool[T], error) {
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
