package ecs

import (
	"iter"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Pool reaches one component: it adds, reads, changes and removes it, entity by entity. The
// values lie in tables beside the other components of their entities, or in a group's rows.
// A Pool comes from Register and lives as long as its world. Its methods tell stale, null
// and foreign handles from live ones.
type Pool[T any] struct{ pool }

const (
	versionShift = store.VersionShift
	chunkBits    = memmgr.LocBits - 13
	rowMask      = chunk.MaxRows - 1
)

// Get returns the value of an entity's component for reading, or nil if the
// entity is not alive or lacks it. The address is good until the next safe point
// or structural change. It costs three loads, however the component is stored. (Its form
// is what fits the compiler's budget for inlining.)
func (p *Pool[T]) Get(e Entity) (v *T) {
	s := p.c.Words.Load(uint32(e))
	at := p.c.Dir.Place(s)
	if (s^uint64(e))>>versionShift == store.Mark && (at.Chunk^s)<<(64-chunkBits) == 0 {
		v = (*T)(unsafe.Add(at.Addr, s>>chunkBits&rowMask*uint64(unsafe.Sizeof(*v))))
	}
	return
}

// Mut is Get for writing: it marks the chunk's column as changed. It panics while a
// system or query goes over gathered values of the component: whether that would see
// the change, or undo it, would depend on how they were gathered.
func (p *Pool[T]) Mut(e Entity) *T {
	if p == nil || p.w == nil {
		panic(unmade{"Pool", "Mut"})
	}
	l, ok := p.c.Loc(e)
	if !ok {
		return nil
	}
	if p.c.Lent > 0 {
		p.mustNotBeLent()
	}
	c := p.c.Dir.CellOf(l)
	c.Stamp = p.w.m.Tick()
	return (*T)(unsafe.Add(c.Addr, l.Index()*unsafe.Sizeof(*new(T))))
}

// Set writes the value of a component that the entity has. It returns ErrStale or
// ErrAbsent otherwise.
func (p *Pool[T]) Set(e Entity, v T) error {
	if p == nil || p.w == nil {
		panic(unmade{"Pool", "Set"})
	}
	if q := p.Mut(e); q != nil {
		*q = v
		return nil
	}
	if !p.w.s.Alive(e) {
		return ErrStale
	}
	return ErrAbsent
}

// Has tells whether an entity is alive and has the component.
func (p *Pool[T]) Has(e Entity) bool { return p.c.Has(e) }

// Add gives an entity the component. Adding one that is a column of tables moves the
// entity's row to another table, which costs a copy of what the row has. Adding one that is
// volatile or thin costs the same whatever else the entity has. Add returns ErrStale,
// ErrPresent (the old value stays), or the arena's error. Nothing has changed then.
func (p *Pool[T]) Add(e Entity, v T) error {
	if p == nil || p.w == nil {
		panic(unmade{"Pool", "Add"})
	}
	if p.w.busy != "" {
		p.w.mustIdle("Add")
	}
	return p.add(e, unsafe.Pointer(&v))
}

// Remove takes the component from an entity. It costs what Add costs. It returns ErrStale,
// ErrAbsent, or the arena's error if the entity's row moves to another table and finds no
// room. Nothing has changed then.
func (p *Pool[T]) Remove(e Entity) error {
	if p == nil || p.w == nil {
		panic(unmade{"Pool", "Remove"})
	}
	return p.remove(e)
}

// AddBatch adds the component with one value to entities and returns how many: it
// passes over those that are not alive or have it already. After an error, which
// is the arena's, those before it have the component and those after it do not.
func (p *Pool[T]) AddBatch(handles []Entity, v T) (added int, err error) {
	w := p.made("AddBatch").w
	w.mustIdle("Add")
	added, err = w.s.AddBatch(&p.c, handles, unsafe.Pointer(&v))
	return added, inEcs(err)
}

// All iterates over entities and values, for reading, table by table. Structural changes
// meanwhile panic.
func (p *Pool[T]) All() iter.Seq2[Entity, *T] {
	p.made("All")
	return func(yield func(Entity, *T) bool) {
		defer p.w.end(p.w.begin("Pool(" + p.name + ").All"))
		for _, t := range p.c.Tables() {
			opt := t.Opt(&p.c)
			at := 0
			for id, n := range t.Seq.Chunks() {
				es := p.w.s.Entities(id, n)
				vs := unsafe.Slice((*T)(p.c.Dir.Addr(id)), n)
				for i := range es {
					if (opt == nil || opt.Bits[at+i/64]>>(i%64)&1 != 0) && !yield(es[i], &vs[i]) {
						return
					}
				}
				at += t.Stride()
			}
		}
	}
}
