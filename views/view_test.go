package views_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// Things are drawn in an order of their own, from back to front. Between two frames few of
// them move.
func ExampleView() {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		panic(err)
	}
	defer m.Close()
	var depth memmgr.Col[float32]
	things, err := m.NewSequence("things", &depth)
	if err != nil {
		panic(err)
	}
	var order []memmgr.Loc
	for i := range 4 {
		l, err := things.Append()
		if err != nil {
			panic(err)
		}
		depth.Set(l, float32(i))
		order = append(order, l)
	}
	slices.Reverse(order)

	view := views.New(depth, order)
	fmt.Println(view.Values())
	m.Advance()
	depth.Set(order[0], 3.5)
	fmt.Println(view.Values())
	// Output:
	// [3 2 1 0]
	// [3.5 2 1 0]
}

// A view equals reads row by row, whatever is written, moved and removed in between.
func TestViewAgainstReads(t *testing.T) {
	for name, o := range map[string]memmgr.Options{"default": {}, "stress": {Stress: true}} {
		t.Run(name, func(t *testing.T) {
			m, err := memmgr.New(o)
			if err != nil {
				t.Fatal(err)
			}
			var c memmgr.Col[[3]uint32]
			var other memmgr.Col[uint64]
			s, err := m.NewSequence("s", &c, &other)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(3, 1))
			for range 20_000 {
				l, err := s.Append()
				if err != nil {
					t.Fatal(err)
				}
				c.Set(l, [3]uint32{r.Uint32()})
			}
			rows := make([]memmgr.Loc, 3000)
			for i := range rows {
				rows[i] = s.At(r.IntN(s.Len() - 100)) // the last 100 are there to be removed
			}
			v := views.New(c, rows)
			clear(rows[:1]) // the view has its own
			rows[0] = rows[1]
			for step := range 300 {
				got := v.Values()
				for i, l := range rows[1:] {
					if got[i+1] != *c.At(l) {
						t.Fatalf("step %d: row %d is %v, want %v", step, i+1, got[i+1], *c.At(l))
					}
				}
				l := s.At(r.IntN(s.Len() - 1))
				switch r.IntN(6) {
				case 0:
					m.Advance()
				case 1:
					c.Set(l, [3]uint32{r.Uint32()})
				case 2:
					values := c.Slice(l)
					values[len(values)-1] = [3]uint32{r.Uint32()}
					c.Written(l)
				case 3:
					other.Set(l, 1)
				case 4:
					if err := m.EndFrame(); err != nil {
						t.Fatal(err)
					}
				case 5:
					if s.Len() > 19_901 {
						s.SwapRemove(l) // another row is there now
					}
				}
			}
			if err := m.Check(); err != nil {
				t.Error(err)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A refresh reads nothing of chunks that were not written.
func TestViewReadsWhatChanged(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var c memmgr.Col[uint64]
	s, err := m.NewSequence("s", &c)
	if err != nil {
		t.Fatal(err)
	}
	for range 20_000 {
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
	}
	first, last := s.At(0), s.At(s.Len()-1)
	v := views.New(c, []memmgr.Loc{last, first})
	m.Advance()
	v.Values()
	m.Advance()
	*c.At(first), *c.At(last) = 1, 2 // of these writes only one is noted
	c.Written(last)
	if got := v.Values(); got[0] != 2 || got[1] != 0 {
		t.Errorf("%d, want the last row's new value and the first one's old one", got)
	}
}

func BenchmarkView(b *testing.B) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	var c memmgr.Col[[4]float32]
	s, err := m.NewSequence("s", &c)
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]memmgr.Loc, 1<<19)
	for i := range rows {
		if rows[i], err = s.Append(); err != nil {
			b.Fatal(err)
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	rows = rows[:1<<16]
	v := views.New(c, rows)
	values := make([][4]float32, len(rows))
	for _, write := range []int{0, 1, 10, 100} { // percent of chunks
		b.Run(fmt.Sprintf("impl=view/changed=%d%%", write), func(b *testing.B) {
			for b.Loop() {
				m.Advance()
				i := 0
				for l := range c.Chunks(s) {
					if i++; i*write/100 != (i-1)*write/100 {
						c.Written(l)
					}
				}
				v.Values()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
		})
	}
	b.Run("impl=loop", func(b *testing.B) {
		for b.Loop() {
			for i, l := range rows {
				values[i] = *c.At(l)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
	})
}
