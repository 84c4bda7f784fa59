//go:build !amd64 || race

package views

import "unsafe"

func locate(to *addrs, found *words, handles *uint64, n int, last *uint64, k *kernel) {
	locateGo(to, found, handles, n, last, k)
}

func locatePlaces(to *addrs, places *uint32, n int, k *kernel) { locatePlacesGo(to, places, n, k) }

func gather(dst unsafe.Pointer, from *addrs, n int, size uintptr) { gatherGo(dst, from, n, size) }

func scatter(src unsafe.Pointer, to *addrs, n int, size uintptr) { scatterGo(src, to, n, size) }

func prefetch(unsafe.Pointer, uintptr) {}

func prefetchRows(*uint64, int, unsafe.Pointer, uintptr) {}
