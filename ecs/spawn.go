package ecs

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Spawner makes entities with several components at once, from values of a struct S with a
// field for each component. Each value is written once, where it belongs. That is cheaper
// than to spawn bare and to add one component after the other, which moves the row each
// time. A Spawner lives as long as its world.
type Spawner[S any] struct {
	w      *World
	bundle *store.Bundle
}

// SpawnerOf makes a spawner of the components of the fields of S: by type, or by the name
// in a tag `ashlar:"name"`. Components may be of any groups and of none, and stored in any
// way. A field that is itself such a struct, for example what a group's members are spawned
// from, stands for its fields. SpawnerOf is refused if a component is not registered or is named twice.
func SpawnerOf[S any](w *World) (*Spawner[S], error) {
	if w == nil || w.base.M == nil {
		return nil, fmt.Errorf("ecs: SpawnerOf: %w", errNoWorld)
	}
	if w.closed {
		return nil, fmt.Errorf("ecs: SpawnerOf: %w", ErrClosed)
	}
	f, err := w.valueFields(typeFor[S](), nil)
	if err != nil {
		return nil, fmt.Errorf("ecs: SpawnerOf: %w", err)
	}
	if len(f.with)+len(f.without) > 0 {
		return nil, fmt.Errorf("ecs: SpawnerOf: %v has fields ecs.With or ecs.Without, which give nothing to spawn: they are for groups", typeFor[S]())
	}
	for i, p := range f.pools {
		if slices.Contains(f.pools[:i], p) {
			return nil, fmt.Errorf("ecs: SpawnerOf: component %q is named twice in %v", p.c.Name, typeFor[S]())
		}
	}
	return &Spawner[S]{w, w.base.S.NewBundle(f.comps(), f.offsets)}, nil
}

func (s *Spawner[S]) made(call string) *Spawner[S] {
	if s == nil || s.w == nil {
		panic(unmade{"Spawner", call})
	}
	return s
}

// Spawn makes an entity with the components' values. Errors are the arena's; nothing has
// changed then. It allocates nothing on the Go heap.
func (s *Spawner[S]) Spawn(v S) (Entity, error) {
	return s.made("Spawn").w.spawn(s.bundle, raw.Of(&v))
}

// SpawnN makes len(dst) entities with equal values and writes their handles to
// dst. Either all are made, or an error is returned, dst is zeroed and nothing has
// changed.
func (s *Spawner[S]) SpawnN(dst []Entity, v S) error {
	return s.made("SpawnN").w.spawnBatch(s.bundle, dst, raw.Of(&v), 0)
}

// SpawnEach makes an entity from each of values and writes their handles to dst,
// which must be as long. Either all are made, or an error is returned, dst is
// zeroed and nothing has changed.
func (s *Spawner[S]) SpawnEach(dst []Entity, values []S) error {
	mustBeAsLong("SpawnEach", len(dst), len(values))
	return s.made("SpawnEach").w.spawnBatch(s.bundle, dst, raw.Data(values), raw.Size[S]())
}

// SpawnLater makes an entity, which is alive at once, and asks for its components. It
// panics if the commands are of another world.
func (s *Spawner[S]) SpawnLater(c *Commands, v S) (Entity, error) {
	c.of(s.made("SpawnLater").w, "SpawnLater", "a spawner of", typeFor[S]().String())
	return c.spawnLater(s.bundle, raw.Of(&v), raw.Size[S]())
}

// SpawnNLater is SpawnLater for len(dst) entities with equal values. It writes their handles
// to dst. After an error dst is zeroed, and nothing is asked for.
func (s *Spawner[S]) SpawnNLater(c *Commands, dst []Entity, v S) error {
	c.of(s.made("SpawnNLater").w, "SpawnNLater", "a spawner of", typeFor[S]().String())
	return c.spawnBatchLater(s.bundle, dst, raw.Of(&v), raw.Size[S](), 0)
}

// SpawnEachLater is SpawnLater for each of values. It writes handles to dst, which must be as
// long. After an error dst is zeroed, and nothing is asked for.
func (s *Spawner[S]) SpawnEachLater(c *Commands, dst []Entity, values []S) error {
	mustBeAsLong("SpawnEachLater", len(dst), len(values))
	c.of(s.made("SpawnEachLater").w, "SpawnEachLater", "a spawner of", typeFor[S]().String())
	return c.spawnBatchLater(s.bundle, dst, raw.Data(values), raw.Size[S](), raw.Size[S]())
}

// Spawn makes an entity with the group's components. Errors are the arena's;
// nothing has changed then. It allocates nothing on the Go heap.
func (g *Group[S]) Spawn(v S) (Entity, error) {
	return g.made("Spawn").w.spawn(g.bundle, raw.Of(&v))
}

// SpawnN makes len(dst) entities with equal values and writes their handles to
// dst. Either all are made, or an error is returned, dst is zeroed and nothing has
// changed. Recycled indexes come first, in the order of Options.Recycle.
func (g *Group[S]) SpawnN(dst []Entity, v S) error {
	return g.made("SpawnN").w.spawnBatch(g.bundle, dst, raw.Of(&v), 0)
}

// SpawnEach makes an entity from each of values and writes their handles to dst,
// which must be as long. Either all are made, or an error is returned, dst is
// zeroed and nothing has changed.
func (g *Group[S]) SpawnEach(dst []Entity, values []S) error {
	mustBeAsLong("SpawnEach", len(dst), len(values))
	return g.made("SpawnEach").w.spawnBatch(g.bundle, dst, raw.Data(values), raw.Size[S]())
}

// SpawnLater makes an entity, which is alive at once, and asks for the group's
// components for it. It panics if the commands are of another world.
func (g *Group[S]) SpawnLater(c *Commands, v S) (Entity, error) {
	c.of(g.made("SpawnLater").w, "SpawnLater", "group", g.name)
	return c.spawnLater(g.bundle, raw.Of(&v), raw.Size[S]())
}

// SpawnNLater is SpawnLater for len(dst) entities with equal values. It writes their handles
// to dst. After an error dst is zeroed, and nothing is asked for.
func (g *Group[S]) SpawnNLater(c *Commands, dst []Entity, v S) error {
	c.of(g.made("SpawnNLater").w, "SpawnNLater", "group", g.name)
	return c.spawnBatchLater(g.bundle, dst, raw.Of(&v), raw.Size[S](), 0)
}

// SpawnEachLater is SpawnLater for each of values. It writes handles to dst, which must be as
// long. After an error dst is zeroed, and nothing is asked for.
func (g *Group[S]) SpawnEachLater(c *Commands, dst []Entity, values []S) error {
	mustBeAsLong("SpawnEachLater", len(dst), len(values))
	c.of(g.made("SpawnEachLater").w, "SpawnEachLater", "group", g.name)
	return c.spawnBatchLater(g.bundle, dst, raw.Data(values), raw.Size[S](), raw.Size[S]())
}

func mustBeAsLong(call string, dst, values int) {
	if dst != values {
		panic("ecs: " + call + " with fewer or more handles than values: dst must be as long as values")
	}
}

func (w *World) spawn(b *store.Bundle, v raw.Ptr) (Entity, error) {
	if w.base.Walks.Busy != "" {
		w.mustIdle("Spawn")
	}
	if !w.profiles.looked {
		if err := w.look(1); err != nil {
			return 0, err
		}
	}
	e, err := b.Spawn(v)
	if err != nil {
		return 0, w.refusal(err)
	}
	return e, nil
}

func (w *World) spawnBatch(b *store.Bundle, dst []Entity, v raw.Ptr, stride uintptr) error {
	w.mustIdle("Spawn")
	if err := w.look(len(dst)); err != nil {
		return err
	}
	if err := b.SpawnBatch(dst, v, stride); err != nil {
		return w.refusal(err)
	}
	return nil
}

// refusal is the error of a change; of a closed world it is ErrClosed.
func (w *World) refusal(err error) error {
	if w.closed {
		return ErrClosed
	}
	return inEcs(err)
}
