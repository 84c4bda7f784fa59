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
func verify(l *Layout, room uint32) error {
	for colour := range l.colours {
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
		if end > room {
			return fmt.Errorf("colour %d: the columns end at %d, and there are %d bytes", colour, end, room)
		}
	}
	return nil
}

// loss compares a full layout with the promise of the package comment: 2 %, and at
// most a row and half a line a column more where rows are wide or columns many.
func loss(l *Layout) error {
	limit := uint32(Bytes * 2 / 100)
	if l.RowBytes() > 512 || l.Columns() > sets {
		limit += l.RowBytes() + uint32(l.Columns())*Line/2
	}
	if l.lost() > limit && l.RowBytes() >= minRow {
		return fmt.Errorf("%v: %d bytes of %d are lost, more than %d", l, l.lost(), Bytes, limit)
	}
	return nil
}

func TestFullLayouts(t *testing.T) {
	tests := [][]uint32{
		[]uint32{8, 16, 16},
		[]uint32{8},
		[]uint32{0},
		[]uint32{1},
		[]uint32{8, 0, 4},
		[]uint32{8, 16, 16},
		[]uint32{8, 64, 64, 12, 4},
		repeat(16, 12),
		repeat(16, 16),
		repeat(16, 24),
		repeat(64, 20),
		repeat(8, 64),
		repeat(4, 100),
		[]uint32{8, 1 << 10},
		[]uint32{8, 8 << 10},
		[]uint32{8, Bytes - 8},
		[]uint32{Bytes},
	}
	for _, sizes := range tests {
		l, err := layoutOf(specs(sizes...))
		if err != nil {
			t.Errorf("%v: %v", sizes, err)
			continue
		}
		if err := verify(&l, Bytes); err != nil {
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
		l, err := layoutOf(specs(sizes...))
		if err != nil {
			t.Fatal(err)
		}
		if err := verify(&l, Bytes); err != nil {
			t.Errorf("%v: %v", &l, err)
		}
		if err := loss(&l); err != nil {
			t.Error(err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		specs []Spec
		want  string
	}{
		{[]Spec{{8, 8}, {Bytes, 1}}, "the limit is 65536"},
		{[]Spec{{Bytes + 1, 1}}, "the limit is 65536"},
		{[]Spec{{8, 3}}, "power of two"},
		{[]Spec{{8, 128}}, "power of two"},
		{make([]Spec, MaxColumns+1), "columns"},
	} {
		if _, err := layoutOf(tt.specs); !errors.Is(err, ErrLayout) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v, want %q", tt.specs, err, tt.want)
		}
	}
}

func FuzzLayout(f *testing.F) {
	f.Add([]byte{8, 16, 16})
	f.Add([]byte{255, 1, 0, 64, 64, 64, 64, 64, 64, 64, 64})
	f.Fuzz(func(t *testing.T, sizes []byte) {
		var s []Spec
		for _, n := range sizes {
			s = append(s, specs(uint32(n)*uint32(n))...)
		}
		shape, err := NewShape(s)
		if err != nil {
			return
		}
		if err := verifyShape(shape); err != nil {
			t.Fatal(err)
		}
	})
}

func TestPointerIn(t *testing.T) {
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
		if got, found := pointerIn(reflect.TypeOf(tt.v)); got != tt.want || found != (tt.want != "") {
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
