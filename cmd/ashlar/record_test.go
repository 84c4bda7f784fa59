package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// What runs of these tests are: enough entities for several regions.
const (
	churnRun = "run churn -entities 30000 -frames 120 -groups 9"
	lifeRun  = "run life " + patterns + "acorn.rle -generations 400"
)

// runs carries out a run, which has to end well, and returns its state hash and all
// that it printed.
func runs(t *testing.T, line string, args ...string) (hash, out string) {
	t.Helper()
	args = append(strings.Fields(line), args...)
	status, out, errs := call(t, args...)
	hash = found(out, `state hash +([0-9a-f]{16})\n`)
	if status != 0 || hash == "" {
		t.Fatalf("%q: status %d, %s\n%s", args, status, errs, out)
	}
	return hash, out + errs
}

// found is what the parentheses of an expression match; "" if it does not.
func found(text, expression string) string {
	m := regexp.MustCompile(expression).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

func writeText(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// record is a file that a run has recorded, with its map beside it.
func record(t *testing.T, line string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.profile")
	runs(t, line, "-record", path)
	return path
}

// What a run records is what every verb reads, and where the next run starts.
func TestRecordToEveryVerb(t *testing.T) {
	hash, _ := runs(t, churnRun)
	path := filepath.Join(t.TempDir(), "run.profile")
	if again, _ := runs(t, churnRun, "-record", path); again != hash {
		t.Errorf("recording: hash %s, want %s", again, hash)
	}
	for _, tt := range []struct {
		args []string
		want string // a regular expression
	}{
		{[]string{"profile", "check", path}, `good: statements \d\d+, frames 120\n`},
		{[]string{"profile", "show", path}, `(?s)^facts over 120 frames\n.*\nwalkers.0 .* place.0,motion.0,life.0,trail.0\n.*\nmove +1 .*\nseek +walkers.0|seek +seekers.1`},
		{[]string{"profile", "diff", path, path}, `^no differences per frame\n$`},
		{[]string{"plan", path}, `placement  .*run.profile.map: frame 120, \d+ chunks in \d+ regions\n`},
		{[]string{"plan", path, "-why", "walkers.0"}, `(?s)walkers.0 .*emit +walkers.0 +trail.0 +write`},
		{[]string{"map", path + ".map"}, `(?s)frame 120.*A = `},
		{[]string{"map", path + ".map", "-by", "heat"}, `region +0 `},
	} {
		status, out, errs := call(t, tt.args...)
		if status != 0 || errs != "" || !regexp.MustCompile(tt.want).MatchString(out) {
			t.Errorf("%q: status %d, %s\n%s\nwant %s", tt.args, status, errs, out, tt.want)
		}
	}
	if status, out, errs := process(t, "pprof", "-top", path); status != 0 || !strings.Contains(out, "column:trail.0\n") {
		t.Errorf("pprof of the profile: status %d, %s%s", status, errs, out)
	}
	if status, out, errs := process(t, "pprof", "-top", path+".map"); status != 0 || !strings.Contains(out, "group:plants.2\n") {
		t.Errorf("pprof of the map: status %d, %s%s", status, errs, out)
	}
	again, out := runs(t, churnRun, "-profile", path)
	if again != hash {
		t.Errorf("with the profile: hash %s, want %s", again, hash)
	}
	for _, want := range []string{`profile loaded" off=false frames=120`, `profile +option .*run.profile: statements \d+, frames 120\n`, `[1-9]\d* kept places`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "dropped, since") {
		t.Errorf("a program has no use for its own profile:\n%s", out)
	}
}

// intents are profiles that a person might write.
func intents() map[string]string {
	return map[string]string{
		"hot-and-cold": "ashlar profile 1\nhot plants.2\nhot loose/signal\ncold walkers.0\ncold loose/live\ncold seekers.1\n",
		"pinned":       "ashlar profile 1\npin walkers.0\npin seekers.1\npin loose/signal\n",
		"budgets":      "ashlar profile 1\nbudget time 1ns bytes 1\nexpect move every 1000\ntogether place.0,life.2\n",
		"views":        "ashlar profile 1\nview move place.0 keep\nview count cell stream\n",
		"off":          "ashlar profile 1\noff\n",
		"empty":        "ashlar profile 1\n",
		"large":        "ashlar profile 1\nframes 1\ngroup walkers.0 owns place.0,motion.0,life.0,trail.0 rows 18446744073709551615 chunks 1 peak 18446744073709551615 last 18446744073709551615\nsystem move frames 1 timed 1 time 1ns\naccess move walkers.0 place.0 write rows 18446744073709551615 chunks 18446744073709551615 bytes 18446744073709551615\nend\n",
	}
}

// With any profile and any way of managing memory, a run ends in the same state.
func TestSameStateWithAnyProfile(t *testing.T) {
	recorded := map[string]string{"life": record(t, lifeRun), "churn": record(t, churnRun)}
	foreign := map[string]bool{"village": true, "level": true, "recorded-life": true, "recorded-churn": true} // to one or both
	dir := t.TempDir()
	for scenario, line := range map[string]string{"life": lifeRun, "churn": churnRun} {
		t.Run(scenario, func(t *testing.T) {
			want, _ := runs(t, line, "-adapt=off")
			profiles := map[string]string{"none": "off", "village": planFiles + "village.profile", "level": levelProfile}
			for name, text := range intents() {
				profiles[name] = writeText(t, filepath.Join(dir, scenario+name), text)
			}
			for name, path := range recorded { // one of them is another program's
				profiles["recorded-"+name] = path
			}
			for name, path := range profiles {
				for _, flags := range []string{"", "-adapt=off", "-adapt=stress", "-heap", "-heap -adapt=stress -fifo"} {
					if testing.Short() && len(flags) > 12 {
						continue
					}
					args := append([]string{"-profile", path}, strings.Fields(flags)...)
					hash, out := runs(t, line, args...)
					if hash != want {
						t.Errorf("%s %q: hash %s, want %s", name, flags, hash, want)
					}
					own, dropped := name == "recorded-"+scenario, strings.Contains(out, " statements dropped, ")
					if own && dropped || foreign[name] && !own && !dropped {
						t.Errorf("%s %q: statements dropped: %v\n%s", name, flags, dropped, out)
					}
				}
			}
		})
	}
}

// Bytes that are no profile are refused, with the file's name and what to do, before
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
			raw = append([]byte("ashlar profile 1\n"), raw...)
		}
		writeText(t, path, string(raw))
		for _, env := range []bool{false, true} {
			args := strings.Fields("run churn -frames 3 -entities 100")
			if t.Setenv(profile.EnvironmentVariable, ""); env {
				t.Setenv(profile.EnvironmentVariable, path)
			} else {
				args = append(args, "-profile", path)
			}
			status, out, errs := call(t, args...)
			if status != 1 || out != "" || !regexp.MustCompile(`noise:\d+(:\d+)?: `).MatchString(errs) {
				t.Errorf("seed %d: status %d, %s%q", seed, status, out, errs)
			}
		}
	}
}

// A recorded profile with bytes changed is refused, or does no harm.
func TestDamagedProfile(t *testing.T) {
	const line = "run churn -entities 3000 -frames 60 -groups 5"
	text := readText(t, record(t, line))
	want, _ := runs(t, line)
	path := filepath.Join(t.TempDir(), "damaged")
	refused, used := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		raw := []byte(text)
		for range 1 + r.IntN(4) {
			i := r.IntN(len(raw))
			if raw[i] >= '0' && raw[i] <= '9' {
				raw[i] = '0' + byte(r.IntN(10)) // often still a profile
			} else if r.IntN(8) == 0 {
				raw[i] = byte(r.Uint32())
			}
		}
		writeText(t, path, string(raw))
		args := append(strings.Fields(line), "-profile", path)
		status, out, errs := call(t, args...)
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

// A start with what the last run recorded. Waves of churn never settle, so the counts
// are those of one wave, up to where it has ebbed away.
func TestMovesOfSecondRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds, and many with the race detector")
	}
	const line = "run churn -entities 200000 -frames 500"
	path := filepath.Join(t.TempDir(), "run.profile")
	moves := func(args ...string) (n, kept int) {
		_, out := runs(t, line, args...)
		n, _ = strconv.Atoi(found(out, `(\d+) moves of`))
		kept, _ = strconv.Atoi(found(out, `(\d+) kept places`))
		return n, kept
	}
	first, kept := moves("-record", path)
	if kept != 0 {
		t.Errorf("%d chunks were placed by a profile, and there is none", kept)
	}
	second, kept := moves("-profile", path)
	t.Logf("moves: %d without a profile, %d with the one that was recorded, and %d chunks were made where it says", first, second, kept)
	if kept == 0 {
		t.Error("no chunk was placed by the profile")
	}
	if second > max(first/10, 2) {
		t.Errorf("%d moves after %d: a start with a recorded profile should need a tenth", second, first)
	}
}

// What a person wrote into a profile outlives the recording of new facts.
func TestRecordKeepsIntent(t *testing.T) {
	const line = "run churn -entities 500 -frames 20 -groups 3"
	path := writeText(t, filepath.Join(t.TempDir(), "run.profile"), `ashlar profile 1
# The village, with care.

frames 7

# it is never looked at
cold plants.2
pin walkers.0 # by its address
budget time 1ms bytes 2M

component place.0 size 99 align 8 # of the old days
end
`)
	for range 2 { // the second time over what the first one wrote
		want, _ := runs(t, line)
		if hash, _ := runs(t, line, "-record", path, "-profile", path); hash != want {
			t.Errorf("hash %s, want %s", hash, want)
		}
		text := readText(t, path)
		for _, want := range []string{
			"ashlar profile 1\n# The village, with care.\n", "\nframes 20\n", "\n# it is never looked at\ncold plants.2\n",
			"\npin walkers.0 # by its address\n", "\nbudget time 1ms bytes 2M\n", "\ncomponent place.0 size 8 align 4 # of the old days\n", "\nsystem move frames 20 ",
		} {
			if strings.Count(text, want) != 1 {
				t.Errorf("not one %q in\n%s", want, text)
			}
		}
	}
}

// Where a recording can't go is said before the run, and nothing that is there changes.
func TestRecordRefused(t *testing.T) {
	dir := t.TempDir()
	const good = "ashlar profile 1\nhot plants.2\n"
	bad := writeText(t, filepath.Join(dir, "bad"), "ashlar profile 1\nhot\n")
	future := writeText(t, filepath.Join(dir, "future"), "ashlar profile 9\n")
	cut := writeText(t, filepath.Join(dir, "cut"), "ashlar profile 1\nframes 10\n")
	taken := writeText(t, filepath.Join(dir, "taken"), good)
	writeText(t, taken+".map", "my notes\n")
	tests := map[string][2]string{ // what the message says, and the remedy in it
		bad:                              {"bad:2", "give it another FILE, or mend this one"},
		future:                           {"future:1:16: it has version 9", "use a newer ashlar"},
		cut:                              {"cut:2", "give it another FILE, or mend this one"},
		taken:                            {"taken.map:1:1: it is no map", "give it another FILE, or take that one away"},
		dir:                              {dir + ": it is a directory", "name the profile in it"},
		filepath.Join(dir, "none", "p"):  {filepath.Join("none", "p") + " can't be written", "in a directory that is there"},
		filepath.Join(bad, "p"):          {"p", "FILE"},
		filepath.Join(dir, "no\x00name"): {"no", "FILE"},
	}
	if locked := filepath.Join(dir, "locked"); os.Mkdir(locked, 0o500) == nil && os.Geteuid() > 0 {
		tests[filepath.Join(locked, "p")] = [2]string{"p can't be written", "can be written to"}
	}
	before := snapshot(t, dir)
	for path, want := range tests {
		status, out, errs := call(t, "run", "churn", "-entities", "100", "-frames", "2", "-record", path)
		if status != 1 || out != "" || !strings.Contains(errs, want[0]) || !strings.Contains(errs, want[1]) {
			t.Errorf("%q: status %d, %s%s\nwant %q", path, status, out, errs, want)
		}
		if is := snapshot(t, dir); is != before {
			t.Errorf("%q: the directory had\n%s\nand has\n%s", path, before, is)
		}
	}
}

// snapshot is names and contents of a directory's files.
func snapshot(t *testing.T, dir string) (text string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		text += e.Name() + "\n"
		if e.Type().IsRegular() {
			text += readText(t, filepath.Join(dir, e.Name()))
		}
	}
	return text
}

// A disk that fills up during the run: the summary is there, the error too, and the
// old profile and map are as they were.
func TestRecordFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", dir)
	if out, err := mount.CombinedOutput(); runtime.GOOS != "linux" || err != nil {
		t.Skipf("a small disk can't be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	path := writeText(t, filepath.Join(dir, "run.profile"), "ashlar profile 1\n# mine\n\nhot plants.2\n")
	writeText(t, path+".map", "ashlar map 1\nframe 7\nend\n")
	before := snapshot(t, dir)
	for _, line := range []string{"run churn -entities 2000 -frames 9 -groups 30", lifeRun} {
		if line == lifeRun { // whose profile is short: no room at all
			writeText(t, filepath.Join(dir, "a"), strings.Repeat("x", 8192))
			before = snapshot(t, dir)
		}
		status, out, errs := call(t, append(strings.Fields(line), "-record", path)...)
		if status != 1 || !strings.Contains(out, "state hash") || !strings.Contains(errs, path) || !strings.Contains(errs, "no space left") || !strings.Contains(errs, "what was there is as it was") {
			t.Errorf("%s: status %d, %s\n%s", line, status, errs, out)
		}
		if is := snapshot(t, dir); is != before {
			t.Errorf("%s: the directory had\n%s\nand has\n%s", line, before, is)
		}
	}
}

// interrupts is a terminal whose user presses Ctrl-C once progress is seen.
type interrupts struct {
	bytes.Buffer
	cancel context.CancelFunc
}

func (i *interrupts) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("frame ")) {
		i.cancel()
	}
	return i.Buffer.Write(p)
}

// What was noted until Ctrl-C is written.
func TestRecordInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.profile")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var o bytes.Buffer
	e := &interrupts{cancel: cancel}
	status := run(ctx, console{&o, e, true}, strings.Fields("run churn -entities 500 -frames 1000000000 -record "+path))
	if status != exitInterrupted || !strings.HasSuffix(e.String(), "ashlar: interrupted\n") {
		t.Fatalf("status %d, %s", status, e.String())
	}
	at := found(o.String(), `frame +(\d+)\n`)
	f, err := profile.ReadFile(path, profile.Strict)
	m, errMap := profile.ReadMapFile(path + ".map")
	if err != nil || errMap != nil || at == "0" || strconv.FormatUint(f.Frames, 10) != at || m.Frame != f.Frames {
		t.Errorf("at frame %s; recorded %v, %v", at, err, errMap)
	}
	// Before the first frame there is nothing to note, which is no error.
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	o.Reset()
	if status := run(ctx, console{&o, &o, false}, strings.Fields("run churn -entities 500 -record "+path)); status != exitInterrupted {
		t.Errorf("status %d, %s", status, o.String())
	}
	if status, out, errs := call(t, "profile", "check", path); status != 0 || !strings.Contains(out, "frames 0\n") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// `off` in the environment holds for all, and no file is read: a bad one can be got
// out of the way.
func TestProfileOffInEnvironment(t *testing.T) {
	const line = "run churn -entities 2000 -frames 40"
	want, out := runs(t, line)
	if !strings.Contains(out, "\nadapting ") {
		t.Fatalf("without a profile nothing is adapted:\n%s", out)
	}
	bad := writeText(t, filepath.Join(t.TempDir(), "bad"), "no profile")
	t.Setenv(profile.EnvironmentVariable, "off")
	for _, flags := range []string{"", "-profile " + bad, "-adapt=stress"} {
		hash, out := runs(t, line, strings.Fields(flags)...)
		if hash != want || strings.Contains(out, "\nadapting ") || !strings.Contains(out, "off=true") || !strings.Contains(out, "\nprofile     ASHLAR_PROFILE: ") {
			t.Errorf("%q: hash %s, want %s\n%s", flags, hash, want, out)
		}
	}
	// It may name a profile as well, which a flag then overrules.
	path := record(t, line)
	t.Setenv(profile.EnvironmentVariable, path)
	if hash, out := runs(t, line); hash != want || !strings.Contains(out, "ASHLAR_PROFILE "+path) {
		t.Errorf("hash %s, want %s\n%s", hash, want, out)
	}
	t.Setenv(profile.EnvironmentVariable, bad)
	if status, out, errs := call(t, strings.Fields(line)...); status != 1 || out != "" || !strings.Contains(errs, "bad:1:1: ") || !strings.Contains(errs, "(ASHLAR_PROFILE)") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}
