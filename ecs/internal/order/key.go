package order

import (
	"math"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// keys turn numbers into ones that are in the same order, by their kind.
var keys = map[reflect.Kind]func(raw.Ptr) uint64{
	reflect.Bool: unsigned[uint8], reflect.Uint8: unsigned[uint8], reflect.Uint16: unsigned[uint16],
	reflect.Uint32: unsigned[uint32], reflect.Uint64: unsigned[uint64], reflect.Uint: unsigned[uint],
	reflect.Int8: signed[int8], reflect.Int16: signed[int16], reflect.Int32: signed[int32], reflect.Int64: signed[int64], reflect.Int: signed[int],
	reflect.Float32: func(v raw.Ptr) uint64 { return ordered(uint64(math.Float32bits(*raw.As[float32](v))) << 32) },
	reflect.Float64: func(v raw.Ptr) uint64 { return ordered(math.Float64bits(*raw.As[float64](v))) },
}

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
	return keys[t.Kind()]
}
