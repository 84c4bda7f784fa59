package legs

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// shown is a phase of systems with their times.
func shown(name string, lines []string, times ...time.Duration) Phase {
	p := Phase{Name: name, Times: times}
	for _, line := range lines {
		p.Systems = append(p.Systems, parse(line))
	}
	for len(p.Times) < len(lines) {
		p.Times = append(p.Times, 0)
	}
	p.Legs = Plan(p.Systems)
	return p
}

func TestText(t *testing.T) {
	ms := time.Millisecond
	fixed := shown("Fixed", []string{"push =speed"}, 1234567)
	each := shown("EachFrame", []string{"move =place +speed", "think =mind", "draw +place +mind", "age =life asks", "count alone"}, 3*ms, 2*ms, ms, 4*ms, ms)
	want := `Fixed
  safe point: the first
    push  1.23ms
EachFrame
  safe point: the first
    move  3ms
      beside think, age
    think  2ms
      beside move, age
    draw  1ms
      waits for move, which writes place, and this reads it
      waits for think, which writes mind, and this reads it
      beside age
    age  4ms
      beside move, think, draw
  safe point: runs alone: no ecs.Parallel, or fields that need a system alone
    count  1ms
critical path: push → move → draw → count: 4 of 6 systems, 6.23ms of 12.2ms
`
	if got := Text([]Phase{fixed, each}); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	each.Times[1] = 0 // not all are known: numbers of systems count
	each.Times[3] = 100 * ms
	if got := Text([]Phase{fixed, each}); !strings.HasSuffix(got, "critical path: push → move → draw → count: 4 of 6 systems\n") {
		t.Error(got)
	}
	if got := Text(nil); got != "no systems\n" {
		t.Error(got)
	}
}

func TestDOT(t *testing.T) {
	p := shown("EachFrame", []string{`move =place`, "draw +place", "age asks", "end"}, 3000, 1000, 100, 200)
	want := `digraph schedule {
	rankdir=LR
	compound=true
	node [shape=box]
	subgraph cluster_0_0 {
		label="EachFrame\nthe first"
		s0_0_0 [label="move\n3µs", style=bold]
		s0_0_1 [label="draw\n1µs", style=bold]
		s0_0_2 [label="age\n100ns"]
	}
	s0_0_0 -> s0_0_1 [label="place", style=bold]
	subgraph cluster_0_1 {
		label="EachFrame\nage asks for changes"
		s0_1_0 [label="end\n200ns", style=bold]
	}
	s0_0_2 -> s0_1_0 [style=dashed, label="safe point"]
}
`
	if got := DOT([]Phase{p}); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// Two systems are beside each other if and only if no chain of waits leads from one to the other.
func TestBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n := 1 + r.IntN(12)
		l := Leg{End: n, Waits: make([][]Wait, n)}
		reach := make([][]bool, n)
		for i := range n {
			reach[i] = make([]bool, n)
			for k := range i {
				if r.IntN(4) == 0 {
					l.Waits[i] = append(l.Waits[i], Wait{On: k})
					reach[i][k] = true
				}
			}
			for k := range i {
				for m := range k {
					reach[i][m] = reach[i][m] || reach[i][k] && reach[k][m]
				}
			}
		}
		for i := range n {
			var want []int
			for k := range n {
				if k != i && !reach[i][k] && !reach[k][i] {
					want = append(want, k)
				}
			}
			if got := Beside(l, i); !slices.Equal(got, want) {
				t.Fatalf("%v: beside %d: %v, want %v", l.Waits, i, got, want)
			}
		}
	}
}
