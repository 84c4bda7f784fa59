package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

var update = flag.Bool("update", false, "rewrite golden files")

// drawn has a slot in each state, and a striped region.
func drawn() profile.Map {
	m := profile.Map{
		Frame: 1200,
		Regions: []profile.Region{
			{Range: "normal", Number: 0, Free: 0xffff_ffc0, Dirty: 0x0000_00ff, Blocks: 0x0000_0030},
			{Range: "huge", Number: 1, Free: 0xffff_fffe, Dirty: 0xffff_ffff},
			{Range: "huge", Number: 0, Free: 0xffff_0000, Dirty: 0x0000_ffff, Quarantined: 0x0000_8000},
			{Range: "normal", Number: 1, Free: 0xff00_0000, Dirty: 0x01ff_ffff, Striped: true},
		},
		Chunks: []profile.Placed{
			{Group: "body", Order: 0, Region: 2, Slot: 0, Rows: 1820, Bytes: 65520, Heat: 1 << 30, Moves: 2, Copied: 131040},
			{Group: "body", Order: 1, Region: 2, Slot: 2, Rows: 910, Bytes: 32760, Heat: 1 << 29, Pins: 1},
			{Group: "body", Order: -1, Region: 2, Slot: 1},
			{Group: "table/mark", Order: 0, Region: 1, Slot: 0, Rows: 5, Bytes: 80, Heat: 1},
			{Group: "<rock & \x1b[31mroll>", Order: 0, Region: 0, Slot: 3, Rows: 1, Bytes: 65536},
			{Group: "table/few", Order: 0, Region: 0, Slot: 4, Rows: 12, Bytes: 480, Heat: 1 << 28},
			{Group: "<few & \x1b[31mfewer>", Order: 0, Region: 0, Slot: 5, Rows: 100, Bytes: 3200},
		},
	}
	for i := range 14 {
		m.Chunks = append(m.Chunks, profile.Placed{Group: fmt.Sprint("tiny", i), Region: 0, Slot: 4, Rows: 5, Bytes: 160, Heat: 1 << 20})
	}
	for i := range 24 {
		m.Chunks = append(m.Chunks, profile.Placed{Group: "crowd", Order: i, Region: 3, Slot: i, Rows: 1170, Bytes: 65520 - uint64(i/23)*40000, Heat: 1 << 27})
	}
	return m
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
		t.Errorf("got\n%s\nwant %s (rewritten with -update)\n%s", got, file, want)
	}
}

func TestGolden(t *testing.T) {
	for _, by := range []By{ByGroup, ByHeat} {
		var text, svg bytes.Buffer
		fmt.Fprintln(&text, MapHeadline(drawn()))
		if err := errors.Join(MapText(&text, drawn(), MapOptions{By: by}), MapSVG(&svg, drawn(), MapOptions{By: by})); err != nil {
			t.Fatal(err)
		}
		golden(t, string(by)+".txt", text.Bytes())
		golden(t, string(by)+".svg", svg.Bytes())
	}
}

// The picture is XML, whatever groups are called, and has a tip for each slot that is not
// untouched.
func TestSVGIsXML(t *testing.T) {
	for _, m := range []profile.Map{drawn(), {}} {
		for _, by := range []By{ByGroup, ByHeat} {
			var b bytes.Buffer
			if err := MapSVG(&b, m, MapOptions{By: by}); err != nil {
				t.Fatal(err)
			}
			tips := 0
			d := xml.NewDecoder(&b)
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
					tips++
				}
			}
			want := 0
			for _, r := range m.Regions {
				for s := range arena.SlotsPerRegion {
					if bit := uint32(1) << s; r.Free&bit == 0 || r.Dirty&bit != 0 {
						want++
					}
				}
			}
			if tips != want {
				t.Errorf("%d tips for %d slots that are not untouched", tips, want)
			}
		}
	}
}

// A file can't make a terminal do things.
func TestTextIsLegible(t *testing.T) {
	var b strings.Builder
	if err := MapText(&b, drawn(), MapOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("an escape is in it:\n%q", b.String())
	}
}

// Groups have letters as far as letters go.
func TestManyGroups(t *testing.T) {
	var m profile.Map
	for i := range 100 {
		if i%32 == 0 {
			m.Regions = append(m.Regions, profile.Region{Range: "huge", Number: uint32(i / 32), Dirty: math.MaxUint32})
		}
		m.Chunks = append(m.Chunks, profile.Placed{Group: fmt.Sprint("g", i), Region: i / 32, Slot: i % 32, Rows: 1, Bytes: 8})
	}
	var b strings.Builder
	if err := MapText(&b, m, MapOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef", "ghijklmnopqrstuvwxyz************", "****????", "* = g99"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

// Runs of regions that have no memory are one line.
func TestUntouchedRegions(t *testing.T) {
	m := drawn()
	for i := range 5 {
		m.Regions = append(m.Regions, profile.Region{Range: "huge", Number: uint32(9 - i), Free: math.MaxUint32})
	}
	m.Regions = append(m.Regions, profile.Region{Range: "cold", Free: math.MaxUint32})
	var b strings.Builder
	if err := MapText(&b, m, MapOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "  huge   regions 9 to 5 are untouched\n  cold   region    0  ....") {
		t.Errorf("got\n%s", got)
	}
}

func TestScale(t *testing.T) {
	for _, tt := range []struct {
		hottest, heat uint64
		level         int
	}{
		{0, 0, 0}, {1, 1, 9}, {1, 0, 0}, {1000, 1000, 9}, {1000, 512, 9}, {1000, 511, 8}, {1000, 4, 2}, {1000, 3, 1}, {1000, 1, 1},
		{1 << 40, 1, 1}, {math.MaxUint64, math.MaxUint64, 9}, {math.MaxUint64, 1 << 55, 1}, {math.MaxUint64, 1 << 56, 2},
	} {
		s := scaleOf(profile.Map{Chunks: []profile.Placed{{Heat: tt.hottest}}})
		if got := s.level(tt.heat); got != tt.level {
			t.Errorf("%d of at most %d is at level %d, want %d", tt.heat, tt.hottest, got, tt.level)
		}
		if l := s.level(tt.heat); l > 0 && tt.heat < s.least(l) {
			t.Errorf("level %d begins at %d, and %d is in it", l, s.least(l), tt.heat)
		}
	}
}

// The map of a world has its chunks, and can be written.
func TestOf(t *testing.T) {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	type mark struct{ V [4]uint64 }
	p := ecs.Register[mark](w, "mark")
	g := ecs.GroupOf[struct{ M mark }](w, "marked", p)
	g.SortAs(nil, 0)
	if err := g.SpawnN(make([]ecs.Entity, 10_000), []struct{ M mark }{{}}); err != nil {
		t.Fatal(err)
	}
	m := w.Map()
	rows, bytes := 0, uint64(0)
	for i, c := range m.Chunks {
		if c.Group != "marked" || c.Order != i {
			t.Errorf("chunk %d: %+v", i, c)
		}
		rows += int(c.Rows)
		bytes += c.Bytes
	}
	if st := w.Manager().Stats(); rows != 10_000 || bytes != st.Payload || len(m.Chunks) != st.Chunks || m.Frame != 0 {
		t.Errorf("%d rows of %d bytes in %d chunks, want %+v", rows, bytes, len(m.Chunks), st)
	}
	if err := profile.WriteRun(filepath.Join(t.TempDir(), "run"), profile.Profile{}, m); err != nil {
		t.Error(err)
	}
}

// A line about slots that the map does not explain is there if there are some. Views have slots, and no chunks.
func TestUnnamedAndViews(t *testing.T) {
	m := drawn()
	text := func() string {
		var b bytes.Buffer
		if err := MapText(&b, m, MapOptions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if s := text(); !strings.Contains(s, "\n  ? in use") {
		t.Errorf("nothing explains ? in\n%s", s)
	}
	for i, r := range m.Regions {
		named := uint32(0)
		for _, c := range m.Chunks {
			if c.Region == i {
				named |= 1 << c.Slot
			}
		}
		for s := range 32 {
			if (r.Free|r.Quarantined|r.Blocks|named)>>s&1 == 0 {
				m.Chunks = append(m.Chunks, profile.Placed{Group: "views/body of a", Order: s, Region: i, Slot: s, Bytes: 9})
			}
		}
	}
	if s := text(); strings.Contains(s, "?") || !regexp.MustCompile(`= views/body of a +\d+ slots? `).MatchString(s) {
		t.Errorf("? in, or no slots of views in\n%s", s)
	}
}

// Tables that share most components have names that differ at their ends, and are told apart.
func TestBriefNamesDiffer(t *testing.T) {
	a, b := brief("table/transform+life+body+sprite+skeleton+brain"), brief("table/transform+life+body+sprite+skeleton+sound+brain")
	if a == b || len([]rune(a)) != briefRunes || len([]rune(b)) != briefRunes {
		t.Errorf("%q and %q", a, b)
	}
}
