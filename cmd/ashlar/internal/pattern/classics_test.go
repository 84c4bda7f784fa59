package pattern

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// plane is the live cells of an unbounded plane.
type plane map[Point]bool

// next is one generation, written as the rule reads and as slow as that is.
func (live plane) next(r Rule) plane {
	neighbours := map[Point]int{}
	for c := range live {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if dx != 0 || dy != 0 {
					neighbours[Point{c.X + dx, c.Y + dy}]++
				}
			}
		}
	}
	after := plane{}
	for c, n := range neighbours {
		if live[c] && r.Survive>>n&1 != 0 || !live[c] && r.Born>>n&1 != 0 {
			after[c] = true
		}
	}
	return after
}

// moved is the plane with all cells elsewhere.
func (live plane) moved(by Point) plane {
	to := plane{}
	for c := range live {
		to[Point{c.X + by.X, c.Y + by.Y}] = true
	}
	return to
}

const classics = "../../../../docs/patterns"

func read(t *testing.T, file string) *Pattern {
	t.Helper()
	f, err := os.Open(filepath.Join(classics, file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Parse(file, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *Pattern) plane() plane {
	live := plane{}
	for _, c := range p.Cells {
		live[c] = true
	}
	return live
}

// Every pattern of the tree evolves as is known of it, on a plain map: so the files
// are right, whatever else is.
func TestClassics(t *testing.T) {
	type populations map[int]int // by generation
	gun := populations{}
	for n := range 11 {
		gun[30*n] = 36 + 5*n
	}
	tests := []struct {
		file   string
		known  populations
		period int   // 0: not periodic, or not known
		shift  Point // after a period
		long   bool
	}{
		{"block.rle", populations{0: 4, 1: 4}, 1, Point{}, false},
		{"pulsar.cells", populations{0: 48, 1: 56, 2: 72}, 3, Point{}, false},
		{"glider.rle", populations{0: 5, 100: 5}, 4, Point{1, 1}, false},
		{"lwss.rle", populations{0: 9, 1: 12, 2: 9, 3: 12}, 4, Point{-2, 0}, false},
		{"gosper-gun.rle", gun, 0, Point{}, false},
		{"diehard.rle", populations{0: 7, 129: 2, 130: 0}, 0, Point{}, false},
		{"r-pentomino.rle", populations{0: 5, 1103: 116}, 0, Point{}, false},
		{"acorn.rle", populations{0: 7, 5206: 633}, 0, Point{}, true},
	}
	tested := map[string]bool{}
	for _, tt := range tests {
		tested[tt.file] = true
		t.Run(tt.file, func(t *testing.T) {
			p := read(t, tt.file)
			if p.Name == "" || p.Rule != Life() {
				t.Errorf("name %q, rule %v: say what it is", p.Name, p.Rule)
			}
			last := tt.period
			for n := range tt.known {
				last = max(last, n)
			}
			if tt.long && testing.Short() {
				last = 0
			}
			live := p.plane()
			for n := range last + 1 {
				if want, ok := tt.known[n]; ok && len(live) != want {
					t.Errorf("generation %d: %d live cells, want %d", n, len(live), want)
				}
				if n > 0 && n == tt.period && !maps.Equal(live, p.plane().moved(tt.shift)) {
					t.Errorf("after %d generations it is not itself again, moved by %v", n, tt.shift)
				}
				live = live.next(p.Rule)
			}
		})
	}
	files, err := os.ReadDir(classics)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if ext := filepath.Ext(f.Name()); (ext == ".rle" || ext == ".cells") && !tested[f.Name()] {
			t.Errorf("%s is not tested: say what is known of it", f.Name())
		}
	}
}
