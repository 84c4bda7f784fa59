package advice

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// layoutText is the layout that a record speaks for, a statement a line, without what all comments begin with.
func layoutText(t *testing.T, p profile.Profile) string {
	t.Helper()
	var b strings.Builder
	for _, s := range Layout(p, 1<<20) {
		why, advised := strings.CutPrefix(s.Why, layout.Advised)
		if s.Line != 0 {
			t.Errorf("%+v", s)
		}
		if !advised {
			why += " (by hand)"
		}
		fmt.Fprintf(&b, "%s: %s\n", profile.InWorld(s.World, s.String()), why)
	}
	return b.String()
}

// A component is stored from the start as a run stored it in the end, unless code says how, or a column of
// tables is right.
func TestLayoutStored(t *testing.T) {
	const ordered = "stored c ordered: removed often, 9 removes a frame; the run stored it so from frame 24 on\n"
	for _, tt := range []struct {
		s    profile.Stored
		want string
	}{
		{profile.Stored{Way: "ordered", Reason: "removed often", Entities: 5, Removes: []uint64{900}, Since: 24}, ordered},
		{profile.Stored{Way: "ordered", Reason: "removed often", Removes: []uint64{900}, Since: 24}, ordered}, // at last nothing had it
		{profile.Stored{Way: "optional", Reason: "removed often", Entities: 5, Removes: []uint64{150_000}}, "stored c volatile: removed often, 1500 removes a frame\n"},
		{profile.Stored{Way: "optional", Reason: "removed often", Entities: 5, Removes: []uint64{7}}, "stored c volatile: removed often, 0.07 removes a frame\n"},
		{profile.Stored{Way: "ordered", Reason: "removed often", Entities: 5, Removes: []uint64{5, 5, 10, 20, 40, 80, 270, 0, 470}, Since: 24}, ordered},                            // 6.7 a frame in the first 64, 13 later
		{profile.Stored{Way: "ordered", Reason: "removed often", Entities: 5, Removes: []uint64{5, 5, 10, 20, 40, 80, 240, 0, 500}, Since: 24}, ""},                                 // 6.2, 13.9
		{profile.Stored{Way: "ordered", Reason: "removed often", Entities: 5, Removes: []uint64{0, 0, 0, 0, 0, 0, 900}, Since: 24}, ordered},                                        // of a short run
		{profile.Stored{Way: "ordered", Reason: "removed often", Entities: 5, Removes: []uint64{0, 0, 0, 0, 0, 0, 0, 900}}, "stored c ordered: removed often, 9 removes a frame\n"}, // so from the start
		{profile.Stored{Way: "optional", Reason: "stated", Entities: 5, Removes: []uint64{900}}, ""},
		{profile.Stored{Way: "optional", Reason: "removed often"}, ""}, // nothing had it
		{profile.Stored{Way: "fixed", Reason: "by default", Entities: 5, Removes: []uint64{900}}, ""},
		{profile.Stored{Way: "thin", Reason: "few have it", Entities: 5}, ""},
	} {
		tt.s.Component = "c"
		if got := layoutText(t, profile.Profile{Frames: 100, Stored: []profile.Stored{tt.s}}); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.s, got, tt.want)
		}
	}
}

// If the first frames took longer than others, components that the store has changed over had a part in it: their share
// of all changes.
func TestLayoutFirstFrames(t *testing.T) {
	stored := func(name string, removes, since uint64) profile.Stored {
		return profile.Stored{Component: name, Way: "optional", Reason: "often", Entities: 5, Removes: []uint64{removes}, Since: since}
	}
	fixed := profile.Stored{Component: "f", Way: "fixed", Reason: "by default", Entities: 5, Removes: []uint64{3000}}
	for _, tt := range []struct {
		early  time.Duration
		stored []profile.Stored
		want   string
	}{
		{200 * time.Millisecond, []profile.Stored{stored("c", 1000, 24)}, "stored c volatile: often, 10 removes a frame; the run stored it so from frame 24 on; about 150ms less in the first 100 frames\n"},
		{200 * time.Millisecond, []profile.Stored{stored("c", 1000, 24), fixed}, "stored c volatile: often, 10 removes a frame; the run stored it so from frame 24 on; about 36ms less in the first 100 frames\n"},
		{200 * time.Millisecond, []profile.Stored{stored("c", 1000, 24), stored("d", 1000, 8)}, "stored c volatile: often, 10 removes a frame; the run stored it so from frame 24 on; about 150ms less in the first 100 frames, all 2 of these together\n" +
			"stored d volatile: often, 10 removes a frame; the run stored it so from frame 8 on; about 150ms less in the first 100 frames, all 2 of these together\n"},
		{200 * time.Millisecond, []profile.Stored{stored("c", 1000, 0)}, "stored c volatile: often, 10 removes a frame\n"}, // from the start
		{0, []profile.Stored{stored("c", 1000, 24)}, "stored c volatile: often, 10 removes a frame; the run stored it so from frame 24 on\n"},
	} {
		if got := layoutText(t, profile.Profile{Frames: 100, Early: tt.early, Stored: tt.stored}); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.early, got, tt.want)
		}
	}
	p := profile.Profile{Frames: 100, Early: 200 * time.Millisecond, Stored: []profile.Stored{stored("c", 1000, 24)}, Layout: "0123456789abcdef"}
	if got := layoutText(t, p); strings.Contains(got, "first 100 frames") {
		t.Errorf("a run by a layout began otherwise, and %q", got)
	}
}

// Rows that a layout sorted, and groups that it set apart, are no evidence against its statements: these stand, with
// their reasons, if all of the record is of runs by that layout. All that a person wrote stands as it is.
func TestLayoutStands(t *testing.T) {
	p := profile.Profile{Frames: 10, Layout: "0123456789abcdef", Laid: []string{"apart lot  # advised: many tables", "sort a by b.C every 9 # mine", "sort c by d every 7", "apart", "fly", "view s a gathered", "view s b.X none # mine", "near lot a", "rows lot 5", "cold lot"}}
	const want = "apart lot: many tables\ncold lot:  (by hand)\nnear lot a:  (by hand)\nrows lot 5:  (by hand)\nsort a by b.C every 9: mine (by hand)\nsort c by d every 7:  (by hand)\nview s a gathered:  (by hand)\nview s b.X none: mine (by hand)\n"
	if got := layoutText(t, p); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p.World = "menu"
	if got := layoutText(t, profile.Profile{Worlds: []profile.Profile{p}}); !strings.HasPrefix(got, "world menu: apart lot: ") {
		t.Error(got)
	}
	if p.Layout = ""; layoutText(t, p) != "" {
		t.Errorf("of several layouts: %s", layoutText(t, p))
	}
	p = profile.Profile{Frames: 10, Layout: "0123456789abcdef", Laid: []string{"stored a volatile # advised: often; from frame 8 on; about 43ms less in the first 100 frames, all 3 of these together", "stored b ordered # mine", "stored c thin # advised: few", "stored d volatile # advised: often"}, Stored: []profile.Stored{
		{Component: "a", Way: "ordered", Reason: "often", Entities: 1}, {Component: "b", Way: "fixed", Reason: "by default", Entities: 1},
		{Component: "c", Way: "thin", Reason: "stated"}, {Component: "e", Way: "optional", Reason: "often", Removes: []uint64{10}, Entities: 1}}}
	const stored = "stored a volatile: often; from frame 8 on\nstored b ordered: mine (by hand)\nstored c thin: few\nstored e volatile: often, 1 removes a frame\n"
	if got := layoutText(t, p); got != stored {
		t.Errorf("%s, want %s", got, stored)
	}
}

// Rows are stated where a table filled regions of 2 MiB in most frames, in two digits. The gain is that of pages in the
// first four of them.
func TestLayoutRows(t *testing.T) {
	for _, tt := range []struct {
		mean, peak uint64 // rows of 24 bytes, handles among them
		want       string
	}{
		{87_381, 87_381, ""},
		{87_382, 87_382, "rows g 88000: 87382 at most, 87382 on average; about 610µs less until it has grown\n"},
		{174_763, 174_763, "rows g 180000: 174763 at most, 174763 on average; about 1.2ms less until it has grown\n"},
		{349_526, 349_526, "rows g 350000: 349526 at most, 349526 on average; about 2.5ms less until it has grown\n"},
		{1_900_000, 1_912_345, "rows g 2000000: 1912345 at most, 1900000 on average; about 2.5ms less until it has grown\n"},
		{50_000, 100_000, "rows g 100000: 100000 at most, 50000 on average; about 610µs less until it has grown\n"},
		{49_999, 100_000, ""}, // a peak
		{800_000, 1_600_000, "rows g 1600000: 1600000 at most, 800000 on average, half of them from frame 64 on; about 2.5ms less until it has grown\n"}, // it grew
		{700_000, 700_000, "rows g 700000: 700000 at most, 700000 on average; about 2.5ms less until it has grown\n"},                                    // it began so
		{1 << 40, 1 << 40, "rows g 2147483647: 1099511627776 at most, 1099511627776 on average; about 2.5ms less until it has grown\n"},
	} {
		p := profile.Profile{Frames: 10, Components: []profile.Component{{Name: "a", Size: 12}, {Name: "b", Size: 4}},
			Groups: []profile.Group{{Name: "g", Owns: []string{"a", "b"}, Rows: 10 * tt.mean, Peak: tt.peak}},
			Growth: []profile.Growth{{Group: "f", Frame: 1, Rows: 1 << 40}, {Group: "g", Frame: 1, Rows: 400_000}, {Group: "g", Frame: 64, Rows: 900_000}}}
		if got := layoutText(t, p); got != tt.want {
			t.Errorf("%d of %d: %q, want %q", tt.mean, tt.peak, got, tt.want)
		}
	}
	if got := layoutText(t, profile.Profile{Groups: []profile.Group{{Name: "g", Rows: 1 << 40, Peak: 1 << 20}}}); got != "" {
		t.Errorf("of no frames: %s", got)
	}
}

// What is advised is a valid layout, which reads back as it was.
func TestLayoutIsOne(t *testing.T) {
	p := profile.Profile{World: "the UI", Frames: 100, Stored: []profile.Stored{{Component: "odd, name", Way: "optional", Reason: "removed # often", Entities: 1}},
		Components: []profile.Component{{Name: "odd, name", Size: 100}},
		Groups:     []profile.Group{{Name: profile.TableName{Fixed: []string{"odd, name"}}.String(), Owns: []string{"odd, name"}, Rows: 2_000_000, Peak: 20_000}}}
	list := Layout(p, 1<<20)
	l, err := layout.Parse("advised", []byte(layout.Layout{Statements: list}.String()))
	for i := range l.Statements {
		l.Statements[i].Line = 0
	}
	if err != nil || len(list) != 2 || !reflect.DeepEqual(l.Statements, list) {
		t.Errorf("%v: advised\n%+v\nread\n%+v", err, list, l.Statements)
	}
}

// Rows are sorted by where their targets lie if a system reads these by handle, far apart, in more memory than
// the caches have, and if they are no rows of the same kind.
func TestLayoutTargets(t *testing.T) {
	town := func() profile.Profile {
		return profile.Profile{
			Frames:     100,
			Components: []profile.Component{{Name: "house", Size: 64, Align: 8}, {Name: "lives", Size: 8, Align: 8}, {Name: "purse", Size: 8, Align: 8}},
			Handles:    []profile.Handle{{Field: "lives.In"}},
			Groups: []profile.Group{
				{Name: "table/house", Owns: []string{"house"}, Rows: 30_000_000, Peak: 300_000},
				{Name: "table/lives+purse", Owns: []string{"lives", "purse"}, Rows: 100_000_000, Peak: 1_000_000},
			},
			Lookups: []profile.Lookup{{Component: "house", System: "pay", Reads: 100_000_000, Far: 90_000_000}},
			Systems: []profile.System{{Name: "pay", Frames: 100, Access: []profile.Access{
				{Group: "table/lives+purse", Component: "lives", Rows: 100_000_000, Chunks: 1, Bytes: 1},
				{Group: "table/lives+purse", Component: "purse", Write: true, Rows: 100_000_000, Chunks: 1, Bytes: 1},
			}}},
		}
	}
	const want = "sort lives by lives.In every 60: pay reads house by handle 1000000 times a run, 90 % far from the one before; about 37ms a frame less\n"
	for name, tt := range map[string]struct {
		change func(p *profile.Profile)
		want   string
	}{
		"far":                  {func(*profile.Profile) {}, want},
		"near":                 {func(p *profile.Profile) { p.Lookups[0].Far = 49_000_000 }, ""},
		"in the caches":        {func(p *profile.Profile) { p.Groups[0].Rows = 1_600_000 }, ""},
		"few reads":            {func(p *profile.Profile) { p.Lookups[0].Reads, p.Lookups[0].Far = 40_000_000, 40_000_000 }, ""},
		"no handle":            {func(p *profile.Profile) { p.Handles = nil }, ""},
		"of another component": {func(p *profile.Profile) { p.Handles[0].Field = "livesin.In" }, ""},
		"two handles": {func(p *profile.Profile) {
			p.Handles = append(p.Handles, profile.Handle{Field: "lives.Next"})
		}, ""},
		"of rows elsewhere":  {func(p *profile.Profile) { p.Systems[0].Access[0].Scattered = true }, ""},
		"their own kind":     {func(p *profile.Profile) { p.Groups[1].Owns = append(p.Groups[1].Owns, "house") }, ""},
		"by the program":     {func(p *profile.Profile) { p.Lookups[0].System = "" }, ""},
		"a component itself": {func(p *profile.Profile) { p.Handles[0].Field = "lives" }, strings.ReplaceAll(want, "lives.In", "lives")},
		"sorted already": {func(p *profile.Profile) {
			p.Layout, p.Laid = "0123456789abcdef", []string{"sort lives by lives.In every 90 # advised: it was far"}
		}, "sort lives by lives.In every 90: it was far\n"},
		"two readers": {func(p *profile.Profile) {
			p.Systems = append(p.Systems, p.Systems[0])
			p.Systems[1].Name = "pray"
			p.Lookups = append(p.Lookups, profile.Lookup{Component: "house", System: "pray", Reads: 100_000_000, Far: 100_000_000})
		}, want},
		"a costly sort": {func(p *profile.Profile) {
			p.Lookups[0].Reads, p.Lookups[0].Far = 50_000_000, 50_000_000
		}, "sort lives by lives.In every 64: pay reads house by handle 500000 times a run, 100 % far from the one before; about 19ms a frame less\n"},
	} {
		p := town()
		tt.change(&p)
		var got string
		for line := range strings.Lines(layoutText(t, p)) {
			if strings.HasPrefix(line, "sort ") {
				got += line
			}
		}
		if got != tt.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, tt.want)
		}
	}
}

// A declared group without rows of its own is to have them if systems walk its components alone, all rows of them, and in so
// many tables that it pays.
func TestLayoutApart(t *testing.T) {
	const told = "apart g: s walks 16384 rows in 1024 tables; about 31µs a frame less\nrows g 17000: 16384 at least at its peak, 16384 on average; about 610µs less until it has grown\n"
	for _, tt := range []struct {
		what   string
		change func(p *profile.Profile)
		want   string
	}{
		{"many tables", func(*profile.Profile) {}, told},
		{"more memory than the caches have", func(p *profile.Profile) {
			for i := range p.Systems[0].Access {
				p.Systems[0].Access[i].Bytes *= 16
			}
			p.Systems[0].Times.P50 = 400 * time.Microsecond
		}, strings.Replace(told, "31µs", "310µs", 1)},
		{"time that tables do not take", func(p *profile.Profile) { p.Systems[0].Times.P50 = 22 * time.Microsecond }, ""},
		{"a system that takes long for each row", func(p *profile.Profile) { p.Systems[0].Times.P50 = 200 * time.Microsecond }, ""},
		{"it grew", func(p *profile.Profile) {
			for i := range 1024 {
				p.Groups[1+i].Last = 30
			}
		}, strings.Replace(told, "rows g 17000: 16384", "rows g 31000: 30720", 1)},
		{"and a long table, which is left without the group's components", func(p *profile.Profile) {
			p.Groups = append(p.Groups, profile.Group{Name: "table/a+b+c~d", Owns: []string{"a", "b", "c", "d"}, Rows: 200_000, Peak: 20_000, Last: 20_000})
			p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "table/a+b+c~d", Component: "a", Rows: 200_000, Bytes: 16})
			p.Systems[0].Times.P50 = 100 * time.Microsecond
		}, "apart g: s walks 36384 rows in 1025 tables; about 31µs a frame less\nrows table/b+c~d 20000: 20000 at most, 20000 on average; about 610µs less until it has grown\nrows g 37000: 36384 at least at its peak, 36384 on average; about 1.2ms less until it has grown\n"},
		{"and a long table of the group alone, which is left without rows", func(p *profile.Profile) {
			p.Groups = append(p.Groups, profile.Group{Name: "table/a", Owns: []string{"a"}, Rows: 200_000, Peak: 20_000, Last: 20_000})
			p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "table/a", Component: "a", Rows: 200_000, Bytes: 16})
			p.Systems[0].Times.P50 = 100 * time.Microsecond
		}, "apart g: s walks 36384 rows in 1025 tables; about 31µs a frame less\nrows g 37000: 36384 at least at its peak, 36384 on average; about 1.2ms less until it has grown\n"},
		{"it grew late", func(p *profile.Profile) {
			for i := range 1024 {
				p.Groups[1+i].Last = 33
			}
		}, told[:strings.Index(told, "rows g")]},
		{"rows of its own", func(p *profile.Profile) { p.Groups[0].Peak = 1 }, ""},
		{"a component of others", func(p *profile.Profile) {
			p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "table/a+t0", Component: "t0", Rows: 160})
		}, ""},
		{"a query that asks for others, too", func(p *profile.Profile) {
			p.Systems = append(p.Systems, profile.System{Name: "a query of x", Frames: 10, Access: []profile.Access{{Group: "table/a+t0", Component: "a", Rows: 160}, {Group: "table/a+t0", Component: "t0", Rows: 160}}})
		}, ""},
		{"a system of others", func(p *profile.Profile) {
			p.Systems = append(p.Systems, profile.System{Name: "of t0", Frames: 10, Access: []profile.Access{{Group: "table/a+t0", Component: "t0", Rows: 160}}})
		}, told},
		{"rows that are left out", func(p *profile.Profile) { p.Systems[0].Access = p.Systems[0].Access[:800] }, ""},
		{"no times", func(p *profile.Profile) { p.Systems[0].Timed = 0 }, ""},
		{"no frames", func(p *profile.Profile) { p.Frames, p.Systems[0].Frames = 0, 0 }, ""},
	} {
		s := profile.System{Name: "s", Frames: 10, Timed: 10, Times: profile.Times{P50: 60 * time.Microsecond}}
		p := profile.Profile{Frames: 10, Components: []profile.Component{{Name: "a", Size: 128}, {Name: "b", Size: 100}, {Name: "c", Size: 12}, {Name: "d", Size: 1 << 20}}, Groups: []profile.Group{{Name: "g", Owns: []string{"a"}}}}
		for i := range 1024 {
			extra := fmt.Sprint("t", i)
			g := profile.Group{Name: "table/a+" + extra, Owns: []string{"a", extra}, Rows: 160, Peak: 16}
			p.Groups = append(p.Groups, g)
			s.Access = append(s.Access, profile.Access{Group: g.Name, Component: "a", Rows: 160, Bytes: 160 * 16})
		}
		p.Systems = []profile.System{s}
		if tt.change(&p); layoutText(t, p) != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, layoutText(t, p), tt.want)
		}
	}
}
