// Package game runs a small game without a screen: the scenario of `ashlar run game`, and
// a program of bench, which is another module and can't import internal packages of this command.
// All things have a Transform, owned by one group; its parts
// the systems of other groups share, each over only some of the things. With Options.Apart the groups have
// rows of their own, and systems gather.
//
//	transforms  transform life ──────────┬─────────┬─────────┬──────────┬─────────┐
//	            census reads it whole    ↓ ↑       ↓         ↓          ↓         ↓
//	                                   bodies    sprites   skeletons  sounds    brains
//	                                   body      sprite    skeleton   sound     brain
//	  props       28 in 64                         ×
//	  actors      20 in 64               ×         ×         ×        1 in 4      ×
//	  debris      8 in 64, and bursts    ×         ×
//	              actors leave
//	  emitters    7 in 64                                               ×
//	  triggers    1 in 64                                                         ×
//
//	births ─→ age think move census animate cull list hear judge ─→ unloading
//	batches   systems; ends, and bodies at rest, are commands                a batch
//
// The fate of a thing depends on its serial number and on the components it can reach,
// never on its handle, its row or the order in which a system goes over rows; figures
// are whole numbers. So the [Game.Digest] of a frame is the same wherever things lie
// and however a Transform gets to a system, on every machine, and in a plain program
// without entities (which the tests compare with). The pure rules are in rules.go.
//
// The draws and sounds of a frame go into the digests of all later ones, so that
// a system that was shown a wrong value once can't hide it.
package game

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/ecs"
)

// Options say how a world is made. Zero values mean the defaults.
type Options struct {
	Entities int    // the most that there are at the top of a tide, but for debris; 0 means EntitiesDefault
	Seed     uint64 // other worlds have other entities
	Cast     bool   // members watch: see cast.go
	Tables   bool   // no groups are declared
	Apart    bool   // groups keep rows of their own, as if they were sorted
	ECS      ecs.Options
}

// Limits and defaults of Options.
const (
	EntitiesDefault = 100_000
	EntitiesMax     = 1 << 23
)

// landmarks is how many of the last actors brains choose from.
const landmarks = 1024

// placed has the components of everything.
type placed struct {
	Transform Transform
	Life      Life
}

// Game is a world of things that move, are seen, heard and hunted. New sets options, pools and names,
// which stay. Step changes the rest: a frame begins (begun), its births are made (born), systems fill
// victims, draws and the counts, and end resets them and counts the frame.
type Game struct {
	World *ecs.World

	options   Options
	placeEach func([]ecs.Entity, []placed) error
	transform *ecs.Pool[Transform]
	life      *ecs.Pool[Life]
	body      *ecs.Pool[Body]
	sprite    *ecs.Pool[Sprite]
	skeleton  *ecs.Pool[Skeleton]
	sound     *ecs.Pool[Sound]
	brain     *ecs.Pool[Brain]
	names     map[reflect.Type]string // of components, by their types and their pools'
	asked     []asked                 // the systems' structs, in the order in which they run

	frame     uint64
	serials   uint64        // how many things were born, without things that actors left
	left      uint64        // how many of them were born
	asleep    atomic.Uint64 // how many bodies came to rest
	eye       eye           // it decides which things are drawn
	crowd     crowd         // where things were at the end of the last frame
	landmarks []ecs.Entity  // the last actors
	met       int           // how many there were ever
	story     uint64        // digest of draws and sounds so far

	// Of the frame that is going on, so that a Step may go on after an error.
	begun    bool
	born     bool
	due      int // births
	nursery  nursery
	cast     *cast // nil: nobody watches
	tally    *tally
	list     *drawList
	brood    *brood
	loudness atomic.Int64
}

// Resources that systems write, of the frame that is going on.
type (
	// tally is where things are, and the ones that are unloaded.
	tally struct {
		counting crowd
		victims  []ecs.Entity
	}
	// drawList is the visible things, in the order of rows.
	drawList struct{ draws []Draw }
	// brood is more births: things that actors leave.
	brood struct{ children []seed }
)

// New makes a world without entities: they are born in the first Step.
func New(o Options) (*Game, error) {
	if o.Entities == 0 {
		o.Entities = EntitiesDefault
	}
	if o.Entities < 0 || o.Entities > EntitiesMax {
		return nil, fmt.Errorf("%d entities: there can be from 1 to %d", o.Entities, EntitiesMax)
	}
	w := ecs.New(o.ECS)
	g := &Game{World: w, options: o, names: map[reflect.Type]string{}, eye: eyeAt(start, 0)}
	g.components()
	g.tally, g.list, g.brood = ecs.Provide(w, tally{}), ecs.Provide(w, drawList{}), ecs.Provide(w, brood{})
	g.systems()
	if o.Cast {
		g.cast = newCast(g)
	}
	if err := w.Err(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return g, nil
}

// components registers components, and says where they lie.
func (g *Game) components() {
	register(g, &g.transform, "transform")
	register(g, &g.life, "life")
	register(g, &g.body, "body")
	register(g, &g.sprite, "sprite")
	register(g, &g.skeleton, "skeleton")
	register(g, &g.sound, "sound")
	register(g, &g.brain, "brain")
	if g.options.Tables {
		g.placeEach = ecs.SpawnerOf[placed](g.World).SpawnN
	} else {
		g.groups()
	}
}

// groups declares a group for each reader. It owns the components that only that reader needs, and shares
// the rest.
func (g *Game) groups() {
	g.placeEach = group[placed](g, "transforms").SpawnN
	group[struct{ Body Body }](g, "bodies")
	group[struct{ Sprite Sprite }](g, "sprites")
	group[struct{ Skeleton Skeleton }](g, "skeletons")
	group[struct{ Sound Sound }](g, "sounds")
	group[struct{ Brain Brain }](g, "brains")
}

func group[S any](g *Game, name string) *ecs.Group[S] {
	x := ecs.GroupOf[S](g.World, name)
	if g.options.Apart {
		x.SortAs(nil, 0)
	}
	return x
}

func register[T any](g *Game, pool **ecs.Pool[T], name string) {
	*pool = ecs.Register[T](g.World, name)
	g.names[reflect.TypeFor[T]()], g.names[reflect.TypeFor[*ecs.Pool[T]]()], g.names[reflect.TypeFor[ecs.Look[T]]()] = name, name, name
}

// Step runs one frame. After an error, which is ctx's or the arena's, it may be
// called again and goes on where it was. A frame that has begun is finished: ctx is
// asked before it only.
func (g *Game) Step(ctx context.Context) error {
	if !g.begun {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.begin()
	}
	if g.cast != nil && !g.born {
		if err := g.cast.recruit(); err != nil {
			return err
		}
	}
	if !g.born {
		if err := g.births(); err != nil {
			return fmt.Errorf("births of frame %d: %w", g.frame, err)
		}
		g.born = true
	}
	if err := g.World.Run(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	g.end()
	return nil
}

// begin decides how many are born and clears the sums of a frame.
func (g *Game) begin() {
	g.begun = true
	g.due = max(want(g.options.Entities, g.frame)-g.Len()-len(g.brood.children), 0)
	g.tally.counting, g.list.draws = crowd{}, g.list.draws[:0]
	g.loudness.Store(0)
}

// end unloads a region that is due, moves the eye and notes draws and sounds.
func (g *Game) end() {
	g.World.DestroyAll(ecs.Handles(g.tally.victims))
	g.tally.victims = g.tally.victims[:0]
	g.story = mix(g.story, g.frame, drawn(g.list.draws), uint64(len(g.list.draws)), uint64(g.loudness.Load()))
	g.crowd = g.tally.counting
	g.eye = g.eye.follow(g.crowd, g.frame)
	if g.cast != nil {
		g.cast.end()
	}
	g.frame++
	g.begun, g.born = false, false
}

// landmark is whom a brain hunts from a frame on: null if there was never anybody.
func (g *Game) landmark(salt uint32) ecs.Entity {
	if len(g.landmarks) == 0 {
		return 0
	}
	return g.landmarks[pick(salt, g.frame, len(g.landmarks))]
}

// Len is how many things there are.
func (g *Game) Len() int {
	if g.cast == nil {
		return g.World.Len()
	}
	return g.World.Len() - len(g.cast.scripts)
}

// Close gives the world's memory back.
func (g *Game) Close() error { return g.World.Close() }
