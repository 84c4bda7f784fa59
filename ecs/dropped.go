package ecs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// dropped is the error of a command that was not carried out. It refers to nothing of the world.
type dropped struct {
	system string // that asked for the command; "" if none did
	frame  uint64 // under way, from 1 on
	entity Entity
	what   string // the command in words, such as `add "hp"`
	err    error  // the cause
}

func (d dropped) Error() string {
	by := "a command"
	if d.system != "" {
		by = fmt.Sprintf("a command of system %q", d.system)
	}
	return fmt.Sprintf("%s in frame %d, %s of %v: %v", by, d.frame, d.what, d.entity, d.err)
}

func (d dropped) Unwrap() error { return d.err }

// MarshalText has JSON show the text.
func (d dropped) MarshalText() ([]byte, error) { return []byte(d.Error()), nil }

// listed are the commands that were dropped last, the oldest first.
func (c *Commands) listed() (list []error) {
	all := make([]dropped, 0, c.drops.Len())
	list = slices.Grow(list, cap(all))
	for d := range c.drops.All() {
		all = append(all, c.world.shown(d))
		list = append(list, &all[len(all)-1])
	}
	return list
}

// drop notes a command that is not carried out.
func (c *Commands) drop(o *queue.Command, system string, err error) {
	if o.Op == queue.Destroy {
		for _, e := range c.q.Dying(o) {
			c.dropOne(&queue.Command{Op: queue.Destroy, Entity: e}, system, err)
		}
		return
	}
	c.dropOne(o, system, err)
}

// dropOne is drop for a command of one entity. A program may drop most of its commands, so parts are
// written where they stay.
func (c *Commands) dropOne(o *queue.Command, system string, err error) {
	d := c.drops.Next()
	d.Command, d.Bundle, d.System, d.Frame, d.Err, d.What = *o, nil, system, c.world.base.Frame+1, err, ""
	if o.Op == queue.Fill || o.Op == queue.PutEach { // its number may be another one's when a report is asked for
		d.Bundle = c.q.Bundle(o)
	}
}

// dropAll drops all commands, and has Run return the error if they are owed.
func (c *Commands) dropAll(err error, owed bool) {
	for i := range c.q.Ops {
		if c.drop(&c.q.Ops[i], c.q.Askers[c.q.Ops[i].Asker], err); owed {
			c.drops.Owe()
		}
	}
	c.reset()
}

// owed is the message about dropped commands: how many they are, and the first.
type owed struct {
	n     uint64
	first dropped
}

// pay adds the message about the ones that are owed to an error, once.
func (c *Commands) pay(err error) error {
	d := &c.drops
	if d.Owed > 0 {
		err = errors.Join(err, owed{d.Owed, c.world.shown(&d.First)})
		d.Owed = 0
	}
	return err
}

// Error says why the first command was dropped: its text ends with that.
func (o owed) Error() string {
	if o.n > 1 {
		return fmt.Sprintf("%v: %d, which World.Stats lists; the first: %v", ErrDropped, o.n, o.first)
	}
	return fmt.Sprintf("%v: %v", ErrDropped, o.first)
}

func (o owed) Unwrap() []error { return []error{ErrDropped, o.first.err} }

// shown is the drop for a report. The words are made once, since a program may ask every frame.
func (w *World) shown(d *queue.Drop) dropped {
	if d.What == "" {
		d.What = w.wordsOf(d.Op, d.Of, d.Bundle)
	}
	return dropped{d.System, d.Frame, d.Entity, d.What, d.Err}
}

// wordsOf describes a command of a component, by its number, or of a bundle.
func (w *World) wordsOf(op queue.Op, of uint32, b *store.Bundle) string {
	what := op.String()
	if b == nil && of > 0 {
		what += fmt.Sprintf(" %q", w.names.pools[of-1].component.Name)
	}
	if b != nil {
		for i, name := range b.Names() {
			if i > 0 {
				what += ","
			}
			what += fmt.Sprintf(" %q", name)
		}
	}
	return what
}
