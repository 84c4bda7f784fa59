package order

import (
	"math"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

func unsigned[T uint | uint8 | uint16 | uint32 | uint64](v raw.Ptr) uint64 {
	return uint64(*raw.As[T](v))
}

func signed[T int | int8 | int16 | int32 | int64](v raw.Ptr) uint64 {
	return uint64(*raw.As[T](v)) ^ 1<<63
}

// ordered brings the bits of floats in the order of their values: of negative ones all bits are turned, of
// others the sign.
func ordered(bits uint64) uint64 { return bits ^ (uint64(int64(bits)>>63) | 1<<63) }

// KeyOf turns values of a type into numbers that are in the same order, and entities into the numbers of their rows; nil if they have
// none. Floats that are no numbers come first or last, as their sign says.
func KeyOf(s *store.Store, t reflect.Type) func(raw.Ptr) uint64 {
	if t == reflect.TypeFor[store.Entity]() {
		return func(v raw.Ptr) uint64 { return s.RowOf(*raw.As[store.Entity](v)) }
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Uint8:
		return unsigned[uint8]
	case reflect.Uint16:
		return unsigned[uint16]
	case reflect.Uint32:
		return unsigned[uint32]
	case reflect.Uint64:
		return unsigned[uint64]
	case reflect.Uint:
		return unsigned[uint]
	case reflect.Int8:
		return signed[int8]
	case reflect.Int16:
		return signed[int16]
	case reflect.Int32:
		return signed[int32]
	case reflect.Int64:
		return signed[int64]
	case reflect.Int:
		return signed[int]
	case reflect.Float32:
		return func(v raw.Ptr) uint64 { return ordered(uint64(math.Float32bits(*raw.As[float32](v))) << 32) }
	case reflect.Float64:
		return func(v raw.Ptr) uint64 { return ordered(math.Float64bits(*raw.As[float64](v))) }
	}
	return nil
}
