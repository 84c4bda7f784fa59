package ecs

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// SpawnerOf makes a spawner of the components of the fields of S: by type, or by the name in a
// tag `ashlar:"name"`. Components may be of any groups and of none, and stored in any way. A
// field may itself be such a struct, for example the one that a group's members are spawned
// from: it is taken as its fields. SpawnerOf is refused if a component is not registered or is
// named twice: see World.Err.
func SpawnerOf[S any](w *World) *Spawner[S] {
	return &Spawner[S]{spawner: w.made("SpawnerOf").spawnerOf(typeOf((*S)(nil)))}
}

func (w *World) spawnerOf(t reflect.Type) spawner {
	f, err := w.spawned(t)
	if nowhere := w.constructed(mistake{kind: "SpawnerOf", what: t, err: err}); nowhere != nil {
		w = nowhere // where f, which is empty, makes a bundle of nothing
	}
	return spawner{w, w.base.Store.NewBundle(f.comps(), f.offsets), t.Size(), "a spawner of", t.String()}
}

// spawned are the components of a spawner's struct.
func (w *World) spawned(t reflect.Type) (f values, err error) {
	if f, err = w.valueFields(t, nil); err != nil {
		return values{}, err
	}
	if len(f.with)+len(f.without) > 0 {
		return values{}, fmt.Errorf("%v has fields ecs.With or ecs.Without, which have no values to spawn: remove them; they are for groups", t)
	}
	for i, p := range f.pools {
		if slices.Contains(f.pools[:i], p) {
			return values{}, fmt.Errorf("component %q is named twice in %v", p.component.Name, t)
		}
	}
	return f, nil
}

// Spawn makes an entity with the components' values. Errors are the arena's; nothing has
// changed then. It allocates nothing on the Go heap.
func (s *Spawner[S]) Spawn(v S) (Entity, error) {
	return s.core().spawn(raw.Of(&v))
}

func (s *spawner) spawn(v raw.Ptr) (Entity, error) { return s.made("Spawn").world.spawn(s.bundle, v) }

// SpawnN makes len(dst) entities and writes their handles to dst. Values has one value for
// all of them, or one for each; SpawnN panics if it has another number. Either all are made,
// or an error is returned, dst is zeroed and nothing has changed. Recycled indexes come first,
// in the order that Options.FIFO says.
func (s *Spawner[S]) SpawnN(dst []Entity, values []S) error {
	return s.core().spawnN(dst, raw.Data(values), len(values))
}

func (s *spawner) spawnN(dst []Entity, values raw.Ptr, n int) error {
	w := s.made("SpawnN").world
	if w.refused != nil {
		clear(dst)
		return w.refused
	}
	return w.spawnBatch(s.bundle, dst, values, strideOf(dst, n, s.bytes))
}

// SpawnAll makes an entity for each value, as SpawnN does, and leaves their handles unwritten until something asks for them. Until
// then a row has no memory beside its values, where it has 16 bytes otherwise: Stats.Unseen counts such rows. Results do not
// depend on who asks. Rows lie in pages of the system's usual size then, and not in huge ones.
//
// Fields for entities ask, chunk by chunk. So do values of rows that lie elsewhere, such as those of groups apart and of thin
// components, tests of such, observers, and the All of pools and worlds. Other fields do not ask.
//
// Most handles of a call for ten thousand entities or more are left so, where the table has components in fixed
// columns alone, none of which a query with Changed or Added, an observer or a group with rows of its own
// follows. Indexes that were used before, as behind Reset, have their handles at once.
func (s *Spawner[S]) SpawnAll(values []S) error {
	return s.core().spawnAll(raw.Data(values), len(values))
}

func (s *spawner) spawnAll(values raw.Ptr, n int) error {
	w := s.made("SpawnAll").world
	if w.refused != nil {
		return w.refused
	}
	w.enter(callSpawn)
	err := s.bundle.SpawnAll(n, values, s.bytes)
	w.exit()
	return w.refusal(err)
}

// strideOf is how many bytes n values of entities are apart; 0: one value is for all.
func strideOf(dst []Entity, n int, size uintptr) uintptr {
	switch n {
	case len(dst):
		return size
	case 1:
		return 0
	}
	panic(fmt.Sprintf("ecs: SpawnN of %d entities with %d values: give one value for all, or one for each entity; the length of the slice of entities says how many are made", len(dst), n))
}

func (w *World) spawn(b *store.Bundle, v raw.Ptr) (Entity, error) {
	w.enter(callSpawn)
	e, err := b.Spawn(v)
	w.exit()
	if err != nil {
		return 0, w.refusal(err)
	}
	return e, nil
}

func (w *World) spawnBatch(b *store.Bundle, dst []Entity, v raw.Ptr, stride uintptr) error {
	w.enter(callSpawn)
	err := b.SpawnBatch(dst, v, stride)
	w.exit()
	return w.refusal(err)
}

// refusal is the error of a change; of a closed world it is ErrClosed.
func (w *World) refusal(err error) error {
	if err != nil && w.closed {
		return w.over()
	}
	return w.inEcs(err)
}
