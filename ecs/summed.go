package ecs

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// sum is one of a thing that a watched system must not change.
type sum struct {
	what  string // it is, and how to be allowed to change it
	bytes uintptr
	add   func(h *maphash.Hash)
	was   uint64
}

func (s *sum) of(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	s.add(&h)
	return h.Sum64()
}

// begin sums things. If these take more than a chunk each, it sums one: the next one in the next turn.
func (v *watched) begin(things []sum, turn uint64) {
	if v.seed == (maphash.Seed{}) {
		v.seed = maphash.MakeSeed()
	}
	bytes := uintptr(0)
	for _, s := range things {
		bytes += s.bytes
	}
	if n := len(things); bytes > uintptr(n)*chunk.Bytes {
		one := turn % uint64(n)
		things = things[one : one+1]
	}
	for i := range things {
		things[i].was = things[i].of(v.seed)
	}
	v.sums = things
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
		if v := reflect.ValueOf(p).Elem(); !slices.Contains(x.Declares.Writes, resourceThing(t)) && !guards(t) {
			list = append(list, sum{
				what:  fmt.Sprintf("%s, which its struct does not write: give it a field ecs.WriteRes, or the type a mutex", resourceThing(t)),
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
		if !slices.Contains(x.Declares.Writes, eventsThing(t)) {
			n[t] = q.Written()
		}
	}
	return n
}

// guards tells whether values of a type guard themselves, by a mutex, an atomic number and so on: a system may change such a
// resource, if no result follows from that.
func guards(t reflect.Type) bool {
	switch p := t.PkgPath(); {
	case p == "sync" || p == "sync/atomic":
		return true
	case t.Kind() == reflect.Array || t.Kind() == reflect.Slice:
		return guards(t.Elem())
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			if guards(f.Type) {
				return true
			}
		}
	}
	return false
}

// memory counts the bytes of a value and of slices within it, and adds them to a hash, if there is one. It looks at nothing
// behind pointers and in maps, but at how many entries a map has.
func memory(v reflect.Value, h *maphash.Hash) (bytes uintptr) {
	if bytes = v.Type().Size(); h != nil {
		_, _ = h.Write(raw.Slice[byte](v.Addr().UnsafePointer(), int(bytes)))
	}
	return bytes + within(v, h)
}

// within is memory without the value's own.
func within(v reflect.Value, h *maphash.Hash) (bytes uintptr) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += within(v.Field(i), h)
		}
	case reflect.Slice:
		if bytes = v.Type().Elem().Size() * uintptr(v.Len()); h != nil && bytes > 0 {
			_, _ = h.Write(raw.Slice[byte](v.UnsafePointer(), int(bytes)))
		}
		fallthrough
	case reflect.Array:
		for i := 0; i < v.Len() && hasSlices(v.Type().Elem()); i++ {
			bytes += within(v.Index(i), h)
		}
	case reflect.Map:
		if h != nil {
			maphash.WriteComparable(h, v.Len())
		}
	}
	return bytes
}

// hasSlices tells whether values of a type may have memory beside their own.
func hasSlices(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return true
	case reflect.Array:
		return hasSlices(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if hasSlices(f.Type) {
				return true
			}
		}
	}
	return false
}
