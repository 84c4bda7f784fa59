package ecs

import (
	"reflect"

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
	p *pool
	c *Commands
}

// Later returns calls that ask do for changes of the component. It costs nothing to speak of. It
// panics if do is nil or of another world.
func (p *Pool[T]) Later(do *Commands) Later[T] {
	q := p.made("Later")
	return Later[T]{q, q.w.ownCommands(do, "component", q.c.Name)}
}

func (l Later[T]) made(call string) *Commands {
	if l.c == nil {
		panic(unmade{"Later", call})
	}
	return l.c
}

func (Later[T]) laterType() reflect.Type { return reflect.TypeFor[T]() }

// deferred is a Later of any type.
type deferred interface{ laterType() reflect.Type }

// fillLater fills a field of type Later.
func (f *field) fillLater(into raw.Ptr, do *Commands) {
	*raw.As[Later[byte]](raw.At(into, f.offset)) = Later[byte]{f.pool, do} // the same for all T
}

// Add is Pool.Add at the next safe point.
func (l Later[T]) Add(e Entity, v T) { l.made("Add").askWith(l.p, opAdd, e, raw.Of(&v)) }

// Set is Pool.Set at the next safe point.
func (l Later[T]) Set(e Entity, v T) { l.made("Set").askWith(l.p, opSet, e, raw.Of(&v)) }

// Put is Pool.Put at the next safe point.
func (l Later[T]) Put(e Entity, v T) { l.made("Put").askWith(l.p, opPut, e, raw.Of(&v)) }

// Remove is Pool.Remove at the next safe point.
func (l Later[T]) Remove(e Entity) {
	l.made("Remove").askOf(l.p, opRemove, e)
}

// SetEnabled is Pool.SetEnabled at the next safe point.
func (l Later[T]) SetEnabled(e Entity, on bool) {
	l.made("SetEnabled").askOf(l.p, switching(on), e)
}

// AddAll is Pool.AddAll at the next safe point. It is one command. The query is asked when its turn
// comes, so it changes the entities that match then; Handles are copied.
func (l Later[T]) AddAll(q AnyQuery, v T) {
	l.made("AddAll").askAll(l.p, opAdd, raw.Of(&v), "AddAll", q)
}

// AddFunc is Pool.AddFunc at the next safe point, when f is called. See Later.AddAll.
func (l Later[T]) AddFunc(q AnyQuery, f func(e Entity) T) {
	l.made("AddFunc").askEach(l.p, opAdd, valueOf(f), "AddFunc", q)
}

// SetAll is Pool.SetAll at the next safe point. See Later.AddAll.
func (l Later[T]) SetAll(q AnyQuery, v T) {
	l.made("SetAll").askAll(l.p, opSet, raw.Of(&v), "SetAll", q)
}

// SetFunc is Pool.SetFunc at the next safe point, when f is called. See Later.AddAll.
func (l Later[T]) SetFunc(q AnyQuery, f func(e Entity) T) {
	l.made("SetFunc").askEach(l.p, opSet, valueOf(f), "SetFunc", q)
}

// RemoveAll is Pool.RemoveAll at the next safe point. See Later.AddAll.
func (l Later[T]) RemoveAll(q AnyQuery) {
	l.made("RemoveAll").askAll(l.p, opRemove, nil, "RemoveAll", q)
}

// SetEnabledAll is Pool.SetEnabledAll at the next safe point. See Later.AddAll.
func (l Later[T]) SetEnabledAll(q AnyQuery, on bool) {
	l.made("SetEnabledAll").askAll(l.p, switching(on), nil, "SetEnabledAll", q)
}

// LaterSpawner has the calls of a Spawner or Group that ask for entities while something iterates.
// It comes from Spawner.Later.
type LaterSpawner[S any] struct {
	s *Spawner[S]
	c *Commands
}

// Later returns calls that spawn by do. It panics if do is nil or of another world.
func (s *Spawner[S]) Later(do *Commands) LaterSpawner[S] {
	x := s.made("Later")
	return LaterSpawner[S]{x, x.w.ownCommands(do, x.kind, x.name)}
}

func (l LaterSpawner[S]) made(call string) *Commands {
	if l.c == nil {
		panic(unmade{"LaterSpawner", call})
	}
	return l.c
}

// Spawn makes an entity, which is alive at once and gets its components at the next safe point.
// If there is no room for it, Spawn returns the null Entity 0, and Run returns ErrDropped with the
// reason.
func (l LaterSpawner[S]) Spawn(v S) Entity {
	var one [1]Entity
	l.made("Spawn").spawnLater(l.s.bundle, one[:], raw.Of(&v), raw.Size[S](), 0)
	return one[0]
}

// SpawnN is Spawn of len(dst) entities, with one value for all or one for each, as Spawner.SpawnN
// takes them. If there is no room for all, none is made and dst is zeroed.
func (l LaterSpawner[S]) SpawnN(dst []Entity, values []S) {
	l.made("SpawnN").spawnLater(l.s.bundle, dst, raw.Data(values), raw.Size[S](), strideOf(dst, len(values), raw.Size[S]()))
}

// Put is Spawner.Put at the next safe point.
func (l LaterSpawner[S]) Put(e Entity, v S) {
	l.made("Put").askPut(l.s.bundle, e, raw.Of(&v), raw.Size[S]())
}

// LaterExchange has the calls of an Exchange that ask for it while something iterates. It comes
// from Exchange.Later.
type LaterExchange[S any] struct {
	x *Exchange[S]
	c *Commands
}

// Later returns calls that ask do for the exchange. It panics if do is nil or of another world.
func (x *Exchange[S]) Later(do *Commands) LaterExchange[S] {
	return LaterExchange[S]{x, x.made("Later").w.ownCommands(do, "an exchange of", typeFor[S]().String())}
}

func (l LaterExchange[S]) made(call string) *Commands {
	if l.c == nil {
		panic(unmade{"LaterExchange", call})
	}
	return l.c
}

// Do is Exchange.Do at the next safe point.
func (l LaterExchange[S]) Do(e Entity, v S) {
	l.made("Do").queueMass(&mass{op: opExchange, exchange: l.x.store, bytes: l.x.bytes, one: true}, []Entity{e}, raw.Of(&v))
}

// All is Exchange.All at the next safe point. It is one command, as Later.AddAll is.
func (l LaterExchange[S]) All(q AnyQuery, v S) {
	l.made("All").askMass(&mass{op: opExchange, exchange: l.x.store, bytes: l.x.bytes}, raw.Of(&v), "Exchange", q)
}
