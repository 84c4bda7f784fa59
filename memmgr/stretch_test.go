package memmgr_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Stretches have all rows in order, whatever their number and whatever has moved, and writing to one
// marks the chunks of its rows.
func TestStretches(t *testing.T) {
	for _, o := range []memmgr.Options{{}, {Stress: true}, {Arena: arena.Options{Backend: arena.Heap}}} {
		m := manager(t, o)
		var serial, twice memmgr.Col[uint64]
		var wide memmgr.Col[[5]uint64]
		s := newRows(t, m, "s", &serial, &wide, &twice)
		next, most := uint64(0), 0
		for _, n := range []int{0, 1, 7, 1000, 20_000, 60_000, 200_000} {
			for range n {
				l, err := s.Append()
				if err != nil {
					t.Fatal(err)
				}
				serial.Set(l, next)
				next++
			}
			if n == 20_000 {
				s.DropFirst(s.Len() / 2)
			}
			for range 40 { // chunks that were made before it was long come to their regions
				if err := m.EndFrame(); err != nil {
					t.Fatal(err)
				}
			}
			since := m.Advance()
			want := next - uint64(s.Len())
			for l, n := range s.Stretches() {
				most = max(most, n)
				from, to := serial.Stretch(l, n), twice.MutStretch(l, n)
				for i, v := range from {
					if v != want {
						t.Fatalf("%d is there, want %d", v, want)
					}
					to[i], want = 2*v, want+1
				}
			}
			if want != next {
				t.Fatalf("stretches end before %d, want %d", want, next)
			}
			for l, values := range twice.Chunks(s) {
				if !twice.Changed(l, since) || wide.Changed(l, since) {
					t.Errorf("%v: changed %v, and the other %v", l, twice.Changed(l, since), wide.Changed(l, since))
				}
				if i := slices.IndexFunc(values, func(v uint64) bool { return v%2 != 0 }); i >= 0 {
					t.Errorf("%v: %d", l, values[i])
				}
			}
		}
		if chunk := s.Capacity(); !o.Stress && most < 8*chunk {
			t.Errorf("%+v: the longest stretch has %d rows, a chunk %d", o, most, chunk)
		}
		for l, n := range s.Stretches() { // a stretch within one, and a piece of one
			k := min(n-1, 3)
			at := l.Plus(uint32(k))
			if got, first := serial.Stretch(at, n-k), serial.Stretch(l, n); len(got) != n-k || got[0] != first[k] || got[len(got)-1] != first[n-1] {
				t.Errorf("%v: %d rows", at, len(got))
			}
			break
		}
	}
}

// Only the chunks of the rows that are asked for are marked.
func TestMutStretchMarksItsRows(t *testing.T) {
	m := manager(t, memmgr.Options{})
	var col memmgr.Col[uint64]
	s := newRows(t, m, "s", &col)
	add(t, s, 20*s.Capacity())
	for range 40 {
		if err := m.EndFrame(); err != nil {
			t.Fatal(err)
		}
	}
	for l, n := range s.Stretches() {
		if n < 4*s.Capacity() {
			continue
		}
		since := m.Advance()
		col.MutStretch(l.Plus(5), 2*s.Capacity()) // ends in the third chunk
		marked := 0
		for at := range col.Chunks(s) {
			if col.Changed(at, since) {
				marked++
			}
		}
		if marked != 3 {
			t.Errorf("%d chunks are marked, want 3", marked)
		}
		if arena.Checked {
			panics(t, func() { col.Stretch(l.Plus(5), n) }, "are side by side")
		}
		return
	}
	t.Error("no stretch is long")
}

func ExampleSequence_Stretches() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var at, speed memmgr.Col[float32]
	things, err := m.NewSequence("things", &at, &speed)
	if err != nil {
		panic(err)
	}
	for range 100_000 {
		l, err := things.Append()
		if err != nil {
			panic(err)
		}
		at.Set(l, 0)
		speed.Set(l, 2)
	}
	sum := float32(0)
	for l, n := range things.Stretches() {
		xs, vs := at.MutStretch(l, n), speed.Stretch(l, n)
		for i, v := range vs {
			xs[i] += v
			sum += xs[i]
		}
	}
	fmt.Println(sum)
	// Output: 200000
}
