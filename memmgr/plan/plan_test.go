package plan

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/topology"
	"github.com/ashlar-go/ashlar/profile"
)

var update = flag.Bool("update", false, "rewrite golden files")

// draw makes a placement of a picture: a line a region, "huge aabb..B" with a
// letter a slot, upper case where pinned, a dot where free and clean, '-' where free
// and dirty, '#' where somebody unknown lies. Chunks are ordered as they are drawn,
// or as order says: "a 3 1 2" puts the drawn chunks in that order. Rows fill the
// chunk, but for the groups' tails.
func draw(groups []Group, tails map[string]uint32, order map[string][]int, lines ...string) Placement {
	in := Placement{Frame: 10_000, Groups: groups}
	places := make([][]Place, len(groups))
	pins := map[Place]uint32{}
	numbers := map[arena.Range]uint32{}
	for _, l := range lines {
		word, cells, _ := strings.Cut(l, " ")
		r := map[string]arena.Range{"normal": arena.Normal, "huge": arena.Huge, "cold": arena.Cold}[word]
		reg := Region{Range: r, Number: numbers[r]}
		numbers[r]++
		for i, c := range cells {
			p := Place{r, reg.Number*arena.SlotsPerRegion + uint32(i)}
			switch {
			case c == '.':
				continue
			case c == '-':
				reg.Dirty |= p.bit()
				continue
			case c == '#':
				reg.Used, reg.Dirty = reg.Used|p.bit(), reg.Dirty|p.bit()
				continue
			}
			reg.Used, reg.Dirty = reg.Used|p.bit(), reg.Dirty|p.bit()
			g := slices.IndexFunc(groups, func(g Group) bool { return strings.EqualFold(g.Name[:1], string(c)) })
			places[g] = append(places[g], p)
			if c < 'a' {
				pins[p] = 1
			}
		}
		in.Regions = append(in.Regions, reg)
	}
	for g := range groups {
		for i := range places[g] {
			at := places[g][i]
			if o := order[groups[g].Name]; o != nil {
				at = places[g][o[i]]
			}
			rows := uint32(full)
			if n, ok := tails[groups[g].Name]; ok && i == len(places[g])-1 {
				rows = n
			}
			in.Chunks = append(in.Chunks, Chunk{Group: g, Order: i, At: at, Rows: rows, Pins: pins[at]})
		}
	}
	return in
}

func group(name string) Group {
	return Group{Name: name, RowBytes: 64}
}

// full is how many rows a chunk of such a group has.
const full = 1000

// whole says that memory goes back by whole regions alone.
func whole(in Placement) Placement {
	in.Whole = true
	return in
}

// swept is a profile of systems that each sweep the groups named, once a frame.
func swept(systems ...string) profile.Profile {
	p := profile.Profile{Frames: 100}
	for i, groups := range systems {
		s := profile.System{Name: fmt.Sprintf("s%d", i), Frames: 100}
		for g := range strings.FieldsSeq(groups) {
			s.Access = append(s.Access, profile.Access{Group: g, Component: "c", Rows: 1e6, Bytes: 100 * 4 << 20})
			if !slices.ContainsFunc(p.Groups, func(o profile.Group) bool { return o.Name == g }) {
				p.Groups = append(p.Groups, profile.Group{Name: g, Owns: []string{g + ".c"}, Rows: 100 * 30_000, Last: 30_000})
			}
		}
		p.Systems = append(p.Systems, s)
	}
	return p
}

// apply carries a plan out, and fails if a move is not possible or not allowed.
func apply(t *testing.T, in Placement, p profile.Profile, actions []Action) Placement {
	t.Helper()
	out := in
	out.Chunks, out.Regions = slices.Clone(in.Chunks), slices.Clone(in.Regions)
	region := func(p Place) *Region {
		for {
			n := uint32(0)
			for i := range out.Regions {
				if out.Regions[i].Range == p.Range {
					if n == p.Region() {
						return &out.Regions[i]
					}
					n++
				}
			}
			out.Regions = append(out.Regions, Region{Range: p.Range, Number: n})
		}
	}
	for _, a := range actions {
		for _, m := range a.Moves {
			i := slices.IndexFunc(out.Chunks, func(c Chunk) bool { return c.Group == m.Group && c.Order == m.Order })
			c := &out.Chunks[i]
			switch {
			case c.At != m.From:
				t.Fatalf("%v: chunk %d of %s is at %v, not at %v", a, m.Order, in.Groups[m.Group].Name, c.At, m.From)
			case c.Pins > 0 || slices.Contains(p.Intent.Pinned, in.Groups[m.Group].Name):
				t.Fatalf("%v: moves a pinned chunk", a)
			case c.Since > 0 && c.Since+in.Cooling > in.Frame:
				t.Fatalf("%v: moves a chunk that is cooling", a)
			case region(m.To).Used&m.To.bit() != 0:
				t.Fatalf("%v: %v is not free", a, m.To)
			}
			region(m.From).Used &^= m.From.bit()
			if region(m.From).Used == 0 {
				region(m.From).Dirty = 0 // given back
			}
			to := region(m.To)
			if to.Used == 0 {
				to.Dirty = 0 // given back before
			}
			to.Used, to.Dirty = to.Used|m.To.bit(), to.Dirty|m.To.bit()
			c.At = m.To
		}
		for _, e := range a.Empties {
			r := region(Place{e.Range, e.Number * arena.SlotsPerRegion})
			if r.Used != 0 && a.Kind == Evacuate {
				t.Fatalf("%v: %v is not empty afterwards", a, e)
			}
		}
	}
	return out
}

func machine(t testing.TB, lines string) topology.Topology {
	t.Helper()
	m, err := topology.Parse("test", strings.NewReader("ashlar topology 1\n"+lines))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const guest = "hugepage 2M\nhugemode madvise\ncache 1 data bytes 32K ways 8 sets 64\ncache 2 unified bytes 512K ways 8 sets 1024\ncache 3 unified bytes 32M ways 16 sets 32768\n"

func TestGolden(t *testing.T) {
	two := []Group{group("apples"), group("bees")}
	sparse := draw(two, nil, nil,
		"huge a-b-----------------------------",
		"huge aabbaabb------------------------",
		"huge b-------------------------------")
	unused := swept("apples")
	unused.Frames, unused.Systems[0].Frames = 1e6, 1e6
	unused.Groups = append(unused.Groups, profile.Group{Name: "bees", Rows: 1e7})
	few := map[string]uint32{"bees": 20}
	heat := profile.Profile{Intent: profile.Intent{Heat: []profile.Heat{{Group: "apples"}, {Group: "bees", Cold: true}}}}
	cases := []struct {
		name     string
		profile  profile.Profile
		in       Placement
		contains string
	}{
		{"nothing", swept("apples"), whole(draw(two, nil, nil, "normal aaaabbbb........................")), "nothing to do"},
		{"sparse", profile.Profile{}, whole(sparse), "evacuate huge region"},
		{"sparse-one-by-one", profile.Profile{}, sparse, "nothing to do"},
		{"sparse-pinned-by-intent", profile.Profile{Intent: profile.Intent{Pinned: []string{"bees"}}}, whole(sparse), "nothing to do"},
		{"off", profile.Profile{Intent: profile.Intent{Off: true}}, whole(sparse), "nothing to do"},
		{"pinned-chunk", profile.Profile{}, whole(draw(two, nil, nil,
			"normal aabbaabb------------------------", "normal B...............................")), "evacuate normal region 0"},
		{"somebody-unknown", profile.Profile{}, whole(draw(two, nil, nil,
			"normal aabbaabb------------------------", "normal b#..............................")), "evacuate normal region 0"},
		{"no-room", profile.Profile{}, whole(draw(two, nil, nil,
			"normal aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "normal bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.")), "nothing to do"},
		{"behind", profile.Profile{}, whole(draw(two, nil, nil,
			"normal bbbbbbbbbbbbbbbbbbbbbbbb--------", "normal aaaaaaaaaaaaaaaaaaaaaaaa--------", "normal a-------------------------------")), "evacuate normal region 2"},
		{"cold", heat, draw(two, nil, nil, "normal aaab............................", "huge bbb............................."), "intent says cold"},
		{"cold-with-few-rows", heat, draw(two, few, nil, "normal aaab............................"), "intent says cold"},
		{"not-cold-by-facts", unused, draw(two, nil, nil, "normal aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "normal bb.............................."), "nothing to do"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := fmt.Sprint(c.in)
			actions := Plan(c.profile, c.in)
			if fmt.Sprint(c.in) != before {
				t.Fatal("Plan changed the placement")
			}
			if !reflect.DeepEqual(actions, Plan(c.profile, c.in)) {
				t.Fatal("the same input gave two plans")
			}
			after := apply(t, c.in, c.profile, actions)
			if again := Plan(c.profile, after); len(again) != 0 {
				t.Errorf("the plan is followed by another one:\n%s", Explain(again, nil))
			}
			got := "# " + c.name + "\n" + Explain(actions, nil)
			for _, a := range actions {
				for _, m := range a.Moves {
					got += fmt.Sprintf("  %v: %s %d %v → %v\n", a.Kind, c.in.Groups[m.Group].Name, m.Order, m.From, m.To)
				}
			}
			if !strings.Contains(got, c.contains) {
				t.Errorf("the plan does not say %q:\n%s", c.contains, got)
			}
			file := filepath.Join("testdata", c.name+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%swant\n%s(-update rewrites)", got, want)
			}
		})
	}
}

func TestAdvice(t *testing.T) {
	p := swept("apples")
	p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "bees", Component: "sting", Scattered: true, Bytes: 100 * 2 << 20})
	if got := Advice(p, machine(t, guest)); len(got) != 1 || !strings.Contains(got[0], "bees: system s0 reaches sting of bees by entity, 2.0 MiB a run, walking apples: SortAs") {
		t.Errorf("advice %q", got)
	}
	s := &p.Systems[0]
	s.Access[1].Rows, s.Timed, s.Time = 200_000*s.Frames, 10, 20*time.Millisecond
	for order, want := range map[int]string{0: "0 % lie; about 340µs a run less of 2ms", 50: "50 % lie; about 170µs a run less of 2ms", 75: "", 100: ""} {
		s.Choices = []profile.Choice{
			{Group: "bees", Component: "sting", Order: 99}, {Group: "apples", Component: "stinger.At", Order: 99},
			{Group: "apples", Component: "sting.At", Order: order},
		}
		if got := strings.Join(Advice(p, machine(t, guest)), "\n"); !strings.HasSuffix(got, want) || (got == "") != (want == "") {
			t.Errorf("%d of 100 rows in order: advice %q, want %q", order, got, want)
		}
	}
	if got := Advice(p, machine(t, "cache 1 data bytes 32K\ncache 2 unified bytes 8M\n")); len(got) != 0 {
		t.Errorf("advice where all of it is in the cache: %q", got)
	}
}

// A profile may say anything: sums must not overflow into nonsense.
func TestHugeNumbers(t *testing.T) {
	big := ^uint64(0)
	p := swept("apples")
	p.Frames, p.Groups[0].Rows, p.Groups[0].Last, p.Groups[0].Peak = 1, big, big, big
	p.Systems[0] = profile.System{Name: "s", Frames: big, Timed: 1, Time: 1<<63 - 1, Access: []profile.Access{{Group: "apples", Bytes: big}, {Group: "apples", Bytes: big}}}
	Advice(p, machine(t, guest))
	in := Placement{Groups: []Group{group("apples")}, Chunks: []Chunk{{At: Place{N: 7}, Rows: ^uint32(0)}}}
	in.Groups[0].RowBytes = ^uint32(0)
	apply(t, in, p, Plan(p, in))
}

func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{64, 1024, 8192} {
		for _, most := range []int{0, 32} {
			for _, apart := range []int{1, 4} {
				benchPlan(b, n, most, apart)
			}
		}
	}
}

func benchPlan(b *testing.B, n, most, apart int) {
	b.Run(fmt.Sprintf("chunks=%d/most=%d/apart=%d", n, most, apart), func(b *testing.B) {
		in := Placement{Whole: true, Most: most, Groups: []Group{group("a"), group("b")}}
		r := rand.New(rand.NewPCG(3, 4))
		for i := range n {
			g := i * 2 / n
			at := Place{arena.Normal, uint32(i*apart) + r.Uint32N(uint32(apart))}
			in.Chunks = append(in.Chunks, Chunk{Group: g, Order: i - g*n/2, At: at, Rows: full})
		}
		for b.Loop() {
			Plan(profile.Profile{}, in)
		}
	})
}
