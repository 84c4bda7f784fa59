package policy_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
)

// one is a policy for one component whose counts a test sets.
type one struct {
	p      *policy.Policy
	counts policy.Counts
	tables policy.Tables
	frame  int
}

func newOne(o policy.Options) *one {
	s := &one{tables: policy.Tables{Living: 1, Rows: 1000}}
	s.p = policy.New(o, func(int, bool) policy.Counts { return s.counts })
	s.p.Add()
	return s
}

// run lets frames pass and returns the decisions: "4: optional, removed often".
func (s *one) run(frames, removes int) string {
	var out []string
	for range frames {
		s.frame++
		if removes > 0 {
			s.p.Removed(0, removes)
		}
		for _, d := range s.p.EndFrame(s.tables) {
			out = append(out, fmt.Sprintf("%d: %v, %v", s.frame, d.To, d.Reason))
		}
	}
	return strings.Join(out, "; ")
}

// With the defaults, 10,000 rows visited allow 20 removes a frame, and 1 more.
func TestOneComponent(t *testing.T) {
	type step struct {
		frames, removes int
		counts          policy.Counts
		want            string
	}
	seen := policy.Counts{Required: 10_000, Have: 5000, Among: 10_000}
	rare := policy.Counts{Required: 400, Have: 400, Among: 10_000}
	some := policy.Counts{Required: 1000, Have: 1000, Among: 10_000}
	many := policy.Counts{Required: 1500, Have: 1500, Among: 10_000}
	stays := policy.Tables{Living: 16, Rows: 16}
	tests := []struct {
		name   string
		tables policy.Tables
		way    string // stated
		steps  []step
	}{
		{name: "never removed", steps: []step{{1000, 0, seen, ""}}},
		{name: "removed at the limit", steps: []step{{1000, 21, seen, ""}}},
		{name: "removed above it", steps: []step{{1000, 24, seen, "4: optional, removed often"}}},
		{name: "excluded rows weigh four times as much", steps: []step{
			{1000, 80, policy.Counts{Excluded: 10_000, Have: 5000, Among: 10_000}, ""},
			{1000, 84, policy.Counts{Excluded: 10_000, Have: 5000, Among: 10_000}, "1007: optional, removed often"}}},
		{name: "not visited: one remove a frame is free", steps: []step{
			{1000, 1, policy.Counts{Have: 50, Among: 100}, ""},
			{200, 2, policy.Counts{Have: 50, Among: 100}, "1001: optional, removed often"}}},
		{name: "not visited, but many would move", steps: []step{
			{1000, 25, policy.Counts{Have: 100_000, Among: 100_000}, ""},
			{4, 50, policy.Counts{Have: 100_000, Among: 100_000}, "1001: optional, removed often"}}},
		{name: "once, all of them", steps: []step{{1, 5000, seen, ""}, {300, 0, seen, ""}}},
		{name: "three frames, all of them", steps: []step{{3, 5000, seen, ""}, {300, 0, seen, ""}}},
		{name: "few have it", steps: []step{{100, 200, rare, "4: thin, removed often"}}},
		{name: "calm again: the bits cost 22.2 rows a frame, a move 5,000", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {235, 0, seen, ""}, {40, 0, seen, "256: fixed, rarely removed"}}},
		{name: "calm for a time only", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {200, 0, seen, ""}, {20, 30, seen, ""}, {200, 0, seen, ""}}},
		{name: "removed at half the limit: neither nor", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {2000, 10, seen, ""}}},
		{name: "removed at a fifth of the limit", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {500, 4, seen, "249: fixed, rarely removed"}}},
		{name: "nobody has it any more", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {400, 0, policy.Counts{}, "160: fixed, rarely removed"}}},
		{name: "becomes rare, becomes common", steps: []step{
			{4, 30, seen, "4: optional, removed often"},
			{119, 30, rare, ""},
			{60, 30, rare, "145: thin, few have it"},
			{300, 30, some, ""},
			{300, 30, many, "489: optional, many have it"},
			{300, 30, some, ""}}},
		{name: "thin and calm", steps: []step{
			{4, 30, rare, "4: thin, removed often"}, {400, 0, rare, "256: fixed, rarely removed"}}},
		{name: "while rows move, only what is removed often", tables: policy.Tables{Living: 1, Rows: 10_000, Busy: true}, steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {1000, 30, rare, ""}, {1000, 0, seen, ""}}},
		{name: "no room for another column", tables: policy.Tables{Living: 100, Rows: 12_799}, steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {1000, 0, seen, ""}}},
		{name: "room for one", tables: policy.Tables{Living: 100, Rows: 12_800}, steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {400, 0, seen, "256: fixed, rarely removed"}}},
		{name: "few tables may be small", tables: policy.Tables{Living: 8, Rows: 8}, steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {400, 0, seen, "256: fixed, rarely removed"}}},
		{name: "few tables stay", tables: stays, steps: []step{
			{50, 0, policy.Counts{Have: 1, Among: 16, Merges: 8}, ""}}},
		{name: "tables too small", tables: policy.Tables{Living: 17, Rows: 17*64 - 1}, steps: []step{
			{50, 0, policy.Counts{Have: 500, Among: 1000, Merges: 8}, "8: optional, tables too small"}}},
		{name: "tables too small, few have it", tables: policy.Tables{Living: 17, Rows: 17*64 - 1}, steps: []step{
			{50, 0, policy.Counts{Have: 50, Among: 1000, Merges: 8}, "8: thin, tables too small"}}},
		{name: "tables too small, but not by it", tables: policy.Tables{Living: 17, Rows: 17*64 - 1}, steps: []step{
			{5000, 0, policy.Counts{Have: 500, Among: 1000}, ""}}},
		{name: "tables small enough", tables: policy.Tables{Living: 17, Rows: 17 * 64}, steps: []step{
			{50, 0, policy.Counts{Have: 500, Among: 1000, Merges: 8}, ""}}},
		{name: "tables too small, rows move", tables: policy.Tables{Living: 17, Rows: 17, Busy: true}, steps: []step{
			{50, 0, policy.Counts{Have: 500, Among: 1000, Merges: 8}, ""}}},
		{name: "old visits are forgotten", steps: []step{
			{1, 1, policy.Counts{Required: 1 << 20, Have: 500, Among: 1000}, ""}, {500, 0, policy.Counts{}, ""},
			{20, 10, policy.Counts{Required: 1000, Have: 500, Among: 1000}, "505: optional, removed often"}}},
		{name: "calm is counted anew", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {110, 0, seen, ""}, {10, 30, seen, ""}, {120, 0, policy.Counts{}, ""}}},
		{name: "few is counted anew", steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {100, 30, rare, ""}, {20, 30, seen, ""}, {100, 30, rare, ""}}},
		{name: "quiet and few, no room", tables: policy.Tables{Living: 100, Rows: 12_799}, steps: []step{
			{4, 30, seen, "4: optional, removed often"}, {300, 0, seen, ""}, {160, 0, rare, "432: thin, few have it"}}},
		{name: "more rows than fit", steps: []step{
			{100, 1 << 20, policy.Counts{Required: math.MaxInt, Excluded: math.MaxInt, Have: math.MaxInt, Among: math.MaxInt}, ""}}},
		{name: "stated fixed", way: "fixed", steps: []step{{500, 5000, seen, ""}}},
		{name: "stated optional", way: "optional", steps: []step{{1000, 0, seen, ""}, {1000, 300, rare, ""}}},
		{name: "stated thin", way: "thin", steps: []step{{1000, 0, seen, ""}, {1000, 300, many, ""}}},
		{name: "stated fixed, tables too small", way: "fixed", tables: policy.Tables{Living: 100, Rows: 100}, steps: []step{
			{500, 0, policy.Counts{Have: 50, Among: 100, Merges: 50}, ""}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newOne(policy.Options{})
			if tt.tables != (policy.Tables{}) {
				s.tables = tt.tables
			}
			for _, w := range []policy.Way{policy.Fixed, policy.Optional, policy.Thin} {
				if w.String() == tt.way {
					s.p.State(0, w)
				}
			}
			for i, step := range tt.steps {
				s.counts = step.counts
				if got := s.run(step.frames, step.removes); got != step.want {
					t.Fatalf("step %d: %q, want %q", i, got, step.want)
				}
			}
			if w := s.p.Way(0).String(); tt.way != "" && w != tt.way {
				t.Errorf("stored as %s, stated %s", w, tt.way)
			}
		})
	}
}

// A component that is stated for a while, and released, is decided on as before: once, not twice.
func TestReleased(t *testing.T) {
	s := newOne(policy.Options{})
	s.counts = policy.Counts{Required: 100, Have: 100, Among: 100}
	if got, want := s.run(10, 50), "4: optional, removed often"; got != want {
		t.Fatalf("%q, want %q", got, want)
	}
	s.p.State(0, policy.Fixed)
	s.p.Release(0)
	if w := s.p.Way(0); w != policy.Fixed {
		t.Fatalf("released as %v", w)
	}
	if got, want := s.run(10, 50), "14: optional, removed often"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.p.State(0, policy.Thin)
	if got := s.run(10, 50); got != "" {
		t.Errorf("stated, and %q", got)
	}
	s.p.Release(0)
	if got, want := s.run(10, 50), "34: optional, removed often"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A component that was removed often and is then stated stays as stated.
func TestStatedLater(t *testing.T) {
	s := newOne(policy.Options{})
	s.counts = policy.Counts{Required: 100, Have: 100, Among: 100}
	if got, want := s.run(10, 50), "4: optional, removed often"; got != want {
		t.Fatalf("%q, want %q", got, want)
	}
	s.p.State(0, policy.Fixed)
	if got := s.run(500, 50); got != "" || s.p.Way(0) != policy.Fixed {
		t.Errorf("%q, %v after it was stated fixed", got, s.p.Way(0))
	}
	if r := s.p.Report(0); r.Reason != policy.Stated || r.Frame != 10 {
		t.Errorf("report %+v, want stated in frame 10", r)
	}
}

func TestOff(t *testing.T) {
	s := newOne(policy.Options{Off: true})
	s.counts, s.tables = policy.Counts{Have: 50, Among: 100, Merges: 50}, policy.Tables{Living: 100, Rows: 100}
	if got := s.run(500, 50); got != "" || s.p.Way(0) != policy.Fixed {
		t.Errorf("%q, %v with the policy off", got, s.p.Way(0))
	}
	s.p.State(0, policy.Thin)
	if got := s.run(500, 50); got != "" || s.p.Way(0) != policy.Thin {
		t.Errorf("%q, %v stated thin with the policy off", got, s.p.Way(0))
	}
}

func TestOptions(t *testing.T) {
	got := policy.Options{Share: 1 << 30, Frames: 65, Hold: -1, ThinPart: math.MaxInt}.WithDefaults()
	want := policy.Options{Share: 10_000, Frames: 64, Hold: 120, TableRows: 64, ThinPart: 1024, MoveRows: 4096}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if d := (policy.Options{}).WithDefaults(); d != (policy.Options{Share: 20, Frames: 4, Hold: 120, TableRows: 64, ThinPart: 16, MoveRows: 4096}) {
		t.Errorf("defaults %+v", d)
	}
	// each number is read
	seen := policy.Counts{Required: 10_000, Have: 5000, Among: 10_000}
	for _, tt := range []struct {
		o      policy.Options
		tables policy.Tables
		counts policy.Counts
		want   string
	}{
		{o: policy.Options{Share: 40}, counts: seen},
		{o: policy.Options{Share: 2}, counts: seen, want: "4: optional, removed often; 1248: fixed, rarely removed"},
		{o: policy.Options{Frames: 7}, counts: seen, want: "7: optional, removed often; 272: fixed, rarely removed"},
		{o: policy.Options{Hold: 300}, counts: seen, want: "4: optional, removed often; 352: fixed, rarely removed"},
		{o: policy.Options{ThinPart: 2}, counts: policy.Counts{Required: 10_000, Have: 4999, Among: 10_000}, want: "4: thin, removed often; 272: fixed, rarely removed"},
		{o: policy.Options{TableRows: 1000}, tables: policy.Tables{Living: 20, Rows: 19_999}, counts: policy.Counts{Required: 1 << 20, Have: 5000, Merges: 1}, want: "8: optional, tables too small"},
	} {
		s := newOne(tt.o)
		if s.counts = tt.counts; tt.tables.Living > 0 {
			s.tables = tt.tables
		}
		if got := strings.Trim(s.run(30, 30)+"; "+s.run(3000, 0), "; "); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.o, got, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	var ways, reasons []string
	for w := policy.Fixed; w <= policy.Thin+1; w++ {
		ways = append(ways, w.String())
	}
	for r := policy.Default; r <= policy.ManyHaveIt+1; r++ {
		reasons = append(reasons, r.String())
	}
	if want := []string{"fixed", "optional", "thin", "unknown way"}; !slices.Equal(ways, want) {
		t.Errorf("ways %q, want %q", ways, want)
	}
	if want := []string{"by default", "stated", "removed often", "rarely removed", "tables too small", "few have it", "many have it", "unknown reason"}; !slices.Equal(reasons, want) {
		t.Errorf("reasons %q, want %q", reasons, want)
	}
}

func TestReport(t *testing.T) {
	s := newOne(policy.Options{})
	s.counts = policy.Counts{Required: 10_000, Excluded: 2500, Have: 4096, Among: 10_000}
	s.run(6, 60)
	want := policy.Report{Way: policy.Optional, Reason: policy.RemovedOften, Frame: 4, Removed: 60, Visited: 20_000, Limit: 42}
	got := s.p.Report(0)
	got.Removed, got.Visited, got.Limit = math.Round(got.Removed), math.Round(got.Visited), math.Round(got.Limit)
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Where there is room for one more fixed column, two that are calm do not both get it.
func TestRoomForOneOfTwo(t *testing.T) {
	p := policy.New(policy.Options{}, func(int, bool) policy.Counts {
		return policy.Counts{Required: 10_000, Have: 10, Among: 20}
	})
	p.Add()
	p.Add()
	tables := policy.Tables{Living: 100, Rows: 12_800}
	for range 4 {
		p.Removed(0, 30)
		p.Removed(1, 30)
		p.EndFrame(tables)
	}
	for range 120 + 40 {
		p.Removed(0, 1) // not quiet, so that both are looked at in each frame
		p.Removed(1, 1)
		if ds := p.EndFrame(tables); len(ds) > 1 {
			t.Fatalf("both became fixed: %+v", ds)
		} else if len(ds) == 1 {
			return
		}
	}
	t.Error("neither became fixed")
}
