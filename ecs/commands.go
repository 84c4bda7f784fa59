package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// asks tells whether observers have given commands.
func (x *answers) asks() bool { return len(x.commands.q.Ops)+x.commands.drops.Len() > 0 }

// settle ends a frame, as Commands.settle does.
func (x *answers) settle() {
	x.commands.settle()
	for _, c := range x.spare {
		c.settle()
	}
}

// Commands returns the world's command buffer, for use outside systems.
func (w *World) Commands() *Commands { return &w.made("Commands").commands }

// Len is the number of queued changes. In a Parallel system it is that of the piece of work under way.
func (c *Commands) Len() int {
	if p := c.made("Len").part; p != nil {
		return queue.Changes(c.q.Since(p.marks[len(p.marks)-1].at))
	}
	return c.q.Waiting
}

// ask appends a command of the system that runs.
func (c *Commands) ask(op queue.Op, e Entity, of, value uint32) {
	if c.part != nil { // asker is set when it goes to the world's
		c.q.Push(op, 0, e, of, value)
		return
	}
	if c.world.refused != nil {
		c.reset()
		return
	}
	if c.world.systems.Sharing() {
		panic(c.notItsOwn())
	}
	now := c.running()
	was := c.world.enterCommand()
	if c.world.closed {
		c.drop(&queue.Command{Op: op, Of: of, Value: value, Entity: e}, now, ErrClosed)
	} else {
		c.q.Push(op, c.q.Asker(now), e, of, value)
		c.q.Waiting++
	}
	c.world.doing = was
}

// askDestroy asks for the end of an entity. Calls that follow each other in one system are one
// command, so that rows go together.
func (c *Commands) askDestroy(e Entity) {
	last := len(c.q.Ops) - 1
	if last < 0 || c.q.Ops[last].Op != queue.Destroy || !c.goesOn() {
		c.ask(queue.Destroy, e, 1, c.keep(raw.Of(&e), raw.Size[Entity]()))
		return
	}
	c.q.PushDying(e)
}

// goesOn tells whether the last command is one of the system, and of the piece of work, that asks now.
func (c *Commands) goesOn() bool {
	if p := c.part; p != nil {
		return len(c.q.Since(p.marks[len(p.marks)-1].at)) > 0
	}
	return c.q.Askers[len(c.q.Askers)-1] == c.running() && !c.world.closed && !c.world.systems.Sharing() && (c.world.doing == 0 || c.world.under() != "")
}

// running is the system that asks, or the observer.
func (c *Commands) running() string {
	y := c.world.base.Store.Hearing()
	if y == nil {
		return c.world.systems.Running()
	}
	if c == &c.world.commands {
		panic(fmt.Sprintf("ecs: a command of World.Commands within observer %q: give its struct a field of type *ecs.Commands or ecs.Later, and use that", y.Name))
	}
	return y.Name
}

// mustOwn panics where the world's commands take an index or room for a value while several workers may run a system, or within
// an observer: ask comes too late.
func (c *Commands) mustOwn() {
	if c.part != nil {
		return
	}
	if c.world.systems.Sharing() {
		panic(c.notItsOwn())
	}
	c.running()
}

// notItsOwn is the panic of a call of the world's commands while several workers run a system.
func (c *Commands) notItsOwn() string {
	return fmt.Sprintf("ecs: a command of World.Commands within %s, which several workers may run (ecs.Parallel): give its struct a field of type *ecs.Commands or ecs.Later, and use that", c.world.base.Walks.Busy)
}

// askPut asks for a Put of all components of a bundle.
func (c *Commands) askPut(b *store.Bundle, e Entity, v raw.Ptr, bytes uintptr) {
	c.ask(queue.PutEach, e, c.q.Bundled(b), c.keep(v, bytes))
}

// refuse notes a spawn for which there is no room, so that Run returns the error.
func (c *Commands) refuse(b *store.Bundle, err error) {
	if c.world.refused != nil {
		return // Run returns why
	}
	d := queue.Drop{Command: queue.Command{Op: queue.Fill}, Bundle: b, Frame: c.world.base.Frame + 1, Err: err}
	if p := c.part; p != nil { // told when it goes to the world's
		d.System = p.of.system.Name
		p.drops = append(p.drops, d)
		return
	}
	d.System = c.running()
	*c.drops.Next() = d
	c.drops.Owe()
}

// Spawn makes an entity without components, which is alive at once. If there is no room for it,
// Spawn returns the null Entity 0, and Run returns ErrDropped with the reason.
func (c *Commands) Spawn() Entity {
	w := c.made("Spawn").world
	if w.closed {
		c.refuse(nil, ErrClosed)
		return 0
	}
	c.mustOwn()
	var one [1]Entity
	if err := c.take(nil, one[:]); err != nil {
		c.refuse(nil, w.inEcs(err))
	} else if w.base.Store.TellsSpawns() {
		c.ask(queue.Fill, one[0], 0, 0)
	}
	return one[0]
}

// Destroy is World.Destroy at the next safe point. Calls that follow each other, with no other
// command between them, are carried out together, as World.DestroyAll of their handles: the order of
// the rows that stay may differ from that of single calls.
func (c *Commands) Destroy(e Entity) {
	c.made("Destroy").askDestroy(e)
}

// SetEnabled is World.SetEnabled at the next safe point.
func (c *Commands) SetEnabled(e Entity, on bool) {
	c.made("SetEnabled").ask(switching(on), e, 0, 0)
}

// keep copies a value into the queue and returns where: see [queue.Queue.Keep].
func (c *Commands) keep(v raw.Ptr, bytes uintptr) uint32 {
	c.mustOwn()
	return c.q.Keep(v, bytes)
}

// Drop drops all queued commands, and returns how many. World.Stats lists them with
// ErrDropped. Entities that were spawned with them stay, without components. Use it if memory
// is refused for the commands again and again.
func (c *Commands) Drop() (dropped int) {
	c.made("Drop").world.mustIdle("Drop of Commands")
	dropped = c.q.Waiting
	c.dropAll(ErrDropped, false)
	return dropped
}

// ownCommands returns the commands that a thing of the world asks. It panics unless they belong to the
// world: others would make the change while this world iterates. A command of a refused thing is
// dropped, by the commands of its nowhere.
func (w *World) ownCommands(c *Commands, kind, name string) *Commands {
	if c != nil && c.world == w {
		return c
	}
	return w.notItsCommands(c, kind, name)
}

// notItsCommands is a call of its own so that ownCommands is none.
func (w *World) notItsCommands(c *Commands, kind, name string) *Commands {
	if w.refused != nil {
		return &w.commands
	}
	fault := "the Commands of another world: take World.Commands of its own world, or the field of type *ecs.Commands of a system there"
	if c == nil || c.world == nil {
		fault = "a Commands that is nil or the zero value: take World.Commands, or the field of type *ecs.Commands of a system's struct"
	}
	panic(fmt.Sprintf("ecs: Later of %s %q is given %s", kind, name, fault))
}

// spawnLater makes len(dst) entities, and asks for the components of a bundle for each: values of
// so many bytes that are stride bytes apart, or one for all if stride is 0. If there is no room,
// dst is zeroed, and nothing is asked for.
func (c *Commands) spawnLater(b *store.Bundle, dst []Entity, v raw.Ptr, bytes, stride uintptr) {
	if c.world.closed {
		clear(dst)
		c.refuse(b, ErrClosed)
		return
	}
	c.mustOwn()
	if err := c.take(b, dst); err != nil {
		clear(dst)
		c.refuse(b, c.world.inEcs(err))
		return
	}
	at, of := uint32(0), c.q.Bundled(b)
	for i, e := range dst {
		if i == 0 || stride > 0 {
			at = c.keep(raw.At(v, uintptr(i)*stride), bytes)
		}
		c.ask(queue.Fill, e, of, at)
	}
}

// take makes len(dst) entities that have nothing yet, or none: those of a bundle, or bare ones without.
func (c *Commands) take(b *store.Bundle, dst []Entity) (err error) {
	if c.part != nil {
		return c.part.take(b, dst)
	}
	s := c.world.base.Store
	for i := range dst {
		if b == nil {
			dst[i], err = s.Take()
		} else {
			dst[i], err = b.Take()
		}
		if err != nil {
			for _, e := range dst[:i] {
				s.Free(e)
			}
			return err
		}
	}
	return nil
}
