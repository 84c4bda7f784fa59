package ecs

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

type op uint8

const (
	opDestroy op = iota
	opAdd
	opRemove
	opFill // the components of a group or spawner, for an entity that has none yet
)

// command is one change that waits for the next safe point.
type command struct {
	op     op
	entity Entity
	pool   *pool
	bundle *store.Bundle
	value  int // where the value starts in Commands.values
}

// Commands takes structural changes while systems or queries iterate. They are
// made at the next safe point, in the order in which they were asked for. A change
// that finds its entity dead or locked, or its component already there or gone, is
// dropped and counted by World.Dropped. A system has it as a field of type *Commands.
type Commands struct {
	w       *World
	ops     []command
	values  []uint64 // copies of the values, each at a multiple of 8 bytes
	dropped uint64
}

// Commands returns the world's command buffer, for use outside systems.
func (w *World) Commands() *Commands { return &w.made("Commands").commands }

// Len is the number of changes that wait.
func (c *Commands) Len() int { return len(c.made("Len").ops) }

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
	c.of(p.made("AddLater").w, "AddLater", "component", p.c.Name)
	c.ops = append(c.ops, command{op: opAdd, entity: e, pool: &p.pool, value: c.keep(raw.Of(&v), raw.Size[T]())})
}

// RemoveLater asks for Remove. It panics if the commands are of another world.
func (p *Pool[T]) RemoveLater(c *Commands, e Entity) {
	c.of(p.made("RemoveLater").w, "RemoveLater", "component", p.c.Name)
	c.ops = append(c.ops, command{op: opRemove, entity: e, pool: &p.pool})
}

// spawnLater makes an entity, and asks for the components of a bundle.
func (c *Commands) spawnLater(b *store.Bundle, v raw.Ptr, bytes uintptr) (Entity, error) {
	if c.w.closed {
		return 0, ErrClosed
	}
	e, err := b.Take()
	if err != nil {
		return 0, inEcs(err)
	}
	c.ops = append(c.ops, command{op: opFill, entity: e, bundle: b, value: c.keep(v, bytes)})
	return e, nil
}

// apply makes the changes in order. At the first that memory is refused for it
// stops; that one and all after it stay in the buffer.
func (c *Commands) apply() error {
	warms := len(c.ops) > 1 && c.w.base.S.Warms()
	for i := range c.ops {
		if warms && i%store.WarmMost == 0 {
			c.warm(c.ops[i:])
		}
		err := c.applyOne(&c.ops[i])
		switch {
		case err == nil:
		case errors.Is(err, ErrStale) || errors.Is(err, ErrPresent) || errors.Is(err, ErrAbsent) || errors.Is(err, ErrLocked):
			c.dropped++
		default:
			c.ops = append(c.ops[:0], c.ops[i:]...)
			return fmt.Errorf("ecs: applying commands, %d wait: %w", len(c.ops), err)
		}
	}
	clear(c.ops)
	c.ops, c.values = c.ops[:0], c.values[:0]
	return nil
}

// warm loads what the next changes read of their entities.
func (c *Commands) warm(ops []command) {
	var es [store.WarmMost]Entity
	n := min(len(ops), len(es))
	for i := range n {
		es[i] = ops[i].entity
	}
	c.w.base.S.Warm(es[:n])
}

func (c *Commands) applyOne(o *command) error {
	switch o.op {
	case opDestroy:
		return c.w.Destroy(o.entity)
	case opAdd:
		return o.pool.add(o.entity, c.at(o.value))
	case opRemove:
		return o.pool.remove(o.entity)
	default:
		return c.w.fillLater(o.bundle, o.entity, c.at(o.value))
	}
}

// fillLater gives an entity the components of a bundle: all at once if it has none of
// any kind, one by one otherwise, those that are there staying as they are.
func (w *World) fillLater(b *store.Bundle, e Entity, v raw.Ptr) error {
	if !w.base.S.Alive(e) {
		return ErrStale
	}
	if !b.Any(e) {
		return inEcs(b.Fill(e, v))
	}
	return b.Pieces(v, func(c *store.Component, v raw.Ptr) error {
		if err := w.base.S.Add(c, e, v); err != ErrPresent {
			return inEcs(err)
		}
		return nil
	})
}
