package life

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/pattern"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

func load(t testing.TB, name string) *pattern.Pattern {
	f, err := os.Open(filepath.Join("../../../../docs/patterns", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := pattern.Parse(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run returns the board after n generations, checked and closed.
func run(t testing.TB, name string, n int, o Options) (population int, hash uint64) {
	t.Helper()
	b, err := New(load(t, name), o)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if err := b.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.World.Check(); err != nil {
		t.Fatal(err)
	}
	population, hash = b.Population(), b.Hash()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return population, hash
}

func TestKnownPatterns(t *testing.T) {
	tests := []struct {
		name        string
		generations int
		want        int
		long        bool
	}{
		{"glider.rle", 400, 5, false},
		{"diehard.rle", 129, 2, false},
		{"diehard.rle", 130, 0, false},
		{"pulsar.cells", 0, 48, false},
		{"pulsar.cells", 3, 48, false},
		{"pulsar.cells", 1, 56, false},
		{"gosper-gun.rle", 0, 36, false},
		{"gosper-gun.rle", 30, 41, false},
		{"gosper-gun.rle", 300, 86, false},
		{"r-pentomino.rle", 1103, 116, true},
		{"acorn.rle", 5206, 633, true},
	}
	for _, tt := range tests {
		if tt.long && testing.Short() {
			continue
		}
		if got, _ := run(t, tt.name, tt.generations, Options{}); got != tt.want {
			t.Errorf("%s after %d generations: %d live cells, want %d", tt.name, tt.generations, got, tt.want)
		}
	}
}

func TestGunGainsAGliderEvery30(t *testing.T) {
	b, err := New(load(t, "gosper-gun.rle"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for n := range 8 {
		if got := b.Population(); got != 36+5*n {
			t.Errorf("generation %d: %d live cells, want %d", b.Generation(), got, 36+5*n)
		}
		for range 30 {
			if err := b.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestSameUnderEveryOption(t *testing.T) {
	heap := arena.Options{Backend: arena.Heap}
	variants := map[string]ecs.Options{
		"stress":      {Memory: memmgr.Options{Stress: true}},
		"heap":        {Memory: memmgr.Options{Arena: heap}},
		"heap stress": {Memory: memmgr.Options{Arena: heap, Stress: true}},
		"FIFO":        {Recycle: ecs.FIFO, Tag: 3},
		"normal":      {Memory: memmgr.Options{NoHugePages: true}},
	}
	boards := map[string]Options{"unbounded": {}, "fixed": {Width: 96, Height: 70}, "torus": {Width: 41, Height: 33, Torus: true}}
	for board, o := range boards {
		generations := 220
		wantN, want := run(t, "r-pentomino.rle", generations, o)
		for name, v := range variants {
			o.ECS = v
			if n, got := run(t, "r-pentomino.rle", generations, o); got != want || n != wantN {
				t.Errorf("%s, %s: %d cells with hash %x, want %d with %x", board, name, n, got, wantN, want)
			}
		}
	}
}

// A glider on a torus comes back to where it was; on a plate it becomes a block.
func TestEdges(t *testing.T) {
	if n, h := run(t, "glider.rle", 4*16, Options{Width: 16, Height: 16, Torus: true}); n != 5 {
		t.Errorf("torus: %d cells, hash %x", n, h)
	} else if _, h0 := run(t, "glider.rle", 0, Options{Width: 16, Height: 16, Torus: true}); h != h0 {
		t.Errorf("torus: the glider did not come back")
	}
	if n, _ := run(t, "glider.rle", 100, Options{Width: 16, Height: 16}); n != 4 {
		t.Errorf("plate: %d cells, want a block of 4", n)
	}
	if n, _ := run(t, "glider.rle", 1, Options{Width: 3, Height: 3, Torus: true}); n > 9 {
		t.Errorf("smallest torus: %d cells", n)
	}
}

func TestSizes(t *testing.T) {
	p := load(t, "glider.rle")
	for _, o := range []Options{{Width: 2, Height: 9}, {Width: -1, Height: 3}, {Width: 1 << 20, Height: 1 << 20}, {Torus: true}} {
		if b, err := New(p, o); err == nil {
			b.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}

// reference is one generation on a plain map.
func reference(live map[pattern.Point]bool, r pattern.Rule) map[pattern.Point]bool {
	counts := map[pattern.Point]int{}
	for p := range live {
		for _, d := range directions() {
			counts[pattern.Point{X: p.X + d.X, Y: p.Y + d.Y}]++
		}
	}
	next := map[pattern.Point]bool{}
	for p, n := range counts {
		if set := r.Born; live[p] {
			if r.Survive>>n&1 != 0 {
				next[p] = true
			}
		} else if set>>n&1 != 0 {
			next[p] = true
		}
	}
	return next
}

// The unbounded board agrees with a plain map in every generation, for Life and
// for HighLife.
func TestAgainstReference(t *testing.T) {
	for _, rule := range []string{"B3/S23", "B36/S23"} {
		p := load(t, "r-pentomino.rle")
		p.Rule, _ = pattern.ParseRule(rule)
		b, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := map[pattern.Point]bool{}
		for _, c := range p.Cells {
			want[c] = true
		}
		for range 150 {
			live := b.Live()
			if len(live) != len(want) {
				t.Fatalf("%s, generation %d: %d live cells, want %d", rule, b.Generation(), len(live), len(want))
			}
			for _, c := range live {
				if !want[c] {
					t.Fatalf("%s, generation %d: %v is alive", rule, b.Generation(), c)
				}
			}
			if err := b.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			want = reference(want, p.Rule)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
