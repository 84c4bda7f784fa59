package ecs

import (
	"iter"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Contract binds an entity to a [Schema]. Access through it costs little while nothing changes,
// and never reaches another entity's components. It comes from Schema.Bind. It is 32 bytes
// without pointers, to be used by value: in structs, maps, and in components. An entity may
// have any number of contracts. The world does not record them, and they need not be closed.
//
// A contract is valid as long as its entity is alive and has all components of the schema that
// are not optional. If it gets one back, the contract is valid again. The zero value is bound to
// no entity, and never valid.
type Contract[S any] struct{ i contract.Instance }

// Entity is the entity that is bound, alive or not.
func (c *Contract[S]) Entity() Entity {
	if c == nil {
		return 0
	}
	return c.i.Entity()
}

// Schema is the list of components of contracts of type S. SchemaOf makes it. It lives as long
// as its World.
//
// Its home is the row that stores its first component that is not optional: the entity's row
// in a table, or in a group. A contract remembers that row, and with it all components there.
// Components outside the home, and optional ones, are looked up at each access.
type Schema[S any] struct {
	AnySchema // methods that do not depend on S: Lacks, Complete, Spawn and more
}

func (s *Schema[S]) made(call string) *AnySchema {
	if s == nil || s.w == nil {
		panic(unmade{"Schema", call})
	}
	return &s.AnySchema
}

// Bind returns a contract with an entity. It returns ErrStale if the entity is not alive. If it lacks a
// component, the error is ErrAbsent to errors.Is and names the components. It costs a load for the home and a look-up for
// each component outside of it. It allocates nothing.
func (s *Schema[S]) Bind(e Entity) (c Contract[S], err error) {
	if i, ok := s.made("Bind").x.Bind(e); ok {
		return Contract[S]{i}, nil
	}
	return c, s.validate(e)
}

// Valid tells whether the contract's entity is alive and has all components of the schema that
// are not optional. It costs a compare while no row of the entity's table moves or goes. After that it
// looks at the entity again, by a load. Each required component outside the home costs a look-up at
// each call.
func (s *Schema[S]) Valid(c *Contract[S]) bool {
	if arena.Checked {
		return s.x.Valid(&c.i)
	}
	return c.i.Seen(s.clocks) || s.x.Valid(&c.i)
}

// Get returns the struct of pointers for the contract's entity, for reading, and whether it
// is valid. A component that is optional and that the entity lacks is nil. The pointers are
// good until the next safe point or structural change. It costs Valid, a call, and for each
// component in the schema's home a load; for others as much as Pool.Get. Where that counts,
// see FieldOf. A test for a nil contract has no room in its form, which is inlined: that is Go's own panic, and names itself in
// checked builds alone.
func (s *Schema[S]) Get(c *Contract[S]) (v S, ok bool) {
	if arena.Checked {
		s.mustReach("Schema.Get", false)
		if c == nil {
			panic(unmade{"Schema", "Get"})
		}
	}
	ok = s.x.Fill(&c.i, raw.Of(&v))
	return
}

// All goes over the contracts of a list that are valid, with their places in the list and the struct that Get returns for each. It asks for
// memory ahead, so it takes less time than calls of Get where entities lie in no order and in no cache: see
// docs/results/contracts.md. The pointers are good as those of Get are.
func (s *Schema[S]) All(list []Contract[S]) iter.Seq2[int, S] {
	ahead := s.made("All").w.base.Store.Warms()
	return func(yield func(int, S) bool) {
		for i := range list {
			if ahead && i%store.WarmMost == 0 {
				s.x.Ahead(raw.Slice[contract.Instance](raw.Of(&list[i]), len(list)-i))
			}
			if v, ok := s.Get(&list[i]); ok && !yield(i, v) {
				return
			}
		}
	}
}

// Mut is Get for writing the fields of type WriteOne and MaybeWriteOne: it marks their columns
// as changed, which costs a stamp for each, and no look-up in the home. It panics if the struct has
// no such field, and where Pool.Mut panics.
func (s *Schema[S]) Mut(c *Contract[S]) (v S, ok bool) {
	x := s.made("Mut").x
	if c == nil {
		panic(unmade{"Schema", "Mut"})
	}
	if s.w.refused != nil {
		return v, false
	}
	if arena.Checked {
		s.mustReach("Schema.Mut", true)
	}
	if !x.Writes() {
		panic("ecs: Mut of schema " + s.x.Lock.Name + ", which writes nothing: give the fields that are written the type ecs.WriteOne, or use Get")
	}
	if ok = x.Fill(&c.i, raw.Of(&v)); ok {
		x.Mark(&c.i)
	}
	return v, ok
}

// Hold locks the contract's entity. It can't be destroyed, and can't lose a required component
// of the schema, until Release was called as often for the same holder. It is a Lock of the
// schema's, listed under its name. Hold returns ErrStale, or the error of Bind if the contract is
// not valid. A copy of a contract, or the loss of one, releases nothing: the world records the
// entity and the holder, not the contract. See docs/design/locks.md.
func (s *Schema[S]) Hold(c *Contract[S], holder string) error {
	if err := s.made("Hold").validate(c.Entity()); err != nil {
		return err
	}
	return s.w.base.Store.Hold(&s.x.Lock, c.Entity(), holder)
}

// Release ends one call of Hold, as Lock.Release does. It returns ErrStale if the entity is not
// alive. It panics if the schema does not hold the entity for that holder.
func (s *Schema[S]) Release(c *Contract[S], holder string) error {
	w := s.made("Release").w
	return w.inEcs(w.base.Store.Release(&s.x.Lock, c.Entity(), holder))
}
