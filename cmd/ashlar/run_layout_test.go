package main

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// churnLayout is a layout for churn that a person might write. Nothing has the name ghost.
const churnLayout = `ashlar layout 1
rows walkers.0 20000
cold plants.2  # seldom seen
stored signal ordered
stored fever volatile
sort walkers.0 by life.0 every 8
near walkers.0 seekers.1
view seek place.0 cached
stored ghost thin
`

// written are layouts that a person might write, for any program.
func written() map[string]string {
	return map[string]string{
		"cold":   "ashlar layout 1\ncold walkers.0\ncold table/state+count+neighbors\ncold seekers.1\n",
		"rows":   "ashlar layout 1\nrows walkers.0 2147483647\nrows table/state+count+neighbors 1\n",
		"stored": "ashlar layout 1\nstored signal volatile\nstored fever thin\nstored neighbors ordered\nstored state volatile\nstored place.0 stable\n",
		"views":  "ashlar layout 1\nview move place.0 cached\nview count state gathered\nview seek place.0 direct\nview step count none\n",
		"near":   "ashlar layout 1\nnear walkers.0 seekers.1\nnear table/signal plants.2\napart walkers.0\n",
		"sort":   "ashlar layout 1\nsort walkers.0 by life.0 every 1\nsort signal by fever every 7\nsort state by state every 5\n",
		"other":  "ashlar layout 1\nworld menu\ncold walkers.0\nstored signal thin\n",
		"empty":  "ashlar layout 1\n",
		"churn":  churnLayout,
	}
}

// With any layout and any way of managing memory, a run ends in the same state.
func TestSameStateWithAnyLayout(t *testing.T) {
	dir := t.TempDir()
	for scenario, line := range map[string]string{"life": lifeRun, "churn": churnRun} {
		t.Run(scenario, func(t *testing.T) {
			want, _ := runs(t, line, "-adapt=off")
			layouts := map[string]string{"none": "off", "advised": filepath.Join(dir, scenario+".advised")}
			if status, _, errs := call(t, "advise", record(t, line), "-o", layouts["advised"]); status != 0 {
				t.Fatal(errs)
			}
			for name, text := range written() {
				layouts[name] = writeText(t, filepath.Join(dir, scenario+name), text)
			}
			for name, path := range layouts {
				for _, flags := range []string{"", "-adapt=off", "-adapt=stress", "-heap", "-heap -adapt=stress -fifo"} {
					all := name == "churn"
					if testing.Short() && len(flags) > 12 || !all && flags != "" && flags != "-adapt=stress" {
						continue // one layout meets every way to manage memory, others the plain and the worst one
					}
					if race.Enabled && flags != "" && (flags != "-adapt=stress" || !all) {
						continue
					}
					hash, out := runs(t, line, append([]string{"-layout", path}, strings.Fields(flags)...)...)
					if hash != want {
						t.Errorf("%s %q: hash %s, want %s", name, flags, hash, want)
					}
					if about := !slices.Contains([]string{"none", "empty", "other", "advised"}, name); about && !strings.Contains(out, "\nlayout  ") {
						t.Errorf("%s %q: the summary names no layout:\n%s", name, flags, out)
					}
				}
			}
		})
	}
}

// A summary says which statements are of use, and lists the others.
func TestLayoutInSummary(t *testing.T) {
	const line = "run churn -entities 2000 -frames 40 -groups 3"
	path := writeText(t, filepath.Join(t.TempDir(), "a.layout"), churnLayout)
	l, err := layout.Parse(path, []byte(churnLayout))
	if err != nil {
		t.Fatal(err)
	}
	_, out := runs(t, line, "-layout", path)
	for _, want := range []string{"\nlayout      " + path + " " + l.Hash() + ": 7 of 8 statements apply\n", "\n            stored ghost thin: the program has no such name\n"} {
		if !strings.Contains(out, want) || strings.Contains(out, "fewer than half") {
			t.Errorf("no %q, or a warning, in\n%s", want, out)
		}
	}
	writeText(t, path, "ashlar layout 1\ncold a\ncold b\ncold plants.2\n")
	if _, out := runs(t, line, "-layout", path); !strings.Contains(out, ": 1 of 3 statements apply\n            warning: fewer than half: is it the layout of another program?\n") {
		t.Errorf("no warning in\n%s", out)
	}
}

// Bytes that are no layout are refused, with the file's name and the remedy, before
// anything runs.
func TestRandomBytesRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "noise")
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		raw := make([]byte, 1+r.IntN(300))
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		if seed%2 == 1 {
			raw = append([]byte("ashlar layout 1\n"), raw...)
		}
		writeText(t, path, string(raw))
		for _, env := range []bool{false, true} {
			args := strings.Fields("run churn -frames 3 -entities 100")
			if t.Setenv(layout.EnvironmentVariable, ""); env {
				t.Setenv(layout.EnvironmentVariable, path)
			} else {
				args = append(args, "-layout", path)
			}
			status, out, errs := call(t, args...)
			if status != 1 || out != "" || !regexp.MustCompile(`noise:\d+(:\d+)?: `).MatchString(errs) {
				t.Errorf("seed %d: status %d, %s%q", seed, status, out, errs)
			}
		}
	}
}

// A layout with bytes changed is refused, or does no harm.
func TestDamagedLayout(t *testing.T) {
	const line = "run churn -entities 3000 -frames 60 -groups 5"
	want, _ := runs(t, line)
	path := filepath.Join(t.TempDir(), "damaged")
	refused, used := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		raw := []byte(churnLayout)
		for range 1 + r.IntN(4) {
			i := r.IntN(len(raw))
			if raw[i] >= '0' && raw[i] <= '9' {
				raw[i] = '0' + byte(r.IntN(10)) // often still a layout
			} else if r.IntN(8) == 0 {
				raw[i] = byte(r.Uint32())
			}
		}
		writeText(t, path, string(raw))
		status, out, errs := call(t, append(strings.Fields(line), "-layout", path)...)
		switch {
		case status == 1 && out == "" && strings.Contains(errs, "damaged"):
			refused++
		case status == 0 && strings.Contains(out, want):
			used++
		default:
			t.Errorf("seed %d: status %d, %s\n%s", seed, status, errs, out)
		}
	}
	if refused == 0 || used == 0 {
		t.Errorf("%d refused, %d used: the test is too tame", refused, used)
	}
}

// The environment names a layout, which a flag overrules. With `off` there no layout is gone by, so that
// a bad one can be got out of the way.
func TestLayoutInEnvironment(t *testing.T) {
	const line = "run churn -entities 2000 -frames 40 -groups 3"
	dir := t.TempDir()
	want, _ := runs(t, line)
	path := writeText(t, filepath.Join(dir, "a.layout"), churnLayout)
	bad := writeText(t, filepath.Join(dir, "bad"), "ashlar layout 1\nfly\n")
	for _, tt := range []struct {
		environment string
		flags       []string
		says        bool // that a layout is in use
	}{
		{"", nil, false},
		{path, nil, true},
		{path, []string{"-layout", "off"}, false},
		{bad, []string{"-layout", path}, true},
		{bad, []string{"-layout", "off"}, false},
		{"off", nil, false},
		{"off", []string{"-layout", path}, false},
		{"off", []string{"-layout", bad}, false},
	} {
		t.Setenv(layout.EnvironmentVariable, tt.environment)
		hash, out := runs(t, line, tt.flags...)
		if hash != want || strings.Contains(out, "\nlayout      "+path) != tt.says || !strings.Contains(out, "\nadapting ") {
			t.Errorf("%q %q: hash %s, want %s\n%s", tt.environment, tt.flags, hash, want, out)
		}
	}
	t.Setenv(layout.EnvironmentVariable, bad)
	if status, out, errs := call(t, strings.Fields(line)...); status != 1 || out != "" || !strings.Contains(errs, `bad:2:1: "fly" is not a statement`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// The environment takes a layout out of the way, also one that the command names and that can't be read.
func TestLayoutOff(t *testing.T) {
	args := []string{"run", "game", "-entities", "10", "-frames", "1", "-layout", filepath.Join(t.TempDir(), "none")}
	if status, _, errs := call(t, args...); status != 1 || !strings.Contains(errs, "name a file that is there") {
		t.Errorf("status %d, %s", status, errs)
	}
	t.Setenv(layout.EnvironmentVariable, "off")
	if status, out, errs := call(t, args...); status != 0 || errs != "" || strings.Contains(out, "\nlayout") {
		t.Errorf("off: status %d, %s%s", status, out, errs)
	}
}
