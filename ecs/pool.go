package ecs

import (
	"fmt"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// pool is what all pools have in common, whatever their type.
type pool struct {
	short
	w      *World
	slots  *arena.Array[uint64] // by entity index; the typed pool's
	dir    *memmgr.Directory    // the component's column; the typed pool's
	loose  *memmgr.Sequence     // entities, values; nil before the first loose row
	size   uintptr              // of a value
	group  *group               // the owner, if any
	column int                  // the component's column in the owner's sequence
	bit    uint64               // in its plane of the set
	plane  int
	spec   chunk.Spec
	id     uint32
	name   string
	typ    reflect.Type
	lent   int       // walks under way that have values of it gathered
	peak   int       // most rows since its slots were tidied, as looked at now and then
	shrank int       // looks in a row at which it had half of that
	handle any       // the *Pool[T]
	users  []*system // that have a column of it, in order
	guests []*system // whose home it is, in order
}

// A slot is an entity's version, marked, above the Loc of its row. Zero means
// that the entity lacks the component; the mark makes sure that no version that is
// ever given out, and not the null one, looks like that.
const (
	locMask  = 1<<memmgr.LocBits - 1
	slotMark = 0xA5C396F // a version that Entity.next skips
)

func makeSlot(e Entity, l memmgr.Loc) uint64 {
	return (uint64(e)>>versionShift^slotMark)<<versionShift | uint64(l)
}

// slotIs tells whether a slot says that e has the component.
func slotIs(s uint64, e Entity) bool { return (s^uint64(e))>>versionShift == slotMark }

func slotLoc(s uint64) memmgr.Loc { return memmgr.Loc(s & locMask) }

// mustNotBeLent panics for Mut and Set while values of the component are gathered.
func (p *pool) mustNotBeLent() {
	panic(fmt.Sprintf("ecs: component %q is written by handle while %s goes over gathered values of it: let the system's struct write it (`ashlar:\"write\"`), or make the change in another system", p.name, p.w.busy))
}

// mustNotWriteLent is the same for what the query writes.
func (q *query) mustNotWriteLent() {
	for i := range q.columns {
		if c := &q.columns[i]; c.write && c.pool.lent > 0 {
			panic(fmt.Sprintf("ecs: component %q is written by %s while %s goes over gathered values of it: let the system's struct write it (`ashlar:\"write\"`), or make the change in another system", c.pool.name, q.name, q.w.busy))
		}
	}
}

// Name is the component's name.
func (p *pool) Name() string { return p.name }

// Len is the number of entities that have the component.
func (p *pool) Len() int {
	n := 0
	if p.loose != nil {
		n = p.loose.Len()
	}
	if p.group != nil {
		n += p.group.seq.Len()
	}
	return n
}

// sequences iterates over those that have rows of the component: the owner's, then the
// loose rows.
func (p *pool) sequences() iter.Seq[*memmgr.Sequence] {
	return func(yield func(*memmgr.Sequence) bool) {
		if p.group != nil && !yield(p.group.seq) {
			return
		}
		if p.loose != nil {
			yield(p.loose)
		}
	}
}

// Has tells whether an entity is alive and has the component.
func (p *pool) Has(e Entity) bool { return slotIs(p.slots.Load(e.Index()), e) }

// mark sets or clears the component's bit in an entity's set.
func (p *pool) mark(r *record, e Entity, on bool) error {
	set := &r.set
	if p.plane > 0 {
		plane := &p.w.planes[p.plane-1]
		if set = plane.Ptr(e.Index()); set == nil {
			if err := plane.Grow(e.Index()); err != nil {
				return fmt.Errorf("ecs: component %q: %w", p.name, err)
			}
			set = plane.Ptr(e.Index())
		}
	}
	if on {
		*set |= p.bit
	} else {
		*set &^= p.bit
	}
	return nil
}

// prepare makes sure that an entity can get the component: its slot and its place
// in the set are there, and loose rows are if they are wanted.
func (p *pool) prepare(e Entity, loose bool) error {
	if p.slots.Ptr(e.Index()) == nil {
		p.slots.SetDense(p.Len() >= int(e.Index()/2))
		if err := p.slots.Grow(e.Index()); err != nil {
			return fmt.Errorf("ecs: component %q: %w", p.name, err)
		}
		p.settle() // slots may have moved, whatever is refused now
	}
	if p.plane > 0 {
		if err := p.w.planes[p.plane-1].Grow(e.Index()); err != nil {
			return fmt.Errorf("ecs: component %q: %w", p.name, err)
		}
	}
	if loose {
		if err := p.looseRows(); err != nil {
			return err
		}
	}
	p.settle()
	return nil
}

// Remove takes the component from an entity; its last row moves into the hole. It
// returns ErrStale or ErrAbsent, or the arena's error where the entity leaves a
// group and its other values find no room; nothing has changed then.
func (p *pool) Remove(e Entity) error {
	w := p.w
	if w.busy != "" {
		w.mustIdle("Remove")
	}
	slot := p.slots.Ptr(e.Index())
	if slot == nil || !slotIs(*slot, e) {
		if w.record(e) == nil {
			return ErrStale
		}
		return ErrAbsent
	}
	l, r := slotLoc(*slot), w.recordAt(e.Index())
	if g := p.group; g == nil || r.set&g.first != g.first || len(g.need) > 1 && !g.has(e, r) {
		p.dropLoose(l)
	} else if err := g.leave(e, l, p); err != nil {
		return err
	}
	*slot = 0
	if p.plane == 0 {
		r.set &^= p.bit
		return nil
	}
	return p.mark(r, e, false)
}

// Clear takes the component from all entities that have it. It returns the
// arena's error if values that leave a group find no room; what was removed by
// then stays removed.
func (p *pool) Clear() error {
	p.w.mustIdle("Clear")
	for p.group != nil && p.group.seq.Len() > 0 {
		if err := p.Remove(p.w.entityAt(p.group.seq.Last())); err != nil {
			return err
		}
	}
	for p.loose != nil && p.loose.Len() > 0 {
		if err := p.Remove(p.w.entityAt(p.loose.Last())); err != nil {
			return err
		}
	}
	return nil
}

// forget drops addresses when the world closes.
func (p *pool) forget() {
	*p.slots = arena.MakeArray[uint64](p.w.m.Arena(), 0, arena.PurposeSlots)
	p.settle()
	p.loose, p.group = nil, nil
}
