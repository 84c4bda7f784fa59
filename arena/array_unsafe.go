package arena

import (
	"fmt"
	"os"
	"slices"
	"unsafe"
)

// Array is a growable array of pointer-free T, flat: element i is one comparison and
// one addition away. In reserved address space elements never move, and the page table
// replaces the pages of a sparse set: an untouched page is never resident. On
// the heap back end, and where the array space is used up, it is a Go slice, which is
// copied to one of twice the length as it grows. Elements read as zero until they are
// written. The zero value is not useful; see MakeArray. It may be copied until its
// first Grow.
type Array[T any] struct {
	elems []T // the addressable elements
	max   uint32

	arena   *Arena
	extent  int // the piece of the array space; -1: none, elems is a Go slice
	purpose Purpose
	dense   bool
	sparse  bool
	pages   []uint64 // see Pages
}

// MakeArray returns an empty array of at most max elements. It asks the operating
// system for nothing.
func MakeArray[T any](a *Arena, max uint32, p Purpose) Array[T] {
	return Array[T]{arena: a, max: max, purpose: p, extent: -1}
}

func (r *Array[T]) size() uint64 { return uint64(unsafe.Sizeof(*new(T))) }

// bytes is how much of the memory is addressable.
func (r *Array[T]) bytes() uint64 { return uint64(len(r.elems)) * r.size() }

// Load returns element i, or zero for one beyond the elements that Grow has made addressable.
// It is small enough to be inlined into functions that are inlined themselves.
func (r *Array[T]) Load(i uint32) (v T) {
	if elems, i := r.elems, uint(i); i < uint(len(elems)) {
		v = elems[i]
	}
	return
}

// Ptr returns the address of element i, or nil if Grow has not made it addressable.
// Addresses are good until the next Grow, Purge or Free; in reserved address space
// (Reserved) they never change, and are good until Free.
func (r *Array[T]) Ptr(i uint32) *T {
	if elems, i := r.elems, uint(i); i < uint(len(elems)) {
		return &elems[i]
	}
	return nil
}

// Grow makes element i and all before it addressable. It costs a comparison if they
// are so already. A Go slice moves then. Errors: ErrLimit, ErrFull past the maximum,
// ErrClosed, or the operating system's refusal; nothing has changed then.
func (r *Array[T]) Grow(i uint32) error {
	if uint(i) < uint(len(r.elems)) {
		return nil
	}
	if i >= r.max {
		return fmt.Errorf("%w: element %d of an array of at most %d", ErrFull, i, r.max)
	}
	if r.extent < 0 && r.elems == nil && r.arena.backend == OS {
		if n, ok := r.arena.carve(uint64(r.max) * r.size()); ok {
			r.extent = n
		}
	}
	if r.extent < 0 {
		return r.growSlice(uint64(i) + 1)
	}
	if err := r.arena.extend(r.extent, (uint64(i)+1)*r.size(), r.purpose, r.dense, r.sparse && !r.dense); err != nil {
		return err
	}
	e := &r.arena.extents[r.extent]
	r.pages = e.taken
	r.elems = unsafe.Slice((*T)(r.arena.arrayBase(e.offset)), min(e.committed/r.size(), uint64(r.max)))
	return nil
}

// growSlice copies the elements to a slice of at least want of them: of twice as many as there
// are, or of half as many more if that is refused, and so on. The old slice is garbage then,
// and no longer charged. Doubling bounds the copies of each element. A smaller step copies more
// often, but near a limit only that succeeds.
func (r *Array[T]) growSlice(want uint64) error {
	have := uint64(len(r.elems))
	want = roundPage(want, r.max)
	for more := have; ; more /= 2 {
		n := roundPage(max(want, have+more), r.max)
		bytes := (n - have) * r.size()
		err := r.arena.chargeSlice(r.purpose, bytes, n*r.size())
		if err != nil && n == want && r.arena.giveBack(bytes) {
			err = r.arena.chargeSlice(r.purpose, bytes, n*r.size())
		}
		if err == nil {
			r.move(n)
			return nil
		}
		if n == want {
			return err
		}
	}
}

// move copies as many elements as fit to a slice of n.
func (r *Array[T]) move(n uint64) {
	was := r.elems
	r.arena.garbage = true
	r.elems = make([]T, n)
	copy(r.elems, was)
	r.pages = slices.Repeat([]uint64{^uint64(0)}, int(n*r.size()/pageBytes/64)+1)
}

// SetSparse has further growth of the array count against limits page by page, from Take on. Growth
// while it is dense counts as a whole.
func (r *Array[T]) SetSparse() { r.sparse = true }

// Take accounts for the page of element i, which Grow has made addressable, before the first write
// there. It costs a look if that is so already. Errors: ErrLimit, ErrClosed.
func (r *Array[T]) Take(i uint32) error {
	if r.extent < 0 {
		return nil
	}
	return r.arena.takePage(&r.arena.extents[r.extent], uint64(i)*r.size(), r.purpose)
}

// Pages has a bit for each 4 KiB of the array, in order, which is set where elements may be written. It
// is good until the next Grow. Take, Tidy and Purge change it.
func (r *Array[T]) Pages() []uint64 { return r.pages }

// SetDense says whether most elements are in use. The pages that a dense array grows by, beyond
// its first 2 MiB, are advised to use huge pages, if the arena does.
func (r *Array[T]) SetDense(dense bool) { r.dense = dense }

// Reserved tells whether the array is in reserved address space, where elements never move. It
// is false before the first Grow.
func (r *Array[T]) Reserved() bool { return r.extent >= 0 }

// Len is the number of addressable elements.
func (r *Array[T]) Len() uint32 { return uint32(len(r.elems)) }

// Span returns the elements from i on, empty if i is not addressable. It is good as
// long as addresses are: see Ptr.
func (r *Array[T]) Span(i uint32) []T {
	if uint(i) >= uint(len(r.elems)) {
		return nil
	}
	return r.elems[i:]
}

// Purge gives back the memory of elements that are zero by the caller's word: empty
// is asked for half-open ranges. In reserved address space all stay usable, and
// accounted as dirty, since a write makes them resident again unseen. Those of a sparse
// array do not count until Take is called again. A Go slice
// becomes shorter by the empty elements at its end, in steps of PageLen, and moves;
// others are not asked for.
// It returns the bytes given back; bytes given back before an error stay so.
func (r *Array[T]) Purge(empty func(lo, hi uint32) bool) (freed uint64, err error) {
	if r.extent < 0 {
		return r.shorten(empty), nil
	}
	// One step for all systems, so that the elements asked about are the same everywhere.
	step, n := uint32(max(osPageMax/r.size(), 1)), r.Len()
	for lo := uint32(0); lo < n; {
		hi := lo
		for hi < n && empty(hi, min(hi+step, n)) {
			hi = min(hi+step, n)
		}
		if hi > lo {
			bytes := uint64(hi-lo) * r.size()
			if err := r.arena.purge(unsafe.Pointer(&r.elems[lo]), bytes); err != nil {
				return freed, fmt.Errorf("arena: purging an array: %w", err)
			}
			r.left(uint64(lo)*r.size(), bytes)
			freed += bytes
		}
		lo = max(hi, lo) + step
	}
	return freed, nil
}

// left notes that pages were given back.
func (r *Array[T]) left(at, bytes uint64) {
	if e := &r.arena.extents[r.extent]; r.sparse {
		r.arena.leavePages(e, at, bytes, r.purpose)
	}
}

// shorten is Purge for a Go slice.
func (r *Array[T]) shorten(empty func(lo, hi uint32) bool) (freed uint64) {
	n := r.Len()
	for n > 0 {
		lo := (n - 1) / PageLen * PageLen
		if !empty(lo, n) {
			break
		}
		n = lo
	}
	if n == r.Len() {
		return 0
	}
	freed = r.bytes() - uint64(n)*r.size()
	r.move(uint64(n))
	r.arena.dischargeSlice(r.purpose, freed)
	return freed
}

// Tidy is Purge page by page, for resident pages, a piece at a time. It reads about most
// bytes from element i on. It returns the element to go on with, 0 at the end, and the bytes
// given back. A Go slice has nothing to give back page by page: Tidy returns 0.
func (r *Array[T]) Tidy(i uint32, most uint64) (next uint32, freed uint64, err error) {
	page := uint64(os.Getpagesize())
	end := r.bytes()
	at := uint64(i) * r.size() / page * page
	if r.extent < 0 || at >= end {
		return 0, 0, nil
	}
	var present [64]byte
	n := min(most/page+1, (end-at)/page, uint64(len(present)))
	if n == 0 { // less than a page is left
		return 0, 0, nil
	}
	start := unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.elems)), at)
	// Reading a page that is not there would make it resident, to find zeros. Where the system does
	// not tell which ones are, all are read: that costs time, and the purge gives them back.
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
		r.left(at+k*page, (run-k)*page)
		freed += (run - k) * page
		k = run
	}
	if at += n * page; at+page > end {
		return 0, freed, nil
	}
	return uint32(at / r.size()), freed, nil
}

// zeros tells whether a page holds nothing but zeros. It reads a cache line at a time and stops at
// the first that has something: pages in use have it early.
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

// Free gives all memory back and makes the array empty. It can grow again.
func (r *Array[T]) Free() error {
	if r.extent < 0 {
		r.arena.dischargeSlice(r.purpose, r.bytes())
		r.elems, r.pages, r.arena.garbage = nil, nil, true
		return nil
	}
	// The piece stays the array's, so that it can grow again at the same addresses.
	e := &r.arena.extents[r.extent]
	if e.committed == 0 {
		return nil
	}
	if err := r.arena.decommit(r.arena.arrayBase(e.offset), e.committed); err != nil {
		return fmt.Errorf("arena: freeing an array: %w", err)
	}
	r.arena.clean(r.purpose, e.charged)
	r.arena.discharge(r.purpose, e.charged)
	e.committed, e.charged, e.taken, r.elems, r.pages = 0, 0, nil, nil, nil
	return nil
}
