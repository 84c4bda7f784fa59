package sets

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// world is a store on Ashlar.
type world struct {
	*ecs.World
	pools   [count]pool
	handles []ecs.Entity // by entity of the script
	targets []ecs.Entity // of the operations that are next
	rows    int
	how     ecs.Storage
}

// pool is an *ecs.Pool of any component: which one it is, is drawn at random.
type pool interface {
	add(e ecs.Entity, v value) error
	Remove(e ecs.Entity) error
	get(e ecs.Entity) (value, bool)
}

type poolOf[T component] struct{ *ecs.Pool[T] }

func (p poolOf[T]) add(e ecs.Entity, v value) error { return p.Add(e, T(v)) }

func (p poolOf[T]) get(e ecs.Entity) (value, bool) {
	if v := p.Get(e); v != nil {
		return value(*v), true
	}
	return value{}, false
}

func register[T component](w *world) {
	n := numberOf[T]()
	w.pools[n] = poolOf[T]{ecs.Register[T](w.World, fmt.Sprintf("c%d", n), w.how)}
}

func (c scene) openAshlar(entities int, o ecs.Options) twin.Stage {
	w := &world{World: ecs.New(o), how: c.how}
	register[c0](w)
	register[c1](w)
	register[c2](w)
	register[c3](w)
	register[c4](w)
	register[c5](w)
	register[c6](w)
	register[c7](w)
	register[c8](w)
	register[c9](w)
	register[c10](w)
	register[c11](w)
	registerAll(w, c.systems)
	s := c.open(entities, w, w.prepare, w.Check, w.Close)
	s.World = w.World
	return s
}

// prepare looks up whom the operations are about, because a program has handles and no
// numbers. Entities that do not exist yet are left out.
func (w *world) prepare(ops []operation) {
	w.targets = w.targets[:0]
	for _, o := range ops {
		if o.kind == create && int(o.entity) < len(w.handles) {
			w.handles[o.entity] = 0
		}
		e := ecs.Entity(0)
		if int(o.entity) < len(w.handles) {
			e = w.handles[o.entity]
		}
		w.targets = append(w.targets, e)
	}
}

func (w *world) apply(ops []operation) {
	for i := range ops {
		o := &ops[i]
		if o.kind == create {
			w.create(o.entity, o.set)
			continue
		}
		e := w.targets[i]
		if e == 0 {
			e = w.handles[o.entity] // it was created in this frame
		}
		switch o.kind {
		case destroy:
			twin.Check(w.Destroy(e))
		case add:
			twin.Check(w.pools[o.component].add(e, valueOf(o.entity, int(o.component))))
		case remove:
			twin.Check(w.pools[o.component].Remove(e))
		}
	}
}

func (w *world) create(entity uint32, of set) {
	for int(entity) >= len(w.handles) {
		w.handles = append(w.handles, 0)
	}
	w.handles[entity] = w.spawn(entity, of)
}

// spawn makes an entity with the components of a set.
func (w *world) spawn(entity uint32, of set) ecs.Entity {
	e := twin.Must(w.Spawn())
	for c := range count {
		if of>>c&1 != 0 {
			twin.Check(w.pools[c].add(e, valueOf(entity, c)))
		}
	}
	return e
}

func (w *world) frame() int {
	w.rows = 0
	twin.Check(w.Run(context.Background()))
	return w.rows
}

func (w *world) get(entity uint32, component int) (value, bool) {
	return w.pools[component].get(w.handles[entity])
}
