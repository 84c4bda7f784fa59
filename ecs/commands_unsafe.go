package ecs

import (
	"errors"
	"fmt"
	"unsafe"
)

type op uint8

const (
	opDestroy op = iota
	opAdd
	opRemove
	opFill // the components of a group, for an entity that has none yet
)

// command is one change that waits for the next safe point.
type command struct {
	op     op
	entity Entity
	pool   *pool
	group  *group
	value  int // where the value starts in Commands.values
}

// Commands takes structural changes while systems or queries iterate. They are
// made at the next safe point, in the order in which they were asked for. A change
// that finds its entity dead, or its component already there or gone, is dropped
// and counted by World.Dropped. A system has it as a field of type *Commands.
type Commands struct {
	w      *World
	ops    []command
	values []uint64 // copies of the values, each at a multiple of 8 bytes
}

// Commands returns the world's command buffer, for use outside systems.
func (w *World) Commands() *Commands { return &w.made("Commands").commands }

// Len is the number of changes that wait.
func (c *Commands) Len() int { return len(c.made("Len").ops) }

// keep copies a value into the buffer and returns where. One of no size is at the
// beginning: behind the end there may be another object.
func (c *Commands) keep(v unsafe.Pointer, bytes uintptr) int {
	if bytes == 0 {
		return 0
	}
	at := len(c.values)
	c.values = append(c.values, make([]uint64, (bytes+7)/8)...)
	copy(unsafe.Slice((*byte)(c.at(at)), bytes), unsafe.Slice((*byte)(v), bytes))
	return at
}

func (c *Commands) at(value int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.values)), value*8)
}

// Spawn makes an entity without components. It is alive at once.
func (c *Commands) Spawn() (Entity, error) {
	e, _, err := c.made("Spawn").w.create()
	return e, err
}

// Destroy asks for an entity to be destroyed.
func (c *Commands) Destroy(e Entity) {
	c.made("Destroy").ops = append(c.ops, command{op: opDestroy, entity: e})
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
func (p *Pool[T]) AddLater(c *Commands, e Entity, v T) {
	c.of(p.made("AddLater").w, "AddLater", "component", p.name)
	c.ops = append(c.ops, command{op: opAdd, entity: e, pool: &p.pool, value: c.keep(unsafe.Pointer(&v), unsafe.Sizeof(v))})
}

// RemoveLater asks for Remove. It panics if the commands are of another world.
func (p *Pool[T]) RemoveLater(c *Commands, e Entity) {
	c.of(p.made("RemoveLater").w, "RemoveLater", "component", p.name)
	c.ops = append(c.ops, command{op: opRemove, entity: e, pool: &p.pool})
}

// SpawnLater makes an entity, which is alive at once, and asks for the group's
// components for it. It panics if the commands are of another world.
func (g *Group[S]) SpawnLater(c *Commands, v S) (Entity, error) {
	c.of(g.made("SpawnLater").w, "SpawnLater", "group", g.name)
	e, _, err := g.w.create()
	if err != nil {
		return 0, err
	}
	c.ops = append(c.ops, command{op: opFill, entity: e, group: g.group, value: c.keep(unsafe.Pointer(&v), unsafe.Sizeof(v))})
	return e, nil
}

// apply makes the changes in order. At the first that memory is refused for it
// stops; that one and all after it stay in the buffer.
func (c *Commands) apply() error {
	for i := range c.ops {
		err := c.applyOne(&c.ops[i])
		switch {
		case err == nil:
		case errors.Is(err, ErrStale) || errors.Is(err, ErrPresent) || errors.Is(err, ErrAbsent):
			c.w.dropped++
		default:
			c.ops = append(c.ops[:0], c.ops[i:]...)
			return fmt.Errorf("ecs: applying commands, %d wait: %w", len(c.ops), err)
		}
	}
	clear(c.ops)
	c.ops, c.values = c.ops[:0], c.values[:0]
	return nil
}

func (c *Commands) applyOne(o *command) error {
	switch o.op {
	case opDestroy:
		return c.w.Destroy(o.entity)
	case opAdd:
		return o.pool.add(o.entity, c.at(o.value))
	case opRemove:
		return o.pool.Remove(o.entity)
	default:
		return o.group.fillLater(o.entity, c.at(o.value))
	}
}

// fillLater gives an entity the group's components: all at once if it has none of
// any kind, one by one otherwise, those that are there staying as they are.
func (g *group) fillLater(e Entity, v unsafe.Pointer) error {
	r := g.w.record(e)
	if r == nil {
		return ErrStale
	}
	fresh := true
	for _, p := range g.pools {
		fresh = fresh && !p.Has(e)
	}
	if fresh {
		return g.fill(e, r, v)
	}
	for i, p := range g.pools {
		if err := p.add(e, unsafe.Add(v, g.cols[i].field)); err != nil && !errors.Is(err, ErrPresent) {
			return err
		}
	}
	return nil
}
