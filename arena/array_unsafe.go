package arena

import (
	"fmt"
	"os"
	"unsafe"
)

// Array is a growable array of pointer-free T whose elements never move. It is
// flat where address space could be reserved, so that element i is one addition
// away, and the page table does what the pages of a sparse set do: what is never
// touched is never resident. Elsewhere it is paged. Elements read as zero until
// they are written. The zero value is not useful; see MakeArray. It may be copied
// until its first Grow.
type Array[T any] struct {
	base  unsafe.Pointer
	flat  uint32        // elements addressable through base
	paged uint32        // elements that pages cover
	pages []*[PageLen]T // the paged form
	zero  *[PageLen]T   // stands for pages without a value; never written
	max   uint32

	arena   *Arena
	extent  int
	purpose Purpose
	dense   bool
}

// MakeArray returns an empty array of at most max elements. It asks the operating
// system for nothing.
func MakeArray[T any](a *Arena, max uint32, p Purpose) Array[T] {
	return Array[T]{arena: a, max: max, purpose: p, extent: -1}
}

func (r *Array[T]) size() uint64 { return uint64(unsafe.Sizeof(*new(T))) }

// Load returns element i, or zero for one beyond what Grow has made addressable.
// It is small enough to be inlined into functions that are inlined themselves.
func (r *Array[T]) Load(i uint32) (v T) {
	if i < r.flat {
		v = *(*T)(unsafe.Add(r.base, uint64(i)*uint64(unsafe.Sizeof(v))))
	} else if i < r.paged {
		v = r.pages[i/PageLen][i%PageLen]
	}
	return
}

// Ptr returns the address of element i, good until Free, or nil if Grow has not
// made it addressable.
func (r *Array[T]) Ptr(i uint32) *T {
	if i < r.flat {
		return (*T)(unsafe.Add(r.base, uintptr(i)*unsafe.Sizeof(*new(T))))
	}
	return r.pagedPtr(i)
}

func (r *Array[T]) pagedPtr(i uint32) *T {
	if i >= r.paged || r.pages[i/PageLen] == r.zero {
		return nil
	}
	return &r.pages[i/PageLen][i%PageLen]
}

// Grow makes element i addressable, and in the flat form all before it. It costs
// a comparison if that is so already. Errors: ErrLimit, ErrFull past the maximum,
// ErrClosed, or the operating system's refusal; what was addressable stays so.
func (r *Array[T]) Grow(i uint32) error {
	if r.Ptr(i) != nil {
		return nil
	}
	if i >= r.max {
		return fmt.Errorf("%w: element %d of an array of at most %d", ErrFull, i, r.max)
	}
	if r.extent < 0 && r.pages == nil && r.arena.backend == OS {
		if n, ok := r.arena.carve(uint64(r.max) * r.size()); ok {
			r.extent = n
			r.base = r.arena.arrayBase(r.arena.extents[n].offset)
		}
	}
	if r.extent < 0 {
		return r.growPage(i)
	}
	if err := r.arena.extend(r.extent, (uint64(i)+1)*r.size(), r.purpose, r.dense || r.purpose == PurposeEntities); err != nil {
		return err
	}
	r.flat = uint32(min(r.arena.extents[r.extent].committed/r.size(), uint64(r.max)))
	return nil
}

func (r *Array[T]) growPage(i uint32) error {
	bytes := PageLen * r.size()
	err := r.arena.charge(r.purpose, bytes)
	if err != nil && r.arena.giveBack(bytes) {
		err = r.arena.charge(r.purpose, bytes)
	}
	if err != nil {
		return err
	}
	r.arena.stats.Reserved += bytes
	r.arena.paged += bytes
	r.arena.dirty(r.purpose, bytes)
	if r.zero == nil {
		r.zero = new([PageLen]T)
	}
	for len(r.pages) <= int(i/PageLen) {
		r.pages = append(r.pages, r.zero)
	}
	r.pages[i/PageLen] = new([PageLen]T)
	r.paged = min(uint32(len(r.pages))*PageLen, r.max)
	return nil
}

// Base returns the address of element 0 of a flat array, which never changes once
// Grow has succeeded, and how many elements are addressable from there; nil and 0
// for a paged one.
func (r *Array[T]) Base() (unsafe.Pointer, uint32) {
	if r.flat == 0 {
		return nil, 0
	}
	return r.base, r.flat
}

// SetDense says whether most elements are in use. What a dense array commits beyond
// its first 2 MiB is advised to use huge pages, if the arena does; arrays for
// PurposeEntities are always dense.
func (r *Array[T]) SetDense(dense bool) { r.dense = dense }

// Flat tells which form the array has; before the first Grow, paged.
func (r *Array[T]) Flat() bool { return r.extent >= 0 }

// Len is one more than the largest element that may be other than zero.
func (r *Array[T]) Len() uint32 {
	return min(max(r.flat, r.paged), r.max)
}

// Span returns the longest contiguous run of elements that starts at i, good
// until Free; empty if i is not addressable.
func (r *Array[T]) Span(i uint32) []T {
	p := r.Ptr(i)
	if p == nil {
		return nil
	}
	if i < r.flat {
		return unsafe.Slice(p, r.flat-i)
	}
	return unsafe.Slice(p, min(PageLen-i%PageLen, r.max-i))
}

// Purge gives back the memory of pages in which, by the caller's word, all
// elements are zero: empty is asked for half-open ranges. In the flat form the
// pages stay usable and accounted as dirty, since a write makes them resident
// again unseen; their elements read as zero.
// It returns the bytes given back; after an error, what was given back stays so.
func (r *Array[T]) Purge(empty func(lo, hi uint32) bool) (freed uint64, err error) {
	if r.extent < 0 {
		for n, p := range r.pages {
			lo := uint32(n) * PageLen
			if p != r.zero && empty(lo, lo+PageLen) {
				r.pages[n] = r.zero
				r.dropPage()
				freed += PageLen * r.size()
			}
		}
		return freed, nil
	}
	step := uint32(max(osPageMax/r.size(), 1))
	for lo := uint32(0); lo < r.flat; {
		hi := lo
		for hi < r.flat && empty(hi, min(hi+step, r.flat)) {
			hi = min(hi+step, r.flat)
		}
		if hi > lo {
			bytes := uint64(hi-lo) * r.size()
			if err := r.arena.purge(unsafe.Add(r.base, uint64(lo)*r.size()), bytes); err != nil {
				return freed, fmt.Errorf("arena: purging an array: %w", err)
			}
			freed += bytes
		}
		lo = max(hi, lo) + step
	}
	return freed, nil
}

// Tidy is Purge page by page of what is resident, a piece at a time: it looks at about
// most bytes from element i on, and returns the element to go on with, 0 at the end,
// and the bytes given back. It reads what it looks at. Pages of arrays that are not
// flat are given back by Purge.
func (r *Array[T]) Tidy(i uint32, most uint64) (next uint32, freed uint64, err error) {
	page := uint64(os.Getpagesize())
	end := uint64(r.flat) * r.size()
	at := uint64(i) * r.size() / page * page
	if r.extent < 0 || at >= end {
		return 0, 0, nil
	}
	var present [64]byte
	n := min(most/page+1, (end-at)/page, uint64(len(present)))
	if n == 0 { // less than a page is left
		return 0, 0, nil
	}
	start := unsafe.Add(r.base, at)
	if sysPresent(start, present[:n]) != nil {
		for k := range present {
			present[k] = 1
		}
	}
	for k := uint64(0); k < n; {
		run := k
		for run < n && present[run]&1 != 0 && zeros(unsafe.Add(start, run*page), page) {
			run++
		}
		if run == k {
			k++
			continue
		}
		if err := r.arena.purge(unsafe.Add(start, k*page), (run-k)*page); err != nil {
			return 0, freed, fmt.Errorf("arena: tidying an array: %w", err)
		}
		freed += (run - k) * page
		k = run
	}
	if at += n * page; at+page > end {
		return 0, freed, nil
	}
	return uint32(at / r.size()), freed, nil
}

// zeros tells whether a page holds nothing but zeros.
func zeros(p unsafe.Pointer, bytes uint64) bool {
	words := unsafe.Slice((*[8]uint64)(p), bytes/64)
	for i := range words {
		w := &words[i]
		if w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7] != 0 {
			return false
		}
	}
	return true
}

// osPageMax is the granularity of Purge: the largest page size of the systems
// that we know (16 KiB on Apple silicon, 64 KiB on some arm64 and ppc64).
const osPageMax = 64 << 10

func (r *Array[T]) dropPage() {
	bytes := PageLen * r.size()
	r.arena.clean(r.purpose, bytes)
	r.arena.discharge(r.purpose, bytes)
	r.arena.stats.Reserved -= bytes
	r.arena.paged -= bytes
}

// Free gives all memory back and makes the array empty. It can grow again.
func (r *Array[T]) Free() error {
	if r.extent < 0 {
		for _, p := range r.pages {
			if p != r.zero {
				r.dropPage()
			}
		}
		r.pages, r.paged = nil, 0
		return nil
	}
	e := &r.arena.extents[r.extent]
	if e.committed == 0 {
		return nil
	}
	if err := r.arena.decommit(r.base, e.committed); err != nil {
		return fmt.Errorf("arena: freeing an array: %w", err)
	}
	r.arena.clean(r.purpose, e.committed)
	r.arena.discharge(r.purpose, e.committed)
	e.committed, r.flat = 0, 0
	return nil
}

func (a *Arena) arrayBase(offset uint64) unsafe.Pointer {
	return unsafe.Add(a.base, a.chunkSpace+offset)
}
