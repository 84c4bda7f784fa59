package ecs

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// pool is what all pools have in common, whatever their type.
type pool struct {
	c      store.Component
	w      *World
	name   string
	size   uintptr // of a value
	spec   chunk.Spec
	typ    reflect.Type
	id     uint32
	group  *group    // the owner, if any
	handle any       // the *Pool[T]
	users  []*system // that have a column of it, in order
	guests []*system // whose home it is, in order
	needed []*system // that require it
	shuns  []*system // that exclude it
}

// mustNotBeLent panics for Mut and Set while values of the component are gathered.
func (p *pool) mustNotBeLent() {
	panic(fmt.Sprintf("ecs: component %q is written by handle while %s goes over gathered values of it: let the system's struct write it (`ashlar:\"write\"`), or make the change in another system", p.name, p.w.busy))
}

// mustNotWriteLent is the same for what the query writes.
func (q *query) mustNotWriteLent() {
	for i := range q.columns {
		if c := &q.columns[i]; c.write && c.pool.c.Lent > 0 {
			panic(fmt.Sprintf("ecs: component %q is written by %s while %s goes over gathered values of it: let the system's struct write it (`ashlar:\"write\"`), or make the change in another system", c.pool.name, q.name, q.w.busy))
		}
	}
}

// Name is the component's name.
func (p *pool) Name() string { return p.name }

// visits is how many rows systems went over in this frame that require a component, and
// that exclude it.
func visits(c *store.Component) (required, excluded int) {
	p := (*pool)(unsafe.Pointer(c)) // whose first field it is
	for _, s := range p.needed {
		required += s.met
	}
	for _, s := range p.shuns {
		excluded += s.met
	}
	return required, excluded
}

// add is Add from where the value lies.
func (p *pool) add(e Entity, v unsafe.Pointer) error {
	return inEcs(p.w.s.Add(&p.c, e, v))
}

func (p *pool) remove(e Entity) error {
	if p.w.busy != "" {
		p.w.mustIdle("Remove")
	}
	return inEcs(p.w.s.Remove(&p.c, e))
}

// inEcs has an error of memory say where it comes from.
func inEcs(err error) error {
	if err == nil || err == ErrStale || err == ErrPresent || err == ErrAbsent {
		return err
	}
	return fmt.Errorf("ecs: %w", err)
}

// RemoveBatch removes the component from entities and returns how many: it passes
// over those that are not alive or lack it. Errors are as for AddBatch.
func (p *pool) RemoveBatch(handles []Entity) (removed int, err error) {
	p.w.mustIdle("Remove")
	removed, err = p.w.s.RemoveBatch(&p.c, handles)
	return removed, inEcs(err)
}

// Clear takes the component from all entities that have it. It returns the
// arena's error if rows that move find no room; what was removed by then stays removed.
func (p *pool) Clear() error {
	p.w.mustIdle("Clear")
	return inEcs(p.w.s.ClearComponent(&p.c))
}
