package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/profile"
)

// apples is a profile of 100 frames with a system that walks 100,000 rows of a group, and
// gathers 64 bytes of another for each, in 20 ns a row.
func apples() profile.Profile {
	return profile.Profile{
		Frames:     100,
		Components: []profile.Component{{Name: "weight", Size: 16, Align: 8}, {Name: "sting", Size: 64, Align: 8}},
		Groups:     []profile.Group{{Name: "apples"}, {Name: "bees"}},
		Systems: []profile.System{{Name: "s", Frames: 100, Timed: 10, Times: profile.Times{P10: 1, P50: 2 * time.Millisecond, P90: 1, P99: 1},
			Access: []profile.Access{
				{Group: "apples", Component: "weight", Write: true, Rows: 100_000 * 100},
				{Group: "bees", Component: "sting", Scattered: true, Rows: 100_000 * 100, Bytes: 100 * 6_400_000},
			},
			Choices: []profile.Choice{{Group: "apples", Component: "sting.At", Use: "gathered"}},
		}},
	}
}

// tables adds n tables with so many rows each, summed over 100 frames.
func tables(p *profile.Profile, n int, rows uint64) {
	for i := range n {
		p.Groups = append(p.Groups, profile.Group{Name: fmt.Sprint("table/", i), Rows: rows})
	}
}

// walker is a system that walks a group and gathers nothing.
func walker(group string) profile.System {
	return profile.System{Name: "walker", Frames: 100, Access: []profile.Access{{Group: group, Component: "sting", Rows: 100}}}
}

// gatherer is a system that gathers rows of one group for rows of another, in 20 ns each.
func gatherer(walks, gathers string, rows uint64) profile.System {
	s := apples().Systems[0]
	s.Name, s.Choices, s.Times.P50 = "gatherer", nil, time.Duration(20*rows)
	s.Access[0].Group, s.Access[0].Rows = walks, 100*rows
	s.Access[1].Group, s.Access[1].Rows, s.Access[1].Bytes = gathers, 100*rows, 6400*rows
	return s
}

// only are the lines of one rule.
func only(p profile.Profile, m profile.Map, rule string) (lines []Line) {
	for _, l := range Of(p, m, 1<<20) {
		if l.Rule == rule {
			lines = append(lines, l)
		}
	}
	return lines
}

// The prediction of a rule, by the change of the profile of apples; 0: it says nothing.
func TestTimes(t *testing.T) {
	const none = time.Duration(0)
	for _, tt := range []struct {
		rule   string
		what   string
		change func(p *profile.Profile, s *profile.System)
		want   time.Duration
	}{
		{"sort", "no row in order", func(*profile.Profile, *profile.System) {}, 240 * time.Microsecond}, // a fifth of 12 ns
		{"sort", "half of them", func(_ *profile.Profile, s *profile.System) { s.Choices[0].Order = 50 }, 120 * time.Microsecond},
		{"sort", "most of them", func(_ *profile.Profile, s *profile.System) { s.Choices[0].Order = 75 }, none},
		{"sort", "in the caches", func(_ *profile.Profile, s *profile.System) { s.Access[1].Bytes = 100 << 20 }, none},
		{"sort", "2 ns a row", func(_ *profile.Profile, s *profile.System) { s.Times.P50 = 200 * time.Microsecond }, 16 * time.Microsecond},
		{"sort", "cached and valid, in a slow system", func(_ *profile.Profile, s *profile.System) {
			s.Choices[0].Use, s.Choices[0].Chunks, s.Choices[0].Stale = "cached", 100, 0
		}, none},
		{"sort", "cached, and built in each frame", func(_ *profile.Profile, s *profile.System) {
			s.Choices[0].Use, s.Choices[0].Chunks, s.Choices[0].Stale = "cached", 100, 100
		}, none},
		{"sort", "a small reader in another order", func(p *profile.Profile, _ *profile.System) {
			p.Systems = append(p.Systems, gatherer("pears", "bees", 50_000))
		}, 120 * time.Microsecond},
		{"sort", "a large reader in another order", func(p *profile.Profile, _ *profile.System) {
			p.Systems = append(p.Systems, gatherer("pears", "bees", 51_000))
		}, none},
		{"sort", "its own rows read others", func(p *profile.Profile, _ *profile.System) {
			p.Systems = append(p.Systems, gatherer("bees", "pears", 51_000))
		}, none},
		{"sort", "two systems that read them alike", func(p *profile.Profile, s *profile.System) {
			second := *s
			second.Name = "second"
			p.Systems = append(p.Systems, second)
		}, 480 * time.Microsecond},
		{"sort", "never timed", func(_ *profile.Profile, s *profile.System) { s.Timed = 0 }, none},
		{"sort", "order not known", func(_ *profile.Profile, s *profile.System) { s.Choices = nil }, none},
		{"sort", "of a table", func(_ *profile.Profile, s *profile.System) { s.Access[1].Group = "table/sting" }, none},
		{"groups", "two groups", func(*profile.Profile, *profile.System) {}, 980 * time.Microsecond}, // 12 − 2.2 ns
		{"groups", "cached and valid, in a slow system", func(_ *profile.Profile, s *profile.System) {
			s.Choices[0].Use, s.Choices[0].Chunks = "cached", 100
		}, none},
		{"groups", "2 ns a row", func(_ *profile.Profile, s *profile.System) { s.Times.P50 = 200 * time.Microsecond }, none},
		{"groups", "a table and a group", func(_ *profile.Profile, s *profile.System) { s.Access[0].Group = "table/weight" }, 980 * time.Microsecond},
		{"groups", "a group and a table", func(_ *profile.Profile, s *profile.System) { s.Access[1].Group = "table/sting" }, 980 * time.Microsecond},
		{"groups", "a group and a thin component", func(_ *profile.Profile, s *profile.System) { s.Access[1].Group = "thin/sting" }, none},
		{"groups", "two tables", func(_ *profile.Profile, s *profile.System) {
			s.Access[0].Group, s.Access[1].Group = "table/weight", "table/sting"
		}, none},
		{"groups", "a second column that stays apart", func(_ *profile.Profile, s *profile.System) {
			s.Access = append(s.Access, profile.Access{Group: "thin/wax", Component: "wax", Scattered: true, Rows: 1})
		}, 720 * time.Microsecond}, // half of 18.8 ns, less 2.2
		{"groups", "and a second column in another table", func(_ *profile.Profile, s *profile.System) {
			s.Access[0].Group = "table/weight"
			s.Access = append(s.Access, profile.Access{Group: "table/wax", Component: "wax", Scattered: true, Rows: 1})
		}, 720 * time.Microsecond},
		{"groups", "into few tables", func(p *profile.Profile, s *profile.System) {
			s.Access[0].Group = "table/weight"
			tables(p, 10, 100_000)
			p.Systems = append(p.Systems, walker("bees"))
		}, 977 * time.Microsecond}, // less 0.3 µs for each
		{"groups", "into so many that it is not sure to gain", func(p *profile.Profile, s *profile.System) {
			s.Access[0].Group = "table/weight"
			tables(p, 1700, 100) // 510 of 980 µs
			p.Systems = append(p.Systems, walker("bees"))
		}, none},
		{"groups", "into thousands of tables", func(p *profile.Profile, s *profile.System) {
			s.Access[0].Group = "table/weight"
			tables(p, 5000, 100)
			p.Systems = append(p.Systems, walker("bees"))
		}, none},
		{"groups", "and the others walk something else", func(p *profile.Profile, s *profile.System) {
			s.Access[0].Group = "table/weight"
			tables(p, 5000, 100)
			p.Systems = append(p.Systems, walker("table/0"))
		}, 980 * time.Microsecond},
		{"groups", "into tables that were hardly there", func(p *profile.Profile, s *profile.System) {
			s.Access[0].Group = "table/weight"
			tables(p, 5000, 99)
			p.Systems = append(p.Systems, walker("bees"))
		}, 980 * time.Microsecond},
		{"write", "changed", func(_ *profile.Profile, s *profile.System) { s.Access[1].Write = true }, none},
		{"write", "not changed, seldom looked at", func(_ *profile.Profile, s *profile.System) {
			s.Access[1].Write, s.Access[1].Unchanged = true, 2
		}, none},
		{"write", "not changed", func(_ *profile.Profile, s *profile.System) {
			s.Access[1].Write, s.Access[1].Unchanged = true, 3
		}, 1850 * time.Microsecond}, // 20 − 1.2 − 0.3 ns
		{"write", "not changed, but by another", func(p *profile.Profile, s *profile.System) {
			s.Access[1].Write, s.Access[1].Unchanged = true, 3
			p.Systems = append(p.Systems, profile.System{Name: "t", Access: []profile.Access{{Group: "bees", Component: "sting", Write: true}}})
		}, 940 * time.Microsecond},
		{"field", "a field", func(*profile.Profile, *profile.System) {}, none},
		{"field", "all of it", func(_ *profile.Profile, s *profile.System) { s.Choices[0].Component = "sting" }, 360 * time.Microsecond}, // 30 % of 12 ns, by 48 of 64 B
		{"field", "all of it, kept, a tenth gathered", func(_ *profile.Profile, s *profile.System) {
			s.Choices[0] = profile.Choice{Group: "apples", Component: "sting", Use: "cached", Chunks: 100, Stale: 10}
		}, 54 * time.Microsecond}, // 45 % of 1.2 ns
		{"field", "cached and valid, beside another one that is gathered", func(_ *profile.Profile, s *profile.System) {
			s.Choices[0] = profile.Choice{Group: "apples", Component: "sting", Use: "cached", Chunks: 100}
			s.Access = append(s.Access, profile.Access{Group: "pears", Component: "wax", Scattered: true, Rows: 1})
		}, none},
		{"field", "all of it, cached and valid", func(_ *profile.Profile, s *profile.System) {
			s.Choices[0] = profile.Choice{Group: "apples", Component: "sting", Use: "cached", Chunks: 100}
		}, none},
		{"field", "of two cache lines", func(p *profile.Profile, s *profile.System) {
			s.Choices[0].Component, p.Components[1].Size = "sting", 128
			s.Access[1].Bytes *= 2
		}, 1222 * time.Microsecond}, // 65 % of 18.8 ns
		{"field", "of 47 bytes", func(p *profile.Profile, s *profile.System) {
			s.Choices[0].Component, p.Components[1].Size = "sting", 47
		}, none},
		{"split", "no field is asked for", func(*profile.Profile, *profile.System) {}, none},
		{"split", "a quarter, read", ofFields(16, 100_000, false, 0), 3440 * time.Microsecond / 10}, // 16 × 65 ps and 48 × 50 ps
		{"split", "the same, in the caches", ofFields(16, 1000, false, 0), none},                    // 1 µs
		{"split", "the same, written", ofFields(16, 100_000, true, 0), 448 * time.Microsecond},
		{"split", "and others ask for little of all", ofFields(16, 100_000, false, 4000), 328_600 * time.Nanosecond}, // less 4,000 × 64 × 60 ps
		{"split", "and others ask for half of all", ofFields(16, 100_000, false, 50_000), none},
		{"split", "of a row that takes no longer than its own columns", func(p *profile.Profile, s *profile.System) {
			ofFields(16, 100_000, false, 0)(p, s)
			s.Times.P50 = 120 * time.Microsecond
		}, none},
		{"split", "of a group", func(p *profile.Profile, s *profile.System) {
			ofFields(16, 100_000, false, 0)(p, s)
			s.Access[0].Group = "bees"
		}, none},
		{"split", "reached by entity", func(p *profile.Profile, s *profile.System) {
			ofFields(16, 100_000, false, 0)(p, s)
			s.Access[0].Scattered = true
		}, none},
		{"stored", "thin by itself", func(p *profile.Profile, s *profile.System) {
			s.Access[1].Group = "thin/sting"
			p.Stored = []profile.Stored{{Component: "sting", Way: "thin", Reason: "few have it", Entities: 100_000}}
		}, none},
		{"stored", "declared thin", func(p *profile.Profile, s *profile.System) {
			s.Access[1].Group = "thin/sting"
			p.Stored = []profile.Stored{{Component: "sting", Way: "thin", Reason: "stated", Entities: 100_000}}
		}, 980 * time.Microsecond},
		{"stored", "and few have it", func(p *profile.Profile, s *profile.System) {
			s.Access[1].Group = "thin/sting"
			p.Stored = []profile.Stored{{Component: "sting", Way: "thin", Reason: "stated", Entities: 12_499}}
		}, none},
	} {
		p := apples()
		tt.change(&p, &p.Systems[0])
		lines := only(p, profile.Map{}, tt.rule)
		if tt.want == 0 && len(lines) == 0 {
			continue
		}
		if len(lines) != 1 || lines[0].Time != tt.want || lines[0].Why == "" || lines[0].Code == "" {
			t.Errorf("%s, %s: %v, want %v", tt.rule, tt.what, lines, tt.want)
		}
	}
}

// Rows of a frame are rounded, as reports on a profile round them.
func TestRowsRounded(t *testing.T) {
	for less, want := range map[uint64]string{50: "100000 rows a run", 51: "99999 rows a run"} {
		p := apples()
		p.Systems[0].Access[0].Rows -= less
		if l := only(p, profile.Map{}, "sort"); len(l) != 1 || !strings.Contains(l[0].Why, want) {
			t.Errorf("%d less: %v, want %s", less, l, want)
		}
	}
}

// A group has one order. Of two readers, the one that gains more is told, less the loss of the other;
// and once it is followed, the other is not told the opposite.
func TestOneOrder(t *testing.T) {
	p := apples()
	other := gatherer("pears", "bees", 40_000)
	other.Name, other.Choices = "other", []profile.Choice{{Group: "pears", Component: "sting.At"}}
	p.Groups = append(p.Groups, profile.Group{Name: "pears"})
	p.Systems = append(p.Systems, other)
	if l := only(p, profile.Map{}, "sort"); len(l) != 1 || l[0].System != "s" || l[0].Time != 144*time.Microsecond || !strings.HasPrefix(l[0].Code, "bees.SortAs(apples, ") {
		t.Errorf("%v", l)
	}
	p.Systems[0].Choices[0].Order = 100
	if l := only(p, profile.Map{}, "sort"); len(l) != 0 {
		t.Errorf("followed: %v", l)
	}
}

// Groups that gather from each other, over a third one, are left out together; one that does
// not stays.
func TestGroupsTogether(t *testing.T) {
	p := apples()
	other := p.Systems[0]
	other.Name, other.Access = "other", slices.Clone(other.Access)
	other.Access[0].Group, other.Choices = "pears", nil
	p.Groups = append(p.Groups, profile.Group{Name: "pears"}, profile.Group{Name: "rocks"})
	p.Systems = append(p.Systems, other, profile.System{Name: "roll", Frames: 100, Timed: 1, Access: []profile.Access{{Group: "rocks", Component: "weight", Rows: 1e6}}})
	l := only(p, profile.Map{}, "groups")
	if len(l) != 1 || l[0].Group != "apples,bees,pears" || l[0].System != "s,other" || l[0].Time != 1960*time.Microsecond {
		t.Errorf("%v", l)
	}
}

func TestBytes(t *testing.T) {
	p := apples()
	p.Stored = []profile.Stored{{Component: "sting", Way: "optional", Reason: "stated", Entities: 1000}}
	p.Groups = append(p.Groups, profile.Group{Name: "table/weight~sting", Last: 100_000})
	if l := only(p, profile.Map{}, "stored"); len(l) != 1 || l[0].Bytes != 100_000*64-1000*72 {
		t.Errorf("volatile, and few have it: %v", l)
	}
	p.Stored[0].Entities = 6251
	if l := only(p, profile.Map{}, "stored"); len(l) != 0 {
		t.Errorf("volatile, and many have it: %v", l)
	}

	p.Systems[0].Access = p.Systems[0].Access[:1]
	m := profile.Map{Chunks: []profile.Placed{{Group: "bees", Bytes: 1 << 20}, {Group: "apples", Bytes: 1 << 21}, {Group: "bees", Bytes: 9}}}
	if l := only(p, m, "unused"); len(l) != 1 || l[0].Group != "bees" || l[0].Bytes != 1<<20+9 {
		t.Errorf("unused: %v", l)
	}
	p.Systems = nil
	if l := only(p, m, "unused"); len(l) != 0 {
		t.Errorf("nothing was recorded of systems: %v", l)
	}
}

func TestIdle(t *testing.T) {
	const all = ^uint32(0)
	m := profile.Map{Frame: 7, Regions: []profile.Region{
		{Free: 0xffff_0000, Dirty: all},          // 16 free, 16 in use
		{Free: all, Dirty: 0x0000_00ff},          // 8
		{Free: 0x0000_ffff, Dirty: 0xffff_0000},  // clean where free
		{Free: 0xf000_0000, Quarantined: 1 << 3}, // nor dirty
	}, Chunks: []profile.Placed{{Group: "a", Region: 0}, {Group: "b", Region: 0}, {Group: "b", Region: 0}, {Group: "b", Region: 1}, {Group: "c", Region: 2}}}
	l := only(profile.Profile{}, m, "idle")
	if len(l) != 1 || l[0].Bytes != 24*64<<10 || !strings.Contains(l[0].Why, "frame 7, 24 blocks of 64 KiB were free and resident.") {
		t.Errorf("%v", l)
	}
	m.Whole = true // only regions that are all free go back
	if l := only(profile.Profile{}, m, "idle"); len(l) != 0 {
		t.Errorf("whole: %v", l)
	}
	m.Regions[1].Dirty = 0xffff
	if l := only(profile.Profile{}, m, "idle"); len(l) != 1 || l[0].Bytes != 1<<20 || !strings.Contains(l[0].Why, "16 blocks of 64 KiB were") {
		t.Errorf("an empty region: %v", l)
	}
}

// Lines that save time come first, the most first; then lines that save memory.
func TestRanked(t *testing.T) {
	p := apples()
	p.Systems[0].Choices[0].Component = "sting"
	p.Groups = append(p.Groups, profile.Group{Name: "rocks"})
	m := profile.Map{
		Regions: []profile.Region{{Free: ^uint32(0), Dirty: ^uint32(0)}},
		Chunks:  []profile.Placed{{Group: "rocks", Bytes: 3 << 20}},
	}
	var got []string
	for _, l := range Of(p, m, 1) {
		got = append(got, l.Rule)
	}
	if want := "[groups field sort unused idle]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct {
		time  time.Duration
		bytes uint64
		want  string
	}{
		{1500, 2 << 20, "1.5µs a frame and 2.0 MiB"},
		{0, 1<<20 + 1<<19, "1.5 MiB"},
		{9949, 0, "9.9µs a frame"}, {9951, 0, "10µs a frame"}, {253_900, 0, "250µs a frame"},
		{4931800, 0, "4.9ms a frame"}, {99_600_000, 0, "100ms a frame"},
	} {
		if got, want := (Line{Rule: "r", Time: tt.time, Bytes: tt.bytes, Why: "why", Code: "code"}).String(), "r: saves "+tt.want+"\n    why\n    → code\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A profile may say anything: sums must not overflow into nonsense.
func TestHugeNumbers(t *testing.T) {
	big := ^uint64(0)
	p := apples()
	s := &p.Systems[0]
	p.Frames, s.Frames, s.Timed, s.Times.P50 = 1, 1000, big, 1<<63-1
	for i := range s.Access {
		s.Access[i].Rows, s.Access[i].Bytes = 1<<45, big
	}
	s.Choices[0].Component = "sting"
	p.Stored = []profile.Stored{{Component: "sting", Way: "optional", Reason: "stated"}}
	p.Groups = append(p.Groups, profile.Group{Name: "table/~sting", Last: big})
	lines := Of(p, profile.Map{}, 1)
	if len(lines) != 4 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if l.Time < 0 || l.Time > sumMax || l.Bytes > sumMax {
			t.Errorf("%v", l)
		}
	}
}

// Worlds are advised one by one, each by the hints that it goes by, and a map is of one of them.
func TestWorlds(t *testing.T) {
	level, menu := apples(), apples()
	level.World, menu.World = "level", "menu"
	menu.Systems[0].Access = nil // nothing is touched
	p := profile.Profile{Worlds: []profile.Profile{level, menu}}
	m := profile.Map{Chunks: make([]profile.Placed, 64)}
	for i := range m.Chunks {
		m.Chunks[i] = profile.Placed{Group: "apples", Bytes: 64 << 10, Rows: 1}
	}
	rules := func() (list []string) {
		for _, l := range Of(p, m, 1<<20) {
			if !strings.HasPrefix(l.String(), "world "+l.World+": "+l.Rule+": saves") {
				t.Errorf("%s", l)
			}
			list = append(list, l.World+" "+l.Rule)
		}
		slices.Sort(list)
		return list
	}
	for _, tt := range []struct {
		world, want string
	}{
		{"level", "[level groups level sort]"},
		{"menu", "[level groups level sort menu unused]"},
	} {
		m.World = tt.world
		if got := fmt.Sprint(rules()); got != tt.want {
			t.Errorf("map of %s: %s, want %s", tt.world, got, tt.want)
		}
	}
}

// wasps is apples, in which the system reads the sting by handle and not as a field.
func wasps(reads uint64) profile.Profile {
	p := apples()
	s := &p.Systems[0]
	s.Access, s.Choices = s.Access[:1], nil
	p.Groups[0].Owns, p.Groups[1].Owns = []string{"weight"}, []string{"sting"}
	p.Lookups = []profile.Lookup{{Component: "sting", System: "s", Reads: reads * 100}, {Component: "weight", Reads: 100}}
	return p
}

// Reads by handle are advised to be a field if there is about one for each row.
func TestHandle(t *testing.T) {
	for _, tt := range []struct {
		what   string
		reads  uint64
		change func(p *profile.Profile)
		want   time.Duration
	}{
		{"one a row", 100_000, func(*profile.Profile) {}, 1630 * time.Microsecond}, // 18.8 − 2.5 ns
		{"more than a row has", 150_000, func(*profile.Profile) {}, 1630 * time.Microsecond},
		{"one in two rows", 50_000, func(*profile.Profile) {}, 815 * time.Microsecond},
		{"fewer", 49_000, func(*profile.Profile) {}, 0},
		{"of others", 151_000, func(*profile.Profile) {}, 0},
		{"beside the row", 100_000, func(p *profile.Profile) { p.Groups[0].Owns = []string{"weight", "sting"} }, 980 * time.Microsecond}, // 12 − 2.2 ns
		{"of which another system is told", 100_000, func(p *profile.Profile) { p.Lookups[0].System = "" }, 0},
		{"beside a field of it", 100_000, func(p *profile.Profile) {
			p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "bees", Component: "sting", Scattered: true, Rows: 1})
		}, 0},
		{"beside another one", 100_000, func(p *profile.Profile) {
			p.Lookups = append(p.Lookups, profile.Lookup{Component: "wing", System: "s", Reads: 100_000 * 100})
		}, 690 * time.Microsecond}, // half of 18.8 ns, less 2.5
		{"at most so much", 100_000, func(p *profile.Profile) { p.Systems[0].Times.P50 = time.Second }, 1750 * time.Microsecond},
		{"of no time", 100_000, func(p *profile.Profile) { p.Systems[0].Timed = 0 }, 0},
		{"of no rows", 100_000, func(p *profile.Profile) { p.Systems[0].Access = nil }, 0},
		{"in no time beyond its own", 100_000, func(p *profile.Profile) { p.Systems[0].Times.P50 = 370 * time.Microsecond }, 0},
		{"every second frame", 100_000, func(p *profile.Profile) {
			p.Systems[0].Frames = 50
			p.Lookups[0].Reads /= 2
			p.Systems[0].Access[0].Rows /= 2
		}, 815 * time.Microsecond},
	} {
		p := wasps(tt.reads)
		tt.change(&p)
		lines := only(p, profile.Map{}, "handle")
		if tt.want == 0 && len(lines) == 0 {
			continue
		}
		if len(lines) == 0 || lines[0].Time != tt.want || lines[0].System != "s" || lines[0].Group != "sting" {
			t.Errorf("%s: %+v, want %v", tt.what, lines, tt.want)
		}
	}
}

// A group with values read by handle is never taken for unused, and it is said how
// much is known.
func TestUnusedAndReadByHandle(t *testing.T) {
	m := profile.Map{Chunks: make([]profile.Placed, 64)}
	for i := range m.Chunks {
		m.Chunks[i] = profile.Placed{Group: "bees", Bytes: 64 << 10, Rows: 1}
	}
	p := wasps(1)
	if l := only(p, m, "unused"); len(l) > 0 {
		t.Errorf("%+v", l)
	}
	p.Lookups[0].Reads = 0
	if l := only(p, m, "unused"); len(l) != 1 || !strings.Contains(l[0].Why, "Reads by handle were not counted.") {
		t.Errorf("%+v", l)
	}
	p.Sampled = 3
	if l := only(p, m, "unused"); len(l) != 1 || !strings.Contains(l[0].Why, "Nothing was read by handle in 3 frames in which that was counted.") {
		t.Errorf("%+v", l)
	}
}

// ofFields makes the system one that asks for so many bytes of sting, over rows that have it. Another one may ask for all
// of it, over other rows.
func ofFields(bytes, rows uint64, write bool, whole uint64) func(p *profile.Profile, s *profile.System) {
	return func(p *profile.Profile, s *profile.System) {
		s.Access = []profile.Access{{Group: "table/sting", Component: "sting", Write: write, Rows: rows * 100, Bytes: rows * 100 * bytes, Lines: rows * 100}}
		s.Choices, s.Times.P50 = nil, time.Duration(20*rows)
		if whole > 0 {
			p.Systems = append(p.Systems, profile.System{Name: "all", Frames: 100, Access: []profile.Access{
				{Group: "table/sting", Component: "sting", Rows: whole * 100, Bytes: whole * 6400, Lines: whole * 100},
			}})
		}
	}
}

// A component that nobody reads is told if somebody walks its rows, and if reads by handle were counted.
func TestUnread(t *testing.T) {
	p := apples()
	p.Sampled = 2
	p.Components = append(p.Components, profile.Component{Name: "wax", Size: 32, Align: 8})
	p.Groups[0].Owns, p.Groups[0].Last = []string{"weight", "wax"}, 100_000
	p.Groups = append(p.Groups, profile.Group{Name: "combs", Owns: []string{"wax"}, Last: 50_000}) // that nobody walks
	told := func() (bytes uint64) {
		for _, l := range only(p, profile.Map{}, "unread") {
			if l.Group != "wax" {
				t.Errorf("%v", l)
			}
			bytes += l.Bytes
		}
		return bytes
	}
	if n := told(); n != 100_000*32 {
		t.Errorf("%d bytes", n)
	}
	for what, change := range map[string]func(p *profile.Profile){
		"few rows":       func(p *profile.Profile) { p.Groups[0].Last = 32_767 },
		"read by handle": func(p *profile.Profile) { p.Lookups = []profile.Lookup{{Component: "wax", Reads: 1}} },
		"written by a system": func(p *profile.Profile) {
			p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "apples", Component: "wax", Write: true})
		},
		"handles never counted": func(p *profile.Profile) { p.Sampled = 0 },
		"nobody walks its rows": func(p *profile.Profile) { p.Systems[0].Access = p.Systems[0].Access[1:] },
		"no system":             func(p *profile.Profile) { p.Systems = nil },
	} {
		was := p
		p, _ = profile.Merge(p, profile.Profile{}) // a copy
		if change(&p); told() != 0 {
			t.Errorf("%s: it speaks", what)
		}
		p = was
	}
}

// The advice to split a component names the fields that each system asks for, if the record has them.
func TestSplitNamesFields(t *testing.T) {
	p := apples()
	s := &p.Systems[0]
	ofFields(16, 100_000, false, 0)(&p, s)
	for _, tt := range []struct {
		fields []profile.Field
		want   string
	}{
		{nil, "rows that have it: s. Of"},
		{[]profile.Field{{Path: "sting.At"}, {Path: "stingy.No"}, {Path: "sting.Speed.X"}, {Path: "sting.At", Write: true}}, "rows that have it: s (At, Speed.X). Of"},
	} {
		s.Fields = tt.fields
		if l := only(p, profile.Map{}, "split"); len(l) != 1 || !strings.Contains(l[0].Why, tt.want) || l[0].System != "s" {
			t.Errorf("%v, want %q", l, tt.want)
		}
	}
}

// A system for which gathering costs less than a further column would lose by one row for all components.
func TestGroupsLoss(t *testing.T) {
	p := apples()
	p.Systems = []profile.System{gatherer("apples", "bees", 100_000)}
	alone := only(p, profile.Map{}, "groups")
	cheap := gatherer("apples", "bees", 100_000)
	cheap.Name, cheap.Times.P50 = "cheap", 130*time.Microsecond
	p.Systems = append(p.Systems, cheap)
	both := only(p, profile.Map{}, "groups")
	if len(alone) != 1 || len(both) != 1 || alone[0].Time-both[0].Time != 210*time.Microsecond {
		t.Errorf("alone\n%v\nwith one that loses\n%v", alone, both)
	}
}

// Where a system walks tables and gathers from a group, only the group is to go.
func TestGroupsOverTables(t *testing.T) {
	p := apples()
	tables(&p, 1, 100_000*100)
	p.Systems = []profile.System{gatherer("table/0", "bees", 100_000)}
	if lines := only(p, profile.Map{}, "groups"); len(lines) != 1 || lines[0].Group != "bees" {
		t.Errorf("%v", lines)
	}
}
