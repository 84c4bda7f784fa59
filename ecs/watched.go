package ecs

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/promise"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// watch begins to watch a system in every second frame. The function that it returns ends that, and panics if memory has changed;
// whole says that the system has not panicked.
func (w *World) watch(x *schedule.System) (end func(whole bool)) {
	stop := w.base.Beside(x.Name)
	w.watched.Begin(x, append(promise.InTurn(w.fixed(x), w.base.Frame/2), w.unwritten(x)...))
	return func(whole bool) {
		stop()
		w.watched.End(whole)
	}
}

// fixed are the things that a system must not change: components and resources that it does not write, and values of before.
func (w *World) fixed(x *schedule.System) (list []promise.Thing) {
	for _, p := range w.names.pools {
		if !slices.Contains(x.Declares.Writes, p.component.Name) {
			list = append(list, promise.Thing{
				Fault: fmt.Sprintf("changed values of component %q, which its struct does not write: give it a field ecs.Write of the component, or ecs.Later", p.component.Name),
				Bytes: p.component.Size * uintptr(p.component.Len()), Add: p.addTo,
			})
		}
	}
	for t, p := range w.names.resources {
		if thing := field.ResourceThing(t); !slices.Contains(x.Declares.Writes, thing) && !promise.Guards(t) {
			list = append(list, promise.Memory(fmt.Sprintf("changed %s, which its struct does not write: give it a field ecs.WriteRes, or the type a mutex", thing), reflect.ValueOf(p).Elem()))
		}
	}
	for _, b := range x.Priors {
		list = append(list, promise.Thing{
			Fault: fmt.Sprintf("changed values of before of component %q, which others read: an ecs.Prior is for reading", b.Name()),
			Bytes: uintptr(len(b.Values())), Add: func(h *maphash.Hash) { _, _ = h.Write(b.Values()) },
		})
	}
	slices.SortStableFunc(list, func(a, b promise.Thing) int { return strings.Compare(a.Fault, b.Fault) }) // a map has no order
	return list
}

// addTo adds all values of the component.
func (p *pool) addTo(h *maphash.Hash) {
	p.each(func(_ Entity, v raw.Ptr) bool {
		_, _ = h.Write(raw.Slice[byte](v, int(p.component.Size)))
		return true
	})
}

// unwritten are events of the types that a system does not write.
func (w *World) unwritten(x *schedule.System) (list []promise.Thing) {
	for t, q := range w.names.events {
		if !slices.Contains(x.Declares.Writes, field.EventsThing(t)) {
			list = append(list, promise.Thing{
				Fault: fmt.Sprintf("writes events of type %v, which its struct does not name: give it a field ecs.WriteEvents", t),
				Add:   func(h *maphash.Hash) { maphash.WriteComparable(h, q.Written()) },
			})
		}
	}
	return list
}
