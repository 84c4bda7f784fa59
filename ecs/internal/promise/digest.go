package promise

import (
	"math"
	"math/bits"
	"reflect"
)

// Mix adds a number to a hash.
func Mix(h, v uint64) uint64 { return bits.RotateLeft64((h^v)*0x9E3779B97F4A7C15, 29) }

// Digest adds a value to a hash. Of pointers, maps and functions it takes whether they are nil, and of maps the length: the
// rest may differ from run to run.
func Digest(h uint64, v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return Mix(h, 1)
		}
		return Mix(h, 2)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Mix(h, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Mix(h, v.Uint())
	case reflect.Float32, reflect.Float64:
		return Mix(h, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return Mix(Mix(h, math.Float64bits(real(c))), math.Float64bits(imag(c)))
	case reflect.String:
		for _, b := range []byte(v.String()) {
			h = Mix(h, uint64(b))
		}
		return Mix(h, uint64(v.Len()))
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			h = Digest(h, v.Index(i))
		}
		return Mix(h, uint64(v.Len()))
	case reflect.Struct:
		for i := range v.NumField() {
			h = Digest(h, v.Field(i))
		}
		return h
	case reflect.Interface:
		if !v.IsNil() {
			return Digest(h, v.Elem())
		}
	case reflect.Map:
		return Mix(h, uint64(v.Len()))
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			return Mix(h, 3)
		}
	}
	return Mix(h, 4)
}
