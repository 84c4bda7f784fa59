package ecs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/views"
)

// A build is charged to those who can use it: no system that writes the owner comes
// between them.
func TestSharers(t *testing.T) {
	type place struct{ X, Y float64 }
	type mark struct{ V uint64 }
	type look struct {
		M []mark
		X []float64 `ashlar:"place.X"`
	}
	type push struct {
		M []mark
		Y []float64 `ashlar:"place.Y,write"`
	}
	type both struct {
		M []mark
		X []float64 `ashlar:"place.X"`
		Y []float64 `ashlar:"place.Y,write"`
	}
	type bell struct{ V uint64 }
	type far struct {
		B []bell
		X []float64 `ashlar:"place.X"`
	}
	type perhaps struct {
		M []mark
		X []float64 `ashlar:"place.X,optional"`
	}
	type drive struct {
		P []place `ashlar:"write"`
	}
	type turn struct {
		M []mark
		Y []float64 `ashlar:"place.Y"`
	}
	type see struct {
		M []mark
		P []place
	}
	for order, want := range map[string]string{
		"l":     "1",
		"ly":    "1", // of transform.X
		"lyl":   "2 2",
		"lydly": "1 1",
		"lpy":   "1",
		"ls":    "1",
		"lsdl":  "1 1",
		"lll":   "3 3 3",
		"ldl":   "1 1",
		"llpl":  "2 2 1",
		"dlldl": "2 2 1",
		"pld":   "1",

		"lfol":  "2 2",   // a group of their own, and what is optional is streamed
		"lbl":   "2 2 1", // what it writes is not what it has read
		"bb":    "1 1",
		"lblbl": "2 2 2 2 1",
	} {
		w, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		Register[place](w, "place")
		Register[mark](w, "mark")
		Register[bell](w, "bell")
		GroupOf[struct{ B bell }](w, "bells")
		GroupOf[struct{ P place }](w, "places")
		g, _ := GroupOf[struct{ M mark }](w, "marks")
		for i, s := range order {
			name := fmt.Sprint("system", i)
			switch s {
			case 'l':
				System(w, name, func(*look) {})
			case 'y':
				System(w, name, func(*turn) {})
			case 's':
				System(w, name, func(*see) {})
			case 'p':
				System(w, name, func(*push) {})
			case 'f':
				System(w, name, func(*far) {})
			case 'o':
				System(w, name, func(*perhaps) {})
			case 'b':
				System(w, name, func(*both) {})
			case 'd':
				System(w, name, func(*drive) {})
			}
		}
		counts := func() (got string) {
			for i, s := range order {
				if s == 'l' || s == 'b' {
					in := &served{query: w.systems[i].query, group: g.group}
					got += fmt.Sprint(g.view(&in.query.columns[1]).sharers(in), " ")
				}
			}
			return strings.TrimSpace(got)
		}
		if got := counts(); got != want {
			t.Errorf("%s: %s, want %s", order, got, want)
		}
		before := counts()
		System(w, "late", func(*drive) {})
		System(w, "later", func(*look) {})
		if after := counts(); after != before {
			t.Errorf("%s, and others behind a writer: %s, want %s", order, after, before)
		}
		in := &served{query: w.systems[len(order)+1].query, group: g.group}
		v := g.view(&in.query.columns[1])
		if n := v.sharers(in); n != 1 {
			t.Errorf("%s, and one behind a writer: %d", order, n)
		}
		v.stretches[len(v.stretches)-1].readers = 99
		if n := v.sharers(in); n != 99 {
			t.Errorf("%s: %d, counted again though no system has come", order, n)
		}
		w.Close()
	}
}

// readers is a world of so many systems that read the same of one component, for so many rows.
func readers(t testing.TB, systems, rows int) *World {
	t.Helper()
	type (
		place struct{ X, Y float64 }
		mark  struct{ V uint64 }
		look  struct {
			M []mark
			X []float64 `ashlar:"place.X"`
		}
	)
	w, err := New(Options{NoAdapt: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	Register[place](w, "place")
	marks, _ := Register[mark](w, "mark")
	owner, _ := GroupOf[struct{ P place }](w, "places")
	GroupOf[struct{ M mark }](w, "marks")
	for i := range systems {
		System(w, fmt.Sprint("system", i), func(*look) {})
	}
	for range rows {
		e, _ := owner.Spawn(struct{ P place }{})
		if err := marks.Add(e, mark{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// In a trial a build is timed, and charged to all who share it.
func TestBuildsAreCharged(t *testing.T) {
	w := readers(t, 4, 5000)
	s := w.systems[0].served[0]
	c := &s.cols[0]
	if c.built <= 0 {
		t.Errorf("a build took %v", c.built)
	}
	c.choice = views.Start(views.Unset, views.Unset, c.applies())
	for range 6 {
		c.built = 800
		s.judge(w, 100, 1, 1000)
	}
	if cost := c.choice.Cost(views.Keep); cost != 4 { // (200 + 800/4) / 100
		t.Errorf("a row costs %v ns, want 4", cost)
	}
}

// BenchmarkReaders is a frame of many systems that read one component: what is kept, and
// in trials.
func BenchmarkReaders(b *testing.B) {
	for _, systems := range []int{25, 100, 400, 1600} {
		for _, intent := range []views.Strategy{views.Keep, views.Unset} {
			b.Run(fmt.Sprintf("systems=%d/intent=%v", systems, intent), func(b *testing.B) {
				w := readers(b, systems, 64)
				for b.Loop() {
					for _, x := range w.systems {
						c := &x.served[0].cols[0]
						c.choice = views.Start(views.Unset, intent, c.applies())
					}
					if err := w.Run(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*systems), "ns/system")
			})
		}
	}
}
