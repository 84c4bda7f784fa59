package chunk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func specs(sizes ...uint32) (s []Spec) {
	for _, n := range sizes {
		align := uint32(1)
		for align < 8 && n%(align*2) == 0 && n > 0 {
			align *= 2
		}
		s = append(s, Spec{n, align})
	}
	return s
}

func repeat(size uint32, n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = size
	}
	return s
}

// verify holds a layout against the invariants of the package comment.
func verify(l *Layout) error {
	for colour := range l.Colours() {
		starts := map[uint32]int{}
		var end uint32
		walked := 0
		for i := range l.Columns() {
			s := l.Spec(i)
			if s.Size == 0 {
				continue
			}
			walked++
			at := l.Offset(i, colour)
			if at < end {
				return fmt.Errorf("colour %d: column %d at %d overlaps the one before, which ends at %d", colour, i, at, end)
			}
			if at%s.Align != 0 {
				return fmt.Errorf("colour %d: column %d at %d is not aligned to %d", colour, i, at, s.Align)
			}
			end = at + l.Capacity()*s.Size
			if other, taken := starts[at/Line%sets]; taken && walked <= sets && l.Capacity() > 1 {
				return fmt.Errorf("colour %d: columns %d and %d start in the same set", colour, other, i)
			}
			starts[at/Line%sets] = i
		}
		if cache, _ := l.CacheRegion(); end > cache {
			return fmt.Errorf("colour %d: the columns end at %d, in the cache region from %d on", colour, end, cache)
		}
	}
	return nil
}

// loss holds a full layout against what the package comment promises: 2 %, and at
// most a row and half a line a column more where rows are wide or columns many.
func loss(l *Layout) error {
	room, _ := l.CacheRegion()
	limit := room * 2 / 100
	if l.RowBytes() > 512 || l.Columns() > sets {
		limit += l.RowBytes() + uint32(l.Columns())*Line/2
	}
	if l.Lost() > limit && l.RowBytes() >= minRow {
		return fmt.Errorf("%v: %d bytes of %d are lost, more than %d", l, l.Lost(), room, limit)
	}
	return nil
}

func TestFullLayouts(t *testing.T) {
	tests := []struct {
		sizes []uint32
		cache uint32
	}{
		{[]uint32{8, 16, 16}, 0},
		{[]uint32{8}, 0},
		{[]uint32{0}, 0},
		{[]uint32{1}, 0},
		{[]uint32{8, 0, 4}, 0},
		{[]uint32{8, 16, 16}, 16 << 10},
		{[]uint32{8, 64, 64, 12, 4}, 5000},
		{repeat(16, 12), 0},
		{repeat(16, 16), 0},
		{repeat(16, 24), 0},
		{repeat(64, 20), 0},
		{repeat(8, 64), 0},
		{repeat(4, 100), 0},
		{[]uint32{8, 1 << 10}, 0},
		{[]uint32{8, 8 << 10}, 0},
		{[]uint32{8, Bytes - 8}, 0},
		{[]uint32{Bytes}, 0},
	}
	for _, tt := range tests {
		l, err := New(specs(tt.sizes...), tt.cache)
		if err != nil {
			t.Errorf("%v: %v", tt.sizes, err)
			continue
		}
		if err := verify(&l); err != nil {
			t.Errorf("%v: %v", &l, err)
		}
		if err := loss(&l); err != nil {
			t.Error(err)
		}
	}
}

// Random columns too.
func TestLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var sizes []uint32
		for range 1 + r.IntN(24) {
			sizes = append(sizes, []uint32{1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256}[r.IntN(13)])
		}
		cache := []uint32{0, 0, 4 << 10, 16 << 10}[r.IntN(4)]
		l, err := New(specs(sizes...), cache)
		if err != nil {
			t.Fatal(err)
		}
		if err := verify(&l); err != nil {
			t.Errorf("%v: %v", &l, err)
		}
		if err := loss(&l); err != nil {
			t.Error(err)
		}
	}
}

func TestSmallLayouts(t *testing.T) {
	for _, tt := range []struct {
		sizes []uint32
		block uint32 // 0: none
	}{
		{[]uint32{8, 16, 16}, 2 << 10},
		{[]uint32{8, 256}, 4 << 10},
		{[]uint32{8, 1 << 10}, 16 << 10},
		{[]uint32{8, 4 << 10}, 0},
	} {
		l, ok := Small(specs(tt.sizes...), 0)
		if ok != (tt.block != 0) || l.block != tt.block {
			t.Errorf("%v: a block of %d, want %d", tt.sizes, l.block, tt.block)
			continue
		}
		if !ok {
			continue
		}
		if err := verify(&l); err != nil {
			t.Errorf("%v: %v", &l, err)
		}
		for c := range l.Colours() {
			if lo, hi := l.Extent(c); tt.block <= Page && lo/Page != (hi-1)/Page {
				t.Errorf("%v: colour %d lies on two pages", &l, c)
			}
		}
	}
	l, _ := Small(specs(8, 16, 16), 0)
	places := map[uint32]bool{}
	for c := range l.Colours() {
		places[l.Shift(c)] = true
	}
	if len(places) != int(l.Colours()) || l.Colours() != 512 {
		t.Errorf("%d colours in %d places, want 512", l.Colours(), len(places))
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		specs []Spec
		cache uint32
		want  string
	}{
		{[]Spec{{8, 8}, {Bytes, 1}}, 0, "the limit is 65536"},
		{[]Spec{{Bytes + 1, 1}}, 0, "the limit is 65536"},
		{[]Spec{{8, 3}}, 0, "power of two"},
		{[]Spec{{8, 128}}, 0, "power of two"},
		{[]Spec{{8, 8}}, Bytes, "cache region"},
		{make([]Spec, MaxColumns+1), 0, "columns"},
	} {
		if _, err := New(tt.specs, tt.cache); !errors.Is(err, ErrLayout) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v, want %q", tt.specs, err, tt.want)
		}
	}
}

func FuzzLayout(f *testing.F) {
	f.Add([]byte{8, 16, 16}, uint16(0))
	f.Add([]byte{255, 1, 0, 64, 64, 64, 64, 64, 64, 64, 64}, uint16(9000))
	f.Fuzz(func(t *testing.T, sizes []byte, cache uint16) {
		var s []Spec
		for _, n := range sizes {
			s = append(s, specs(uint32(n)*uint32(n))...)
		}
		full, err := New(s, uint32(cache))
		if err == nil {
			if err := verify(&full); err != nil {
				t.Fatalf("%v: %v", &full, err)
			}
		}
		if l, ok := Small(s, uint32(cache)); ok {
			if err := verify(&l); err != nil {
				t.Fatalf("%v: %v", &l, err)
			}
			if err == nil && l.Capacity() > full.Capacity() {
				t.Fatalf("small holds %d rows, full %d", l.Capacity(), full.Capacity())
			}
		}
	})
}

func TestPointerPath(t *testing.T) {
	type image struct {
		w, h int
		pix  []byte
	}
	type sprite struct {
		Pos   [2]float64
		Image image
	}
	type clean struct {
		A [4]struct{ X, Y float32 }
		B uintptr
		C [0]*int
	}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{sprite{}, "sprite.Image.pix"},
		{clean{}, ""},
		{[3]string{}, "[3]string[0]"},
		{struct{ F func() }{}, "struct { F func() }.F"},
		{map[int]int{}, "map[int]int"},
		{1.5, ""},
	} {
		if got, found := PointerPath(reflect.TypeOf(tt.v)); got != tt.want || found != (tt.want != "") {
			t.Errorf("%T: got %q, want %q", tt.v, got, tt.want)
		}
	}
	if _, err := SpecOf(reflect.TypeFor[sprite]()); err == nil || !strings.Contains(err.Error(), "sprite.Image.pix") {
		t.Errorf("got %v", err)
	}
	if _, err := SpecOf(reflect.TypeFor[[Bytes + 1]byte]()); err == nil || !strings.Contains(err.Error(), "the limit is 65536") {
		t.Errorf("got %v", err)
	}
}
