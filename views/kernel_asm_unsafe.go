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
