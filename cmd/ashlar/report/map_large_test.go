package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

const screenLines, screenColumns = 50, 100

// large is a map of 100,000 chunks of 5,000 groups. Half of its regions are full of one group,
// the next ones of many, and the last ones are untouched.
func large() profile.Map {
	m := profile.Map{Frame: 7}
	const regions = 100_000/arena.SlotsPerRegion + 100
	for i := range regions {
		r := profile.Region{Range: []string{"normal", "huge", "cold"}[3*i/regions], Number: uint32(i), Dirty: math.MaxUint32, Striped: i%3 == 0 && i > regions/2}
		if i*arena.SlotsPerRegion >= 100_000 {
			r.Free, r.Dirty, r.Striped = math.MaxUint32, 0, false
		}
		m.Regions = append(m.Regions, r)
	}
	for i := range 100_000 {
		c := profile.Placed{Group: "terrain", Order: i, Region: i / 32, Slot: i % 32, Rows: 1000, Bytes: 60_000, Heat: 1 << (i / 5000)}
		if i >= 50_000 {
			c.Group, c.Order = fmt.Sprintf("village%04d", i*7919%5000), i/5000
		}
		m.Chunks = append(m.Chunks, c)
	}
	return m
}

// A map of any size fits a screen, whatever it shows.
func TestLargeFitsAScreen(t *testing.T) {
	m := large()
	tiny := large() // all groups are of few rows
	for i := range tiny.Regions[:3125] {
		tiny.Regions[i].Blocks, tiny.Regions[i].Striped = math.MaxUint32, false
	}
	mixed := large() // regions of ranges that take turns
	for i := range mixed.Regions {
		mixed.Regions[i].Range = fmt.Sprint("range", i%7)
	}
	long := large() // names are long, and some groups are of few rows
	long.Regions[3000].Blocks, long.Regions[3000].Striped = math.MaxUint32, false
	for i := range long.Chunks {
		long.Chunks[i].Group += strings.Repeat("-and-on", 9)
	}
	for name, m := range map[string]profile.Map{"large": m, "tiny": tiny, "mixed": mixed, "long": long} {
		for _, o := range []MapOptions{
			{Top: MapTop}, {By: ByHeat, Top: MapTop}, {Top: MapTop, Group: regexp.MustCompile("village")}, {Top: MapTop, Group: regexp.MustCompile("^village1")}, {Top: 1},
		} {
			var b strings.Builder
			if err := MapText(&b, m, o); err != nil {
				t.Fatal(err)
			}
			lines := 1 // the headline
			for line := range strings.Lines(b.String()) {
				lines += 1 + (utf8.RuneCountInString(line)-2)/screenColumns
			}
			if lines > screenLines-2 { // the command, and the next prompt
				t.Errorf("%s, %+v: %d lines\n%s", name, o, lines, b.String())
			}
		}
	}
}

func TestLargeGolden(t *testing.T) {
	for name, o := range map[string]MapOptions{
		"large.txt": {Top: MapTop}, "large-heat.txt": {By: ByHeat, Top: MapTop}, "large-some.txt": {Top: 3, Group: regexp.MustCompile("^village000")},
	} {
		var b bytes.Buffer
		fmt.Fprintln(&b, MapHeadline(large()))
		if err := MapText(&b, large(), o); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

// The last line counts the missing ones; a Top of 0 misses nothing.
func TestTop(t *testing.T) {
	for _, tt := range []struct {
		o    MapOptions
		want string
	}{
		{MapOptions{Top: 2}, "  * 2 more groups: `ashlar map FILE -top 0` lists all, -group REGEXP some\n"},
		{MapOptions{Top: 3}, "  * 1 more group: `ashlar map FILE -top 0` lists all, -group REGEXP some\n"},
		{MapOptions{Top: 4}, "  [ ] is striped: the columns of its chunks lie side by side\n"},
		{MapOptions{}, "  [ ] is striped: the columns of its chunks lie side by side\n"},
		{MapOptions{By: ByHeat, Top: 2}, "  [ ] is striped: the columns of its chunks lie side by side\n"},
	} {
		var b strings.Builder
		if err := MapText(&b, drawn(), tt.o); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), "\n"+tt.want) {
			t.Errorf("%+v\n%s\nwant %s", tt.o, b.String(), tt.want)
		}
	}
	var b strings.Builder
	if err := MapText(&b, drawn(), MapOptions{Top: 2}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"???*::--", "  A = crowd ", "  B = body ", "  * = 2 other groups         2 chunks              6 rows      64.1 KiB   50 % full\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "table/mark") {
		t.Errorf("three groups are listed:\n%s", b.String())
	}
	b.Reset()
	if err := MapText(&b, large(), MapOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "village"); n != 5000 {
		t.Errorf("%d groups are listed of 5000", n)
	}
}

// Only groups that match are drawn, listed and summed up.
func TestOnlySomeGroups(t *testing.T) {
	for _, tt := range []struct {
		expression string
		o          MapOptions
		has, not   []string
	}{
		{"^body$", MapOptions{}, []string{"  huge   region    0  A+A????????????~................   3 in use,  50 % full\n", "regions without the others: 3\n"}, []string{"crowd", "tiny", "region    1"}},
		{"tiny", MapOptions{Top: 4}, []string{"???_:_--", " 1 in use,   3 % full\n", "14 groups of few rows", "tiny0, tiny1, tiny2, tiny3 and 10 more"}, []string{"table/few", "crowd"}},
		{"tiny|^body$", MapOptions{Top: 4}, []string{"A = body", ": tiny0, tiny1, tiny2 and 11 more"}, nil},
		{"tiny", MapOptions{}, []string{"tiny12, tiny13\n"}, []string{"more"}},
		{"tiny", MapOptions{By: ByHeat}, []string{"???_1_--", "9 = 1.0 GiB or more"}, nil},
	} {
		tt.o.Group = regexp.MustCompile(tt.expression)
		var b strings.Builder
		if err := MapText(&b, drawn(), tt.o); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.has {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %s in\n%s", tt.expression, want, b.String())
			}
		}
		for _, not := range tt.not {
			if strings.Contains(b.String(), not) {
				t.Errorf("%s: %s is in\n%s", tt.expression, not, b.String())
			}
		}
		b.Reset()
		if err := MapSVG(&b, drawn(), tt.o); err != nil || strings.Contains(b.String(), "crowd") || !strings.Contains(b.String(), "shown: groups that match") {
			t.Errorf("%s: %v\n%s", tt.expression, err, b.String())
		}
	}
	for _, draw := range []func() error{
		func() error {
			return MapText(new(bytes.Buffer), drawn(), MapOptions{Group: regexp.MustCompile("moon")})
		},
		func() error { return MapSVG(new(bytes.Buffer), drawn(), MapOptions{Group: regexp.MustCompile("moon")}) },
	} {
		if err := draw(); err == nil || err.Error() != `no group's name matches "moon": the largest groups are crowd, body, table/mark and 17 more` {
			t.Error(err)
		}
	}
	if err := MapText(new(bytes.Buffer), profile.Map{}, MapOptions{Group: regexp.MustCompile("moon")}); err == nil || !strings.HasSuffix(err.Error(), "the map has no groups") {
		t.Error(err)
	}
}

// Lines with regions of several ranges stay apart, since a line names the first and the last one.
func TestRangesStayApart(t *testing.T) {
	m := profile.Map{}
	for i := range 2 * (MapTop + 2) {
		m.Regions = append(m.Regions, profile.Region{Range: []string{"huge", "normal"}[i%2], Number: uint32(i / 2), Free: 0xffff_fffe, Dirty: 1})
		m.Chunks = append(m.Chunks, profile.Placed{Group: "g", Region: i, Rows: 1, Bytes: 1 << 15})
	}
	var b strings.Builder
	if err := MapText(&b, m, MapOptions{Top: 1}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), " in use"); n != (MapTop+2)/2 || !strings.Contains(b.String(), "  huge   0 to normal 1 ") {
		t.Errorf("%d lines\n%s", n, b.String())
	}
}

// Lines of regions that look the same are one.
func TestAlike(t *testing.T) {
	m := profile.Map{}
	for i, striped := range []bool{false, true, true, true, false, false} {
		m.Regions = append(m.Regions, profile.Region{Range: "huge", Number: uint32(i), Free: 0xffff_fffc, Dirty: 3, Striped: striped})
		for s := range 2 {
			m.Chunks = append(m.Chunks, profile.Placed{Group: "g", Region: i, Slot: s, Rows: 1, Bytes: 1 << 15})
		}
	}
	var b strings.Builder
	if err := MapText(&b, m, MapOptions{}); err != nil {
		t.Fatal(err)
	}
	rest := strings.Repeat(".", 30)
	want := "  huge   region    0  AA" + rest + "   2 in use,  50 % full\n" +
		"  huge   1 to 3      [AA" + rest + "] 3 alike,  6 in use,  50 % full, striped\n" +
		"  huge   region    4  AA" + rest + "   2 in use,  50 % full\n" +
		"  huge   region    5  AA" + rest + "   2 in use,  50 % full\n"
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// A line that is untouched but for a little is not folded into one that is untouched.
func TestAlmostUntouched(t *testing.T) {
	m := profile.Map{}
	for i := range 4 * MapTop { // 4 a line
		r := profile.Region{Range: "huge", Number: uint32(i), Free: math.MaxUint32}
		switch {
		case i >= 12: // no lines that follow each other are alike
			r.Free, r.Dirty = 0, math.MaxUint32
			for s := range i % 31 {
				m.Chunks = append(m.Chunks, profile.Placed{Group: "g", Region: i, Slot: s, Rows: 1, Bytes: 1})
			}
		case i >= 4 && i%4 == 0:
			r.Free, r.Dirty = math.MaxUint32-1, 1
			m.Chunks = append(m.Chunks, profile.Placed{Group: "g", Region: i, Rows: 1, Bytes: 1})
		}
		m.Regions = append(m.Regions, r)
	}
	var b strings.Builder
	if err := MapText(&b, m, MapOptions{Top: 1}); err != nil {
		t.Fatal(err)
	}
	if want := "  huge   regions 0 to 3 are untouched\n"; !strings.HasPrefix(b.String(), want) || !strings.Contains(b.String(), "a row 4 regions") {
		t.Errorf("got\n%s\nwant %s", b.String(), want)
	}
}

// The tip of a cell of several slots counts them, the most frequent first, and not without end.
func TestTipOfSeveral(t *testing.T) {
	one := tile{of: []cell{{}, {state: used, chunks: []*profile.Placed{&profile.Placed{Group: "a"}}}, {state: used, chunks: []*profile.Placed{&profile.Placed{Group: "a"}}}}}
	if got, want := one.describe(0), "3 slots\n2 of a\n1 untouched"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var many tile
	for i := range tipLines + 5 {
		many.of = append(many.of, cell{state: used, chunks: []*profile.Placed{&profile.Placed{Group: fmt.Sprint(i)}}})
	}
	if got := many.describe(0); strings.Count(got, "\n") != tipLines+1 || !strings.HasSuffix(got, "\nand 5 more kinds") {
		t.Errorf("got %q", got)
	}
}

// A cell of several slots has the state of most of them, or of the hottest.
func TestStanding(t *testing.T) {
	a, b := &profile.Placed{Group: "a", Heat: 5}, &profile.Placed{Group: "b"}
	is := func(c *profile.Placed) cell { return cell{state: used, chunks: []*profile.Placed{c}} }
	for _, tt := range []struct {
		by    By
		only  *regexp.Regexp
		cells []cell
		want  cell
	}{
		{ByGroup, nil, []cell{is(b), is(a), is(a)}, is(a)},
		{ByGroup, nil, []cell{is(b), is(a)}, is(b)},
		{ByGroup, nil, []cell{is(a), {state: dirty}, {state: dirty}}, cell{state: dirty}},
		{ByHeat, nil, []cell{is(b), is(a), is(b)}, is(a)},
		{ByHeat, nil, []cell{{}, is(b), is(b)}, is(b)},
		{ByGroup, regexp.MustCompile("a"), []cell{{state: others}, is(a), {state: others}}, is(a)},
		{ByGroup, regexp.MustCompile("a"), []cell{{state: others}, {state: dirty}, {state: dirty}}, cell{state: dirty}},
	} {
		s := scene{MapOptions: MapOptions{By: tt.by, Group: tt.only}, listed: make([]group, 2), number: map[string]int{"a": 0, "b": 1}}
		if got := s.standing(tt.cells); got.state != tt.want.state || !slices.Equal(got.chunks, tt.want.chunks) {
			t.Errorf("by %s: %+v stands for %+v, want %+v", tt.by, got, tt.cells, tt.want)
		}
	}
}

// The picture of a large map is a page, and each thing on it lies within.
func TestLargeSVGIsAPage(t *testing.T) {
	for _, by := range []By{ByGroup, ByHeat} {
		var b bytes.Buffer
		if err := MapSVG(&b, large(), MapOptions{By: by, Top: MapTop}); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 1<<20 {
			t.Errorf("by %s: %d bytes", by, b.Len())
		}
		var page struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Box    string  `xml:"viewBox,attr"`
			Texts  []struct {
				X      float64 `xml:"x,attr"`
				Y      float64 `xml:"y,attr"`
				Anchor string  `xml:"text-anchor,attr"`
				Length float64 `xml:"textLength,attr"`
				Text   string  `xml:",chardata"`
			} `xml:"text"`
		}
		if err := xml.Unmarshal(b.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		if page.Width != width || page.Height > page.Width*math.Sqrt2 || page.Box != fmt.Sprintf("0 0 %g %g", page.Width, page.Height) {
			t.Errorf("by %s: %g × %g, box %s", by, page.Width, page.Height, page.Box)
		}
		for _, text := range page.Texts {
			long := 7 * float64(utf8.RuneCountInString(text.Text))
			if text.Length > 0 {
				long = text.Length
			}
			if text.Anchor == "end" {
				text.X -= long
			}
			if text.Y > page.Height || text.X < 0 || text.X+long > page.Width {
				t.Errorf("by %s: %q at %g, %g of %g, %g", by, text.Text, text.X, text.Y, page.Width, page.Height)
			}
		}
		for _, want := range []string{"×", "a row: 128 × 2 MiB", "128 slots\n128 of terrain"} {
			if by == ByGroup && !bytes.Contains(b.Bytes(), []byte(want)) {
				t.Errorf("no %s in the picture", want)
			}
		}
	}
	var whole bytes.Buffer
	if err := MapSVG(&whole, large(), MapOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(whole.Bytes(), []byte("slot ")); n != 100_000 {
		t.Errorf("%d slots are drawn of 100000", n)
	}
}
