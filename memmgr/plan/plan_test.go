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
	in := Placement{Frame: 10_000, Huge: true, Groups: groups}
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
			rows := groups[g].Capacity
			if n, ok := tails[groups[g].Name]; ok && i == len(places[g])-1 {
				rows = n
			}
			in.Chunks = append(in.Chunks, Chunk{Group: g, Order: i, At: at, Rows: rows, Pins: pins[at]})
		}
	}
	return in
}

func group(name string) Group {
	return Group{Name: name, RowBytes: 64, Columns: 3, Capacity: 1000, Small: 60}
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
				region(m.From).Dirty, region(m.From).Resident = 0, 0 // given back
			}
			to := region(m.To)
			if to.Used == 0 {
				to.Dirty, to.Resident = 0, 0 // given back before
			}
			if to.Resident > 0 && to.Dirty&m.To.bit() == 0 {
				to.Resident = min(arena.RegionBytes, to.Resident+arena.SlotBytes)
			}
			to.Used, to.Dirty = to.Used|m.To.bit(), to.Dirty|m.To.bit()
			c.At, c.Small = m.To, m.Small
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

// scattered is 60 chunks of one group in two regions, in no order.
func scattered() Placement {
	order := rand.New(rand.NewPCG(1, 2)).Perm(60)
	return draw([]Group{group("apples")}, nil, map[string][]int{"apples": order},
		"huge aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"huge aaaaaaaaaaaaaaaaaaaaaaaaaaaa....")
}

func TestGolden(t *testing.T) {
	two := []Group{group("apples"), group("bees")}
	sparse := draw(two, nil, nil,
		"huge a-b-----------------------------",
		"huge aabbaabb------------------------",
		"huge b-------------------------------")
	cases := []struct {
		name     string
		machine  string
		profile  profile.Profile
		in       Placement
		contains string
	}{
		{"nothing", guest, swept("apples"), draw(two, nil, nil, "huge aaaabbbb........................"), "nothing to do"},
		{"sparse", guest, profile.Profile{}, sparse, "evacuate huge region"},
		{"sparse-without-huge-pages", "hugemode never\n", profile.Profile{}, sparse, "evacuate"},
		{"sparse-without-a-huge-page", guest, profile.Profile{}, func() Placement {
			in := draw(two, nil, nil, "huge a-b-----------------------------", "huge aabbaabb........................", "huge b...............................")
			in.Regions[2].Resident = 8 << 10 // mostly not touched: nothing to gain
			return in
		}(), "huge region 0"},
		{"sparse-pinned-by-intent", guest, profile.Profile{Intent: profile.Intent{Pinned: []string{"bees"}}}, sparse, "nothing to do"},
		{"off", guest, profile.Profile{Intent: profile.Intent{Off: true}}, sparse, "nothing to do"},
		{"pinned-chunk", guest, profile.Profile{}, draw(two, nil, nil,
			"huge aabbaabb........................", "huge B..............................."), "evacuate huge region 0"},
		{"somebody-unknown", guest, profile.Profile{}, draw(two, nil, nil,
			"huge aabbaabb........................", "huge b#.............................."), "evacuate huge region 0"},
		{"no-room", guest, profile.Profile{}, draw(two, nil, nil,
			"huge aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "huge bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb."), "nothing to do"},
		{"order", guest, swept("apples"), scattered(), "order apples"},
		{"order-small-last-level", "hugepage 2M\nhugemode madvise\ncache 1 data bytes 32K\ncache 2 unified bytes 1M\n", swept("apples"), scattered(), "order apples"},
		{"order-all-in-l2", "hugepage 2M\nhugemode madvise\ncache 1 data bytes 32K\ncache 2 unified bytes 8M\n", swept("apples"), scattered(), "nothing to do"},
		{"order-nobody-sweeps", guest, profile.Profile{}, scattered(), "nothing to do"},
		{"order-rare", guest, func() profile.Profile {
			p := swept("apples")
			p.Intent.Every = []profile.Every{{System: "s0", Frames: 1000}}
			return p
		}(), scattered(), "nothing to do"},
		{"order-without-room", guest, swept("apples"), draw(two, nil, map[string][]int{"apples": {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}},
			"huge aaaabbbbaaaabbbbaaaabbbbaaaabbbb"), "order apples"},
		{"near", guest, swept("apples bees apples bees"), draw([]Group{group("apples"), group("bees"), group("cats")}, nil, nil,
			"huge accccccccccccccccccccccccccccc..", "huge bccccccccccccccccccccccccccccccc"), "near"},
		{"together", guest, profile.Profile{Frames: 1, Groups: []profile.Group{{Name: "apples", Owns: []string{"x"}}, {Name: "bees", Owns: []string{"y"}}},
			Intent: profile.Intent{Together: [][]string{{"x", "y"}, {"y", "x"}, {"x", "y"}, {"x", "y"}, {"x", "y"}}}},
			draw([]Group{group("apples"), group("bees"), group("cats")}, map[string]uint32{"bees": 300}, nil,
				"huge accccccccccccccccccccccccccccc..", "huge bccccccccccccccccccccccccccccccc"), "near"},
		{"tails", guest, swept("apples"), draw([]Group{group("apples"), group("bees"), group("cats"), group("dogs")},
			map[string]uint32{"bees": 20, "cats": 200, "dogs": 250}, nil,
			"huge aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "huge cbd............................."), "tails"},
		{"hot-and-cold", guest, profile.Profile{Intent: profile.Intent{Heat: []profile.Heat{{Group: "apples"}, {Group: "bees", Cold: true}}}},
			draw(two, nil, nil, "normal aaa.............................", "huge bbb............................."), "intent says cold"},
		{"cold-by-facts", guest, func() profile.Profile {
			p := swept("apples")
			p.Frames, p.Systems[0].Frames = 2000, 2000
			p.Groups = append(p.Groups, profile.Group{Name: "bees", Rows: 2000})
			return p
		}(), draw(two, map[string]uint32{"bees": 10}, nil, "huge aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "huge bb.............................."), "no system used it"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := machine(t, c.machine)
			before := fmt.Sprint(c.in)
			actions := Plan(c.profile, m, c.in)
			if fmt.Sprint(c.in) != before {
				t.Fatal("Plan changed the placement")
			}
			if !reflect.DeepEqual(actions, Plan(c.profile, m, c.in)) {
				t.Fatal("the same input gave two plans")
			}
			after := apply(t, c.in, c.profile, actions)
			if again := Plan(c.profile, m, after); len(again) != 0 {
				t.Errorf("the plan is followed by another one:\n%s", Explain(again, nil))
			}
			got := "# " + c.name + "\n" + Explain(actions, Advice(c.profile, m))
			for _, a := range actions {
				for _, m := range a.Moves {
					got += fmt.Sprintf("  %v: %s %d %v → %v%s\n", a.Kind, c.in.Groups[m.Group].Name, m.Order, m.From, m.To, map[bool]string{true: " small"}[m.Small])
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
	if got := Advice(p, machine(t, "cache 1 data bytes 32K\ncache 2 unified bytes 8M\n")); len(got) != 0 {
		t.Errorf("advice where all of it is in the cache: %q", got)
	}
}

func TestStart(t *testing.T) {
	p := swept("bees apples", "cats")
	set := func(name string, mean, last uint64) {
		for i := range p.Groups {
			if p.Groups[i].Name == name {
				p.Groups[i].Rows, p.Groups[i].Last = mean*p.Frames, last
			}
		}
	}
	set("bees", 9000, 3500)  // shrank: what is left at the end stays
	set("apples", 2000, 9e9) // grew: the mean is sure
	set("cats", 40, 40)      // fits in a small chunk
	p.Groups = append(p.Groups, profile.Group{Name: "dogs", Rows: 100 * 1100}, profile.Group{Name: "gone", Rows: 1e9}, profile.Group{Name: "views", Rows: 100 * 2000, Last: 2000})
	p.Intent.Heat = []profile.Heat{{Group: "dogs", Cold: true}}
	views := group("views")
	views.Cache = true
	groups := []Group{group("apples"), group("bees"), group("cats"), group("dogs"), group("new"), views}
	huge, cold, normal := arena.Huge, arena.Cold, arena.Normal
	for _, c := range []struct {
		name string
		huge bool
		off  bool
		want []Run
	}{
		{"huge", true, false, []Run{{1, Place{huge, 0}, 4, false}, {0, Place{huge, 4}, 2, false}, {3, Place{cold, 0}, 2, false}, {5, Place{normal, 0}, 2, false}}},
		{"normal", false, false, []Run{{1, Place{normal, 0}, 4, false}, {0, Place{normal, 4}, 2, false}, {3, Place{cold, 0}, 2, false}, {5, Place{normal, 6}, 2, false}}},
		{"off", true, true, nil},
	} {
		p := p
		p.Intent.Off = c.off
		if got := Start(p, groups, c.huge, new([RangeCount]uint32)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	set("bees", 9000, 3200)
	if got := Start(p, groups, true, new([RangeCount]uint32))[0]; got != (Run{1, Place{huge, 0}, 3, true}) {
		t.Errorf("with a nearly empty tail: %v", got)
	}
}

func TestDurable(t *testing.T) {
	for _, c := range []struct{ rows, last, frames, want uint64 }{
		{1000, 10, 10, 10}, {1000, 100, 10, 100}, {1000, 900, 10, 100}, {1000, 0, 10, 100}, {0, 0, 5, 0},
	} {
		if got := durable(&profile.Group{Rows: c.rows, Last: c.last}, c.frames); got != c.want {
			t.Errorf("%d rows over %d frames, %d at the end: %d, want %d", c.rows, c.frames, c.last, got, c.want)
		}
	}
}

func TestPays(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		gain        Gain
		cost        Cost
		bytes, time bool
	}{
		{Gain{}, Cost{}, false, false},
		{Gain{Bytes: 100}, Cost{Bytes: 100}, true, false},
		{Gain{Bytes: 100}, Cost{Bytes: 101}, false, false},
		{Gain{Time: 2 * ms}, Cost{Time: ms}, false, true},
		{Gain{Time: 2*ms - 1}, Cost{Time: ms}, false, false},
		{Gain{Time: -ms}, Cost{}, false, false},
	} {
		if b, d := paysInBytes(c.gain, c.cost), paysInTime(c.gain, c.cost); b != c.bytes || d != c.time {
			t.Errorf("%v for %v: pays in bytes %v, in time %v", c.gain, c.cost, b, d)
		}
	}
}

func TestLinksWorth(t *testing.T) {
	three := machine(t, guest)
	one := machine(t, "cache 1 data bytes 32K\n")
	for _, c := range []struct {
		machine topology.Topology
		bytes   uint64
		want    uint64
	}{
		{three, 512 << 10, 0}, {three, 513 << 10, 20}, {three, 32 << 20, 20}, {three, 33 << 20, 50},
		{one, 32 << 10, 0}, {one, 33 << 10, 50},
	} {
		if got := linksWorth(c.machine, c.bytes); got != c.want {
			t.Errorf("%d bytes: %d ‰, want %d", c.bytes, got, c.want)
		}
	}
}

// Any placement, profile and machine: moves are possible and allowed, memory does
// not grow but where heat is asked for, and the plan is followed by the empty plan.
func TestAnyPlacement(t *testing.T) {
	machines := []topology.Topology{machine(t, guest), machine(t, "hugemode never\n"), topology.Default()}
	var did [Kinds]int
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		in, p := anything(r)
		m := machines[r.IntN(len(machines))]
		actions := Plan(p, m, in)
		for _, a := range actions {
			did[a.Kind]++
		}
		ks, pairs := know(&p, in.Groups)
		before := newState(&in, m, ks, pairs).bytes
		after := apply(t, in, p, actions)
		if again := Plan(p, m, after); len(again) != 0 {
			t.Fatalf("seed %d: after\n%sthere is\n%s", seed, Explain(actions, nil), Explain(again, nil))
		}
		if is := newState(&after, m, ks, pairs).bytes; is > before && len(p.Intent.Heat) == 0 {
			t.Fatalf("seed %d: %d bytes became %d:\n%s", seed, before, is, Explain(actions, nil))
		}
	}
	for k, n := range did {
		if n == 0 {
			t.Errorf("no plan had an action of kind %v: the test is too tame", Kind(k))
		}
	}
	t.Logf("actions by kind: %v", did)
}

// anything makes up a placement and a profile for it.
func anything(r *rand.Rand) (Placement, profile.Profile) {
	in := Placement{Frame: 5000, Huge: r.IntN(4) > 0, Whole: r.IntN(5) == 0}
	if r.IntN(3) == 0 {
		in.Cooling = 100
	}
	p := profile.Profile{Frames: uint64([]int{1, 3000}[r.IntN(2)])}
	regions := 1 + r.IntN(6)
	var places []Place
	for i := range 3 {
		if i == int(arena.Huge) && !in.Huge {
			continue
		}
		for n := range regions {
			for s := range uint32(arena.SlotsPerRegion) {
				places = append(places, Place{arena.Range(i), uint32(n)*arena.SlotsPerRegion + s})
			}
			in.Regions = append(in.Regions, Region{Range: arena.Range(i), Number: uint32(n), Dirty: r.Uint32() & r.Uint32()})
		}
	}
	r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	if r.IntN(2) == 0 {
		slices.SortStableFunc(places, func(a, b Place) int { return int(b.Range&1) - int(a.Range&1) }) // huge first
	}
	left := places[:r.IntN(len(places))]
	for g := range 1 + r.IntN(12) {
		x := group(string(rune('a' + g)))
		x.Cache = r.IntN(8) == 0
		in.Groups = append(in.Groups, x)
		pg := profile.Group{Name: x.Name, Owns: []string{x.Name + "1"}, Rows: r.Uint64N(1 << 30), Last: r.Uint64N(1 << 20)}
		if r.IntN(4) > 0 {
			p.Groups = append(p.Groups, pg)
		}
		n := min(len(left), []int{0, 1, 1, 1, 2, 5, 40, 100}[r.IntN(8)])
		for i := range n {
			c := Chunk{Group: g, Order: i, At: left[i], Rows: x.Capacity}
			if i == n-1 {
				c.Rows = 1 + r.Uint32N(x.Capacity)
				c.Small = n == 1 && c.Rows <= x.Small
			}
			if r.IntN(60) == 0 {
				c.Pins = 1
			}
			if r.IntN(3) == 0 {
				c.Since = in.Frame - r.Uint64N(200)
			}
			in.Chunks = append(in.Chunks, c)
		}
		left = left[n:]
	}
	for i := range in.Regions {
		if x := &in.Regions[i]; x.Range == arena.Huge && r.IntN(2) == 0 {
			x.Resident = r.Uint64N(arena.RegionBytes)
		}
	}
	used := func(at Place) *Region {
		i := slices.IndexFunc(in.Regions, func(r Region) bool { return r.Range == at.Range && r.Number == at.Region() })
		return &in.Regions[i]
	}
	for _, c := range in.Chunks {
		used(c.At).Used |= c.At.bit()
		used(c.At).Dirty |= c.At.bit()
	}
	for _, at := range left[:min(len(left), r.IntN(3))] {
		used(at).Used |= at.bit()
		used(at).Dirty |= at.bit()
	}
	for range r.IntN(4) {
		s := profile.System{Name: string(rune('s' + len(p.Systems))), Frames: 1 + uint64(r.IntN(3000)), Timed: uint64(r.IntN(2) * 10), Time: time.Duration(r.IntN(1e9))}
		for range r.IntN(6) {
			s.Access = append(s.Access, profile.Access{Group: string(rune('a' + r.IntN(13))), Scattered: r.IntN(5) == 0, Bytes: r.Uint64N(1 << 40)})
		}
		p.Systems = append(p.Systems, s)
	}
	name := func() string { return string(rune('a' + r.IntN(13))) }
	if r.IntN(3) == 0 {
		p.Intent.Heat = []profile.Heat{{Group: name(), Cold: true}, {Group: name()}}
	}
	if r.IntN(3) == 0 {
		p.Intent.Pinned = []string{name()}
	}
	if r.IntN(3) == 0 {
		p.Intent.Together = [][]string{{name() + "1", name() + "1", name() + "1"}}
		p.Intent.Every = []profile.Every{{System: "s", Frames: r.IntN(10)}}
	}
	return in, p
}

// A profile may say anything: sums must not overflow into nonsense.
func TestHugeNumbers(t *testing.T) {
	big := ^uint64(0)
	p := swept("apples")
	p.Frames, p.Groups[0].Rows, p.Groups[0].Last, p.Groups[0].Peak = 1, big, big, big
	p.Systems[0] = profile.System{Name: "s", Frames: big, Timed: 1, Time: 1<<63 - 1, Access: []profile.Access{{Group: "apples", Bytes: big}, {Group: "apples", Bytes: big}}}
	in := scattered()
	apply(t, in, p, Plan(p, machine(t, guest), in))
	for _, r := range Start(p, in.Groups, true, new([RangeCount]uint32)) {
		if r.Len > runPlacesMax {
			t.Errorf("a run of %d places", r.Len)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct{ n, part, whole, want uint64 }{
		{10, 1, 2, 5}, {1000, 3, 4, 750}, {1, 1, 0, 0}, {1 << 60, 1 << 60, 1 << 60, sumMax}, {1 << 40, 1 << 40, 1 << 41, 1 << 39}, {^uint64(0), ^uint64(0), 1, sumMax},
	} {
		if got := share(c.n, c.part, c.whole); got != c.want {
			t.Errorf("share(%d, %d, %d) = %d, want %d", c.n, c.part, c.whole, got, c.want)
		}
	}
}

// A bounded plan is the beginning of the whole one.
func TestMost(t *testing.T) {
	for seed := range uint64(100) {
		in, p := anything(rand.New(rand.NewPCG(seed, 5)))
		all := Plan(p, machine(t, guest), in)
		in.Most = 2
		if some := Plan(p, machine(t, guest), in); !reflect.DeepEqual(some, all[:min(len(all), 2)]) {
			t.Fatalf("seed %d: of\n%sthe first two are\n%s", seed, Explain(all, nil), Explain(some, nil))
		}
	}
}

// What is avoided is not planned.
func TestAvoid(t *testing.T) {
	for seed := range uint64(100) {
		in, p := anything(rand.New(rand.NewPCG(seed, 5)))
		for _, a := range Plan(p, machine(t, guest), in) {
			in.Avoid = append(in.Avoid, a.Key())
		}
		for _, a := range Plan(p, machine(t, guest), in) {
			if slices.Contains(in.Avoid, a.Key()) {
				t.Fatalf("seed %d: %v is planned", seed, a)
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	p := swept("apples")
	p.Intent = profile.Intent{
		Every:    []profile.Every{{System: "s0", Frames: 2}, {System: "who", Frames: 2}},
		Together: [][]string{{"apples.c", "pears.c"}},
		Heat:     []profile.Heat{{Group: "apples"}, {Group: "pears"}},
		Pinned:   []string{"pears"},
	}
	if n := Unknown(&p, []Group{group("apples")}); n != 4 {
		t.Errorf("%d unknown names, want 4", n)
	}
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
		in := Placement{Huge: true, Most: most, Groups: []Group{group("a"), group("b")}}
		r := rand.New(rand.NewPCG(3, 4))
		for i := range n {
			g := i * 2 / n
			at := Place{arena.Huge, uint32(i*apart) + r.Uint32N(uint32(apart))}
			in.Chunks = append(in.Chunks, Chunk{Group: g, Order: i - g*n/2, At: at, Rows: 1000})
		}
		m := machine(b, guest)
		p := swept("a b")
		for b.Loop() {
			Plan(p, m, in)
		}
	})
}
