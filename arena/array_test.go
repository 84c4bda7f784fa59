package arena

import (
	"errors"
	"strconv"
	"testing"
)

// Arrays that are Go slices double, or grow by less where the limit is near: by half, a
// quarter and so on, and no more than is needed at last. Their growth is charged.
func TestSliceGrowth(t *testing.T) {
	const page = PageLen * 8
	for _, tt := range []struct {
		what  string
		have  uint32 // elements before
		want  uint32 // the one that is grown to
		limit uint64 // on its growth; 0: none
		most  uint32 // of the array; 0: plenty
		len   uint32 // after; 0: it is refused
	}{
		{"the first", 0, 0, 0, 0, 512},
		{"the last of a page", 0, 511, 0, 0, 512},
		{"the next page", 0, 512, 0, 0, 1024},
		{"doubled", 1024, 1024, 0, 0, 2048},
		{"far beyond", 1024, 4095, 0, 0, 4096},
		{"one farther", 1024, 4096, 0, 0, 4608},
		{"just doubled", 4096, 4096, 8 * page, 0, 8192},
		{"half as many more", 4096, 4096, 8*page - 1, 0, 6144},
		{"half, just", 4096, 4096, 4 * page, 0, 6144},
		{"a quarter", 4096, 4096, 4*page - 1, 0, 5120},
		{"what is needed", 4096, 4096, 1 * page, 0, 4608},
		{"what is needed, and that is more", 4096, 5000, 2 * page, 0, 5120},
		{"refused", 4096, 4096, 1*page - 1, 0, 0},
		{"refused, farther", 4096, 5000, 2*page - 1, 0, 0},
		{"the maximum", 4096, 4096, 0, 5000, 5000},
		{"the maximum is no page", 0, 100, 0, 300, 300},
	} {
		t.Run(tt.what, func(t *testing.T) {
			a := open(t, Options{SmallPages: true, Backend: Heap})
			if tt.most == 0 {
				tt.most = 1 << 20
			}
			r := MakeArray[uint64](a, tt.most, PurposeSlots)
			if tt.have > 0 {
				if err := r.Grow(tt.have - 1); err != nil || r.Len() != tt.have {
					t.Fatalf("%d elements, %v", r.Len(), err)
				}
			}
			for i := range tt.have {
				*r.Ptr(i) = uint64(i) + 1
			}
			before := a.Stats()
			if tt.limit != 0 {
				a.SetLimit(before.Committed + tt.limit)
			}
			err := r.Grow(tt.want)
			if tt.len == 0 {
				if !errors.Is(err, ErrLimit) || a.Stats() != before {
					t.Errorf("%v; accounted %+v, before %+v", err, a.Stats(), before)
				}
				tt.len = tt.have
			} else if err != nil {
				t.Fatal(err)
			}
			if r.Len() != tt.len || r.Reserved() {
				t.Errorf("%d elements, want %d; reserved %v", r.Len(), tt.len, r.Reserved())
			}
			if s := a.Stats(); s.Committed != uint64(tt.len)*8 || s.dirtyBy[PurposeSlots] != s.Committed || s.Reserved != s.Committed || s.Live != s.Committed {
				t.Errorf("%d elements, accounted %+v", tt.len, s)
			}
			for i := range tt.len {
				if want := uint64(i) + 1; i < tt.have && r.Load(i) != want || i >= tt.have && r.Load(i) != 0 {
					t.Fatalf("element %d is %d", i, r.Load(i))
				}
			}
			if err := errors.Join(a.Check(), r.Free()); err != nil || a.Stats().Committed != 0 || r.Len() != 0 {
				t.Errorf("%v; freed, and accounted %+v", err, a.Stats())
			}
		})
	}
}

// A slice that grows leaves idle regions alone, but where it would be refused: then they
// make room, and its growth is charged once.
func TestSliceGrowsInPlaceOfIdleRegion(t *testing.T) {
	const page = PageLen * 8
	a := open(t, Options{SmallPages: true, Backend: Heap})
	s, err := a.Alloc(Normal)
	if err != nil {
		t.Fatal(err)
	}
	a.Free(s)
	idle := a.Stats().Committed
	r := MakeArray[uint64](a, 1<<20, PurposeSlots)
	for _, c := range []struct {
		grow        uint32
		limit, want uint64
	}{{0, 0, idle + page}, {PageLen, 0, idle + 2*page}, {2 * PageLen, idle + 2*page, 3 * page}} {
		a.SetLimit(c.limit)
		if err := r.Grow(c.grow); err != nil || a.Stats().Committed != c.want || a.Check() != nil {
			t.Errorf("grown to element %d: %v, %d bytes committed, want %d; %v", c.grow, err, a.Stats().Committed, c.want, a.Check())
		}
	}
	if err := r.Free(); err != nil || idle == 0 || a.Stats().Committed != 0 {
		t.Errorf("%v; freed, and accounted %+v", err, a.Stats())
	}
}

// Arrays that are Go slices give back empty elements at their end, and are asked for
// nothing else.
func TestSliceGetsShorter(t *testing.T) {
	for _, tt := range []struct {
		what       string
		len, last  uint32 // elements, and the last one that is in use
		after      uint32
		most, asks int
	}{
		{"all in use", 2048, 2047, 2048, 1 << 20, 1},
		{"the first of the last page", 2048, 1536, 2048, 1 << 20, 1},
		{"the last of the page before", 2048, 1535, 1536, 1 << 20, 2},
		{"one page", 2048, 3, 512, 1 << 20, 4},
		{"a page that is no whole one", 700, 3, 512, 700, 2},
	} {
		a := open(t, Options{SmallPages: true, Backend: Heap})
		r := MakeArray[uint64](a, uint32(tt.most), PurposeSlots)
		if err := r.Grow(tt.len - 1); err != nil || r.Len() != tt.len {
			t.Fatalf("%s: %d elements, %v", tt.what, r.Len(), err)
		}
		*r.Ptr(1), *r.Ptr(tt.last) = 7, 5
		asks := 0
		freed, err := r.Purge(func(lo, hi uint32) bool {
			asks++
			for i := lo; i < hi; i++ {
				if r.Load(i) != 0 {
					return false
				}
			}
			return true
		})
		if err != nil || r.Len() != tt.after || freed != uint64(tt.len-tt.after)*8 || asks != tt.asks {
			t.Errorf("%s: %d elements, %d bytes given back, asked %d times, %v", tt.what, r.Len(), freed, asks, err)
		}
		if s := a.Stats(); s.Committed != uint64(tt.after)*8 || r.Load(1) != 7 || r.Load(tt.last) != 5 {
			t.Errorf("%s: %+v, elements %d and %d", tt.what, s, r.Load(1), r.Load(tt.last))
		}
		if next, n, err := r.Tidy(1, 1<<20); next != 0 || n != 0 || err != nil {
			t.Errorf("%s: tidied %d bytes to %d, %v", tt.what, n, next, err)
		}
		if err := errors.Join(a.Check(), r.Grow(tt.len-1)); err != nil || r.Load(tt.last) != 5 {
			t.Errorf("%s: grown again: %v", tt.what, err)
		}
	}
}

// Ptr and Span agree on the elements in every form of an array. Elements in reserved array space
// stay there. They move once the space is used up.
func TestElementsStayWhereReserved(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.Reserve = 16 << 20 // 8 MiB for arrays
		a := open(t, o)
		all := make([]Array[uint64], 3)
		for i := range all {
			r := &all[i]
			*r = MakeArray[uint64](a, 1<<18, PurposeSlots) // 2 MiB and a stagger
			if n := r.Len(); n != 0 || r.Ptr(0) != nil {
				t.Errorf("before Grow: %d elements at %p", n, r.Ptr(0))
			}
			if err := r.Grow(100); err != nil {
				t.Fatal(err)
			}
			*r.Ptr(100) = 9
			first := r.Ptr(0)
			if err := r.Grow(200_000); err != nil {
				t.Fatal(err)
			}
			if reserved := a.Backend() == OS && i < 2; r.Reserved() != reserved || (r.Ptr(0) == first) != reserved {
				t.Errorf("array %d: reserved %v, it stays: %v", i, r.Reserved(), r.Ptr(0) == first)
			}
			n := r.Len()
			if n <= 200_000 || r.Ptr(n) != nil || len(r.Span(n)) != 0 {
				t.Errorf("array %d: %d elements", i, n)
			}
			if s := r.Span(40); len(s) != int(n-40) || &s[60] != r.Ptr(100) || s[60] != 9 || r.Load(n) != 0 {
				t.Errorf("array %d: a span of %d from element 40", i, len(s))
			}
		}
		if err := a.Check(); err != nil {
			t.Error(err)
		}
	})
}

// An array that was refused memory keeps the piece of the array space that it has got, and
// takes no other one.
func TestRefusedArrayKeepsItsSpace(t *testing.T) {
	a := open(t, Options{SmallPages: true, Reserve: 8 * RegionBytes, fault: failFrom(OpCommit, 1)}) // room for two
	if a.Backend() == Heap {
		t.Skip("no space is reserved on the heap")
	}
	var rs [3]Array[uint64]
	for i := range rs {
		rs[i] = MakeArray[uint64](a, RegionBytes/8, PurposeSlots)
	}
	for range 3 {
		if err := rs[0].Grow(0); err == nil {
			t.Fatal("nothing is refused")
		}
	}
	a.fault = nil
	for i := range rs {
		if err := rs[i].Grow(0); err != nil || rs[i].Reserved() != (i < 2) {
			t.Errorf("array %d: %v, reserved %v", i, err, rs[i].Reserved())
		}
	}
	for i := range rs {
		if err := rs[i].Free(); err != nil {
			t.Error(err)
		}
	}
}

// A dense array's pages beyond its first 2 MiB are advised to use huge pages, where the
// arena does; a sparse one never is.
func TestDenseArraysAreAdvised(t *testing.T) {
	for _, huge := range []bool{false, true} {
		for _, dense := range []bool{false, true} {
			a := open(t, Options{SmallPages: !huge})
			if a.Backend() == Heap {
				t.Skip("nothing is advised on the heap")
			}
			r := MakeArray[uint64](a, 1<<20, PurposeSlots)
			r.SetDense(dense)
			if err := r.Grow(1 << 18); err != nil {
				t.Fatal(err)
			}
			before := a.Stats().calls[OpAdvise]
			if err := r.Grow(1 << 19); err != nil {
				t.Fatal(err)
			}
			if got := a.Stats().calls[OpAdvise] - before; got != 0 != (huge && dense) {
				t.Errorf("huge pages %v, dense %v: advised %d times", huge, dense, got)
			}
			if err := r.Free(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A Go slice larger than the address space is refused.
func TestSliceBeyondAddresses(t *testing.T) {
	if strconv.IntSize == 64 {
		t.Skip("no array is as large: tested on 32-bit machines")
	}
	r := MakeArray[[1 << 20]byte](open(t, Options{SmallPages: true}), 1<<20, PurposeSlots)
	if err := r.Grow(4095); !errors.Is(err, ErrFull) || r.Len() != 0 {
		t.Errorf("4 GiB: %v, %d elements", err, r.Len())
	}
}
