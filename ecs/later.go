package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Later asks for changes of one component, which are made at the next safe point. It is for code
// that runs while a system or query iterates, when nothing may change at once. It comes from
// Pool.Later, or is a field of a system's struct:
//
//	Fire ecs.Later[Fire]
//
// A field means the component of type T. If T is registered several times, a tag names the
// component, as with a field of type *Pool. See [Commands] for the order of changes, and for
// changes that can't be made. A call panics for the zero value of Later.
type Later[T any] struct {
	of    of[T]
	later later
}

// later is the part that Laters of all types have in common.
type later struct {
	p *pool
	c *Commands
}

// Later returns calls that ask do for changes of the component. It costs nothing to speak of. It
// panics if do is nil or of another world.
func (p *Pool[T]) Later(do *Commands) Later[T] {
	return Later[T]{later: p.core().later(do)}
}

func (p *pool) later(do *Commands) later {
	w := p.made("Later").world
	return later{p, w.ownCommands(do, "component", p.component.Name)}
}

func (l later) made(call string) *Commands {
	if l.c == nil {
		panic(unmade{"Later", call})
	}
	return l.c
}

// ask asks for a change of an entity that has no value.
func (l later) ask(op queue.Op, call string, e Entity) {
	l.made(call).ask(op, e, l.p.component.ID+1, 0)
}

// askWith asks for a change of an entity that has a value.
func (l later) askWith(op queue.Op, call string, e Entity, v raw.Ptr) {
	c := l.made(call)
	c.ask(op, e, l.p.component.ID+1, c.keep(v, l.p.component.Size))
}

// fillCommands fills a field by which changes are asked for, at an address.
func (w *World) fillCommands(f *field.Field, at raw.Ptr, do *Commands) {
	switch f.Kind {
	case field.Commands:
		*raw.As[*Commands](at) = do
	case field.Later:
		*raw.As[later](at) = later{w.poolOf(f.Comp), do}
	case field.Spawner:
		*raw.As[laterSpawner](at) = laterSpawner{&spawner{w, f.Bundle, f.Of.Size(), "a spawner of", f.Of.String()}, do}
	}
}

// bindSpawner finds the components of a field of type LaterSpawner.
func (w *World) bindSpawner(f *field.Field) error {
	v, err := w.spawned(f.Of)
	f.Makes = v.comps()
	f.Bundle = w.base.Store.NewBundle(f.Makes, v.offsets)
	return err
}

// Add is Pool.Add at the next safe point.
func (l Later[T]) Add(e Entity, v T) { l.later.askWith(queue.Add, "Add", e, raw.Of(&v)) }

// Set is Pool.Set at the next safe point.
func (l Later[T]) Set(e Entity, v T) { l.later.askWith(queue.Set, "Set", e, raw.Of(&v)) }

// Put is Pool.Put at the next safe point.
func (l Later[T]) Put(e Entity, v T) { l.later.askWith(queue.Put, "Put", e, raw.Of(&v)) }

// Remove is Pool.Remove at the next safe point.
func (l Later[T]) Remove(e Entity) {
	l.later.ask(queue.Remove, "Remove", e)
}

// SetEnabled is Pool.SetEnabled at the next safe point.
func (l Later[T]) SetEnabled(e Entity, on bool) {
	l.later.ask(switching(on), "SetEnabled", e)
}

// LaterSpawner has the calls of a Spawner or Group that ask for entities while something iterates.
// It comes from Spawner.Later, or is a field of a system's struct, without a spawner then:
//
//	Shots ecs.LaterSpawner[shot]
//
// Such a field says which components new entities get. So a Parallel system with it needs no safe point before systems that
// name none of them, where one with a field *Commands needs one.
type LaterSpawner[S any] struct {
	of    of[S]
	later laterSpawner
}

type laterSpawner struct {
	s *spawner
	c *Commands
}

// Later returns calls that spawn by do. It panics if do is nil or of another world.
func (s *Spawner[S]) Later(do *Commands) LaterSpawner[S] {
	return LaterSpawner[S]{later: s.core().later(do)}
}

func (s *spawner) later(do *Commands) laterSpawner {
	w := s.made("Later").world
	return laterSpawner{s, w.ownCommands(do, s.kind, s.name)}
}

func (l laterSpawner) made(call string) *Commands {
	if l.c == nil {
		panic(unmade{"LaterSpawner", call})
	}
	return l.c
}

// Spawn makes an entity, which is alive at once and gets its components at the next safe point.
// If there is no room for it, Spawn returns the null Entity 0, and Run returns ErrDropped with the
// reason.
func (l LaterSpawner[S]) Spawn(v S) Entity {
	return l.later.spawn(raw.Of(&v))
}

func (l laterSpawner) spawn(v raw.Ptr) Entity {
	var one [1]Entity
	l.made("Spawn").spawnLater(l.s.bundle, one[:], v, l.s.bytes, 0)
	return one[0]
}

// SpawnN is Spawn of len(dst) entities, with one value for all or one for each, as Spawner.SpawnN
// takes them. If there is no room for all, none is made and dst is zeroed.
func (l LaterSpawner[S]) SpawnN(dst []Entity, values []S) {
	l.later.spawnN(dst, raw.Data(values), len(values))
}

func (l laterSpawner) spawnN(dst []Entity, values raw.Ptr, n int) {
	l.made("SpawnN").spawnLater(l.s.bundle, dst, values, l.s.bytes, strideOf(dst, n, l.s.bytes))
}

// Put is Spawner.Put at the next safe point.
func (l LaterSpawner[S]) Put(e Entity, v S) {
	l.later.put(e, raw.Of(&v))
}

func (l laterSpawner) put(e Entity, v raw.Ptr) {
	l.made("Put").askPut(l.s.bundle, e, v, l.s.bytes)
}
