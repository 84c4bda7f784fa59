package ecs

import (
	"hash/maphash"
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
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

// summed returns the sums of things. If these take more than a chunk each, it is the one of the next thing in each turn.
func summed(things []sum, turn uint64, seed maphash.Seed) []sum {
	bytes := uintptr(0)
	for _, s := range things {
		bytes += s.bytes
	}
	if n := len(things); bytes > uintptr(n)*chunk.Bytes {
		one := turn % uint64(n)
		things = things[one : one+1]
	}
	for i := range things {
		things[i].was = things[i].of(seed)
	}
	return things
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
