//go:build amd64 && !race

package views

import "unsafe"

// The assembly does the same as the Go twins in kernel_unsafe.go, and prefetches:
// words 32 rows ahead, and values as soon as their address is known, into the
// second-level cache. (Into the first level, which has few fill buffers, they gain
// much less: docs/results/views.md.) Race builds use the twins, so that the
// detector sees reads and writes.

// locate is locateGo.
//
//go:noescape
func locate(to *addrs, found *words, handles *uint64, n int, last *uint64, k *kernel)

// locatePlaces is locatePlacesGo.
//
//go:noescape
func locatePlaces(to *addrs, places *uint32, n int, k *kernel)

// prefetch asks for so many lines.
//
//go:noescape
func prefetch(from unsafe.Pointer, lines uintptr)

// prefetchRows asks for the rows of a column that have their bits set in n words.
//
//go:noescape
func prefetchRows(bits *uint64, n int, column unsafe.Pointer, stride uintptr)

//go:noescape
func gather4(dst unsafe.Pointer, from *addrs, n int)

//go:noescape
func gather8(dst unsafe.Pointer, from *addrs, n int)

//go:noescape
func gather12(dst unsafe.Pointer, from *addrs, n int)

//go:noescape
func gather16(dst unsafe.Pointer, from *addrs, n int)

//go:noescape
func gather32(dst unsafe.Pointer, from *addrs, n int)

//go:noescape
func gather64(dst unsafe.Pointer, from *addrs, n int)

//go:noescape
func scatter4(src unsafe.Pointer, to *addrs, n int)

//go:noescape
func scatter8(src unsafe.Pointer, to *addrs, n int)

//go:noescape
func scatter12(src unsafe.Pointer, to *addrs, n int)

//go:noescape
func scatter16(src unsafe.Pointer, to *addrs, n int)

//go:noescape
func scatter32(src unsafe.Pointer, to *addrs, n int)

//go:noescape
func scatter64(src unsafe.Pointer, to *addrs, n int)

// gather is gatherGo.
func gather(dst unsafe.Pointer, from *addrs, n int, size uintptr) {
	switch size {
	case 4:
		gather4(dst, from, n)
	case 8:
		gather8(dst, from, n)
	case 12:
		gather12(dst, from, n)
	case 16:
		gather16(dst, from, n)
	case 32:
		gather32(dst, from, n)
	case 64:
		gather64(dst, from, n)
	default:
		gatherGo(dst, from, n, size)
	}
}

// scatter is scatterGo.
func scatter(src unsafe.Pointer, to *addrs, n int, size uintptr) {
	switch size {
	case 4:
		scatter4(src, to, n)
	case 8:
		scatter8(src, to, n)
	case 12:
		scatter12(src, to, n)
	case 16:
		scatter16(src, to, n)
	case 32:
		scatter32(src, to, n)
	case 64:
		scatter64(src, to, n)
	default:
		scatterGo(src, to, n, size)
	}
}
