package advice

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile"
)

// texts are the lines of advice, and fails the test if there are more or fewer than want.
func texts(t *testing.T, lines []Line, want int) (all []string) {
	t.Helper()
	for _, l := range lines {
		all = append(all, l.Text)
	}
	if len(all) != want {
		t.Fatalf("%d lines of advice, want %d: %q", len(all), want, all)
	}
	return all
}

// apples is a profile of 100 frames with a system that walks a group, and reaches 2 MiB of
// another by entity in each.
func apples() profile.Profile {
	return profile.Profile{
		Frames: 100,
		Groups: []profile.Group{{Name: "apples"}, {Name: "bees"}},
		Systems: []profile.System{{Name: "s", Frames: 100, Access: []profile.Access{
			{Group: "apples", Component: "weight", Rows: 100_000 * 100},
			{Group: "bees", Component: "sting", Scattered: true, Bytes: 100 * 2 << 20},
		}}},
	}
}

func TestSortAs(t *testing.T) {
	p := apples()
	if got := texts(t, Of(p, profile.Map{}, 512<<10), 1)[0]; got != "bees: system s reaches sting of bees by entity, 2.0 MiB a run, walking apples: SortAs would put the rows in that order" {
		t.Errorf("advice %q", got)
	}
	s := &p.Systems[0]
	s.Access[1].Rows, s.Timed, s.Times.P50 = 200_000*s.Frames, 10, 2*time.Millisecond
	for order, want := range map[int]struct {
		text string
		gain time.Duration
	}{
		0: {"0 % lie; about 340µs a run less of 2ms", 340 * time.Microsecond}, 50: {"50 % lie; about 170µs a run less of 2ms", 170 * time.Microsecond}, 74: {"about 88.4µs a run less of 2ms", 88400},
	} {
		s.Choices = []profile.Choice{
			{Group: "bees", Component: "sting", Order: 99}, {Group: "apples", Component: "stinger.At", Order: 99},
			{Group: "apples", Component: "sting.At", Order: order},
		}
		l := Of(p, profile.Map{}, 512<<10)
		if got := texts(t, l, 1)[0]; !strings.HasSuffix(got, want.text) || l[0].Time != want.gain {
			t.Errorf("%d of 100 rows in order: advice %q, %v", order, got, l[0].Time)
		}
	}
	for _, order := range []int{75, 100} {
		s.Choices[2].Order = order
		texts(t, Of(p, profile.Map{}, 512<<10), 0)
	}
	s.Choices[2].Order = 0
	texts(t, Of(p, profile.Map{}, 2<<20), 0) // all of it is in the cache
	p.Intent.Every = []profile.Every{{System: "s", Frames: 10}}
	if l := Of(p, profile.Map{}, 512<<10); len(l) != 1 || l[0].Time != 34*time.Microsecond {
		t.Errorf("one run in ten frames: %v", l)
	}
}

func TestView(t *testing.T) {
	p := apples()
	p.Intent.Views = []profile.View{{System: "s", Component: "sting", Choice: "keep"}}
	s := &p.Systems[0]
	s.Access = s.Access[:1]
	s.Choices = []profile.Choice{{Group: "apples", Component: "sting", Use: "keep", Order: 100}}
	c := &s.Choices[0].Costs
	texts(t, Of(p, profile.Map{}, 1), 0) // nothing else was tried
	c.Set("keep", profile.RowCostOf(12.5))
	c.Set("stream", profile.RowCostOf(12.5))
	texts(t, Of(p, profile.Map{}, 1), 0) // as good
	c.Set("stream", profile.RowCostOf(10))
	l := Of(p, profile.Map{}, 1)
	const want = "apples: system s gets sting by keep, since intent asks for it, and stream was 2.5 ns a row cheaper; about 250µs a run less without `view s sting keep`"
	if got := texts(t, l, 1)[0]; got != want || l[0].Time != 250*time.Microsecond {
		t.Errorf("%q, %v", got, l[0].Time)
	}
	for what, view := range map[string]profile.View{
		"another choice":    {System: "s", Component: "sting", Choice: "alias"},
		"another system":    {System: "r", Component: "sting", Choice: "keep"},
		"another component": {System: "s", Component: "stinger", Choice: "keep"},
	} {
		p.Intent.Views[0] = view
		if got := Of(p, profile.Map{}, 1); len(got) != 0 {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func TestUnused(t *testing.T) {
	p := apples()
	p.Systems[0].Access = p.Systems[0].Access[:1]
	var m profile.Map
	for i := range 20 {
		m.Chunks = append(m.Chunks, profile.Placed{Group: []string{"apples", "bees"}[i%2], Bytes: 1 << 20 / 10})
	}
	texts(t, Of(p, m, 1), 0) // a little less than is worth a word
	m.Chunks = append(m.Chunks, profile.Placed{Group: "bees", Bytes: 1 << 20})
	l := Of(p, m, 1)
	if got := texts(t, l, 1)[0]; got != "bees: no system touched its 1.9 MiB in 11 chunks; if nothing reads them by handle, keep them out of the world, or state `cold bees`" || l[0].Bytes != 1<<20+10*(1<<20/10) {
		t.Errorf("%q, %d bytes", got, l[0].Bytes)
	}
	for _, cold := range []bool{true, false} {
		p.Intent.Heat = []profile.Heat{{Group: "bees", Cold: cold}}
		texts(t, Of(p, m, 1), 0)
	}
	p.Intent.Heat = nil
	none := p
	none.Systems = nil // what was not recorded is not unused
	texts(t, Of(none, m, 1), 0)
	p.Systems[0].Access = append(p.Systems[0].Access, profile.Access{Group: "bees", Scattered: true})
	texts(t, Of(p, m, 1), 0)
}

func TestIdle(t *testing.T) {
	const all = ^uint32(0)
	m := profile.Map{Frame: 7, Regions: []profile.Region{
		{Free: 0xffff_0000, Dirty: all},          // 16 free, 16 in use
		{Free: all, Dirty: 0x0000_00ff},          // 8
		{Free: 0x0000_ffff, Dirty: 0xffff_0000},  // clean where free
		{Free: 0xf000_0000, Quarantined: 1 << 3}, // nor dirty
	}}
	for whole, want := range map[bool]string{false: "1.5 MiB were free and resident in frame 7: ", true: ""} {
		m.Whole = whole
		l := Of(profile.Profile{}, m, 1)
		got := ""
		if len(l) > 0 {
			got = l[0].Text
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("whole %v: %q", whole, got)
		}
	}
	m.Whole, m.Regions[1].Dirty = true, 0xffff
	if l := Of(profile.Profile{}, m, 1); len(l) != 1 || l[0].Bytes != 1<<20 {
		t.Errorf("an empty region: %v", l)
	}
}

// Lines that save time come first, the most first; then those that save memory.
func TestRanked(t *testing.T) {
	p := apples()
	s := &p.Systems[0]
	s.Access[1].Rows = 100 * 1000
	s.Choices = []profile.Choice{{Group: "apples", Component: "sting", Order: 10}}
	p.Systems = append(p.Systems, *s)
	slow := &p.Systems[1]
	slow.Name, slow.Access = "slow", []profile.Access{s.Access[0], s.Access[1]}
	slow.Access[1].Rows *= 50
	p.Systems = append(p.Systems, *slow)
	unknown := &p.Systems[2]
	unknown.Name, unknown.Choices = "unknown", nil
	p.Groups = append(p.Groups, profile.Group{Name: "rocks"})
	m := profile.Map{
		Regions: []profile.Region{{Free: ^uint32(0), Dirty: ^uint32(0)}},
		Chunks:  []profile.Placed{{Group: "rocks", Bytes: 3 << 20}},
	}
	var got []string
	for _, l := range Of(p, m, 1) {
		word, _, _ := strings.Cut(l.Text, ",")
		got = append(got, fmt.Sprint(l.Time > 0, l.Bytes>>20, " ", word[:min(len(word), 20)]))
	}
	want := `[true 0 bees: system slow re true 0 bees: system s reach false 3 rocks: no system tou false 2 2.0 MiB were free an false 0 bees: system unknown]`
	if fmt.Sprint(got) != want {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// A profile may say anything: sums must not overflow into nonsense.
func TestHugeNumbers(t *testing.T) {
	big := ^uint64(0)
	p := apples()
	p.Frames, p.Groups[0].Rows, p.Groups[0].Last, p.Groups[0].Peak = 1, big, big, big
	p.Systems[0] = profile.System{Name: "s", Frames: 1, Timed: 1, Times: profile.Times{P50: 1<<63 - 1},
		Access:  []profile.Access{{Group: "apples", Rows: big}, {Group: "bees", Component: "c", Scattered: true, Rows: big, Bytes: big}},
		Choices: []profile.Choice{{Group: "apples", Component: "c", Use: "keep"}}}
	p.Intent.Views = []profile.View{{System: "s", Component: "c", Choice: "keep"}}
	c := &p.Systems[0].Choices[0].Costs
	c.Set("keep", profile.RowCostOf(1e300))
	c.Set("stream", 1)
	for _, l := range Of(p, profile.Map{}, 1) {
		if l.Time <= 0 || l.Time > sumMax {
			t.Errorf("%v: %s", l.Time, l.Text)
		}
	}
	if got := len(Of(p, profile.Map{}, 1)); got != 2 {
		t.Errorf("%d lines", got)
	}
}
