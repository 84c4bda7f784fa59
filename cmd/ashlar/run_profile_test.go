package main

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/profile"
)

// hinted are profiles that a person might write.
func hinted() map[string]string {
	return map[string]string{
		"cold":    "ashlar profile 1\ncold walkers.0\ncold table/live\ncold seekers.1\n",
		"pinned":  "ashlar profile 1\npin walkers.0\npin seekers.1\npin table/signal\n",
		"budgets": "ashlar profile 1\nbudget time 1ns bytes 1\n",
		"goals":   "ashlar profile 1\ngoal resident 1\ngoal frame 1ns\n",
		"views":   "ashlar profile 1\nview move place.0 cached\nview count cell gathered\n",
		"off":     "ashlar profile 1\noff\n",
		"empty":   "ashlar profile 1\n",
		"large":   "ashlar profile 1\nframes 1\ngroup walkers.0 owns place.0,motion.0,life.0,trail.0 rows 18446744073709551615 chunks 1 peak 18446744073709551615 last 18446744073709551615\nsystem move frames 1 timed 1 p50 1ns p90 1ns p99 1ns\naccess move walkers.0 place.0 write rows 18446744073709551615 chunks 18446744073709551615 bytes 18446744073709551615\nend\n",
	}
}

// With any profile and any way of managing memory, a run ends in the same state.
func TestSameStateWithAnyProfile(t *testing.T) {
	recorded := map[string]string{"life": record(t, lifeRun), "churn": record(t, churnRun)}
	foreign := map[string]bool{"level": true} // to both
	dir := t.TempDir()
	for scenario, line := range map[string]string{"life": lifeRun, "churn": churnRun} {
		t.Run(scenario, func(t *testing.T) {
			want, _ := runs(t, line, "-adapt=off")
			profiles := map[string]string{"none": "off", "village": adviseFiles + "village.profile", "level": levelProfile}
			for name, text := range hinted() {
				profiles[name] = writeText(t, filepath.Join(dir, scenario+name), text)
			}
			for name, path := range recorded { // one of them is another program's
				profiles["recorded-"+name] = path
			}
			for name, path := range profiles {
				for _, flags := range []string{"", "-adapt=off", "-adapt=stress", "-heap", "-heap -adapt=stress -fifo"} {
					own := name == "recorded-"+scenario
					if testing.Short() && len(flags) > 12 || !own && flags != "" && flags != "-adapt=stress" {
						continue // its own profile meets every way to manage memory, others the plain and the worst one
					}
					if race.Enabled && flags != "" && (flags != "-adapt=stress" || !strings.HasPrefix(name, "recorded-")) {
						continue
					}
					args := append([]string{"-profile", path}, strings.Fields(flags)...)
					hash, out := runs(t, line, args...)
					if hash != want {
						t.Errorf("%s %q: hash %s, want %s", name, flags, hash, want)
					}
					dropped := strings.Contains(out, " statements dropped, ")
					if own && dropped || foreign[name] && !own && !dropped {
						t.Errorf("%s %q: statements dropped: %v\n%s", name, flags, dropped, out)
					}
				}
			}
		})
	}
}

// Bytes that are no profile are refused, with the file's name and the remedy, before
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
		if hash != want || strings.Contains(out, "\nadapting ") || !strings.Contains(out, "its hints are off") || !strings.Contains(out, "\nprofile     ASHLAR_PROFILE: ") {
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
	if status, out, errs := call(t, strings.Fields(line)...); status != 1 || out != "" || !strings.Contains(errs, "bad:1:1: ") || !strings.Contains(errs, "(named by ASHLAR_PROFILE)") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}
