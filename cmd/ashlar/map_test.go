package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// mapFile is a map of one chunk.
func mapFile(t *testing.T) string {
	t.Helper()
	m := profile.Map{
		Frame:   9,
		Regions: []profile.Region{{Range: "huge", Free: 0xffff_fffc, Dirty: 0xf}},
		Chunks:  []profile.Placed{{Group: "body", Slot: 1, Rows: 10, Bytes: 32768, Heat: 5}},
	}
	run := filepath.Join(t.TempDir(), "run")
	if err := profile.WriteRun(run, profile.Profile{}, m); err != nil {
		t.Fatal(err)
	}
	return run + profile.MapSuffix
}

func TestMap(t *testing.T) {
	file := mapFile(t)
	svg := filepath.Join(t.TempDir(), "out.svg")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"map", file}, "huge   region    0  ?A--...."},
		{[]string{"map", "-by", "heat", file}, "huge   region    0  ?9--...."},
		{[]string{"map", file, "-svg", "-"}, "<svg xmlns="},
		{[]string{"map", file, "-group", "^b"}, "regions without the others: 0"},
		{[]string{"map", file, "-group", "^b", "-svg", "-"}, "shown: groups that match"},
		{[]string{"map", "-top", "0", file}, "A = body"},
		{[]string{"map", file, "-svg", svg, "-by=heat"}, ""},
	} {
		status, out, errs := call(t, tt.args...)
		if status != 0 || errs != "" || !strings.Contains(out, tt.want) || tt.want == "" && out != "" {
			t.Errorf("%q: status %d, %s\n%s\nwant %s", tt.args, status, errs, out, tt.want)
		}
	}
	if picture, err := os.ReadFile(svg); err != nil || !strings.HasSuffix(string(picture), "</svg>\n") || !strings.Contains(string(picture), "by heat") {
		t.Errorf("%v\n%s", err, picture)
	}
	bad := filepath.Join(t.TempDir(), "bad.map")
	if err := os.WriteFile(bad, []byte("ashlar map 1\nfly\nend\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"map"}, 2, "one file"},
		{[]string{"map", file, file}, 2, "one file"},
		{[]string{"map", file, "-by", "moon"}, 2, "group or heat"},
		{[]string{"map", file, "-top", "-1"}, 2, "-top -1: it is a number of groups, or 0 for all"},
		{[]string{"map", file, "-group", "bo(dy"}, 2, "-group \"bo(dy\": error parsing regexp: missing closing ): `bo(dy`: put \\ before a character that stands for itself"},
		{[]string{"map", file, "-group", "moon"}, 1, `no group's name matches "moon": the largest groups are body`},
		{[]string{"map", file, "-group", "moon", "-svg", "-"}, 1, `no group's name matches "moon"`},
		{[]string{"map", file + ".none"}, 1, "run.map.none"},
		{[]string{"map", bad}, 1, `bad.map:2:1: "fly" is not a statement`},
		{[]string{"map", file, "-svg", filepath.Join(file, "x.svg")}, 1, "x.svg"},
	} {
		if status, out, errs := call(t, tt.args...); status != tt.status || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, want %d\n%s\nwant %s", tt.args, status, tt.status, errs, tt.want)
		}
	}
}

// All but the largest groups are folded into one, and the last line tells how to see them.
func TestMapOfManyGroups(t *testing.T) {
	var m profile.Map
	for i := range 1000 {
		if i%32 == 0 {
			m.Regions = append(m.Regions, profile.Region{Range: "huge", Number: uint32(i / 32), Dirty: 0xffff_ffff})
		}
		m.Chunks = append(m.Chunks, profile.Placed{Group: fmt.Sprint("g", i), Region: i / 32, Slot: i % 32, Rows: 1, Bytes: 8})
	}
	run := filepath.Join(t.TempDir(), "run")
	if err := profile.WriteRun(run, profile.Profile{}, m); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   []string
		listed int
		last   string
	}{
		{nil, 18, "  * 982 more groups: `ashlar map FILE -top 0` lists all, -group REGEXP some"},
		{[]string{"-top", "5"}, 5, "  * 995 more groups: `ashlar map FILE -top 0` lists all, -group REGEXP some"},
		{[]string{"-group", "^g1..$"}, 18, "  * 82 more groups: `ashlar map FILE -top 0` lists all, -group REGEXP some"},
		{[]string{"-top", "0"}, 1000, "  [ ] is striped: the columns of its chunks lie side by side"},
	} {
		status, out, errs := call(t, append([]string{"map", run + profile.MapSuffix}, tt.args...)...)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if listed := strings.Count(out, " = g"); status != 0 || listed != tt.listed || lines[len(lines)-1] != tt.last {
			t.Errorf("%q: status %d, %s%d listed, want %d, and in the end %s\n%s", tt.args, status, errs, listed, tt.listed, tt.last, out)
		}
		if len(lines) > 48 && tt.listed < 1000 {
			t.Errorf("%q: %d lines do not fit a screen\n%s", tt.args, len(lines), out)
		}
	}
}
