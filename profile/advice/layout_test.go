package advice

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// layoutText is the layout that a record speaks for, a statement a line, without what all comments begin with.
func layoutText(t *testing.T, p profile.Profile, m profile.Map) string {
	t.Helper()
	var b strings.Builder
	for _, s := range Layout(p, m) {
		why, ok := strings.CutPrefix(s.Why, layout.Advised)
		if !ok || s.Line != 0 {
			t.Errorf("%+v", s)
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
		{profile.Stored{Way: "ordered", Reason: "removed often", Entities: 5, Removes: 900, Since: 24}, ordered},
		{profile.Stored{Way: "ordered", Reason: "removed often", Removes: 900, Since: 24}, ordered}, // at last nothing had it
		{profile.Stored{Way: "optional", Reason: "removed often", Entities: 5, Removes: 150_000}, "stored c volatile: removed often, 1500 removes a frame\n"},
		{profile.Stored{Way: "optional", Reason: "removed often", Entities: 5, Removes: 7}, "stored c volatile: removed often, 0.07 removes a frame\n"},
		{profile.Stored{Way: "optional", Reason: "stated", Entities: 5, Removes: 900}, ""},
		{profile.Stored{Way: "optional", Reason: "removed often"}, ""}, // nothing had it
		{profile.Stored{Way: "fixed", Reason: "by default", Entities: 5, Removes: 900}, ""},
		{profile.Stored{Way: "thin", Reason: "few have it", Entities: 5}, ""},
	} {
		tt.s.Component = "c"
		if got := layoutText(t, profile.Profile{Frames: 100, Stored: []profile.Stored{tt.s}}, profile.Map{}); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.s, got, tt.want)
		}
	}
}

// Rows are expected where a table was long in most frames, in two digits.
func TestLayoutRows(t *testing.T) {
	for _, tt := range []struct {
		mean, peak uint64
		want       string
	}{
		{1_900_000, 1_912_345, "rows g 2000000: 1912345 at most, 1900000 on average\n"},
		{16_384, 16_384, "rows g 17000: 16384 at most, 16384 on average\n"},
		{16_383, 16_383, ""},
		{50_000, 100_000, "rows g 100000: 100000 at most, 50000 on average\n"},
		{49_999, 100_000, ""}, // a peak
		{1 << 40, 1 << 40, "rows g 2147483647: 1099511627776 at most, 1099511627776 on average\n"},
	} {
		p := profile.Profile{Frames: 10, Groups: []profile.Group{{Name: "g", Rows: 10 * tt.mean, Peak: tt.peak}}}
		if got := layoutText(t, p, profile.Map{}); got != tt.want {
			t.Errorf("%d of %d: %q, want %q", tt.mean, tt.peak, got, tt.want)
		}
	}
	if got := layoutText(t, profile.Profile{Groups: []profile.Group{{Name: "g", Rows: 1 << 40, Peak: 20_000}}}, profile.Map{}); got != "" {
		t.Errorf("of no frames: %s", got)
	}
}

// Rows that no system touches are cold, if a map says that they are many. A map is of one world alone.
func TestLayoutCold(t *testing.T) {
	p := apples()
	p.Systems[0].Access = p.Systems[0].Access[:1]
	m := profile.Map{Chunks: []profile.Placed{{Group: "bees", Bytes: 3 << 20}, {Group: "apples", Bytes: 1 << 21}}}
	if got := layoutText(t, p, profile.Map{}); got != "" {
		t.Errorf("without a map: %s", got)
	}
	const want = "cold bees: 3.0 MiB that no system touched in 100 frames\n"
	if got := layoutText(t, p, m); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	level, menu := p, p
	level.World, menu.World, m.World = "level", "menu", "menu"
	if got := layoutText(t, profile.Profile{Worlds: []profile.Profile{level, menu}}, m); got != "world menu: "+want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is advised is a valid layout, which reads back as it was.
func TestLayoutIsOne(t *testing.T) {
	p := profile.Profile{World: "the UI", Frames: 100, Stored: []profile.Stored{{Component: "odd, name", Way: "optional", Reason: "removed # often", Entities: 1}},
		Groups: []profile.Group{{Name: profile.TableName{Fixed: []string{"odd, name"}}.String(), Rows: 2_000_000, Peak: 20_000}}}
	list := Layout(p, profile.Map{})
	l, err := layout.Parse("advised", []byte(layout.Layout{Statements: list}.String()))
	for i := range l.Statements {
		l.Statements[i].Line = 0
	}
	if err != nil || len(list) != 2 || !reflect.DeepEqual(l.Statements, list) {
		t.Errorf("%v: advised\n%+v\nread\n%+v", err, list, l.Statements)
	}
}
