package chunk

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Layouts are the same on every machine, since the capacity decides where rows go. The
// cases take all ways to pack.
func TestLayoutsAreKnown(t *testing.T) {
	for _, tt := range []struct {
		sizes []uint32
		cache uint32
		want  string
	}{
		{[]uint32{8, 16, 16}, 0, "1632 rows of 40 B, 256 lost, 4 colours: 8@0 16@13056 16@39168"},
		{[]uint32{8, 0, 4}, 0, "5440 rows of 12 B, 256 lost, 4 colours: 8@0 0@0 4@43520"},
		{[]uint32{1}, 0, "8192 rows of 1 B, 57344 lost, 4 colours: 1@0"},
		{[]uint32{8, 64, 64, 12, 4}, 5000, "375 rows of 152 B, 344 lost, 4 colours: 8@0 64@3008 64@27008 12@51008 4@55552"},
		{repeat(16, 24), 0, "168 rows of 384 B, 1024 lost, 4 colours: … 16@61824"},
		{repeat(4, 100), 0, "160 rows of 400 B, 1536 lost, 4 colours: … 4@63424"},
		{repeat(7, 90), 0, "100 rows of 630 B, 2536 lost, 4 colours: … 7@62656"},
		{repeat(3, 60), 48 << 10, "88 rows of 180 B, 544 lost, 1 colours: … 3@15648"},
		{repeat(1, 200), 0, "325 rows of 200 B, 536 lost, 1 colours: … 1@64677"},
		{[]uint32{3, 5, 7, 700}, 0, "91 rows of 715 B, 471 lost, 4 colours: 3@0 5@320 7@832 700@1472"},
		{[]uint32{8, 1 << 10}, 0, "63 rows of 1032 B, 520 lost, 4 colours: 8@0 1024@512"},
		{[]uint32{8, 8 << 10}, 0, "7 rows of 8200 B, 8136 lost, 4 colours: 8@0 8192@64"},
		{[]uint32{8, 21800}, 0, "3 rows of 21808 B, 112 lost, 1 colours: 8@0 21800@64"},
		{[]uint32{8, Bytes/2 - 8}, 0, "1 rows of 32768 B, 32768 lost, 4 colours: 8@0 32760@8"},
		{[]uint32{8, 32600}, 0, "2 rows of 32608 B, 320 lost, 4 colours: 8@0 32600@64"},
		{[]uint32{8, Bytes - 8}, 0, "1 rows of 65536 B, 0 lost, 1 colours: 8@0 65528@8"},
		{[]uint32{1, 2, Bytes / 3}, 0, "2 rows of 21848 B, 21840 lost, 4 colours: 1@0 2@64 21845@128"},
	} {
		l, err := New(specs(tt.sizes...), tt.cache)
		if err != nil {
			t.Errorf("%v: %v", tt.sizes, err)
		} else if got := short(&l); got != tt.want {
			t.Errorf("%v:\n%s, want\n%s", tt.sizes, got, tt.want)
		}
	}
}

// short is a layout as text: all columns, or the last one where they are many.
func short(l *Layout) string {
	text := l.String()
	if l.Columns() > 6 {
		head, _, _ := strings.Cut(text, ": ")
		return head + ": … " + text[strings.LastIndexByte(text, ' ')+1:]
	}
	return text
}

// Limits are allowed themselves; one more is refused.
func TestLimits(t *testing.T) {
	one := specs(8)
	for _, tt := range []struct {
		name  string
		specs []Spec
		cache uint32
		ok    bool
	}{
		{"the most columns", make256(1), 0, true},
		{"the largest cache region", one, Bytes - Page, true},
		{"a byte more of cache region", one, Bytes - Page + 1, false},
		{"a chunk of one value", []Spec{{Bytes, 1}}, 0, true},
		{"alignment to a line", []Spec{{64, 64}}, 0, true},
		{"no alignment", []Spec{{64, 0}}, 0, false},
	} {
		if l, err := New(tt.specs, tt.cache); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v, %v", tt.name, &l, err)
		} else if _, small := Small(tt.specs, tt.cache); small && !tt.ok {
			t.Errorf("%s: refused in full, and not in small", tt.name)
		}
	}
	if s, err := SpecOf(reflect.TypeFor[[Bytes]byte]()); err != nil || s != (Spec{Bytes, 1}) {
		t.Errorf("a type of a whole chunk: %v, %v", s, err)
	}
	if s, err := SpecOf(reflect.TypeFor[struct {
		A uint32
		B uint16
	}]()); err != nil || s != (Spec{8, 4}) {
		t.Errorf("a type of 8 bytes, aligned to 4: %v, %v", s, err)
	}
}

func make256(size uint32) []Spec { return slices.Repeat([]Spec{{size, 1}}, MaxColumns) }

// The cache region is what was asked for in whole pages, at the end.
func TestCacheRegionIsWholePages(t *testing.T) {
	for _, tt := range []struct{ asked, want uint32 }{
		{0, 0}, {1, Page}, {Page, Page}, {Page + 1, 2 * Page}, {Bytes - Page, Bytes - Page},
	} {
		full, err := New(specs(8, 16), tt.asked)
		if err != nil {
			t.Fatal(err)
		}
		layouts := []Layout{full}
		if small, ok := Small(specs(8, 16), tt.asked); ok {
			layouts = append(layouts, small)
		}
		for _, l := range layouts {
			if offset, size := l.CacheRegion(); size != tt.want || offset+size != Bytes {
				t.Errorf("%d asked: %d at %d, want %d", tt.asked, size, offset, tt.want)
			}
		}
	}
}

// Numbers of colours above the last are folded, and no two colours take one place.
func TestColoursAreFolded(t *testing.T) {
	full, err := New(specs(8, 16, 16), 0)
	if err != nil {
		t.Fatal(err)
	}
	layouts := []Layout{full}
	for _, sizes := range [][]uint32{{8, 16, 16}, {8, 256}, {8, 500}, {8, 1 << 10}} {
		for _, cache := range []uint32{0, 3 * Page} {
			if l, ok := Small(specs(sizes...), cache); ok {
				layouts = append(layouts, l)
			}
		}
	}
	for _, l := range layouts {
		taken := map[uint32]uint32{}
		for c := range l.Colours() {
			if l.Shift(c) != l.Shift(c+l.Colours()) || l.Offset(1, c) != l.Offset(1, c+5*l.Colours()) {
				t.Errorf("%v: colour %d is not that of %d more", &l, c, l.Colours())
			}
			if other, is := taken[l.Shift(c)]; is {
				t.Errorf("%v: colours %d and %d both begin at %d", &l, other, c, l.Shift(c))
			}
			taken[l.Shift(c)] = c
			if lo, hi := l.Extent(c); lo != l.Shift(c) || hi <= lo {
				t.Errorf("%v: colour %d takes %d to %d", &l, c, lo, hi)
			}
		}
	}
}

// A column without bytes takes no room: the others lie as if it were not there.
func TestEmptyColumnsTakeNoRoom(t *testing.T) {
	for _, with := range [][]uint32{{0, 8, 16, 24}, {8, 0, 16, 0, 24}, {8, 16, 24, 0}, {0, 0, 0, 8, 16, 24}} {
		without := slices.DeleteFunc(slices.Clone(with), func(n uint32) bool { return n == 0 })
		l, err := New(specs(with...), 0)
		want, err2 := New(specs(without...), 0)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		var offsets, wanted []uint32
		for i, n := range with {
			if n != 0 {
				offsets = append(offsets, l.Offset(i, 0))
			}
		}
		for i := range without {
			wanted = append(wanted, want.Offset(i, 0))
		}
		if !slices.Equal(offsets, wanted) || l.Capacity() != want.Capacity() || l.RowBytes() != 48 || l.Columns() != len(with) {
			t.Errorf("%v: %v, want as %v", with, &l, &want)
		}
	}
}

// A small layout is the smallest block for eight rows; one that is not is told apart.
func TestSmallIsToldApart(t *testing.T) {
	for _, tt := range []struct {
		sizes    []uint32
		cache    uint32
		capacity uint32 // 0: none
		text     string
	}{
		{[]uint32{8, 16, 16}, 0, 48, "48 rows of 40 B, 63616 lost, 512 colours: 8@0 16@384 16@1152"},
		{[]uint32{8, 16, 16}, 60 << 10, 48, "48 rows of 40 B, 2176 lost, 32 colours: 8@0 16@384 16@1152"},
		{[]uint32{1}, 0, 256, "256 rows of 1 B, 65280 lost, 512 colours: 1@0"},
		{[]uint32{8, 256}, 0, 15, "15 rows of 264 B, 61576 lost, 16 colours: 8@0 256@128"},
		{[]uint32{8, 500}, 0, 8, "8 rows of 508 B, 61472 lost, 16 colours: 8@0 500@64"},
		{[]uint32{8, 2040}, 0, 8, "8 rows of 2048 B, 49152 lost, 4 colours: 8@0 2040@64"},
		{[]uint32{8, 2041}, 0, 0, ""},
		{[]uint32{8, 1 << 10}, 52 << 10, 0, ""},
	} {
		l, ok := Small(specs(tt.sizes...), tt.cache)
		if ok != (tt.capacity != 0) || ok && (!l.IsSmall() || l.Capacity() != tt.capacity || l.String() != tt.text) {
			t.Errorf("%v: %v %q", tt.sizes, ok, l.String())
		}
	}
	full, err := New(specs(8), 0)
	if err != nil || full.IsSmall() {
		t.Errorf("%v says that it is small, %v", &full, err)
	}
	if _, ok := Small(specs(8), Bytes); ok {
		t.Error("a cache region of a whole chunk was not refused")
	}
	if err := func() error { _, err := New([]Spec{{8, 8}, {40000, 1}, {40000, 1}}, Page); return err }(); err == nil ||
		!strings.Contains(err.Error(), "a row of 80008 bytes does not fit in a chunk: the limit is 61440 bytes") {
		t.Error(err)
	}
}
