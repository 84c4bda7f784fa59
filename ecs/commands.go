package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Commands takes structural changes while systems or queries iterate. They are
// made at the next safe point, in the order in which they were asked for. A system has it as
// a field of type *Commands.
//
// What is a method of World is one of Commands, by the same name: Spawn, Destroy. What is a
// method of a Pool, a Group or a Spawner has a twin there, whose name ends in Later and
// which takes the Commands first.
//
// A command that others have overtaken, so that its entity is dead or locked, or its component
// there already or gone, is dropped. World.Dropped counts those, and World.Drops lists the last of
// them. Options.StrictCommands has Run return them as an error, too. A command that can never
// be carried out is dropped, and the error is returned once. One that memory is refused for
// waits with all after it, and Run goes on there.
type Commands struct {
	w       *World
	ops     []command
	values  []uint64 // copies of the values, each at a multiple of 8 bytes
	askers  []string // systems that asked for what waits, one after the other
	drops   []drop   // the last, and some before them
	dropped uint64
	owed    owed
}

type op uint8

const (
	opDestroy op = iota
	opAdd
	opSet
	opPut // add or set
	opRemove
	opFill    // the components of a group or spawner, for an entity that has none yet
	opPutEach // the components of a group or spawner, each added or set
	opEnable
	opDisable
)

// command is one change that waits for the next safe point.
type command struct {
	op     op
	asker  uint32 // place in Commands.askers
	entity Entity
	pool   *pool
	bundle *store.Bundle
	value  int // where the value starts in Commands.values
}

// Commands returns the world's command buffer, for use outside systems.
func (w *World) Commands() *Commands { return &w.made("Commands").commands }

// Len is the number of changes that wait.
func (c *Commands) Len() int { return len(c.made("Len").ops) }

// ask appends a command of the system that runs.
func (c *Commands) ask(o command) {
	now := c.w.systems.Running
	if last := len(c.askers) - 1; last < 0 || c.askers[last] != now {
		c.askers = append(c.askers, now)
	}
	o.asker = uint32(len(c.askers) - 1)
	c.ops = append(c.ops, o)
}

// keep copies a value into the buffer and returns where. One of no size is at the
// beginning: behind the end there may be another object.
func (c *Commands) keep(v raw.Ptr, bytes uintptr) int {
	if bytes == 0 {
		return 0
	}
	at := len(c.values)
	c.values = append(c.values, make([]uint64, (bytes+7)/8)...)
	raw.CopyAll(c.at(at), v, bytes)
	return at
}

func (c *Commands) at(value int) raw.Ptr {
	return raw.At(raw.Data(c.values), uintptr(value)*8)
}

// Spawn makes an entity without components. It is alive at once.
func (c *Commands) Spawn() (Entity, error) {
	w := c.made("Spawn").w
	if w.closed {
		return 0, ErrClosed
	}
	e, err := w.base.S.Spawn()
	return e, inEcs(err)
}

// Destroy asks for an entity to be destroyed.
func (c *Commands) Destroy(e Entity) { c.made("Destroy").ask(command{op: opDestroy, entity: e}) }

// Clear drops the commands that wait, and returns how many. World.Drops lists them with
// ErrDropped. Entities that were spawned with them stay, without components. It is for commands
// that memory is refused for again and again.
func (c *Commands) Clear() (dropped int) {
	c.made("Clear").w.mustIdle("Clear of Commands")
	for i := range c.ops {
		c.drop(&c.ops[i], ErrDropped)
	}
	dropped = len(c.ops)
	c.reset()
	return dropped
}

func (c *Commands) reset() {
	clear(c.ops)
	clear(c.askers)
	c.ops, c.values, c.askers = c.ops[:0], c.values[:0], c.askers[:0]
}

// of panics unless the commands are those of the world in which they are to change
// something: another one would make the change while this one iterates.
func (c *Commands) of(w *World, what, kind, name string) {
	c.made(what)
	if c.w != w {
		panic(fmt.Sprintf("ecs: %s of %s %q is given the Commands of another world: take World.Commands of its own world, or the field of type *ecs.Commands of a system there", what, kind, name))
	}
}

// AddLater asks for Add. It panics if the commands are of another world.
func (p *Pool[T]) AddLater(c *Commands, e Entity, v T) { p.later(c, "AddLater", opAdd, e, v) }

// SetLater asks for Set. It panics if the commands are of another world.
func (p *Pool[T]) SetLater(c *Commands, e Entity, v T) { p.later(c, "SetLater", opSet, e, v) }

// PutLater asks for Put. It panics if the commands are of another world.
func (p *Pool[T]) PutLater(c *Commands, e Entity, v T) { p.later(c, "PutLater", opPut, e, v) }

func (p *Pool[T]) later(c *Commands, what string, op op, e Entity, v T) {
	c.of(p.made(what).w, what, "component", p.c.Name)
	c.ask(command{op: op, entity: e, pool: &p.pool, value: c.keep(raw.Of(&v), raw.Size[T]())})
}

// RemoveLater asks for Remove. It panics if the commands are of another world.
func (p *Pool[T]) RemoveLater(c *Commands, e Entity) {
	c.of(p.made("RemoveLater").w, "RemoveLater", "component", p.c.Name)
	c.ask(command{op: opRemove, entity: e, pool: &p.pool})
}

// spawnLater makes an entity, and asks for the components of a bundle.
func (c *Commands) spawnLater(b *store.Bundle, v raw.Ptr, bytes uintptr) (e Entity, err error) {
	var one [1]Entity
	err = c.spawnBatchLater(b, one[:], v, bytes, 0)
	return one[0], err
}

// spawnBatchLater makes len(dst) entities, and asks for the components of a bundle for each:
// values of so many bytes that are stride bytes apart, or one for all if stride is 0. After an
// error dst is zeroed, and nothing is asked for.
func (c *Commands) spawnBatchLater(b *store.Bundle, dst []Entity, v raw.Ptr, bytes, stride uintptr) error {
	if c.w.closed {
		return ErrClosed
	}
	for i := range dst {
		var err error
		if dst[i], err = b.Take(); err != nil {
			for _, e := range dst[:i] {
				_ = c.w.base.S.Destroy(e) // it was made just now
			}
			clear(dst)
			return inEcs(err)
		}
	}
	at := 0
	for i, e := range dst {
		if i == 0 || stride > 0 {
			at = c.keep(raw.At(v, uintptr(i)*stride), bytes)
		}
		c.ask(command{op: opFill, entity: e, bundle: b, value: at})
	}
	return nil
}

// putLater asks for the components of a bundle, each to be added or set.
func (c *Commands) putLater(b *store.Bundle, e Entity, v raw.Ptr, bytes uintptr) {
	c.ask(command{op: opPutEach, entity: e, bundle: b, value: c.keep(v, bytes)})
}
