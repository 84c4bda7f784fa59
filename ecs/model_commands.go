package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Commands is a queue of structural changes. A change that is asked for while a system or
// query iterates must wait for the next safe point. A system has its Commands as a field of type
// *Commands. Elsewhere World.Commands returns it. These calls queue a change:
//
//	health.Later(do).Add(e, Health{9}) // or a field of type ecs.Later[Health] of a system's struct
//	spawner.Later(do).Spawn(soldier{})
//	do.Destroy(e)                      // and other changes of entities as a whole
//
// A queued call returns nothing but a spawned entity, and allocates nothing on the Go heap once the
// queue has grown. Commands are carried out in the order in which they were asked for. Run reports
// their errors.
//
// A command is dropped if it can't be carried out when its turn comes: its entity is dead or
// locked, or its component is already there or gone. World.Stats counts dropped commands, and
// lists the last of them. Options.StrictCommands has Run return them as an error, too. A
// command that can never be carried out is dropped, and the error is returned once. So is the error
// of a Spawn that finds no room. If memory is refused for another command, it waits with all
// commands after it. The next Run resumes there. Commands of a closed world are dropped with
// ErrClosed.
//
// If an observer panics, the command that it was told of is made, and the next Run resumes behind it.
type Commands struct {
	world *World
	waitlist
	part *part // of a worker of a Parallel system; nil: these are the world's
}

func (c *Commands) made(call string) *Commands {
	if c == nil || c.world == nil {
		panic(unmade{"Commands", call})
	}
	return c
}

// waitlist is the commands that wait, and the ones that were dropped. ask and adopt fill it, Commands.apply, dropOne and reset
// empty it, and World.react exchanges it as a whole.
type waitlist struct {
	q     queue.Queue
	drops queue.Drops
}

// answers is the commands of observers, and the ones that are carried out. react changes it.
type answers struct {
	commands Commands    // of observers
	spare    []*Commands // for commands that are carried out, by depth
	depth    int         // commands of observers that are carried out
	over     bool        // they are too deep: the rest is dropped
}

// mass is one change of many entities.
type mass struct {
	op   queue.Op
	pool *pool        // nil: the entities as a whole
	c    *walk.Cursor // of all that match; nil: those of es
	es   []Entity

	exchange *store.Exchange // not nil: it is one, and no op
}

// crowd is the commands of a Parallel system: a queue for each worker, in which the commands of a piece lie
// side by side. When the pieces have ended, all go to the world's queue, in the order of pieces.
//
//	worker 0   [piece 0: a b][piece 1:][piece 4: g]        world   … a b c d e f g
//	worker 1   [piece 3: e f][piece 2: c d]
//
// Entities that are spawned are taken before: see [queue.Stock].
type crowd struct {
	world   *World
	system  *schedule.System
	to      *Commands // the world's
	workers []*Commands
	pieces  []where
	stock   queue.Stock
	direct  bool // entities are taken as they are spawned: pieces run in order, and are there to be watched
}

// where is the place of a piece's commands: a worker, and the number of the mark; worker -1: it has none.
type where struct{ worker, mark int }

// part is the state of a worker's commands beside their queue.
type part struct {
	of     *crowd
	worker int
	piece  int
	marks  []mark
	drops  []queue.Drop // to be told when the commands go to the world's
}

// mark is where the commands of a piece begin, in each list.
type mark struct {
	at    queue.Mark
	drops int
}

func (c *Commands) reset() {
	c.q.Reset()
}

// settle ends a frame, and gives back buffers that were not needed of late. Commands that wait keep
// theirs.
func (c *Commands) settle() {
	c.q.Settle()
}
