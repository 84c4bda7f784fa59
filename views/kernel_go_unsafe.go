//go:build !amd64 || race

package views

import "unsafe"

func locate(to *addrs, found *words, handles *uint64, n int, last *uint64, k *kernel) {
	locateGo(to, found, handles, n, last, k)
}

func locatePlaces(to *addrs, places *uint32, n int, k *kernel) { locatePlacesGo(to, places, n, k) }

func prefetch(unsafe.Pointer, uintptr) {}

func prefetchRows(*uint64, int, unsafe.Pointer, uintptr) {}
