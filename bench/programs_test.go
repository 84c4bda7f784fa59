package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/programs"
	"github.com/ashlar-go/ashlar/bench/internal/public"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// TestMain has the test binary do the work of bench for -stage, because it is started in
// place of it.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "-stage" {
		if storage, is := strings.CutPrefix(os.Args[2], public.StartStage); is && public.Start(storage, os.Stdout) {
			os.Exit(0)
		}
		entities, _ := strconv.Atoi(os.Args[4])
		v, found := variant(slices.Concat(programs.All(), made()), os.Args[2])
		if !found {
			os.Exit(2)
		}
		os.Exit(play(v, entities, os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// made are programs for tests: they count, one of them wrongly, and one does not begin.
func made() []twin.Program {
	counting := func(name string, step uint64) twin.Variant {
		return twin.Variant{Name: name, Open: func(n int) twin.Stage {
			prepared, sum := uint64(0), uint64(n)
			return twin.Stage{Prepare: func() { prepared++ }, Frame: func() { sum += step }, Digest: func() uint64 { return prepared<<32 + sum }}
		}}
	}
	broken := twin.Variant{Name: twin.Slices, Open: func(int) twin.Stage { os.Exit(3); panic("") }}
	return []twin.Program{
		{Name: "same", Entities: 8, Frames: 25, Warm: 15, Variants: []twin.Variant{counting(twin.Ashlar, 1), counting(twin.Slices, 1)}},
		{Name: "different", Entities: 8, Frames: 5, Variants: []twin.Variant{counting(twin.Ashlar, 1), counting(twin.Slices, 2)}},
		{Name: "broken", Entities: 8, Frames: 5, Variants: []twin.Variant{counting(twin.Ashlar, 1), broken}},
	}
}

func TestProgramsRun(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("there are no processes")
	}
	tests := []struct {
		all    []twin.Program
		args   string
		match  string
		status int
		out    []string
		errs   string
	}{
		{made(), "same", "^same$", 0, []string{"same", "slices"}, ""},
		{made(), "variants that differ", "^different$", 1, nil, "they are not the same program"},
		{made(), "one that does not begin, and the next", "broken|same", 1, []string{"same"}, "slices: it did not get ready"},
		{programs.All(), "real ones", "^survivors|^overlap: .P,A., 16k", -1, []string{"survivors", "overlap: (P,A), 16k", "tables", "sparse", "budget 1.05x"}, ""},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		status := runPrograms(tt.all, request{match: regexp.MustCompile(tt.match), divide: 64, frames: 12, out: &out, errs: &errs})
		if tt.status >= 0 && status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.args, status, tt.status)
		}
		for _, want := range tt.out {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", tt.args, want, out.String())
			}
		}
		if got := errs.String(); (got == "") != (tt.errs == "") || !strings.Contains(got, tt.errs) {
			t.Errorf("%s: %q, want %q", tt.args, got, tt.errs)
		}
	}
}

// The warm-up is run and not counted.
func TestInTurns(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("there are no processes")
	}
	all, err := inTurns(made()[0], turn)
	if err != nil || len(all) != 2 || len(all[0].turns) != 3 || len(all[1].turns) != 3 || all[0].name != twin.Ashlar || all[1].name != twin.Slices {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestProgramFlags(t *testing.T) {
	for args, want := range map[string]int{"-programs -list": 0, "-programs -divide 0": 2, "-programs -frames -1": 2, "-stage nothing -entities 1": 2} {
		var out, errs bytes.Buffer
		if got := run(strings.Fields(args), &out, &errs); got != want || (want == 2) != (errs.Len() > 0) {
			t.Errorf("%s: status %d, %s", args, got, errs.String())
		}
		if want == 0 && strings.Count(out.String(), "\n") != len(programs.All()) {
			t.Errorf("%s prints\n%s", args, out.String())
		}
	}
}

// A variant answers each request, and runs as many frames as it is asked for.
func TestPlay(t *testing.T) {
	v, found := variant(made(), "same/slices")
	if _, other := variant(made(), "same"); !found || other {
		t.Fatal("the variant is not found by its name alone")
	}
	var out strings.Builder
	play(v, 8, strings.NewReader("3\n4\nend\n"), &out)
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 5 || lines[0] != "ready" || len(strings.Fields(lines[1])) != 3 || len(strings.Fields(lines[2])) != 4 {
		t.Fatalf("%q", lines)
	}
	if want := fmt.Sprintf("%d ", uint64(7<<32+8+7)); !strings.HasPrefix(lines[3], want) {
		t.Errorf("it ends with %q, want %s", lines[3], want)
	}
}

func TestSummed(t *testing.T) {
	// The first frame of a turn does not count, but where it is alone.
	a := summed(played{"a", [][]time.Duration{{99, 2, 4}, {99, 6, 8}, {10}}, 640})
	if a.p50 != 6 || a.max != 10 || !slices.Equal(a.turns, []float64{3, 7, 10}) {
		t.Errorf("%+v", a)
	}
	b := summed(played{"b", [][]time.Duration{{0, 1, 1}, {0, 1, 1}, {4}}, 64})
	if r, s := ratio(a, b); r != 3 || s == 0 {
		t.Errorf("ratio %g, spread %g", r, s)
	}
}

func TestHeld(t *testing.T) {
	all := []figures{
		{name: twin.Ashlar, p50: 9, p99: 30, resident: 640, turns: []float64{9, 9, 9}},
		{name: twin.Slices, p50: 1, p99: 10, resident: 64, turns: []float64{1, 1, 1}},
		{name: twin.Tables, p50: 6, p99: 20, resident: 320, turns: []float64{6, 6, 6}},
		{name: twin.Sparse, p50: 3, p99: 60, resident: 160, turns: []float64{3, 3, 3}},
	}
	best := []string{twin.Tables, twin.Sparse}
	tests := []struct {
		bar   twin.Bar
		value float64
		of    string
		kept  bool
	}{
		{twin.Bar{Figure: twin.P50, Of: best, Most: 3}, 3, twin.Sparse, true},
		{twin.Bar{Figure: twin.P50, Of: best, Most: 2.9}, 3, twin.Sparse, false},
		{twin.Bar{Figure: twin.P99, Of: best, Most: 1.5}, 1.5, twin.Tables, true},
		{twin.Bar{Figure: twin.Resident, Of: []string{twin.Slices}, Most: 2}, 10, twin.Slices, false},
		{twin.Bar{Figure: twin.PerEntity, Most: 80}, 80, "", true},
		{twin.Bar{Figure: twin.PerEntity, Most: 79}, 80, "", false},
	}
	for _, tt := range tests {
		if value, of, kept := held(tt.bar, all, 8); value != tt.value || of != tt.of || kept != tt.kept {
			t.Errorf("%+v: %g of %q, kept %v; want %g of %q, %v", tt.bar, value, of, kept, tt.value, tt.of, tt.kept)
		}
	}
}

// A figure over a bar says so, and one that was not measured is not over it.
func TestProgramTable(t *testing.T) {
	p := twin.Program{Name: "p", Entities: 1, Bars: []twin.Bar{{Figure: twin.PerEntity, Most: 5}}}
	for _, tt := range []struct {
		resident float64
		kept     bool
		text     string
	}{{5, true, "bytes an entity 5, budget 5\n"}, {6, false, "budget 5: over\n"}, {math.NaN(), true, "not measured\n"}} {
		var out strings.Builder
		kept := printProgram(&out, p, []figures{{name: twin.Ashlar, p50: 2e6, resident: tt.resident, turns: []float64{1}}})
		if kept != tt.kept || !strings.Contains(out.String(), tt.text) || !strings.Contains(out.String(), "2 ms") {
			t.Errorf("%g bytes: kept %v, %s", tt.resident, kept, out.String())
		}
	}
}
