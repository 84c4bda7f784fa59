package chunk

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// verifyShape holds every layout of a shape against the invariants.
func verifyShape(s *Shape) error {
	if err := verify(&s.Full, Bytes); err != nil {
		return fmt.Errorf("%v: %w", &s.Full, err)
	}
	last := uint32(0)
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if err := verify(&b.Layout, BlockBytes(b.Class)); err != nil {
			return fmt.Errorf("block %d, %v: %w", b.Class, &b.Layout, err)
		}
		if b.Capacity() < blockRows || b.Capacity() <= last || b.Capacity() >= s.Full.Capacity() {
			return fmt.Errorf("block %d holds %d rows, the one before %d, a chunk %d", b.Class, b.Capacity(), last, s.Full.Capacity())
		}
		last = b.Capacity()
	}
	if s.Stripes == nil {
		return nil
	}
	return verifyStripes(s.Stripes, &s.Full)
}

// verifyStripes: columns are aligned, side by side, and apart from each other.
func verifyStripes(s *Stripes, full *Layout) error {
	end, runs := uint32(0), map[uint32]uint32{}
	for offset, step := range s.Runs() {
		runs[offset] = step
	}
	for i := range full.Columns() {
		spec := full.Spec(i)
		if spec.Size == 0 {
			continue
		}
		if step := runs[s.Offset(i, 0)]; step != full.Capacity()*spec.Size {
			return fmt.Errorf("column %d: %d bytes a position", i, step)
		}
		delete(runs, s.Offset(i, 0))
		if s.Offset(i, 0) < end {
			return fmt.Errorf("column %d begins at %d, within the one before, which ends at %d", i, s.Offset(i, 0), end)
		}
		for p := range uint32(RegionChunks) {
			if at := s.Offset(i, p); at%spec.Align != 0 || at != s.Offset(i, 0)+p*full.Capacity()*spec.Size {
				return fmt.Errorf("column %d at position %d begins at %d", i, p, at)
			}
		}
		end = s.Offset(i, RegionChunks)
	}
	if len(runs) != 0 || end > regionBytes {
		return fmt.Errorf("%d runs too many, and columns end at %d", len(runs), end)
	}
	return nil
}

func TestShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	striped := 0
	for range 1000 {
		var sizes []uint32
		for range 1 + r.IntN(24) {
			sizes = append(sizes, []uint32{0, 1, 2, 4, 8, 12, 16, 24, 32, 33, 48, 64, 96, 128, 256, 4000}[r.IntN(16)])
		}
		s, err := NewShape(specs(sizes...))
		if err != nil {
			t.Fatalf("%v: %v", sizes, err)
		}
		if err := verifyShape(s); err != nil {
			t.Errorf("%v: %v", sizes, err)
		}
		if s.Stripes != nil {
			striped++
		}
	}
	// Few bytes a row: a chunk has as many rows as it may, and blocks have fewer.
	for _, sizes := range [][]uint32{nil, {0}, {0, 0}, {1}, {0, 1}, {2}, {4}, {1, 4}} {
		s, err := NewShape(specs(sizes...))
		if err == nil {
			err = verifyShape(s)
		}
		if err != nil {
			t.Errorf("%v: %v", sizes, err)
		}
	}
	if striped < 950 {
		t.Errorf("%d of 1000 shapes can be striped", striped)
	}
}

func TestBlockFor(t *testing.T) {
	s, err := NewShape(specs(8, 16, 16))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rows, class uint32
		ok          bool
	}{{1, 0, true}, {24, 0, true}, {46, 1, true}, {60, 2, true}, {120, 3, true}, {800, 7, true}, {1000, 0, false}} {
		i, ok := s.BlockFor(tt.rows)
		if ok != tt.ok || ok && (uint32(s.Blocks[i].Class) != tt.class || s.Blocks[i].Capacity() < tt.rows) {
			t.Errorf("%d rows: block %d, %v", tt.rows, i, ok)
		}
	}
	wide, err := NewShape(specs(8, 8000))
	if err != nil || len(wide.Blocks) != 0 {
		t.Errorf("eight rows of 8,008 bytes: %d blocks, %v", len(wide.Blocks), err)
	}
}

// Blocks are odd numbers of lines, none larger than its share of a slot, each about
// half as large again as the one before, or more.
func TestClasses(t *testing.T) {
	for c := range Classes {
		n := BlockBytes(c)
		if n%Line != 0 || n/Line%2 == 0 {
			t.Errorf("class %d: %d bytes", c, n)
		}
		if used := uint32(Blocks(c)) * n; used > Bytes || used < Bytes*95/100 {
			t.Errorf("class %d: %d blocks use %d bytes", c, Blocks(c), used)
		}
		if c > 0 && n*100 < BlockBytes(c-1)*149 {
			t.Errorf("class %d: %d bytes after %d", c, n, BlockBytes(c-1))
		}
	}
}

func TestKey(t *testing.T) {
	key := func(specs []Spec) string { return string(AppendKey(nil, specs)) }
	a, b := key(specs(8, 16)), key(specs(8, 16))
	if a != b || a == key(specs(8, 1)) || a == key(specs(81, 6)) || a == key([]Spec{{8, 4}, {16, 8}}) {
		t.Error("keys do not tell columns apart")
	}
}

// Columns aligned to more than their size are as well aligned in
// every position of a region as in a slot, or not striped.
func TestStripesOfStrictAlignment(t *testing.T) {
	for _, specs := range [][]Spec{{{4, 64}, {12, 4}}, {{8, 8}, {16, 64}, {24, 32}}, {{1, 64}, {7, 1}}} {
		s, err := NewShape(specs)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifyShape(s); err != nil {
			t.Errorf("%v: %v", specs, err)
		}
	}
}
