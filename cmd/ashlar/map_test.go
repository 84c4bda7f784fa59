package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/internal/profile"
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
		{[]string{"map", file + ".none"}, 1, "run.map.none"},
		{[]string{"map", bad}, 1, `bad.map:2:1: "fly" is not a statement`},
		{[]string{"map", file, "-svg", filepath.Join(file, "x.svg")}, 1, "x.svg"},
	} {
		if status, out, errs := call(t, tt.args...); status != tt.status || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, want %d\n%s\nwant %s", tt.args, status, tt.status, errs, tt.want)
		}
	}
}
