package chunk

import (
	"errors"
	"fmt"
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
		want  string
	}{
		{[]uint32{8, 16, 16}, "1632 rows of 40 B, 256 lost, 4 colours: 8@0 16@13056 16@39168"},
		{[]uint32{8, 0, 4}, "5440 rows of 12 B, 256 lost, 4 colours: 8@0 0@0 4@43520"},
		{[]uint32{1}, "8192 rows of 1 B, 57344 lost, 4 colours: 1@0"},
		{repeat(16, 24), "168 rows of 384 B, 1024 lost, 4 colours: … 16@61824"},
		{repeat(4, 100), "160 rows of 400 B, 1536 lost, 4 colours: … 4@63424"},
		{repeat(7, 90), "100 rows of 630 B, 2536 lost, 4 colours: … 7@62656"},
		{repeat(1, 200), "325 rows of 200 B, 536 lost, 1 colours: … 1@64677"},
		{[]uint32{3, 5, 7, 700}, "91 rows of 715 B, 471 lost, 4 colours: 3@0 5@320 7@832 700@1472"},
		{[]uint32{8, 1 << 10}, "63 rows of 1032 B, 520 lost, 4 colours: 8@0 1024@512"},
		{[]uint32{8, 8 << 10}, "7 rows of 8200 B, 8136 lost, 4 colours: 8@0 8192@64"},
		{[]uint32{8, 21800}, "3 rows of 21808 B, 112 lost, 1 colours: 8@0 21800@64"},
		{[]uint32{8, Bytes/2 - 8}, "1 rows of 32768 B, 32768 lost, 4 colours: 8@0 32760@8"},
		{[]uint32{8, 32600}, "2 rows of 32608 B, 320 lost, 4 colours: 8@0 32600@64"},
		{[]uint32{8, Bytes - 8}, "1 rows of 65536 B, 0 lost, 1 colours: 8@0 65528@8"},
		{[]uint32{1, 2, Bytes / 3}, "2 rows of 21848 B, 21840 lost, 4 colours: 1@0 2@64 21845@128"},
	} {
		l, err := layoutOf(specs(tt.sizes...))
		if err != nil {
			t.Errorf("%v: %v", tt.sizes, err)
		} else if got := short(&l); got != tt.want {
			t.Errorf("%v:\n%s, want\n%s", tt.sizes, got, tt.want)
		}
	}
}

// String draws a layout: capacity, bytes that hold nothing, then each column's size and offset.
func (l *Layout) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows of %d B, %d lost, %d colours:", l.capacity, l.rowBytes, l.lost(), l.colours)
	for i, s := range l.specs {
		fmt.Fprintf(&b, " %d@%d", s.Size, l.offsets[i])
	}
	return b.String()
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
	for _, tt := range []struct {
		name  string
		specs []Spec
		ok    bool
	}{
		{"the most columns", make256(1), true},
		{"a chunk of one value", []Spec{{Bytes, 1}}, true},
		{"alignment to a line", []Spec{{64, 64}}, true},
		{"no alignment", []Spec{{64, 0}}, false},
	} {
		if l, err := layoutOf(tt.specs); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v, %v", tt.name, &l, err)
		} else if _, block := inBlock(tt.specs, Classes-1); block && !tt.ok {
			t.Errorf("%s: refused in a slot, and not in a block", tt.name)
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

// Numbers of colours above the last are folded, and no two colours take one place.
func TestColoursAreFolded(t *testing.T) {
	l, err := layoutOf(specs(8, 16, 16))
	if err != nil {
		t.Fatal(err)
	}
	taken := map[uint32]uint32{}
	for c := range l.colours {
		at := l.Offset(1, c)
		if at != l.Offset(1, c+5*l.colours) {
			t.Errorf("%v: colour %d is not that of %d more", &l, c, l.colours)
		}
		if other, is := taken[at]; is {
			t.Errorf("%v: colours %d and %d both begin at %d", &l, other, c, at)
		}
		taken[at] = c
	}
	if l.colours != 4 || l.Offset(1, 1)-l.Offset(1, 0) != Line {
		t.Errorf("%d colours, a colour is %d bytes", l.colours, l.Offset(1, 1)-l.Offset(1, 0))
	}
}

// A column without bytes takes no room: the others lie as if it were not there.
func TestEmptyColumnsTakeNoRoom(t *testing.T) {
	for _, with := range [][]uint32{{0, 8, 16, 24}, {8, 0, 16, 0, 24}, {8, 16, 24, 0}, {0, 0, 0, 8, 16, 24}} {
		without := slices.DeleteFunc(slices.Clone(with), func(n uint32) bool { return n == 0 })
		l, err := layoutOf(specs(with...))
		want, err2 := layoutOf(specs(without...))
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

// Blocks are the same on every machine, too.
func TestBlocksAreKnown(t *testing.T) {
	for _, tt := range []struct {
		sizes []uint32
		class int
		text  string // "": too few rows
	}{
		{[]uint32{8, 16, 16}, 0, "24 rows of 40 B, 64576 lost, 1 colours: 8@0 16@192 16@576"},
		{[]uint32{8, 16, 16}, 1, "48 rows of 40 B, 63616 lost, 1 colours: 8@0 16@384 16@1152"},
		{[]uint32{8, 16, 16}, 7, "816 rows of 40 B, 32896 lost, 1 colours: 8@0 16@6528 16@19584"},
		{[]uint32{1}, 1, "248 rows of 1 B, 65288 lost, 1 colours: 1@0"},
		{[]uint32{8, 256}, 1, ""},
		{[]uint32{8, 256}, 2, "12 rows of 264 B, 62368 lost, 1 colours: 8@0 256@128"},
		{[]uint32{8, 1 << 10}, 4, ""},
		{[]uint32{8, 4080}, 7, "8 rows of 4088 B, 32832 lost, 1 colours: 8@0 4080@64"},
		{[]uint32{8, 4081}, 7, ""},
	} {
		l, ok := inBlock(specs(tt.sizes...), tt.class)
		if got := l.String(); ok != (tt.text != "") || ok && got != tt.text {
			t.Errorf("%v in a block of class %d: %v %q", tt.sizes, tt.class, ok, got)
		}
	}
}
