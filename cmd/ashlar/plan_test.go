package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

const planFiles = "testdata/plan/"

// golden compares a text with a file, or writes it.
func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.ReplaceAll(string(want), "\r\n", "\n"); text != w {
		t.Errorf("%s: got\n%s\nwant\n%s", path, text, w)
	}
}

// village plans for a machine, by the name of its file.
func village(t *testing.T, machine string, args ...string) string {
	t.Helper()
	args = append([]string{"plan", planFiles + "village.profile", "-topology", planFiles + machine + ".topology"}, args...)
	status, out, errs := call(t, args...)
	if status != 0 || errs != "" {
		t.Fatalf("%q: status %d, %s", args, status, errs)
	}
	return out
}

func TestPlan(t *testing.T) {
	for _, machine := range []string{"guest", "large-l2", "small-l3"} {
		golden(t, planFiles+machine+".golden", village(t, machine))
	}
}

// Of the same placement, moves are the same on all machines. Rows that all fit into
// the caches need no other order.
func TestPlanByCaches(t *testing.T) {
	lines := func(machine, begin string) (found []string) {
		for line := range strings.Lines(village(t, machine)) {
			if strings.HasPrefix(line, begin) {
				found = append(found, line)
			}
		}
		return found
	}
	for _, tt := range []struct {
		machine, begin, want string
		n                    int
	}{
		{"guest", "evacuate normal region 3", "2.0 MiB", 1},
		{"large-l2", "evacuate normal region 3", "2.0 MiB", 1},
		{"small-l3", "evacuate normal region 3", "2.0 MiB", 1},
		{"guest", "advice houses", "SortAs", 1},
		{"large-l2", "advice", "", 0},
	} {
		found := lines(tt.machine, tt.begin)
		if len(found) != tt.n || tt.n > 0 && !strings.Contains(found[0], tt.want) {
			t.Errorf("%s: %q; want %d %q with %q", tt.machine, found, tt.n, tt.begin, tt.want)
		}
	}
}

// Where slots are given back one by one, no region is evacuated.
func TestPlanOneByOne(t *testing.T) {
	out := village(t, "guest", "-placement", planFiles+"one-by-one.map")
	golden(t, planFiles+"one-by-one.golden", out)
	if strings.Contains(out, "evacuate") {
		t.Error(out)
	}
}

// Without a map there are intent and advice.
func TestPlanAlone(t *testing.T) {
	status, out, errs := call(t, "plan", planFiles+"alone.profile", "-topology", planFiles+"guest.topology")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	golden(t, planFiles+"alone.golden", out)
	if _, out, _ := call(t, "plan", planFiles+"alone.profile", "-why", "people"); !strings.Contains(out, "\npeople ") || strings.Contains(out, "houses") {
		t.Errorf("about people:\n%s", out)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("ashlar profile 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := call(t, "plan", empty); !strings.HasSuffix(out, "\n\nnothing to do\n") {
		t.Errorf("of an empty one: %s%s", out, errs)
	}
	off := filepath.Join(t.TempDir(), "off")
	text, err := os.ReadFile(planFiles + "alone.profile")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(off, []byte(strings.Replace(string(text), "frames 1200", "frames 1200\noff", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := call(t, "plan", off); !strings.Contains(out, "off        the profile says") {
		t.Errorf("off: %s%s", out, errs)
	}
	if status, out, _ := call(t, "plan", off, "-placement", planFiles+"village.profile.map"); status != 0 || strings.Contains(out, "evacuate") {
		t.Errorf("off: status %d\n%s", status, out)
	}
}

// Each golden is what -why says about one name.
func TestPlanWhy(t *testing.T) {
	for name, file := range map[string]string{
		"people": "group", "ruins": "cold", "terrain": "pinned", "goods": "component", "mind": "stored", "trade": "system", "census": "rare", "normal 3": "region", "normal region 1": "region1",
	} {
		golden(t, planFiles+"why-"+file+".golden", village(t, "guest", "-why", name))
	}
	if out := village(t, "large-l2", "-why", "people"); strings.Contains(out, "advice") || !strings.Contains(out, "nothing is planned about people\n") || !strings.Contains(out, "people  place      write") {
		t.Errorf("where all is in the second level:\n%s", out)
	}
}

func TestPlanMistakes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good", "ashlar profile 1\n")
	mapped := func(name, statements string) []string {
		return []string{"plan", good, "-placement", file(name, "ashlar map 1\n"+statements+"end\n")}
	}
	const region = "region huge 0 xx..............................\n"
	beside := file("beside", "ashlar profile 1\n")
	file("beside.map", "ashlar map 1\nfly\nend\n")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"plan"}, 2, "plan needs one file"},
		{[]string{"plan", good, good}, 2, "plan needs one file"},
		{[]string{"plan", good, "-warp"}, 2, "not defined: -warp"},
		{[]string{"plan", filepath.Join(dir, "none")}, 1, "name a file that is there"},
		{[]string{"plan", file("bad", "ashlar profile 1\nfly\n")}, 1, "bad:2:1: "},
		{[]string{"plan", beside}, 1, `beside.map:2:1: "fly" is no statement`},
		{[]string{"plan", good, "-placement", filepath.Join(dir, "none.map")}, 1, "name a map that a run has recorded"},
		{[]string{"plan", good, "-topology", filepath.Join(dir, "none.topo")}, 1, "name a file that `ashlar topo -save` has written"},
		{[]string{"plan", good, "-topology", file("t", "hello")}, 1, "t:1: it does not begin"},
		{mapped("purple.map", "frame 1\nregion purple 0 ................................\n"), 1, `purple.map:3: region purple 0: "purple" is no range`},
		{mapped("far.map", "region huge 4294967295 ................................\n"), 1, "far.map:2: region huge 4294967295: a range has regions 0 to 262143"},
		{mapped("gap.map", region+"chunk body 0 at huge 0 0 rows 1 bytes 8\n# the second\nchunk   body 2 at huge 0 1 rows 1 bytes 8\n"), 1, "gap.map:5: chunk body 2: there is no chunk 1 before it"},
		{mapped("odd.map", region+"chunk \"my body\" 0 at huge 0 0 rows 3 bytes 8\n"), 1, `odd.map:3: chunk "my body" 0: 8 bytes of 3 rows`},
		{[]string{"plan", good, "-why", "nobody"}, 1, `region "nobody": ` + "`ashlar profile show` lists names"},
	} {
		status, out, errs := call(t, tt.args...)
		if status != tt.status || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %s%s\nwant %d, %s", tt.args, status, out, errs, tt.status, tt.want)
		}
	}
	// All that is wrong with the files, at once.
	_, _, errs := call(t, "plan", filepath.Join(dir, "bad"), "-placement", filepath.Join(dir, "none.map"), "-topology", filepath.Join(dir, "t"))
	for _, want := range []string{"bad:2:1", "none.map", "t:1"} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %s in %s", want, errs)
		}
	}
	var e strings.Builder
	if status := run(t.Context(), console{nil, full{}, &e, false}, []string{"plan", good}); status != 1 || !strings.Contains(e.String(), "no space left") {
		t.Errorf("not printed: status %d, %s", status, e.String())
	}
}
