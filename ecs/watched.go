package ecs

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// watched is a Parallel system that runs by itself in a checked build, to see whether it keeps its promise. Calls that reach
// components and resources are compared with its struct, and all that it must not change is summed before and after the run.
type watched struct {
	*schedule.System
	seed maphash.Seed
	sums []sum
}

// watch begins to watch a system. The function that it returns ends that, and panics if memory has changed; whole says that
// the system has not panicked.
func (w *World) watch(x *schedule.System) (end func(whole bool)) {
	v := &w.watched
	v.System = x
	stop := w.base.Beside(x.Name)
	if v.seed == (maphash.Seed{}) {
		v.seed = maphash.MakeSeed()
	}
	v.sums = summed(w.fixed(x), w.base.Frame/2, v.seed) // every second frame is watched
	written := w.eventsWritten(x)
	return func(whole bool) {
		stop()
		v.System = nil
		if !whole {
			return
		}
		for _, s := range v.sums {
			if s.of(v.seed) != s.was {
				panic(fmt.Sprintf("ecs: system %q has the option ecs.Parallel and changed %s", x.Name, s.what))
			}
		}
		for t, n := range w.eventsWritten(x) {
			if n != written[t] {
				panic(fmt.Sprintf("ecs: system %q has the option ecs.Parallel and writes events of type %v, which its struct does not name: give it a field ecs.WriteEvents", x.Name, t))
			}
		}
	}
}

// fixed are the things that a system must not change: components and resources that it does not write, and values of before.
func (w *World) fixed(x *schedule.System) (list []sum) {
	for _, p := range w.names.pools {
		if !slices.Contains(x.Declares.Writes, p.c.Name) {
			list = append(list, sum{
				what:  fmt.Sprintf("values of component %q, which its struct does not write: give it a field ecs.Write of the component, or ecs.Later", p.c.Name),
				bytes: p.c.Size * uintptr(p.c.Len()), add: p.addTo,
			})
		}
	}
	for t, p := range w.names.resources {
		if v := reflect.ValueOf(p).Elem(); !slices.Contains(x.Declares.Writes, field.ResourceThing(t)) && !guards(t) {
			list = append(list, sum{
				what:  fmt.Sprintf("%s, which its struct does not write: give it a field ecs.WriteRes, or the type a mutex", field.ResourceThing(t)),
				bytes: memory(v, nil), add: func(h *maphash.Hash) { memory(v, h) },
			})
		}
	}
	for _, b := range x.Priors {
		list = append(list, sum{
			what:  fmt.Sprintf("values of before of component %q, which others read: an ecs.Prior is for reading", b.Name()),
			bytes: uintptr(len(b.Values())), add: func(h *maphash.Hash) { _, _ = h.Write(b.Values()) },
		})
	}
	slices.SortStableFunc(list, func(a, b sum) int { return strings.Compare(a.what, b.what) }) // a map has no order
	return list
}

// addTo adds all values of the component.
func (p *pool) addTo(h *maphash.Hash) {
	p.each(func(_ Entity, v raw.Ptr) bool {
		_, _ = h.Write(raw.Slice[byte](v, int(p.c.Size)))
		return true
	})
}

// eventsWritten counts events of the types that a system does not write.
func (w *World) eventsWritten(x *schedule.System) map[reflect.Type]uint64 {
	n := make(map[reflect.Type]uint64)
	for t, q := range w.names.events {
		if !slices.Contains(x.Declares.Writes, field.EventsThing(t)) {
			n[t] = q.Written()
		}
	}
	return n
}

// mustReach panics if the system that is watched reaches a component that its struct does not name for that.
func (p *pool) mustReach(call string, write bool) {
	if p == nil || p.w == nil || p.w.watched.System == nil {
		return
	}
	x := p.w.watched.System
	c := &p.c
	switch {
	case slices.Contains(x.Reached, c):
	case write:
		panic(fmt.Sprintf("ecs: system %q has the option ecs.Parallel and calls %s of component %q, which it must not write by handle: give its struct a field *ecs.Pool, or write the component by a column or by ecs.Later", x.Name, call, c.Name))
	case slices.Contains(x.Pools, walk.Pool{Comp: c}):
	case slices.Contains(x.Declares.Writes, c.Name):
		panic(fmt.Sprintf("ecs: system %q has the option ecs.Parallel and calls %s of component %q, which it writes: give its struct a field ecs.Prior, which has the values of when the system began", x.Name, call, c.Name))
	case !slices.Contains(x.Declares.Reads, c.Name):
		panic(fmt.Sprintf("ecs: system %q has the option ecs.Parallel and calls %s of component %q, which its struct does not name: give it a field ecs.Look", x.Name, call, c.Name))
	}
}

// mustReach is that of all columns of a query.
func (q *query) mustReach() {
	if q.w.watched.System != nil {
		for i := range q.c.Columns {
			q.w.poolOf(q.c.Columns[i].Comp).mustReach("Query.Get", q.c.Columns[i].Write)
		}
	}
}

// mustReach is that of all components of a schema.
func (s *AnySchema) mustReach(call string, write bool) {
	if s.w != nil && s.w.watched.System != nil {
		for _, lane := range s.x.Lanes() {
			s.w.poolOf(lane.C).mustReach(call, write)
		}
	}
}

// mustHave panics if a system is watched that does not name the resource.
func (w *World) mustHave(resource string) {
	if x := w.watched.System; x != nil && !slices.Contains(x.Declares.Reads, resource) && !slices.Contains(x.Declares.Writes, resource) {
		panic(fmt.Sprintf("ecs: system %q has the option ecs.Parallel and asks for %s, which its struct does not name: give it a field ecs.Res or ecs.WriteRes", x.Name, resource))
	}
}
