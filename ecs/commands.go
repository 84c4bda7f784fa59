package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Commands is a queue of structural changes. A change that is asked for while a system or
// query iterates must wait for the next safe point. A system has its Commands as a field of type
// *Commands. Elsewhere World.Commands returns it. These calls queue a change:
//
//	health.Later(do).Add(e, Health{9}) // or a field of type ecs.Later[Health] of a system's struct
//	spawner.Later(do).Spawn(soldier{})
//	exchange.Later(do).Do(e, burning{})
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
// If an observer panics, the command that it was told of is made, and the next Run resumes behind it. A command of
// many entities is dropped if its own function panics, or if it is made in part.
type Commands struct {
	w       *World
	ops     []command
	waiting int         // changes in ops: one may destroy many
	values  []uint64    // copies of the values, each at a multiple of 8 bytes
	masses  []massLater // changes of many entities, by Entity of their commands
	askers  []string    // systems that asked for the waiting commands, one after the other
	drops   []drop      // the last, in a ring; of a worker all, to be told when they go to the world's
	dropped uint64      // of all time; goes around the ring
	owed    owed
	burst   burst
	midway  bool  // a change of many entities is being made: a panic leaves the rest undone
	part    *part // of a worker of a Parallel system; nil: these are the world's
}

type op uint8

const (
	opDestroy op = iota // as many as entity says, whose handles are in Commands.values
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
	entity Entity // of opDestroy how many
	pool   *pool
	bundle *store.Bundle
	value  int // where the value starts in Commands.values
}

// Commands returns the world's command buffer, for use outside systems.
func (w *World) Commands() *Commands { return &w.made("Commands").commands }

// Len is the number of queued changes. In a Parallel system it is that of the piece of work under way.
func (c *Commands) Len() int {
	if p := c.made("Len").part; p != nil {
		return changes(c.ops[p.marks[len(p.marks)-1].ops:])
	}
	return c.waiting
}

// changes is how many changes commands make. One of Destroy may be of many entities.
func changes(ops []command) (n int) {
	for i := range ops {
		if n++; ops[i].op == opDestroy {
			n += int(ops[i].entity) - 1
		}
	}
	return n
}

// ask appends a command of the system that runs.
func (c *Commands) ask(o command) {
	if c.part != nil { // asker is set when it goes to the world's
		c.ops = append(grown(c.ops, 1), o)
		return
	}
	if c.w.refused != nil {
		c.reset()
		return
	}
	if c.w.systems.Sharing() {
		panic(c.notItsOwn())
	}
	now := c.running()
	was := c.w.enterCommand()
	if o.asker = c.asker(now); c.w.closed {
		c.drop(&o, now, ErrClosed)
	} else {
		c.ops = append(grown(c.ops, 1), o)
		c.waiting++
	}
	c.w.doing = was
}

// askDestroy asks for the end of an entity. Calls that follow each other in one system are one
// command, so that rows go together.
func (c *Commands) askDestroy(e Entity) {
	last := len(c.ops) - 1
	if last < 0 || c.ops[last].op != opDestroy || !c.goesOn(last) {
		value := c.keep(raw.Of(&e), raw.Size[Entity]())
		c.ask(command{op: opDestroy, entity: 1, value: value})
		return
	}
	c.values = append(c.values, uint64(e))
	c.ops[last].entity++
	c.waiting++
}

// goesOn tells whether the last command is one of the system, and of the piece of work, that asks now.
func (c *Commands) goesOn(last int) bool {
	if p := c.part; p != nil {
		return last >= p.marks[len(p.marks)-1].ops
	}
	return c.askers[len(c.askers)-1] == c.running() && !c.w.closed && !c.w.systems.Sharing() && (c.w.doing == 0 || c.w.base.Walks.Busy != "")
}

// running is the system that asks, or the observer.
func (c *Commands) running() string {
	now := c.w.base.Walks.Held
	if now == nil {
		return c.w.systems.Running()
	}
	if c == &c.w.commands {
		panic(fmt.Sprintf("ecs: a command of World.Commands within observer %q: give its struct a field of type *ecs.Commands or ecs.Later, and use that", *now))
	}
	return *now
}

// dying are the entities of a command that destroys.
func (c *Commands) dying(o *command) []Entity {
	return raw.Slice[Entity](c.at(o.value), int(o.entity))
}

// asker is the place of a system in askers, where it becomes the last.
func (c *Commands) asker(system string) uint32 {
	if last := len(c.askers) - 1; last < 0 || c.askers[last] != system {
		c.askers = append(c.askers, system)
	}
	return uint32(len(c.askers) - 1)
}

// notItsOwn is the panic of a call of the world's commands while several workers run a system.
func (c *Commands) notItsOwn() string {
	return fmt.Sprintf("ecs: a command of World.Commands within %s, which several workers may run (ecs.Parallel): give its struct a field of type *ecs.Commands or ecs.Later, and use that", c.w.base.Walks.Busy)
}

// askPut asks for a Put of all components of a bundle.
func (c *Commands) askPut(b *store.Bundle, e Entity, v raw.Ptr, bytes uintptr) {
	c.ask(command{op: opPutEach, entity: e, bundle: b, value: c.keep(v, bytes)})
}

// refuse notes a spawn for which there is no room, so that Run returns the error.
func (c *Commands) refuse(b *store.Bundle, err error) {
	if c.w.refused != nil {
		return // Run returns why
	}
	o := command{op: opFill, bundle: b}
	if c.part != nil { // told when it goes to the world's
		c.drops = append(c.drops, drop{})
		c.dropTo(&c.drops[len(c.drops)-1], &o, c.part.of.x.Name, err)
		return
	}
	c.drop(&o, c.running(), err)
	c.owe()
}

// Spawn makes an entity without components, which is alive at once. If there is no room for it,
// Spawn returns the null Entity 0, and Run returns ErrDropped with the reason.
func (c *Commands) Spawn() Entity {
	w := c.made("Spawn").w
	if w.closed {
		c.refuse(nil, ErrClosed)
		return 0
	}
	var one [1]Entity
	if err := c.take(nil, one[:]); err != nil {
		c.refuse(nil, w.inEcs(err))
	} else if w.base.S.TellsSpawns() {
		c.ask(command{op: opFill, entity: one[0]})
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
	c.made("SetEnabled").ask(command{op: switching(on), entity: e})
}

// DestroyAll is World.DestroyAll at the next safe point. It is one command, as Later.AddAll is.
func (c *Commands) DestroyAll(q AnyQuery) {
	c.made("DestroyAll").askMass(&mass{op: opDestroy}, nil, "DestroyAll", q)
}

// SetEnabledAll is World.SetEnabledAll at the next safe point. It is one command, as Later.AddAll is.
func (c *Commands) SetEnabledAll(q AnyQuery, on bool) {
	c.made("SetEnabledAll").askMass(&mass{op: switching(on)}, nil, "SetEnabledAll", q)
}

// keep copies a value into the buffer and returns where. One of no size is at the
// beginning: behind the end there may be another object.
func (c *Commands) keep(v raw.Ptr, bytes uintptr) int {
	if bytes == 0 {
		return 0
	}
	if c.part == nil && c.w.systems.Sharing() { // ask comes too late: workers would race for the buffer
		panic(c.notItsOwn())
	}
	at := len(c.values)
	words := int(bytes+7) / 8
	c.values = grown(c.values, words)[:at+words]
	c.values[at+words-1] = 0 // of a value that ends within it
	raw.CopyAll(c.at(at), v, bytes)
	return at
}

func (c *Commands) at(value int) raw.Ptr {
	return raw.At(raw.Data(c.values), uintptr(value)*8)
}

// Drop drops all queued commands, and returns how many. World.Stats lists them with
// ErrDropped. Entities that were spawned with them stay, without components. Use it if memory
// is refused for the commands again and again.
func (c *Commands) Drop() (dropped int) {
	c.made("Drop").w.mustIdle("Drop of Commands")
	for i := range c.ops {
		c.drop(&c.ops[i], c.askers[c.ops[i].asker], ErrDropped)
	}
	dropped = c.waiting
	c.reset()
	return dropped
}

func (c *Commands) reset() {
	c.burst.met(len(c.ops), len(c.values))
	c.waiting = 0
	clear(c.ops)
	clear(c.askers)
	clear(c.masses)
	c.ops, c.values, c.askers, c.masses = c.ops[:0], c.values[:0], c.askers[:0], c.masses[:0]
}

// ownCommands returns the commands that a thing of the world asks. It panics unless they belong to the
// world: others would make the change while this world iterates. A command of a refused thing is
// dropped, by the commands of its nowhere.
func (w *World) ownCommands(c *Commands, kind, name string) *Commands {
	if w.refused != nil {
		return &w.commands
	}
	if c != nil && c.w == w {
		return c
	}
	fault := "the Commands of another world: take World.Commands of its own world, or the field of type *ecs.Commands of a system there"
	if c == nil || c.w == nil {
		fault = "a Commands that is nil or the zero value: take World.Commands, or the field of type *ecs.Commands of a system's struct"
	}
	panic(fmt.Sprintf("ecs: Later of %s %q is given %s", kind, name, fault))
}

// spawnLater makes len(dst) entities, and asks for the components of a bundle for each: values of
// so many bytes that are stride bytes apart, or one for all if stride is 0. If there is no room,
// dst is zeroed, and nothing is asked for.
func (c *Commands) spawnLater(b *store.Bundle, dst []Entity, v raw.Ptr, bytes, stride uintptr) {
	if c.w.closed {
		clear(dst)
		c.refuse(b, ErrClosed)
		return
	}
	if err := c.take(b, dst); err != nil {
		clear(dst)
		c.refuse(b, c.w.inEcs(err))
		return
	}
	at := 0
	for i, e := range dst {
		if i == 0 || stride > 0 {
			at = c.keep(raw.At(v, uintptr(i)*stride), bytes)
		}
		c.ask(command{op: opFill, entity: e, bundle: b, value: at})
	}
}

// take makes len(dst) entities that have nothing yet, or none: those of a bundle, or bare ones without.
func (c *Commands) take(b *store.Bundle, dst []Entity) (err error) {
	if c.part != nil {
		return c.part.take(b, dst)
	}
	s := c.w.base.S
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

// massLater is a change of many entities that waits.
type massLater struct {
	mass
	at, n int // its handles in Commands.values
}

// askMass asks for a change of all that a query matches, with the value at an address.
func (c *Commands) askMass(x *mass, v raw.Ptr, call string, q AnyQuery) {
	if c.w.aim(x, call, q) != nil {
		return // Run returns why
	}
	es := x.es
	x.es = nil
	c.queueMass(x, es, v)
}

// queueMass queues a change of many entities, with a copy of the list and the value at an
// address.
func (c *Commands) queueMass(x *mass, es []Entity, v raw.Ptr) {
	o := command{op: opMass, entity: Entity(len(c.masses)), pool: x.pool}
	switch {
	case v == nil:
	case x.pool == nil:
		o.value = c.keep(v, x.bytes)
	default:
		o.value = c.keep(v, x.pool.c.Size)
	}
	n := len(es)
	at := c.keep(raw.Data(es), uintptr(n)*raw.Size[Entity]())
	c.masses = append(c.masses, massLater{*x, at, n})
	c.ask(o)
}

// applyMass makes a change of many entities.
func (c *Commands) applyMass(o *command) (err error) {
	x := &c.masses[o.entity]
	m := x.mass
	m.es = raw.Slice[Entity](c.at(x.at), x.n)
	c.midway = m.value != nil || m.c != nil // else observers are called when all is made
	c.w.base.S.Together(func() {
		_, err = c.w.changeNow(&m, c.at(o.value))
		c.midway = false
	})
	return err
}

// settle ends a frame, and gives back buffers that were not needed of late. Commands that wait keep
// theirs.
func (c *Commands) settle() {
	b := &c.burst
	if b.endFrame(); len(c.ops) > 0 {
		return
	}
	if excess(cap(c.ops), b.ops, raw.Size[command]()) {
		c.ops, c.askers, c.masses = nil, nil, nil
	}
	if excess(cap(c.values), b.values, raw.Size[uint64]()) {
		c.values = nil
	}
}
