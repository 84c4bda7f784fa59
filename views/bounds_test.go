package views_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// A query over a log goes over the chunks that can have matching rows.
func ExampleBounds() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var times memmgr.Col[int64]
	log, err := m.NewSequence("log", &times)
	if err != nil {
		panic(err)
	}
	for now := range int64(100_000) {
		l, err := log.Append()
		if err != nil {
			panic(err)
		}
		times.Set(l, now)
	}
	within := views.NewBounds(times, func(v *int64) int64 { return *v })
	found, chunks, all := 0, 0, 0
	for l, values := range times.Chunks(log) {
		all++
		if least, greatest := within.Of(l); greatest < 40_000 || least > 40_099 {
			continue
		}
		chunks++
		for _, at := range values {
			if at >= 40_000 && at <= 40_099 {
				found++
			}
		}
	}
	fmt.Println(found, "rows in", chunks, "of", all, "chunks")
	// Output: 100 rows in 1 of 13 chunks
}

// Bounds equal the values' after rows come, go, move or are written.
func TestBounds(t *testing.T) {
	for _, stress := range []bool{false, true} {
		m, err := memmgr.New(memmgr.Options{Stress: stress})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		type wide struct {
			Key  int32
			Rest [60]byte
		}
		var col memmgr.Col[wide]
		s, err := m.NewSequence("s", &col)
		if err != nil {
			t.Fatal(err)
		}
		passes := 0
		b := views.NewBounds(col, func(v *wide) int32 { passes++; return v.Key })
		r := rand.New(rand.NewPCG(1, 7))
		for step := range 600 {
			switch n := s.Len(); r.IntN(8) {
			case 7:
				s.RemoveFunc(func(memmgr.Loc) bool { return r.IntN(9) == 0 })
			case 0, 1:
				for range r.IntN(2000) {
					l, err := s.Append()
					if err != nil {
						t.Fatal(err)
					}
					col.Set(l, wide{Key: int32(r.IntN(1 << 20))})
				}
			case 2:
				for range min(n, r.IntN(5)) {
					col.Set(s.At(r.IntN(n)), wide{Key: int32(r.IntN(1<<21) - 1<<20)})
				}
			case 3:
				for range min(n/2, r.IntN(300)) {
					s.SwapRemove(s.At(r.IntN(s.Len())))
				}
			case 4:
				i := r.IntN(n + 1)
				s.RemoveRange(i, i+r.IntN(min(n-i, 500)+1))
			case 5:
				s.DropFirst(r.IntN(n/4 + 1))
			default:
				m.Advance()
				if err := m.EndFrame(); err != nil {
					t.Fatal(err)
				}
			}
			for l, values := range col.Chunks(s) {
				if len(values) == 0 {
					continue
				}
				want := slices.MinFunc(values, func(a, b wide) int { return int(a.Key) - int(b.Key) }).Key
				most := slices.MaxFunc(values, func(a, b wide) int { return int(a.Key) - int(b.Key) }).Key
				if least, greatest := b.Of(l); least != want || greatest != most {
					t.Fatalf("step %d: %d to %d, want %d to %d", step, least, greatest, want, most)
				}
			}
		}
		for range 2 { // a write in the tick of a look counts as later
			m.Advance()
			for l := range col.Chunks(s) {
				b.Of(l)
			}
		}
		passes = 0
		if err := m.EndFrame(); err != nil { // under stress all chunks move
			t.Fatal(err)
		}
		for l := range col.Chunks(s) {
			b.Of(l)
		}
		if s.Len() == 0 || passes != 0 {
			t.Errorf("%d values of %d were read again", passes, s.Len())
		}
	}
}

// A value that is no number is never skipped, whatever a filter asks.
func TestBoundsOfNaN(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var col memmgr.Col[float64]
	s, err := m.NewSequence("s", &col)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{3, math.NaN(), -1} {
		l, err := s.Append()
		if err != nil {
			t.Fatal(err)
		}
		col.Set(l, v)
	}
	if least, greatest := views.NewBounds(col, func(v *float64) float64 { return *v }).Of(s.At(0)); least == least || greatest == greatest {
		t.Errorf("%v to %v", least, greatest)
	}
}
