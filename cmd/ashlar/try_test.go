package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// asProgram in the environment makes the test binary a program for trials: see program.
const asProgram = "ASHLAR_TEST_PROGRAM"

// program is a program for trials. An argument NAME:FACTOR makes frames so many times as long if a
// statement about NAME is in force. Others are
//
//	mute       it ends with a status, and says nothing
//	fail       it ends with an error, if a layout is in force
//	silent     it tells no figures
//	drift      frames differ from run to run
//	own        it goes by a layout of its own, unless layouts are off
//	wait:FILE  it makes a file, and waits to be stopped
func program(args []string) error {
	t := layout.Trial{P50: time.Millisecond, P99: 2 * time.Millisecond, First: 100 * time.Millisecond, Start: 5 * time.Millisecond, Resident: 64 << 20}
	l, err := layout.Source{}.Load()
	if err != nil {
		return err
	}
	t.Layout, t.Stated = l.Hash(), len(l.Statements)
	for _, arg := range args {
		name, rest, _ := strings.Cut(arg, ":")
		switch name {
		case "silent":
			return nil
		case "mute":
			os.Exit(1)
		case "fail":
			if len(l.Statements) > 0 {
				return errors.New("the roof has come down")
			}
			continue
		case "own":
			if len(l.Statements) > 0 {
				t.Layout = layout.Layout{Statements: []layout.Statement{{Word: layout.Cold, Name: "own"}}}.Hash()
			}
			continue
		case "wait":
			if err := os.WriteFile(rest, nil, 0o600); err != nil {
				return err
			}
			time.Sleep(time.Minute)
			return errors.New("it was not stopped")
		}
		if name == "drift" {
			t.P50 = time.Duration(time.Now().UnixMilli())
			continue
		}
		factor, err := strconv.ParseFloat(rest, 64)
		if err != nil {
			return err
		}
		if _, ok := l.Find(layout.Cold, name); ok {
			t.Applied++
			t.P50 = time.Duration(float64(t.P50) * factor)
		}
	}
	return t.Add(os.Getenv(layout.TrialVariable))
}

// tries runs `ashlar layout try` with a layout of some groups that are cold, and the rest of a line. It is made
// in a directory of its own, from which nothing may be left in the one for temporary files.
func tries(t *testing.T, groups, line string) (status int, out, errs, file string) {
	t.Helper()
	t.Chdir(t.TempDir())
	temporary := temporaryFiles(t)
	t.Setenv(asProgram, "1")
	text := "ashlar layout 1\n"
	for _, g := range strings.Fields(groups) {
		text += "cold " + g + "  # see " + g + "\n"
	}
	writeText(t, "a.layout", text)
	status, out, errs = call(t, trialArgs(t, line)...)
	if left := snapshot(t, temporary); left != "" {
		t.Errorf("left: %s", left)
	}
	return status, out, errs, readText(t, "a.layout")
}

// temporaryFiles is a new directory in which temporary files are made.
func temporaryFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	return dir
}

// trialArgs are the arguments of a trial of a.layout. PROGRAM stands for this binary.
func trialArgs(t *testing.T, line string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"layout", "try", "a.layout", "-rounds", "3"}, strings.Fields(line)...)
	for i, a := range args {
		if a == "PROGRAM" {
			args[i] = self
		}
	}
	return args
}

// The table has medians and ratios of each figure, and the verdict follows from them. A layout that pays is
// left as it is.
func TestTryPays(t *testing.T) {
	status, out, errs, file := tries(t, "ruins walls none", "-- PROGRAM ruins:0.5 walls:1")
	_, table, _ := strings.Cut(out, "\n")
	const want = ` without with ratio
 frame 1ms 500µs 0.500 ± 0.000 pays
 p99 2ms 2ms 1.000 ± 0.000 no difference
 first 100 100ms 100ms 1.000 ± 0.000 no difference
 start 5ms 5ms 1.000 ± 0.000 no difference
 memory 64.0 MiB 64.0 MiB 1.000 ± 0.000 no difference
a frame lasts from the end of one Run to that of the next, less the time spent waiting
2 of 3 statements apply
verdict: pays

`
	table = strings.ReplaceAll(regexp.MustCompile(` +`).ReplaceAllString(table, " "), " \n", "\n")
	if status != 0 || errs != "" || !strings.Contains(out, " ruins:0.5 walls:1\n") || table != want {
		t.Errorf("status %d, %s\n%s\nwant\n%s", status, errs, table, want)
	}
	if file != "ashlar layout 1\ncold ruins  # see ruins\ncold walls  # see walls\ncold none  # see none\n" {
		t.Errorf("it has\n%s", file)
	}
}

// Statements about things that a program lacks are not refuted, however its runs differ.
func TestTryWhatIsNotThere(t *testing.T) {
	status, out, errs, file := tries(t, "none gone", "-each -- PROGRAM drift:0 ruins:1")
	if status != 0 || errs != "" || !strings.Contains(out, "\n0 of 2 statements apply: fewer than half, so it may be the layout of another program\nverdict: not known\n") {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	if strings.Count(out, "not known") != 5+1+2 || strings.Contains(file, "refuted") {
		t.Errorf("%s\n%s", out, file)
	}
}

// A program that goes by a layout of its own all the same can't try another one.
func TestTryOwnLayout(t *testing.T) {
	status, out, errs, file := tries(t, "ruins", "-- PROGRAM ruins:1.5 own")
	if status != 1 || !strings.Contains(errs, "goes by another layout than the one of the trial") || strings.Contains(file, "refuted") {
		t.Errorf("status %d, %s\n%s\n%s", status, errs, out, file)
	}
}

// If a layout loses, each statement is left out by itself, and the ones that lose are marked in the file.
func TestTryRefutes(t *testing.T) {
	startsMany(t)
	const line = "-- PROGRAM ruins:1.5 walls:0.9 none:1"
	status, out, errs, file := tries(t, "ruins walls none", line)
	if status != 0 || errs != "" || !strings.Contains(out, "\nverdict: loses\n\n") {
		t.Fatalf("status %d, %s\n%s", status, errs, out)
	}
	for _, want := range []string{`\ncold ruins +1\.500 +1\.000 +1\.000 +1\.000 +1\.000 +loses\n`, `\ncold walls +0\.900 .* pays\n`, `\ncold none +1\.000 .* no difference\n`, `\na\.layout: statements that lose are marked, and out of force\n$`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	want := regexp.MustCompile(`^ashlar layout 1\n# refuted: 1\.500 frame in \S+: cold ruins\ncold walls  # see walls\ncold none  # see none\n$`)
	if !want.MatchString(file) {
		t.Errorf("it has\n%s", file)
	}
	if status, out, _, file := tries(t, "ruins walls none", "-keep "+line); status != 0 || !strings.Contains(out, "loses\n") || !strings.Contains(file, "\ncold ruins ") {
		t.Errorf("-keep: status %d, %s\n%s", status, out, file)
	}
}

// With -each a layout that pays is looked at as closely. One that gains nothing by any statement has none marked.
func TestTryEach(t *testing.T) {
	startsMany(t)
	if _, out, _, file := tries(t, "ruins walls", "-each -- PROGRAM ruins:1.1 walls:0.5"); !strings.Contains(out, "\nverdict: pays\n") || !strings.Contains(file, ": cold ruins\ncold walls ") {
		t.Errorf("%s\n%s", out, file)
	}
	if _, out, _, file := tries(t, "ruins walls", "-each -- PROGRAM ruins:1 walls:1"); !strings.Contains(out, "\ncold walls ") || strings.Contains(out, "marked") || strings.Contains(file, "refuted") {
		t.Errorf("%s\n%s", out, file)
	}
}

// A statement by which one program loses is refuted, whatever another one gains: no program may lose by a layout.
func TestTrySeveralPrograms(t *testing.T) {
	startsMany(t)
	for _, line := range []string{"-- PROGRAM ruins:1.5 walls:1.5 -- PROGRAM ruins:0.5 walls:1", "-- PROGRAM ruins:0.5 walls:1 -- PROGRAM ruins:1.5 walls:1.5"} {
		status, out, errs, file := tries(t, "ruins walls", line)
		if status != 0 || errs != "" || strings.Count(out, "verdict: loses\n") != 1 || strings.Count(out, "verdict: pays\n") != 1 {
			t.Fatalf("status %d, %s\n%s", status, errs, out)
		}
		if !regexp.MustCompile(`\n# refuted: 1\.500 frame in \S+: cold ruins\n# refuted: 1\.500 frame in \S+: cold walls\n`).MatchString(file) {
			t.Errorf("%s: it has\n%s\n%s", line, file, out)
		}
		if !regexp.MustCompile(`\ncold ruins; \S+ ruins:0\.5 walls:1 +0\.500 `).MatchString(out) {
			t.Errorf("%s: the table does not say whose figures these are\n%s", line, out)
		}
	}
}

// startsMany skips a test of dozens of processes where each takes a second to start.
func startsMany(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("there is no quick process with the race detector; plain builds run the test")
	}
}

// A trial that can't be made says why, and changes nothing.
func TestTryFails(t *testing.T) {
	for _, tt := range []struct{ groups, line, want string }{
		{"ruins", "-- PROGRAM fail", "fail: exit status 1\nthe roof has come down"},
		{"ruins", "-- PROGRAM silent", "has told no figures: it has to run frames with World.Run, and to close its worlds before it ends"},
		{"ruins", "-- ./none", "./none: "},
		{"ruins", "-- PROGRAM mute", "mute: exit status 1, and it has said nothing"},
		{"", "-- PROGRAM", "a.layout states nothing: there is nothing to try"},
	} {
		status, out, errs, _ := tries(t, tt.groups, tt.line)
		if status != 1 || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d, %s%s\nwant %s", tt.line, status, out, errs, tt.want)
		}
	}
	writeText(t, "a.layout", "ashlar layout 1\nfly\n")
	if status, _, errs := call(t, trialArgs(t, "-- PROGRAM")...); status != 1 || !strings.Contains(errs, `a.layout:2:1: "fly" is not a statement`) {
		t.Errorf("status %d, %s", status, errs)
	}
}

// A layout of another program is not blamed for its figures: it is said that it hardly applies.
func TestTryOtherProgram(t *testing.T) {
	if _, out, _, _ := tries(t, "a b c", "-- PROGRAM a:1"); !strings.Contains(out, "\n1 of 3 statements apply: fewer than half, so it may be the layout of another program\n") {
		t.Errorf("%s", out)
	}
}

// Ctrl-C stops the program, and leaves neither the layout changed nor a file behind.
func TestTryInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	temporary := temporaryFiles(t)
	t.Setenv(asProgram, "1")
	writeText(t, "a.layout", "ashlar layout 1\ncold ruins\n")
	mark := filepath.Join(t.TempDir(), "runs")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(mark); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var o, e bytes.Buffer
	start := time.Now()
	status := run(ctx, console{nil, &o, &e, false, false, verb{}}, trialArgs(t, "-- PROGRAM wait:"+mark))
	if status != 130 || e.String() != "ashlar: interrupted\n" || o.Len() > 0 || time.Since(start) > 30*time.Second {
		t.Errorf("status %d after %v, %s%s", status, time.Since(start), o.String(), e.String())
	}
	if left := snapshot(t, temporary); left != "" {
		t.Errorf("left: %s", left)
	}
}

// A terminal shows progress, and it is gone when a result or an error comes.
func TestTryProgress(t *testing.T) {
	tries(t, "ruins", "-- PROGRAM ruins:1")
	for line, status := range map[string]int{"-- PROGRAM ruins:1": 0, "-- PROGRAM fail": 1} {
		var o, e bytes.Buffer
		if got := run(t.Context(), console{nil, &o, &e, true, false, verb{}}, trialArgs(t, line)); got != status {
			t.Fatalf("%s: status %d, %s", line, got, e.String())
		}
		shown, rest, _ := strings.Cut(e.String(), "\r\x1b[K")
		if strings.Contains(rest, "round") || (status == 0) != strings.HasPrefix(shown, "\rround 1 of 3") || (status == 1) != strings.HasPrefix(rest, "ashlar: ") {
			t.Errorf("%s: %q", line, e.String())
		}
	}
}

// A program that runs a world tells the figures of its frames without being changed for it.
func TestTryRealProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(asCommand, "1")
	writeText(t, "a.layout", "ashlar layout 1\nrows plants.2 20000\nstored ghost thin\n")
	args := trialArgs(t, "-keep -- PROGRAM run churn -entities 500 -frames 120 -groups 3")
	status, out, errs := call(t, args...)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s\n%s", status, errs, out)
	}
	const time, verdict = `[\d.]+(ns|µs|ms|s)`, `(pays|loses|no difference)`
	want := `(?s) run churn -entities 500 -frames 120 -groups 3\n`
	for _, figure := range []string{"frame", "p99", "first 100", "start"} {
		want += fmt.Sprintf(` *%s +%s +%s +[\d.]+ ± [\d.]+ +%s *\n`, figure, time, time, verdict)
	}
	want = strings.Replace(want, "groups 3\\n", "groups 3\\n[^\\n]*ratio *\\n", 1) +
		` *memory +[\d.]+ MiB +[\d.]+ MiB +[\d.]+ ± [\d.]+ +` + verdict + ` *\na frame lasts from the end of one Run to that of the next, less the time spent waiting\n1 of 2 statements apply\nverdict: ` + verdict + `\n`
	if !regexp.MustCompile(want).MatchString(out) {
		t.Errorf("no %s in\n%s", want, out)
	}
}
