package arena

import (
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
)

// Tidying gives back the pages that hold nothing but zeros, and these alone: elements
// that are left, at any place of a page, keep their values.
func TestTidyKeepsValues(t *testing.T) {
	page := uint64(os.Getpagesize())
	perPage := uint32(page / 8)
	for seed := range uint64(4) {
		a := open(t, Options{SmallPages: true})
		const n = 1 << 18 // 2 MiB
		r := MakeArray[uint64](a, n+100, PurposeSlots)
		if err := r.Grow(n + 99); err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(seed, 2))
		model := make([]uint64, r.Len())
		for i := range uint32(len(model)) {
			*r.Ptr(i) = uint64(i) + 1
		}
		pages, left := 0, make(map[uint32]bool) // pages with a value
		for p := range uint32(len(model)) / perPage {
			lo := p * perPage
			for i := lo; i < lo+perPage; i++ {
				*r.Ptr(i) = 0
			}
			if rnd.IntN(3) > 0 { // one element stays, often the first, last or one of the word before
				i := lo + []uint32{0, 1, 7, 8, perPage - 8, perPage - 1, rnd.Uint32N(perPage)}[rnd.IntN(7)]
				*r.Ptr(i), model[i] = 1<<rnd.IntN(64), 0
				model[i] = *r.Ptr(i)
				left[p] = true
			}
			pages++
		}
		for i := uint32(len(model)) / perPage * perPage; i < uint32(len(model)); i++ { // the rest
			model[i] = *r.Ptr(i)
		}
		var freed uint64
		calls := 0
		for at := uint32(0); ; calls++ {
			next, n, err := r.Tidy(at, uint64(rnd.IntN(5))<<14)
			if err != nil {
				t.Fatal(err)
			}
			if freed += n; next == 0 {
				break
			}
			if next <= at {
				t.Fatalf("from element %d to %d", at, next)
			}
			at = next
		}
		if r.Reserved() && freed != uint64(pages-len(left))*page {
			t.Errorf("%d pages of %d given back, want %d", freed/page, pages, pages-len(left))
		}
		if calls == 0 && r.Reserved() {
			t.Error("all was done at once: the pieces are not tested")
		}
		if res, err := a.Resident(); err == nil && r.Reserved() && res > uint64(len(left)+2)*page {
			t.Errorf("%d KiB resident, %d pages have values", res>>10, len(left))
		}
		again := uint64(0) // of pages that are there, as far as the system tells which are
		for at, i := uint32(0), 0; i == 0 || at != 0; i++ {
			next, n, err := r.Tidy(at, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			again, at = again+n, next
		}
		if runtime.GOOS == "linux" && again != 0 {
			t.Errorf("%d bytes were given back twice", again)
		}
		for i, v := range model { // which makes pages resident
			if r.Load(uint32(i)) != v {
				t.Fatalf("element %d is %d, was %d", i, r.Load(uint32(i)), v)
			}
		}
	}
}

// Purging asks for every piece, gives back the pieces that are said to be empty, and
// leaves the rest as it was. (A Go slice is asked from its end: TestSliceGetsShorter.)
func TestPurgeKeepsValues(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		if a.Backend() == Heap {
			t.Skip("only the end of a Go slice is given back")
		}
		r := MakeArray[uint64](a, 1<<17, PurposeSlots)
		for i := uint32(0); i < 1<<17; i++ {
			if err := r.Grow(i); err != nil {
				t.Fatal(err)
			}
			*r.Ptr(i) = uint64(i) + 1
		}
		rnd := rand.New(rand.NewPCG(3, 2))
		emptied := make([]bool, 1<<17/PageLen)
		var want uint64
		freed, err := r.Purge(func(lo, hi uint32) bool {
			if rnd.IntN(2) == 0 {
				return false
			}
			for i := lo; i < hi; i++ {
				if r.Load(i) != uint64(i)+1 {
					t.Fatalf("element %d of a piece from %d on was changed before it was asked for", i, lo)
				}
				*r.Ptr(i) = 0
			}
			for p := lo / PageLen; p < hi/PageLen; p++ {
				emptied[p] = true
			}
			want += uint64(hi-lo) * 8
			return true
		})
		if err != nil || freed != want || want == 0 {
			t.Errorf("%d bytes given back, %v; want %d", freed, err, want)
		}
		for i := range uint32(1 << 17) {
			v := uint64(i) + 1
			if emptied[i/PageLen] {
				v = 0
			}
			if r.Load(i) != v {
				t.Fatalf("element %d is %d, want %d", i, r.Load(i), v)
			}
		}
	})
}
