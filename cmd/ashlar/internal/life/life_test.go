package life

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
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
		{"lwss.rle", 101, 12, false},
		{"block.rle", 50, 4, false},
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
		"FIFO":        {FIFO: true, Tag: 3},
		"normal":      {Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}},
	}
	boards := map[string]Options{"unbounded": {}, "fixed": {Width: 96, Height: 70}, "torus": {Width: 41, Height: 33, Torus: true}}
	for board, o := range boards {
		generations := 220
		if race.Enabled {
			generations = 60
		}
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
	// On the smallest tori cells are neighbours twice over, or their own: all are crowded.
	if n, _ := run(t, "glider.rle", 1, Options{Width: 3, Height: 3, Torus: true}); n != 0 {
		t.Errorf("torus of 3 by 3: %d cells, want none", n)
	}
	if n, _ := run(t, "block.rle", 1, Options{Width: 2, Height: 2, Torus: true}); n != 0 {
		t.Errorf("torus of 2 by 2: %d cells, want none", n)
	}
}

func TestSizes(t *testing.T) {
	p := load(t, "glider.rle")
	for _, o := range []Options{{Width: 2, Height: 9}, {Width: -1, Height: 3}, {Height: 9}, {Width: 9}, {Width: 1 << 20, Height: 1 << 20}, {Torus: true}} {
		if b, err := New(p, o); err == nil {
			b.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}

// reference is one generation on a plain map. place says where a cell beyond the
// edge is, and whether it is at all.
func reference(live map[pattern.Point]bool, r pattern.Rule, place func(pattern.Point) (pattern.Point, bool)) map[pattern.Point]bool {
	counts := map[pattern.Point]int{}
	for p := range live {
		for _, d := range directions() {
			if n, ok := place(pattern.Point{X: p.X + d.X, Y: p.Y + d.Y}); ok {
				counts[n]++
			}
		}
	}
	next := map[pattern.Point]bool{}
	for p, n := range counts {
		if live[p] && r.Survive>>n&1 != 0 || !live[p] && r.Born>>n&1 != 0 {
			next[p] = true
		}
	}
	return next
}

// Every kind of board agrees with a plain map in every generation, for Life and for
// HighLife.
func TestAgainstReference(t *testing.T) {
	const w, h = 27, 18 // 12 and 7 cells before the pattern's box of 3 by 3
	boards := map[string]struct {
		Options
		place func(pattern.Point) (pattern.Point, bool)
	}{
		"unbounded": {Options{}, func(p pattern.Point) (pattern.Point, bool) { return p, true }},
		"fixed": {Options{Width: w, Height: h}, func(p pattern.Point) (pattern.Point, bool) {
			return p, p.X >= -12 && p.X < w-12 && p.Y >= -7 && p.Y < h-7
		}},
		"torus": {Options{Width: w, Height: h, Torus: true}, func(p pattern.Point) (pattern.Point, bool) {
			return pattern.Point{X: (p.X+12+w)%w - 12, Y: (p.Y+7+h)%h - 7}, true
		}},
	}
	for name, board := range boards {
		for _, rule := range []string{"B3/S23", "B36/S23"} {
			t.Run(name+" "+rule, func(t *testing.T) {
				p := load(t, "r-pentomino.rle")
				var err error
				if p.Rule, err = pattern.ParseRule(rule); err != nil {
					t.Fatal(err)
				}
				b, err := New(p, board.Options)
				if err != nil {
					t.Fatal(err)
				}
				want := map[pattern.Point]bool{}
				for _, c := range p.Cells {
					want[c] = true
				}
				for range 150 {
					live := b.Live()
					if len(live) != len(want) || len(live) != b.Population() {
						t.Fatalf("generation %d: %d live cells, population %d, want %d", b.Generation(), len(live), b.Population(), len(want))
					}
					for _, c := range live {
						if !want[c] {
							t.Fatalf("generation %d: %v is alive", b.Generation(), c)
						}
					}
					if err := b.Step(t.Context()); err != nil {
						t.Fatal(err)
					}
					want = reference(want, p.Rule, board.place)
				}
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// A board that has no memory to grow says so and stays as it is, however often it
// is asked; with more memory it goes on as if nothing had been.
func TestNoMemoryToGrow(t *testing.T) {
	generations := 600
	if race.Enabled {
		generations = 200
	}
	_, want := run(t, "acorn.rle", generations, Options{})
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		var o Options
		o.ECS.Memory.Arena = arena.Options{Backend: backend}
		b, err := New(load(t, "acorn.rle"), o)
		if err != nil {
			t.Fatal(err)
		}
		memory := b.World.Manager().Arena()
		refused := 0
		for n := range generations {
			if n%50 == 0 {
				memory.SetLimit(memory.Stats().Committed) // nothing more from here on
			}
			err := b.Step(t.Context())
			if err == nil {
				continue
			}
			refused++
			hash := b.Hash()
			for range 3 {
				if !errors.Is(err, arena.ErrLimit) || b.Generation() != n || b.Hash() != hash {
					t.Fatalf("generation %d: at generation %d, hash changed %t, %v", n, b.Generation(), b.Hash() != hash, err)
				}
				err = b.Step(t.Context())
			}
			if err := b.World.Check(); err != nil {
				t.Fatal(err)
			}
			memory.SetLimit(0)
			if err := b.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if refused == 0 || b.Hash() != want {
			t.Errorf("%v: refused %d times, hash %x, want %x", backend, refused, b.Hash(), want)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A cancelled context stops a board between generations.
func TestCancelled(t *testing.T) {
	b, err := New(load(t, "glider.rle"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	if err := b.Step(ctx); err != nil {
		t.Fatal(err)
	}
	hash := b.Hash()
	cancel()
	if err := b.Step(ctx); !errors.Is(err, context.Canceled) || b.Generation() != 1 || b.Hash() != hash {
		t.Errorf("generation %d, %v", b.Generation(), err)
	}
	if err := b.Step(t.Context()); err != nil || b.Generation() != 2 || b.Hash() == hash {
		t.Errorf("going on: generation %d, %v", b.Generation(), err)
	}
}

// The hash is the pattern's place and shape: the same on a large board, and not the
// same one generation on.
func TestHash(t *testing.T) {
	_, unbounded := run(t, "r-pentomino.rle", 40, Options{})
	_, fixed := run(t, "r-pentomino.rle", 40, Options{Width: 99, Height: 101})
	_, later := run(t, "r-pentomino.rle", 41, Options{})
	if unbounded != fixed || unbounded == later {
		t.Errorf("unbounded %x, fixed %x, a generation later %x", unbounded, fixed, later)
	}
}
