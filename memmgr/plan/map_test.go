package plan_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// herd is a manager with groups of several shapes, some of which the profile that
// goes with it knows.
func herd(t *testing.T) (*memmgr.Manager, profile.Profile) {
	t.Helper()
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	entity := memmgr.Column{Spec: chunk.Spec{Size: 8, Align: 8}}
	of := func(size, align uint32) memmgr.Column {
		return memmgr.Column{Spec: chunk.Spec{Size: size, Align: align}}
	}
	p := profile.Profile{
		Frames:     10,
		Components: []profile.Component{{Name: "position", Size: 24, Align: 8}, {Name: "mark", Size: 4, Align: 4}, {Name: "tag", Size: 0, Align: 1}, {Name: "sign", Size: 4, Align: 4}},
		Groups:     []profile.Group{{Name: "body", Owns: []string{"position", "mark", "tag"}}, {Name: "bare", Owns: []string{"position"}}, {Name: "empty", Owns: []string{"mark"}}, {Name: "seen", Owns: []string{"position", "mark"}}, {Name: "long", Owns: []string{"position"}}},
	}
	for _, s := range []struct {
		name    string
		rows    int
		columns []memmgr.Column
	}{
		{"seen", 9000, []memmgr.Column{entity, of(24, 8), of(4, 4)}},
		{"body", 20_000, []memmgr.Column{entity, of(24, 8), of(4, 4), of(0, 1)}},
		{"bare", 4000, []memmgr.Column{of(24, 8)}}, // another engine's: no entity
		{"table/mark", 12, []memmgr.Column{entity, of(4, 4)}},
		{"table/sign~mark", 20, []memmgr.Column{entity, of(4, 4), of(4, 4)}}, // shares a slot with the one above
		{"long", 60_000, []memmgr.Column{entity, of(24, 8)}},                 // striped
		{"empty", 0, []memmgr.Column{entity, of(4, 4)}},
	} {
		seq, err := m.NewSequence(s.name, s.columns)
		if err != nil {
			t.Fatal(err)
		}
		for left := s.rows; left > 0; {
			_, n, err := seq.AppendRun(left)
			if err != nil {
				t.Fatal(err)
			}
			left -= n
		}
	}
	for range 100 { // for chunks of long groups to come to their positions
		if err := m.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
	return m, p
}

// What a map shows is what its manager says of itself.
func TestFromMapOfManager(t *testing.T) {
	m, p := herd(t)
	got, err := plan.FromMap(p, m.Map())
	if err != nil {
		t.Fatal(err)
	}
	want := m.Placement()
	if names := fmt.Sprint(groupNames(got)); names != "[bare body empty long seen table/mark table/sign~mark]" {
		t.Fatalf("groups %s", names)
	}
	for _, g := range want.Groups {
		i := slices.Index(groupNames(got), g.Name)
		is := got.Groups[i]
		if is != g && g.Name != "empty" { // a map has no rows of it
			t.Errorf("%+v, and the manager says %+v", is, g)
		}
		if is, was := chunksOf(got, i), chunksOf(want, slices.Index(groupNames(want), g.Name)); !slices.Equal(is, was) {
			t.Errorf("%s: %v, and the manager says %v", g.Name, is, was)
		}
	}
	if got.Whole != want.Whole || got.Frame != want.Frame || len(got.Chunks) != len(want.Chunks) || len(got.Chunks) == 0 {
		t.Errorf("%+v, %+v", got, want)
	}
	slices.SortFunc(want.Regions, func(a, b plan.Region) int { return int(a.Range)*1e6 + int(a.Number) - int(b.Range)*1e6 - int(b.Number) })
	if !slices.Equal(got.Regions, want.Regions) {
		t.Errorf("regions\n%+v, and the manager says\n%+v", got.Regions, want.Regions)
	}
}

func groupNames(in plan.Placement) (names []string) {
	for _, g := range in.Groups {
		names = append(names, g.Name)
	}
	return names
}

// chunksOf is a group's chunks, without what a map does not say.
func chunksOf(in plan.Placement, group int) (out []plan.Chunk) {
	for _, c := range in.Chunks {
		if c.Group == group {
			c.Group, c.Since = 0, 0
			out = append(out, c)
		}
	}
	return out
}

// Without the profile, rows are still what the chunks show.
func TestFromMapAlone(t *testing.T) {
	m, _ := herd(t)
	got, err := plan.FromMap(profile.Profile{}, m.Map())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range m.Placement().Groups {
		i := slices.Index(groupNames(got), want.Name)
		if want.Name == "empty" {
			if i >= 0 {
				t.Error("a group without chunks is known from nothing")
			}
			continue
		}
		if g := got.Groups[i]; g != want {
			t.Errorf("%+v, and the manager says %+v", g, want)
		}
	}
}

// place is a map of a row of slots of one group, 100 rows of 64 bytes each.
func place(slots ...int) profile.Map {
	m := profile.Map{Regions: []profile.Region{{Range: "huge", Free: math.MaxUint32}}}
	for i, s := range slots {
		m.Regions[0].Free &^= 1 << s
		m.Chunks = append(m.Chunks, profile.Placed{Group: "body", Order: i, Slot: s, Rows: 100, Bytes: 6400})
	}
	return m
}

// Chunks in blocks and in stripes can't be moved, nor can the others of their group;
// their slots are used.
func TestFromMapShared(t *testing.T) {
	m := place(0, 1)
	m.Regions[0].Free, m.Regions[0].Dirty, m.Regions[0].Blocks = ^uint32(0xf), 0xf, 0xc
	m.Regions = append(m.Regions, profile.Region{Range: "normal", Free: ^uint32(3), Dirty: 3}, profile.Region{Range: "normal", Number: 1, Free: ^uint32(3), Dirty: 3, Striped: true})
	m.Chunks = append(m.Chunks,
		profile.Placed{Group: "one", Slot: 2, Rows: 10, Bytes: 80}, profile.Placed{Group: "two", Slot: 2, Rows: 10, Bytes: 80},
		profile.Placed{Group: "alone", Slot: 3, Rows: 10, Bytes: 80},
		profile.Placed{Group: "long", Region: 1, Slot: 1, Rows: 100, Bytes: 800}, profile.Placed{Group: "long", Order: 1, Region: 2, Rows: 10, Bytes: 80},
		profile.Placed{Group: "long", Order: -1, Region: 2, Slot: 1}) // a spare
	in, err := plan.FromMap(profile.Profile{}, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range in.Chunks {
		if in.Groups[c.Group].Name != "body" {
			t.Errorf("%s can be moved: %+v", in.Groups[c.Group].Name, c)
		}
	}
	want := []plan.Region{{Range: arena.Normal, Used: 3, Dirty: 3}, {Range: arena.Normal, Number: 1, Used: math.MaxUint32, Dirty: 3}, {Range: arena.Huge, Used: 0xf, Dirty: 0xf}}
	if !slices.Equal(in.Regions, want) || len(in.Chunks) != 2 || len(in.Groups) != 5 {
		t.Errorf("%+v", in)
	}
}

// A spare's slot and those in quarantine are there to be used, a pinned spare's is not.
func TestFromMapSpares(t *testing.T) {
	m := place(0, 1, 5, 6)
	m.Chunks[2].Order, m.Chunks[2].Rows, m.Chunks[2].Bytes = -1, 0, 0
	m.Chunks[3].Order, m.Chunks[3].Rows, m.Chunks[3].Bytes, m.Chunks[3].Pins = -1, 0, 0, 1
	m.Regions[0].Free &^= 1 << 9
	m.Regions[0].Quarantined, m.Regions[0].Dirty = 1<<9, 1<<9
	m.Regions = append(m.Regions, profile.Region{Range: "huge", Number: 3, Free: math.MaxUint32})
	in, err := plan.FromMap(profile.Profile{}, m)
	if err != nil {
		t.Fatal(err)
	}
	want := []plan.Region{{Range: arena.Huge, Used: 0x43, Dirty: 1<<5 | 1<<9}, {Range: arena.Huge, Number: 1}, {Range: arena.Huge, Number: 2}, {Range: arena.Huge, Number: 3}}
	if !slices.Equal(in.Regions, want) || len(in.Chunks) != 2 {
		t.Errorf("%+v", in)
	}
}

func TestMisfits(t *testing.T) {
	for _, tt := range []struct {
		about string // of the Misfit, or else what the error says
		want  string
		edit  func(m *profile.Map)
	}{
		{"region purple 0", "normal, huge and cold are", func(m *profile.Map) { m.Regions[0].Range = "purple" }},
		{`region "dark red" 0`, "normal, huge and cold are", func(m *profile.Map) { m.Regions[0].Range = "dark red" }},
		{"region huge 4294967295", "0 to 262143", func(m *profile.Map) { m.Regions[0].Number = math.MaxUint32 }},
		{"chunk body 2", "no chunk 1 before it", func(m *profile.Map) { m.Chunks[1].Order = 2 }},
		{"chunk body 1", "same number of bytes", func(m *profile.Map) { m.Chunks[1].Bytes = 6500 }},
		{"chunk body 1", "same number of bytes", func(m *profile.Map) { m.Chunks[1].Bytes = 6401 }},
		{"chunk body 1", "chunk 0 has 100", func(m *profile.Map) { m.Chunks[1].Rows, m.Chunks[1].Bytes = 101, 6464 }},
		{"chunk body 0", "at most", func(m *profile.Map) { m.Chunks[0].Rows = 8193 }},
		{"chunk body 0", "its bytes are missing", func(m *profile.Map) { m.Chunks[0].Bytes, m.Chunks[1].Bytes = 0, 0 }},
		{"", "another chunk lies", func(m *profile.Map) { m.Chunks[1].Slot = 0 }},
		{"", "an index into Regions", func(m *profile.Map) { m.Chunks[1].Region = 7 }},
	} {
		m := place(0, 1)
		tt.edit(&m)
		_, err := plan.FromMap(profile.Profile{}, m)
		bad, ok := errors.AsType[*plan.Misfit](err)
		if err == nil || !strings.Contains(err.Error(), tt.want) || ok != (tt.about != "") || ok && bad.About != tt.about {
			t.Errorf("%v; want %s: %s", err, tt.about, tt.want)
		}
	}
}

// Whatever a map says, there is a placement or an error, and a plan of it.
func TestFromAnyMap(t *testing.T) {
	made, planned := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 11))
		var m profile.Map
		for range 1 + r.IntN(4) {
			m.Regions = append(m.Regions, profile.Region{Range: []string{"normal", "huge", "huge", "cold"}[r.IntN(4)], Number: uint32(len(m.Regions)), Free: r.Uint32() & r.Uint32(), Striped: r.IntN(8) == 0})
		}
		m.Whole = r.IntN(2) == 0
		row, orders := uint64(1+r.IntN(300)), map[string]int{}
		for i := range m.Regions {
			for slot := range 32 {
				name := []string{"body", "debris", "table/mark"}[r.IntN(3)]
				if m.Regions[i].Free>>slot&1 == 1 || r.IntN(3) == 0 {
					continue
				}
				rows := uint64(200)
				m.Chunks = append(m.Chunks, profile.Placed{Group: name, Order: orders[name], Region: i, Slot: slot, Rows: rows, Bytes: rows * row, Pins: r.IntN(20) / 19})
				orders[name]++
			}
		}
		if r.IntN(4) == 0 && len(m.Chunks) > 0 {
			c := &m.Chunks[r.IntN(len(m.Chunks))]
			c.Rows, c.Order, c.Bytes = r.Uint64N(1e4), r.IntN(9)-1, r.Uint64N(1e5)
		}
		p := profile.Profile{
			Frames:     100,
			Components: []profile.Component{{Name: "c", Size: r.IntN(300), Align: 1}, {Name: "mark", Size: int(row), Align: 1 << r.IntN(9)}},
			Groups:     []profile.Group{{Name: "body", Owns: []string{"c"}, Rows: 1000, Last: 10}},
			Intent:     profile.Intent{Heat: []profile.Heat{{Group: "debris", Cold: r.IntN(2) == 0}}},
		}
		in, err := plan.FromMap(p, m)
		if err != nil {
			continue
		}
		made++
		if len(plan.Plan(p, in)) > 0 {
			planned++
		}
	}
	if made < 1500 || planned < 500 {
		t.Errorf("%d placements, %d plans: the test is too tame", made, planned)
	}
}
