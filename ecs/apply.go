package ecs

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// ErrDropped is returned by Run and SafePoint if commands were dropped that could never be
// carried out, or, with Options.StrictCommands, any. The frame has run to its end.
var ErrDropped = errors.New("ecs: commands were dropped")

// drop has the parts of a DroppedCommand, which is made when a program asks.
type drop struct {
	queue.Command
	bundle *store.Bundle
	system string
	frame  uint64
	err    error
	what   string // in words, once a report was asked for
}

// errPanicked is why a command is dropped of which a function of the program panics, and errBehind is that of commands
// that wait behind one.
var (
	errPanicked = errors.New("a function of the program has panicked while it was made: some of it may be undone, or all")
	errBehind   = errors.New("an observer has panicked at a command before it, and commands of observers don't wait")
)

// dropsMost is how many of the commands that were dropped last are listed.
const dropsMost = 256

// owed is the next Run's message about dropped commands: how many they are, and
// the first.
type owed struct {
	n     uint64
	first DroppedCommand
}

// listed are the commands that were dropped last, the oldest first.
func (c *Commands) listed() (list []DroppedCommand) {
	list = slices.Grow(list, len(c.drops))
	for d := range c.recent() {
		list = append(list, d.shown(c.w))
	}
	return list
}

// recent goes over them. The counter goes around their ring, and so is at the oldest.
func (c *Commands) recent() iter.Seq[*drop] {
	return func(yield func(*drop) bool) {
		n := uint64(len(c.drops))
		for i := range n {
			if !yield(&c.drops[(c.dropped+i)%n]) {
				return
			}
		}
	}
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

// list makes room in the list of the commands that were dropped last.
func (c *Commands) list() *drop {
	at := c.dropped % dropsMost
	if c.dropped++; at == uint64(len(c.drops)) {
		c.drops = append(c.drops, drop{})
	}
	return &c.drops[at]
}

// dropOne is drop for a command of one entity, or of all that match. A program may drop most of its commands, so parts are
// written where they stay.
func (c *Commands) dropOne(o *queue.Command, system string, err error) {
	d := c.list()
	d.Command, d.bundle, d.system, d.frame, d.err, d.what = *o, nil, system, c.w.base.Frame+1, err, ""
	switch o.Op { // its bundle or list may be gone when a report is asked for
	case queue.Fill, queue.PutEach:
		d.bundle = c.q.Bundle(o)
	case queue.Mass:
		x := &c.masses[o.Entity]
		if d.what, d.Entity = c.w.wordsOf(x.op, o.Of, nil), 0; x.one {
			d.Entity = *raw.As[Entity](c.q.At(x.at))
		} else {
			d.what += " (all that match)"
		}
		if locked, is := errors.AsType[LockedError](err); is {
			d.Entity = locked.Entity
		}
	}
}

// owe has the next Run return the last dropped command.
func (c *Commands) owe() {
	if c.owed.n++; c.owed.n == 1 {
		c.owed.first = c.drops[(c.dropped-1)%dropsMost].shown(c.w)
	}
}

// pay returns the owed error, once.
func (c *Commands) pay() error {
	o := c.owed
	if c.owed = (owed{}); o.n == 0 {
		return nil
	}
	return o
}

// Error says why the first command was dropped: its text ends with that.
func (o owed) Error() string {
	if o.n > 1 {
		return fmt.Sprintf("%v: %d, which World.Stats lists; the first: %v", ErrDropped, o.n, o.first)
	}
	return fmt.Sprintf("%v: %v", ErrDropped, o.first)
}

func (o owed) Unwrap() []error { return []error{ErrDropped, o.first.Err} }

// shown is the drop for a report. The words are made once, since a program may ask every frame.
func (d *drop) shown(w *World) DroppedCommand {
	if d.what == "" {
		d.what = w.wordsOf(d.Op, d.Of, d.bundle)
	}
	return DroppedCommand{System: d.system, Frame: d.frame, Entity: d.Entity, What: d.what, Err: d.err}
}

// wordsOf describes a command of a component, by its number, or of a bundle.
func (w *World) wordsOf(op queue.Op, of uint32, b *store.Bundle) string {
	what := op.String()
	if b == nil && of > 0 {
		what += fmt.Sprintf(" %q", w.names.pools[of-1].c.Name)
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

// overtaken tells whether an error says that another change has come first.
func overtaken(err error) bool {
	return plain(err) || errors.Is(err, ErrStale) || errors.Is(err, ErrPresent) || errors.Is(err, ErrAbsent) || errors.Is(err, ErrLocked)
}

// apply makes the changes in order. At the first that memory is refused for it
// stops; that one and all after it stay in the buffer. If a function of the program panics, those after it stay.
// Observers are called with changes that are made whatever they do. So a command is midway at most if it is of many.
func (c *Commands) apply() error {
	warms := len(c.q.Ops) > 1 && c.w.base.S.Warms()
	i, whole := 0, false
	defer func() {
		if !whole && i < len(c.q.Ops) { // a function of the program has panicked
			if c.midway {
				c.midway = false
				c.drop(&c.q.Ops[i], c.q.Askers[c.q.Ops[i].Asker], errPanicked)
			}
			c.q.Applied(i + 1)
		}
	}()
	for ; i < len(c.q.Ops); i++ {
		if warms && i%store.WarmMost == 0 {
			c.warm(c.q.Ops[i:])
		}
		o := &c.q.Ops[i]
		if c.w.observing.over && c != &c.w.commands {
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
			c.owe()
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
	if c.dropOne(o, system, err); c.w.options.StrictCommands {
		c.owe()
	}
}

// destroy carries out calls of Destroy that followed each other.
func (c *Commands) destroy(o *queue.Command) {
	system := c.q.Askers[o.Asker]
	refused := func(e Entity, err error) {
		c.overtake(&queue.Command{Op: queue.Destroy, Entity: e}, system, c.w.inEcs(err))
	}
	if es := c.q.Dying(o); len(es) > 1 {
		c.w.base.S.DestroyEach(es, refused)
	} else if err := c.w.base.S.Destroy(es[0]); err != nil {
		refused(es[0], err)
	}
}

// warm loads the records and entries that the next changes read.
func (c *Commands) warm(ops []queue.Command) {
	var es [store.WarmMost]Entity
	n := min(len(ops), len(es))
	for i := range n {
		es[i] = ops[i].Entity
	}
	c.w.base.S.Warm(es[:n])
}

func (c *Commands) applyOne(o *queue.Command) error {
	switch o.Op {
	case queue.Add:
		return c.pool(o).add(o.Entity, c.q.At(o.Value))
	case queue.Set:
		return c.w.set(&c.pool(o).c, o.Entity, c.q.At(o.Value))
	case queue.Put:
		return c.w.put(&c.pool(o).c, o.Entity, c.q.At(o.Value))
	case queue.Remove:
		return c.pool(o).remove(o.Entity)
	case queue.Enable, queue.Disable:
		return c.w.switchLater(c.pool(o), o.Entity, o.Op == queue.Enable)
	case queue.Mass:
		return c.applyMass(o)
	case queue.PutEach:
		return c.w.putEach(c.q.Bundle(o), o.Entity, c.q.At(o.Value))
	default:
		return c.w.fillLater(c.q.Bundle(o), o.Entity, c.q.At(o.Value))
	}
}

// fillLater gives an entity the components of a bundle: all at once if it has none of
// any kind, one by one otherwise, and leaves components that it has. It is one change for observers, so that it is made
// also if one panics.
func (w *World) fillLater(b *store.Bundle, e Entity, v raw.Ptr) error {
	if len(w.observing.lists) == 0 {
		return w.fill(b, e, v)
	}
	return w.together(func() error { return w.fill(b, e, v) })
}

// together makes calls one change for observers. Callers that test first whether there are some keep their own variables
// in registers.
func (w *World) together(f func() error) (err error) {
	w.base.S.Together(func() { err = f() })
	return err
}

func (w *World) fill(b *store.Bundle, e Entity, v raw.Ptr) (err error) {
	if b != nil {
		err = w.fillEach(b, e, v)
	}
	if err == nil && w.base.S.TellsSpawns() {
		w.base.S.Spawned(e)
	}
	return err
}

func (w *World) fillEach(b *store.Bundle, e Entity, v raw.Ptr) error {
	return w.each(b, e, v, func(c *store.Component, v raw.Ptr) error {
		if err := w.base.S.Add(c, e, v); err != ErrPresent {
			return w.inEcs(err)
		}
		return nil
	})
}

// each gives an entity the components of a bundle: all at once if it has none of any kind,
// one by one with f otherwise, as one change for observers.
func (w *World) each(b *store.Bundle, e Entity, v raw.Ptr, f func(c *store.Component, v raw.Ptr) error) error {
	switch {
	case !w.base.S.Alive(e):
		return ErrStale
	case !b.Any(e):
		return w.inEcs(b.Fill(e, v))
	case len(w.observing.lists) == 0:
		return b.Pieces(v, f)
	}
	return w.together(func() error { return b.Pieces(v, f) })
}

// pool is the component that a command is of; nil: entities as a whole.
func (c *Commands) pool(o *queue.Command) *pool {
	if o.Of == 0 {
		return nil
	}
	return c.w.names.pools[o.Of-1]
}
