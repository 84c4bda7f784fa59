// Package raw has all arithmetic of addresses of package ecs, so that
// the rest can be read without thinking of memory. Nothing here checks anything: values
// must lie where the caller says, and none may hold Go pointers.
package raw

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// Ptr is the address of a value or of a column.
type Ptr = unsafe.Pointer

// Of is the address of a value.
func Of[T any](v *T) Ptr { return Ptr(v) }

// As is the value at an address.
func As[T any](p Ptr) *T { return (*T)(p) }

// At is the address n bytes behind another one, which must be in the same column.
func At(p Ptr, n uintptr) Ptr { return unsafe.Add(p, n) }

// Word is an address as a number, which the garbage collector passes over.
type Word = uintptr

// WordBytes is its size.
const WordBytes = unsafe.Sizeof(Word(0))

// Kept is the address that a word holds.
func Kept(w *Word) Ptr { return *(*Ptr)(Ptr(w)) }

// Lent is p for a call through a function value that does not keep it. The compiler takes any address
// that it passes to one for kept, and would allocate the value that p points to.
func Lent(p Ptr) Ptr {
	w := Word(uintptr(p))
	return Kept(&w)
}

// SetAddress makes the pointer at p one to an address in a chunk. Chunks are kept alive by
// their manager, so the garbage collector need not be told, as it is of pointers.
func SetAddress(p Ptr, address uintptr) { *(*uintptr)(p) = address }

// Address is where p points to, as a number: it holds nothing.
func Address(p Ptr) uintptr { return uintptr(p) }

// Slice is n values side by side.
func Slice[T any](p Ptr, n int) []T { return unsafe.Slice((*T)(p), n) }

// Size is that of a value, in bytes.
func Size[T any]() uintptr { return unsafe.Sizeof(*new(T)) }

// Data is the address of a slice's first element; nil if it has no room.
func Data[T any](s []T) Ptr { return Ptr(unsafe.SliceData(s)) }

// Copy copies n bytes of a value. It is chunk.CopyValue without a call in it, which keeps
// loops over columns in registers: 16 bytes as one move, the rest word by word. (Wide
// values would gain from memmove; rows of them are bound by memory anyway.)
func Copy(dst, src Ptr, n uintptr) {
	if n == 16 {
		*(*[16]byte)(dst) = *(*[16]byte)(src)
		return
	}
	i := uintptr(0)
	for ; i+8 <= n; i += 8 { // never an address beyond the values, which may end their memory
		*(*uint64)(unsafe.Add(dst, i)) = *(*uint64)(unsafe.Add(src, i))
	}
	if n&4 != 0 {
		*(*uint32)(unsafe.Add(dst, i)) = *(*uint32)(unsafe.Add(src, i))
		i += 4
	}
	for ; i < n; i++ {
		*(*byte)(unsafe.Add(dst, i)) = *(*byte)(unsafe.Add(src, i))
	}
}

// CopyAll copies n bytes of many values.
func CopyAll(dst, src Ptr, n uintptr) { chunk.CopyBytes(dst, src, n) }

// Swap exchanges two values of n bytes.
func Swap(a, b Ptr, n uintptr) {
	i := uintptr(0)
	for ; i+8 <= n; i += 8 {
		p, q := (*uint64)(unsafe.Add(a, i)), (*uint64)(unsafe.Add(b, i))
		*p, *q = *q, *p
	}
	for ; i < n; i++ {
		p, q := (*byte)(unsafe.Add(a, i)), (*byte)(unsafe.Add(b, i))
		*p, *q = *q, *p
	}
}

// Fill writes n values, at least one, of size bytes side by side, read stride bytes
// apart; a stride of 0 repeats the first. It never has an address beyond the last one,
// which may be the end of its memory: the garbage collector and race builds take such a
// one for another object's.
func Fill(to, from Ptr, stride, size uintptr, n int) {
	switch {
	case size == 0:
	case stride == 0: // the first value, and then all that is there once more, as far as it is in the cache
		column := unsafe.Slice((*byte)(to), size*uintptr(n))
		for have := copy(column, unsafe.Slice((*byte)(from), size)); have < len(column); {
			have += copy(column[have:], column[:min(have, int(size)*chunk.Line)])
		}
	case stride == size:
		chunk.CopyBytes(to, from, size*uintptr(n))
	case size == 4:
		fillEach[[4]byte](to, from, stride, n)
	case size == 8:
		fillEach[[8]byte](to, from, stride, n)
	case size == 12:
		fillEach[[12]byte](to, from, stride, n)
	case size == 16:
		fillEach[[16]byte](to, from, stride, n)
	default:
		for i := range uintptr(n) {
			chunk.CopyValue(unsafe.Add(to, i*size), unsafe.Add(from, i*stride), uint32(size))
		}
	}
}

// fillEach is Fill for values of a size that the compiler knows.
func fillEach[V any](to, from Ptr, stride uintptr, n int) {
	column := unsafe.Slice((*V)(to), n)
	for i := range column {
		column[i] = *(*V)(unsafe.Add(from, uintptr(i)*stride))
	}
}

// Stride copies n values of size bytes, which lie step bytes apart, to places that are far bytes apart.
func Stride(to, from Ptr, far, step, size uintptr, n int) {
	switch size {
	case 4:
		strideEach[[4]byte](to, from, far, step, n)
	case 8:
		strideEach[[8]byte](to, from, far, step, n)
	case 12:
		strideEach[[12]byte](to, from, far, step, n)
	case 16:
		strideEach[[16]byte](to, from, far, step, n)
	default:
		for i := range uintptr(n) {
			chunk.CopyValue(unsafe.Add(to, i*far), unsafe.Add(from, i*step), uint32(size))
		}
	}
}

// strideEach is Stride for values of a size that the compiler knows.
func strideEach[V any](to, from Ptr, far, step uintptr, n int) {
	for i := range uintptr(n) {
		*(*V)(unsafe.Add(to, i*far)) = *(*V)(unsafe.Add(from, i*step))
	}
}

// Touch reads from each line of memory, which is then in the cache. The lines are waited for together. A processor drops
// prefetches that come as fast as these reads (go -C bench run . -programs -rows bullets). It returns a sum of what it
// has read, without which the compiler would leave the reads out.
//
//go:noinline
func Touch(from Ptr, bytes uintptr) (sum byte) {
	for i := uintptr(0); i < bytes; i += chunk.Line {
		sum += *(*byte)(unsafe.Add(from, i))
	}
	return sum
}

// Pick copies the values of some rows of a column, stride bytes apart, side by side to
// another place.
func Pick(to, column Ptr, rows []uint16, stride, size uintptr) {
	switch size {
	case 4:
		pickEach[[4]byte](to, column, rows, stride)
	case 8:
		pickEach[[8]byte](to, column, rows, stride)
	case 12:
		pickEach[[12]byte](to, column, rows, stride)
	case 16:
		pickEach[[16]byte](to, column, rows, stride)
	case 32:
		pickEach[[32]byte](to, column, rows, stride)
	default:
		for i, row := range rows {
			chunk.CopyValue(unsafe.Add(to, uintptr(i)*size), unsafe.Add(column, uintptr(row)*stride), uint32(size))
		}
	}
}

// pickEach is Pick for values of a size that the compiler knows, four at a time, with fewer
// instructions for each.
func pickEach[V any](to, column Ptr, rows []uint16, stride uintptr) {
	values := unsafe.Slice((*V)(to), len(rows))
	for len(rows) >= 4 && len(values) >= 4 {
		values[0] = *(*V)(unsafe.Add(column, uintptr(rows[0])*stride))
		values[1] = *(*V)(unsafe.Add(column, uintptr(rows[1])*stride))
		values[2] = *(*V)(unsafe.Add(column, uintptr(rows[2])*stride))
		values[3] = *(*V)(unsafe.Add(column, uintptr(rows[3])*stride))
		rows, values = rows[4:], values[4:]
	}
	for i, row := range rows {
		values[i] = *(*V)(unsafe.Add(column, uintptr(row)*stride))
	}
}

// Put is the inverse of Pick.
func Put(column, from Ptr, rows []uint16, stride, size uintptr) {
	switch size {
	case 4:
		putEach[[4]byte](column, from, rows, stride)
	case 8:
		putEach[[8]byte](column, from, rows, stride)
	case 12:
		putEach[[12]byte](column, from, rows, stride)
	case 16:
		putEach[[16]byte](column, from, rows, stride)
	case 32:
		putEach[[32]byte](column, from, rows, stride)
	default:
		for i, row := range rows {
			chunk.CopyValue(unsafe.Add(column, uintptr(row)*stride), unsafe.Add(from, uintptr(i)*size), uint32(size))
		}
	}
}

// putEach is Put likewise.
func putEach[V any](column, from Ptr, rows []uint16, stride uintptr) {
	values := unsafe.Slice((*V)(from), len(rows))
	for len(rows) >= 4 && len(values) >= 4 {
		*(*V)(unsafe.Add(column, uintptr(rows[0])*stride)) = values[0]
		*(*V)(unsafe.Add(column, uintptr(rows[1])*stride)) = values[1]
		*(*V)(unsafe.Add(column, uintptr(rows[2])*stride)) = values[2]
		*(*V)(unsafe.Add(column, uintptr(rows[3])*stride)) = values[3]
		rows, values = rows[4:], values[4:]
	}
	for i, row := range rows {
		*(*V)(unsafe.Add(column, uintptr(row)*stride)) = values[i]
	}
}

// Room is words with room for so many bytes: the same ones, or longer ones with the same beginning. All that there is room
// for counts as their length.
func Room(words []uint64, bytes uintptr) []uint64 {
	for uintptr(len(words))*8 < bytes {
		words = append(words[:cap(words)], 0)
	}
	return words
}

// Assign copies a value as Go does: it may have pointers of Go.
func Assign[T any](to, from Ptr) { *(*T)(to) = *(*T)(from) }

// Words is handles as the numbers that they are.
func Words[E ~uint64](handles []E) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(handles))), len(handles))
}

// slice is a slice as it lies in memory.
type slice struct {
	data     Ptr
	len, cap int
}

// SetSlice fills the field of slice type at an offset of a struct: with n values at data.
func SetSlice(into Ptr, offset uint32, data Ptr, n int) {
	h := (*slice)(unsafe.Add(into, offset))
	h.data, h.len, h.cap = data, n, n
}

// Strided is Len values, Stride bytes apart. It begins as a slice does, so that SetSlice fills it.
type Strided struct {
	Data   Ptr
	Len, _ int
	Stride uintptr
}

// SetStride fills the field that SetSlice leaves of the Strided at an offset of a struct.
func SetStride(into Ptr, offset uint32, stride uintptr) {
	(*Strided)(unsafe.Add(into, offset)).Stride = stride
}

// Yield is a function of *S as one of an address, which is called alike: one pointer in, a
// bool out.
func Yield[S any](f func(*S) bool) func(Ptr) bool { return *(*func(Ptr) bool)(Ptr(&f)) }

// YieldPair is Yield with a key beside the value.
func YieldPair[K, T any](f func(K, *T) bool) func(K, Ptr) bool { return *(*func(K, Ptr) bool)(Ptr(&f)) }

// Call is a function of *S as one of an address.
func Call[S any](f func(*S)) func(Ptr) { return *(*func(Ptr))(Ptr(&f)) }

// Test is a function of *S and a row as one of an address.
func Test[S any](f func(*S, int) bool) func(Ptr, int) bool {
	return *(*func(Ptr, int) bool)(Ptr(&f))
}

// Number is Test with a number as result.
func Number[S any](f func(*S, int) float64) func(Ptr, int) float64 {
	return *(*func(Ptr, int) float64)(Ptr(&f))
}

// Comparison is a comparison of values as one of addresses.
func Comparison[T any](f func(a, b *T) int) func(a, b Ptr) int {
	return *(*func(a, b Ptr) int)(Ptr(&f))
}

// Key is a function of a value that returns a number as one of an address.
func Key[T any](f func(*T) uint64) func(Ptr) uint64 { return *(*func(Ptr) uint64)(Ptr(&f)) }
