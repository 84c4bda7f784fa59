package promise

import (
	"hash/maphash"
	"reflect"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Thing is one that a watched system must not change. Fault ends the message if it does, and says how to be allowed to.
type Thing struct {
	Fault string
	Bytes uintptr
	Add   func(h *maphash.Hash) // adds it to a sum
	was   uint64
}

// Memory is the thing of a value and the slices within it.
func Memory(fault string, v reflect.Value) Thing {
	return Thing{Fault: fault, Bytes: memory(v, nil), Add: func(h *maphash.Hash) { memory(v, h) }}
}

func (t *Thing) sum(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	t.Add(&h)
	return h.Sum64()
}

// InTurn is the things to look at in a turn: all, or the one of this turn if they take more than a chunk each.
func InTurn(things []Thing, turn uint64) []Thing {
	bytes := uintptr(0)
	for _, t := range things {
		bytes += t.Bytes
	}
	if n := len(things); bytes > uintptr(n)*chunk.Bytes {
		one := turn % uint64(n)
		return things[one : one+1]
	}
	return things
}

// Guards tells whether values of a type guard themselves, by a mutex, an atomic number and so on: a system may change such a
// resource, if no result follows from that.
func Guards(t reflect.Type) bool {
	switch p := t.PkgPath(); {
	case p == "sync" || p == "sync/atomic":
		return true
	case t.Kind() == reflect.Array || t.Kind() == reflect.Slice:
		return Guards(t.Elem())
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			if Guards(f.Type) {
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
