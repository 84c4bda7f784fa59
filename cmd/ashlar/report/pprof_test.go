package report

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
	pprofile "github.com/google/pprof/profile"
)

// recorded is a small run: two systems, a group of three chunks, loose rows of one.
func recorded() (profile.Profile, profile.Map) {
	p := profile.Profile{
		Frames: 10,
		Systems: []profile.System{
			{Name: "move", Access: []profile.Access{
				{Group: "body", Component: "position", Write: true, Rows: 1000, Chunks: 30, Bytes: 16001},
				{Group: "body", Component: "velocity", Rows: 1000, Chunks: 30, Bytes: 16001},
			}},
			{Name: "position", Access: []profile.Access{ // a system called like a component
				{Group: "body", Component: "position", Scattered: true, Rows: 7, Chunks: 5, Bytes: 112},
				{Group: "table/mark", Component: "mark", Rows: 50, Chunks: 10, Bytes: 400},
			}},
		},
	}
	m := profile.Map{
		Frame: 10,
		Regions: []profile.Region{
			{Range: "huge", Number: 0, Free: 0xffff_fff0, Dirty: 0x0000_00ff},
			{Range: "normal", Number: 0, Free: 0xffff_ff00, Dirty: 0x0000_000f, Quarantined: 0x0000_0002},
		},
		Chunks: []profile.Placed{
			{Group: "body", Order: 0, Region: 0, Slot: 0, Rows: 60, Bytes: 1920, Moves: 3, Copied: 5000, Heat: 9},
			{Group: "body", Order: 1, Region: 0, Slot: 2, Rows: 60, Bytes: 1920, Pins: 1},
			{Group: "body", Order: 2, Region: 0, Slot: 1, Rows: 13, Bytes: 416, Moves: 1, Copied: 416},
			{Group: "body", Order: -1, Region: 0, Slot: 3},
			{Group: "table/mark", Order: 0, Region: 1, Slot: 0, Rows: 5, Bytes: 80},
		},
	}
	return p, m
}

// sums adds up the values of the samples that a key says the same of.
func sums(p *pprofile.Profile, key func(*pprofile.Sample) string) map[string][]int64 {
	out := map[string][]int64{}
	for _, s := range p.Sample {
		k := key(s)
		if out[k] == nil {
			out[k] = make([]int64, len(s.Value))
		}
		for i, v := range s.Value {
			out[k][i] += v
		}
	}
	return out
}

func stack(s *pprofile.Sample) string {
	var names []string
	for _, l := range s.Location {
		names = append(names, l.Line[0].Function.Name)
	}
	return strings.Join(names, " ")
}

func label(keys ...string) func(*pprofile.Sample) string {
	return func(s *pprofile.Sample) string {
		var values []string
		for _, k := range keys {
			values = append(values, strings.Join(s.Label[k], ","))
		}
		return strings.Join(values, " ")
	}
}

func check(t *testing.T, what string, got, want map[string][]int64) {
	t.Helper()
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s: %v\nwant %v", what, got, want)
	}
}

// Every total of the file is one of the facts.
func TestPprofAccess(t *testing.T) {
	p, _ := recorded()
	f := PprofAccess(p)
	if err := f.CheckValid(); err != nil {
		t.Fatal(err)
	}
	check(t, "by stack", sums(f, stack), map[string][]int64{
		"column:position group:body system:move":       {1000, 30, 16001},
		"column:velocity group:body system:move":       {1000, 30, 16001},
		"column:position group:body system:position":   {7, 5, 112},
		"column:mark group:table/mark system:position": {50, 10, 400},
	})
	check(t, "by mode", sums(f, label("system", "mode", "pattern")), map[string][]int64{
		"move write sequence":     {1000, 30, 16001},
		"move read sequence":      {1000, 30, 16001},
		"position read scattered": {7, 5, 112},
		"position read sequence":  {50, 10, 400},
	})
	if v := sampleValue(math.MaxUint64); v != math.MaxInt64 {
		t.Errorf("%d", v)
	}
}

func TestPprofMemory(t *testing.T) {
	_, m := recorded()
	const slot = 64 << 10
	f := PprofMemory(m)
	if err := f.CheckValid(); err != nil {
		t.Fatal(err)
	}
	check(t, "by stack", sums(f, stack), map[string][]int64{
		"group:body range:huge":          {4 * slot, 4256, 4 * slot},
		"state:free range:huge":          {0, 0, 4 * slot},
		"group:table/mark range:normal":  {slot, 80, slot},
		"state:quarantined range:normal": {0, 0, slot},
		"state:other range:normal":       {6 * slot, 0, 2 * slot},
	})
	check(t, "by chunk", sums(f, label("chunk")), map[string][]int64{
		"body:0": {slot, 1920, slot}, "body:1": {slot, 1920, slot}, "body:2": {slot, 416, slot},
		"table/mark:0": {slot, 80, slot}, "": {7 * slot, 0, 8 * slot},
	})
}

// Files of two runs merge to one with the samples of both.
func TestPprofMerges(t *testing.T) {
	p, _ := recorded()
	one, other := PprofAccess(p), PprofAccess(p)
	merged, err := pprofile.Merge([]*pprofile.Profile{one, other})
	if err != nil {
		t.Fatal(err)
	}
	if len(merged.Sample) != len(one.Sample) {
		t.Errorf("%d samples merged from %d and as many", len(merged.Sample), len(one.Sample))
	}
	want := sums(one, stack)
	for _, v := range want {
		for i := range v {
			v[i] *= 2
		}
	}
	check(t, "merged", sums(merged, stack), want)
	for _, s := range one.Sample {
		for i := range s.Value {
			s.Value[i] = -s.Value[i]
		}
	}
	if none, err := pprofile.Merge([]*pprofile.Profile{one, other}); err != nil || len(none.Sample) != 0 {
		t.Errorf("%d samples left of a run less itself, %v", len(none.Sample), err)
	}
}

// A file is the same bytes each time, and is read as it was written.
func TestPprofIsCanonical(t *testing.T) {
	p, _ := recorded()
	var one, two bytes.Buffer
	if err := PprofAccess(p).Write(&one); err != nil {
		t.Fatal(err)
	}
	if err := PprofAccess(p).Write(&two); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Errorf("two files of one profile differ, %v", err)
	}
	read, err := pprofile.Parse(&one)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "read", sums(read, stack), sums(PprofAccess(p), stack))
}

// Reads by handle are apart from walks of systems: they have a pattern of their own, and no group.
func TestPprofLookups(t *testing.T) {
	p := profile.Profile{
		World: "level", Frames: 10, Components: []profile.Component{{Name: "position", Size: 16, Align: 8}},
		Lookups: []profile.Lookup{{Component: "position", System: "aim", Reads: 70}, {Component: "position", Reads: 3}, {Component: "gone", Reads: 5}, {Component: "position", System: "long", Reads: math.MaxUint64}},
	}
	f := PprofAccess(p)
	if err := f.CheckValid(); err != nil {
		t.Fatal(err)
	}
	by := sums(f, func(s *pprofile.Sample) string {
		var stack []string
		for _, l := range s.Location {
			stack = append(stack, l.Line[0].Function.Name)
		}
		return strings.Join(stack, " ") + " " + s.Label["pattern"][0]
	})
	for stack, want := range map[string][]int64{
		"column:position system:aim world:level handle":  {70, 0, 70 * 16},
		"column:position world:level handle":             {3, 0, 3 * 16},
		"column:gone world:level handle":                 {5, 0, 0},
		"column:position system:long world:level handle": {math.MaxInt64, 0, math.MaxInt64},
	} {
		if !slices.Equal(by[stack], want) {
			t.Errorf("%s: %v, want %v", stack, by[stack], want)
		}
	}
	if len(by) != 4 {
		t.Errorf("%v", by)
	}
}
