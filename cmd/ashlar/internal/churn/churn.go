// Package churn runs a world with a population that comes and goes: the scenario of
// `ashlar run churn`. Entities of many groups are born and die in waves: from a
// tenth of the largest population up to all of it, and back. So some memory has
// always just been left.
//
//	group 0 walkers   place.0 motion.0 life.0 trail.0  ─ one in four: signal
//	group 1 seekers   place.1 motion.1 life.1 aim.1  ──handle──→ signal
//	group 2 plants    place.2 life.2 store.2
//	group 3 walkers   place.3 …                          signal and fever lie in tables
//
//	births ─→ emit seek aim move fade burn infect grow age cull breed ─→ deaths
//	batches   systems; their births and deaths are commands              a batch
//
// The fate of an entity depends on its serial number and on the components it can reach. It
// never depends on its handle, its row or the order of rows. So the [Churn.Hash] of a
// frame is the same wherever rows are stored. The tests compare it with that of a plain
// program without entities. The pure rules are in rules.go.
package churn

import (
	"context"
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// Options say how a world is made. Zero values mean the defaults.
type Options struct {
	Entities int    // the most that there are at the top of a wave; 0 means EntitiesDefault
	Groups   int    // 0 means GroupsDefault
	Seed     uint64 // other worlds have other entities
	ECS      ecs.Options
}

// Limits and defaults of Options.
const (
	EntitiesDefault = 100_000
	EntitiesMax     = 1 << 24
	GroupsDefault   = 12
	GroupsMax       = 1000
)

// landmarks is how many of the last signals seekers choose from.
const landmarks = 1024

// Churn is a world in which entities come and go. New sets options, herds and pools, which stay. Step
// changes the rest: births group by group (next), the systems once (ran), the deaths; then it resets
// all three and counts the frame.
type Churn struct {
	World *ecs.World

	options   Options
	herds     []*herd
	signal    *ecs.Pool[Signal]
	fever     *ecs.Pool[Fever]
	landmarks []ecs.Entity // the last ones born with a signal
	heard     int          // how many were born with one
	frame     uint64
	births    uint64

	// Of the frame that is going on, so that a Step may go on after an error.
	next    int  // the group with births due
	ran     bool // systems have run
	victims []ecs.Entity
	unborn  []unborn
}

// unborn is a child that there was no memory for.
type unborn struct {
	herd  *herd
	plant plant
}

// New makes a world without entities.
func New(o Options) (*Churn, error) {
	if o.Entities == 0 {
		o.Entities = EntitiesDefault
	}
	if o.Groups == 0 {
		o.Groups = GroupsDefault
	}
	var errs []error
	if o.Entities < 0 || o.Entities > EntitiesMax {
		errs = append(errs, fmt.Errorf("%d entities: there can be from 1 to %d", o.Entities, EntitiesMax))
	}
	if o.Groups < 0 || o.Groups > GroupsMax {
		errs = append(errs, fmt.Errorf("%d groups: there can be from 1 to %d", o.Groups, GroupsMax))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	w := ecs.New(o.ECS)
	c := &Churn{World: w, options: o}
	c.build()
	c.systems()
	if err := w.Err(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return c, nil
}

func (c *Churn) build() {
	c.signal = ecs.Register[Signal](c.World, "signal")
	c.fever = ecs.Register[Fever](c.World, "fever")
	for g := range c.options.Groups {
		c.herds = append(c.herds, newHerd(c.World, g))
	}
}

// Step runs one frame. After an error, which is ctx's or the arena's, it may be
// called again and goes on where it was. A frame that has begun is finished: ctx is
// asked before it only.
func (c *Churn) Step(ctx context.Context) error {
	if !c.ran {
		if err := c.run(ctx); err != nil {
			return err
		}
		c.ran = true
	}
	for ; len(c.unborn) > 0; c.unborn = c.unborn[1:] {
		if _, err := c.unborn[0].herd.plants.Spawn(c.unborn[0].plant); err != nil {
			return fmt.Errorf("births of frame %d: %w", c.frame, err)
		}
	}
	c.World.DestroyAll(ecs.Handles(c.victims))
	c.victims, c.next, c.ran = c.victims[:0], 0, false
	c.frame++
	return nil
}

// run makes the births that are due and runs the systems.
func (c *Churn) run(ctx context.Context) error {
	if c.next == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for ; c.next < len(c.herds); c.next++ {
		if err := c.surge(c.herds[c.next]); err != nil {
			return fmt.Errorf("births of frame %d: %w", c.frame, err)
		}
	}
	err := c.World.Run(ctx)
	if len(c.unborn) > 0 && errors.Is(err, ecs.ErrDropped) {
		return nil // the frame is over, and Step makes these births again
	}
	return err
}

// surge brings a group to the number of members that the wave asks for: by births,
// or by a rate of deaths.
func (c *Churn) surge(h *herd) error {
	have, want := h.life.Len(), want(c.options.Entities, len(c.herds), h.number, c.frame)
	h.rate = rate(have, want)
	if want <= have {
		return nil
	}
	newborn, err := h.spawn(want-have, c)
	if err != nil {
		return err
	}
	for i, e := range newborn {
		serial := c.serial(h, h.born+uint64(i))
		if h.kind != walkers || !signals(serial) {
			continue
		}
		_, at, _ := born(serial, h.number)
		s := Signal{Serial: serial}
		s.emit(at)
		c.signal.Later(c.World.Commands()).Add(e, s)
		if len(c.landmarks) < landmarks {
			c.landmarks = append(c.landmarks, e)
		} else {
			c.landmarks[c.heard%landmarks] = e
		}
		c.heard++
	}
	h.born += uint64(len(newborn))
	c.births += uint64(len(newborn))
	return nil
}

// serial is that of the n-th entity that is born into a group by waves.
func (c *Churn) serial(h *herd, n uint64) uint64 { return mix(c.options.Seed, uint64(h.number), n) }

// landmark is the entity that a seeker follows from a frame on: null if none has a signal.
func (c *Churn) landmark(serial uint64) ecs.Entity {
	if len(c.landmarks) == 0 {
		return 0
	}
	return c.landmarks[pick(serial, c.frame, len(c.landmarks))]
}

// Close gives the world's memory back.
func (c *Churn) Close() error { return c.World.Close() }
