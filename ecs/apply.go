package ecs

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// apply makes the changes in order. At the first that memory is refused for it
// stops; that one and all after it stay in the buffer. If an observer panics, its change is made, and those after it stay.
func (c *Commands) apply() error {
	warms := len(c.q.Ops) > 1 && c.world.base.Store.Warms()
	i, warmed, whole := 0, 0, false
	defer func() {
		if !whole && i < len(c.q.Ops) { // an observer has panicked
			c.q.Applied(i + 1)
		}
	}()
	for ; i < len(c.q.Ops); i++ {
		if warms && i == warmed {
			warmed += c.warm(c.q.Ops[i:])
		}
		o := &c.q.Ops[i]
		if c.world.answers.over && c != &c.world.commands {
			c.q.Applied(i)
			whole = true
			return errTooDeep
		}
		if o.Op == queue.Destroy {
			c.destroy(o)
			continue
		}
		err := c.applyOne(o)
		switch {
		case err == nil:
		case overtaken(err):
			c.overtake(o, c.q.Askers[o.Asker], err)
		case errors.Is(err, chunk.ErrLayout): // a row that is too wide stays so
			c.drop(o, c.q.Askers[o.Asker], err)
			c.drops.Owe()
		default:
			n := c.q.Applied(i)
			whole = true
			return fmt.Errorf("ecs: applying commands, %d wait: %w", n, err)
		}
	}
	whole = true
	c.reset()
	return nil
}

// overtake drops a command that another change has overtaken.
func (c *Commands) overtake(o *queue.Command, system string, err error) {
	if c.dropOne(o, system, err); c.world.options.StrictCommands {
		c.drops.Owe()
	}
}

// destroy carries out calls of Destroy that followed each other.
func (c *Commands) destroy(o *queue.Command) {
	system := c.q.Askers[o.Asker]
	refused := func(e Entity, err error) {
		c.overtake(&queue.Command{Op: queue.Destroy, Entity: e}, system, c.world.inEcs(err))
	}
	if es := c.q.Dying(o); len(es) > 1 {
		c.world.base.Store.DestroyEach(es, refused)
	} else if err := c.world.base.Store.Destroy(es[0]); err != nil {
		refused(es[0], err)
	}
}

// warm loads the records and entries that the next changes read, and returns of how many. Their lines fill half of a
// first-level cache. Half and twice as many cost 5 % more, and an eighth costs 14 % (BenchmarkCachesAhead has bursts with and
// without).
func (c *Commands) warm(ops []queue.Command) int {
	var es [8 * store.WarmMost]Entity
	n := min(len(ops), len(es))
	for i := range n {
		es[i] = ops[i].Entity
	}
	c.world.base.Store.Warm(es[:n])
	return n
}

func (c *Commands) applyOne(o *queue.Command) error {
	w := c.world
	switch o.Op {
	case queue.Add:
		return w.inEcs(w.base.Store.Add(c.component(o), o.Entity, c.q.At(o.Value)))
	case queue.Set:
		return w.set(c.component(o), o.Entity, c.q.At(o.Value))
	case queue.Put:
		return w.put(c.component(o), o.Entity, c.q.At(o.Value))
	case queue.Remove:
		return w.inEcs(w.base.Store.Remove(c.component(o), o.Entity))
	case queue.Enable, queue.Disable:
		return w.inEcs(w.base.Store.SetEnabled(c.component(o), o.Entity, o.Op == queue.Enable))
	case queue.PutEach:
		return w.putEach(c.q.Bundle(o), o.Entity, c.q.At(o.Value))
	default:
		return w.fillLater(c.q.Bundle(o), o.Entity, c.q.At(o.Value))
	}
}

// component is the one that a command is about; nil: entities as a whole.
func (c *Commands) component(o *queue.Command) *store.Component {
	if o.Of == 0 {
		return nil
	}
	return &c.world.names.pools[o.Of-1].component
}
