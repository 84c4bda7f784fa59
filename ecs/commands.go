package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Commands is a queue of structural changes. A change that is asked for while a system or
// query iterates must wait for the next safe point. To queue it, pass a Commands as the last
// argument of the call:
//
//	health.Add(e, Health{9}, c.Cmd) // c.Cmd is a field of type *ecs.Commands
//	w.Destroy(e, c.Cmd)
//
// These calls take it: Add, Set, Put, Remove and SetEnabled of a Pool; Spawn, SpawnN and Put of
// a Spawner or Group; Spawn, Destroy and SetEnabled of a World. So do the calls that change all
// entities of a query: AddAll, SetAll, RemoveAll, DestroyAll, SetEnabledAll. A queued call
// returns nil and allocates nothing on the Go heap once the queue has grown. Run reports its
// errors. It panics if it is given more than one Commands, nil, or those of another world.
//
// Commands are carried out in the order in which they were asked for. A system has its
// Commands as a field of type *Commands. Elsewhere World.Commands returns it.
//
// A command is dropped if it can't be carried out when its turn comes: its entity is dead or
// locked, or its component is already there or gone. World.Stats counts dropped commands, and
// lists the last of them. Options.StrictCommands has Run return them as an error, too. A
// command that can never be carried out is dropped, and the error is returned once. If memory
// is refused for a command, it waits with all commands after it. The next Run resumes there.
type Commands struct {
	w       *World
	ops     []command
	values  []uint64    // copies of the values, each at a multiple of 8 bytes
	masses  []massLater // changes of many entities, by Entity of their commands
	askers  []string    // systems that asked for what waits, one after the other
	drops   []drop      // the last, and some before them
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
	opMass // of many entities
	opExchange
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

// Len is the number of queued changes.
func (c *Commands) Len() int { return len(c.made("Len").ops) }

// ask appends a command of the system that runs.
func (c *Commands) ask(o command) {
	if c.w.refused != nil {
		c.reset()
		return
	}
	now := c.w.systems.Running()
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

// Clear drops all queued commands, and returns how many. World.Stats lists them with
// ErrDropped. Entities that were spawned with them stay, without components. Use it if memory
// is refused for the commands again and again.
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
	clear(c.masses)
	c.ops, c.values, c.askers, c.masses = c.ops[:0], c.values[:0], c.askers[:0], c.masses[:0]
}

// queue returns the Commands that a call is given as its last argument. It panics unless they
// are those of the world that is to change: others would make the change while this world
// iterates.
func (w *World) queue(later []*Commands, call, kind, name string) *Commands {
	fault, c := "", later[0]
	switch {
	case w.refused != nil:
		return &w.commands
	case len(later) > 1:
		fault = fmt.Sprintf("is given %d Commands: pass one, or none to change the world at once", len(later))
	case c == nil || c.w == nil:
		fault = "is given a Commands that is nil or the zero value: take World.Commands, or the field of type *ecs.Commands of a system's struct"
	case c.w != w:
		fault = "is given the Commands of another world: take World.Commands of its own world, or the field of type *ecs.Commands of a system there"
	default:
		return c
	}
	if kind != "" {
		call += fmt.Sprintf(" of %s %q", kind, name)
	}
	panic("ecs: " + call + " " + fault)
}

// later queues a change of one component.
func (p *pool) later(later []*Commands, call string, op op, e Entity) error {
	if p.w.refused != nil {
		return p.w.refused
	}
	p.w.queue(later, call, "component", p.c.Name).ask(command{op: op, entity: e, pool: p})
	return nil
}

// laterWith queues a change of one component that has a value.
func (p *pool) laterWith(later []*Commands, call string, op op, e Entity, v raw.Ptr) error {
	if p.w.refused != nil {
		return p.w.refused
	}
	c := p.w.queue(later, call, "component", p.c.Name)
	c.ask(command{op: op, entity: e, pool: p, value: c.keep(v, p.c.Size)})
	return nil
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
		return c.w.over()
	}
	for i := range dst {
		var err error
		if dst[i], err = b.Take(); err != nil {
			for _, e := range dst[:i] {
				_ = c.w.base.S.Destroy(e) // it was made just now
			}
			clear(dst)
			return c.w.inEcs(err)
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

// massLater is a change of many entities that waits.
type massLater struct {
	mass
	at, n int // its handles in Commands.values
}

// askMass asks for a change of many entities, with the value at an address.
func (c *Commands) askMass(x *mass, v raw.Ptr) {
	o := command{op: opMass, entity: Entity(len(c.masses)), pool: x.pool}
	switch {
	case v == nil:
	case x.pool == nil:
		o.value = c.keep(v, x.bytes)
	default:
		o.value = c.keep(v, x.pool.c.Size)
	}
	n := len(x.es)
	at := c.keep(raw.Data(x.es), uintptr(n)*raw.Size[Entity]())
	x.es = nil // the copy is used
	c.masses = append(c.masses, massLater{*x, at, n})
	c.ask(o)
}

// applyMass makes a change of many entities.
func (c *Commands) applyMass(o *command) error {
	x := &c.masses[o.entity]
	m := x.mass
	m.es = raw.Slice[Entity](c.at(x.at), x.n)
	_, err := c.w.change(&m, c.at(o.value))
	return err
}
