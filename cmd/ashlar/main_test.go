package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"
)

// call runs the command and returns its status and output.
func call(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), console{nil, &o, &e, false, false, verb{}}, args)
	return status, o.String(), e.String()
}

const patterns = "../../docs/patterns/"

func TestRunLife(t *testing.T) {
	for _, args := range [][]string{
		{"run", "life", patterns + "gosper-gun.rle", "-generations", "60"},
		{"run", "-generations=60", "life", "-adapt=stress", patterns + "gosper-gun.rle", "-heap", "-fifo"},
		{"run", "life", patterns + "gosper-gun.rle", "-generations", "60", "-size", "100x100"},
	} {
		status, out, errs := call(t, args...)
		if status != 0 || errs != "" {
			t.Fatalf("%v: status %d, %s", args, status, errs)
		}
		for _, want := range []string{`pattern +Gosper glider gun, rule B3/S23\n`, `generation +60\n`, `population +46\n`, `state hash +775b5d38e1a8313a\n`, `frames/s +\d+\n`, `chunks +\d+ in use`, `region +\d+ [ [][^ ]*[A-Z]`} {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%v: no %q in:\n%s", args, want, out)
			}
		}
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	tests := []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "no verb"},
		{[]string{"fly"}, 2, `unknown verb "fly"`},
		{[]string{"run"}, 2, "needs a scenario"},
		{[]string{"run", "chess"}, 2, `unknown scenario "chess"`},
		{[]string{"run", "life"}, 2, "one pattern file"},
		{[]string{"run", "life", "a", "b"}, 2, "one pattern file"},
		{[]string{"run", "life", "x.rle", "-generations", "-1"}, 2, "negative"},
		{[]string{"run", "life", "x.rle", "-size", "7"}, 2, "WIDTHxHEIGHT"},
		{[]string{"run", "life", "x.rle", "-torus"}, 2, "-torus needs a -size"},
		{[]string{"run", "life", "x.rle", "-warp"}, 2, "flag provided but not defined: -warp: see `ashlar help run`"},
		{[]string{"run", "game", "-seed", "x"}, 2, `invalid value "x" for flag -seed`},
		{[]string{"run", "game", "-views", "x"}, 2, `-views "x" is unknown: use auto, off or on`},
		{[]string{"help", "fly"}, 2, `unknown verb "fly"`},
		{[]string{"run", "life", filepath.Join(dir, "none.rle")}, 1, "none.rle"},
		{[]string{"run", "life", file("multi.rle", "x = 2, y = 1, rule = B3/S23\n.A!")}, 1, "more than two states"},
		{[]string{"run", "life", file("cut.rle", "x = 2, y = 1\nbo")}, 1, "cut off"},
		{[]string{"run", "life", patterns + "acorn.rle", "-size", "3x3"}, 1, "larger -size"},
		{[]string{"topo", "x"}, 2, "takes no arguments"},
		{[]string{"version", "x"}, 2, "takes no arguments"},
		{[]string{"run", "game", "-workers", "-1"}, 2, "-workers -1: give a number of goroutines"},
		{[]string{"run", "game", "-workers", "2000"}, 2, "-workers 2000: give 1024 at most"},
		{[]string{"run", "game", "-record", ""}, 2, "-record is empty: give it a value, or leave it out"},
		{[]string{"run", "-layout=", "game"}, 2, "-layout is empty"},
		{[]string{"advise", "x", "-o", "", "-cache", "1"}, 2, "-o is empty"},
	}
	for _, tt := range tests {
		status, _, errs := call(t, tt.args...)
		if status != tt.status || !strings.Contains(errs, tt.want) || !strings.Contains(errs, "ashlar: ") || tt.args != nil && strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d, %q; want %d and %q", tt.args, status, errs, tt.status, tt.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var o, e bytes.Buffer
	status := run(ctx, console{nil, &o, &e, true, false, verb{}}, []string{"run", "life", patterns + "glider.rle"})
	if status != 130 || !strings.Contains(o.String(), "population  5") || !strings.Contains(e.String(), "interrupted") {
		t.Errorf("status %d\n%s\n%s", status, o.String(), e.String())
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A summary that can't be written is an error, after Ctrl-C too.
func TestSummaryNotWritten(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), interrupted} {
		var e bytes.Buffer
		status := run(ctx, console{nil, full{}, &e, false, false, verb{}}, []string{"run", "life", patterns + "glider.rle", "-generations", "3"})
		if status != 1 || !strings.Contains(e.String(), "no space left") {
			t.Errorf("status %d, %q", status, e.String())
		}
	}
}

// The version is that of the build, with its commit where it was built from a repository.
func TestVersion(t *testing.T) {
	status, out, errs := call(t, "version")
	for _, flag := range []string{"-version", "--version"} {
		if again, same, _ := call(t, flag); again != status || same != out {
			t.Errorf("%s: status %d, %q", flag, again, same)
		}
	}
	if status != 0 || !strings.HasPrefix(out, "ashlar ") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.3.0"}, Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "amd64"}}}
	if got := versionOf(info); got != "ashlar v0.3.0, go1.26.8 linux/amd64" {
		t.Errorf("a release is %q", got)
	}
	info.Main.Version = ""
	info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.revision", Value: "1234abcd"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	if got := versionOf(info); got != "ashlar (devel), commit 1234abcd with changes, go1.26.8 linux/amd64" {
		t.Errorf("a build of a work tree is %q", got)
	}
	if got := versionOf(nil); !strings.Contains(got, "without information") {
		t.Errorf("a build without information is %q", got)
	}
}

// Pictures are colours alone, so -watch prints lines where these are not wanted.
func TestNoColours(t *testing.T) {
	for _, tt := range []struct {
		term, no string
		want     bool
	}{{"xterm", "", true}, {"dumb", "", false}, {"xterm", "1", false}} {
		if got := draws(func(name string) string { return map[string]string{"TERM": tt.term, "NO_COLOR": tt.no}[name] }); got != tt.want {
			t.Errorf("TERM %q and NO_COLOR %q: %v", tt.term, tt.no, got)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"help", "help"}, {"help", "-h"}, {"help", "run"}, {"help", "topo"}, {"help", "version"}, {"help", "profile"}, {"help", "advise"}, {"help", "layout"}, {"help", "views"}, {"help", "map"}, {"run", "-help"}, {"map", "-h"}, {"--help", "map"}} {
		status, out, errs := call(t, args...)
		if status != 0 || errs != "" || !strings.Contains(out, "Usage: ashlar") || strings.Contains(out, "- for the standard input") != (args[len(args)-1] != "topo" && args[len(args)-1] != "version") {
			t.Errorf("%v: status %d, %s%s", args, status, out, errs)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 || strings.Contains(line, "\t") {
				t.Errorf("%v: %d columns, or tabs: %q", args, n, line)
			}
		}
	}
	for _, args := range [][]string{{"help", "pprof"}, {"pprof", "-h"}} {
		if status, out, errs := call(t, args...); status != 0 || errs != "" || !strings.Contains(out, "Files of Ashlar:") {
			t.Errorf("%v: status %d, %s%s", args, status, out, errs)
		}
	}
	for _, args := range [][]string{{"help"}, {"run", "-h"}} {
		if status := run(t.Context(), console{out: full{}, err: io.Discard}, args); status != 1 {
			t.Errorf("%v to a full disk: status %d", args, status)
		}
	}
}

// TestHelpText: the text of each page of help is reviewed when it changes.
func TestHelpText(t *testing.T) {
	var b strings.Builder
	for _, args := range [][]string{{"help"}, {"help", "run"}, {"help", "topo"}, {"help", "profile"}, {"help", "advise"}, {"help", "layout"}, {"help", "views"}, {"help", "map"}, {"help", "version"}} {
		_, out, _ := call(t, args...)
		fmt.Fprintf(&b, "$ ashlar %s\n%s\n", strings.Join(args, " "), strings.TrimSuffix(out, wrap(filesHelp)))
	}
	fmt.Fprint(&b, wrap(filesHelp))
	file := filepath.Join("testdata", "help.txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(want), "\r\n", "\n") != b.String() {
		t.Errorf("help is not what %s has; -update writes:\n%s", file, b.String())
	}
}

func TestCounts(t *testing.T) {
	for got, want := range map[string]string{
		count(0, "chunk"): "0 chunks", count(1, "chunk"): "1 chunk", count(uint64(2), "chunk"): "2 chunks",
		mib(1 << 19): "0.5 MiB", mib(9_999 << 20): "9999.0 MiB", mib(10_000 << 20): "9.8 GiB", mib(1 << 40): "1024.0 GiB",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("x", 79)
	for text, want := range map[string]string{
		"a\n\nb  c\n":                    "a\n\nb  c\n",
		"  " + long[:74] + " abc\n":      "  " + long[:74] + " abc\n",
		"  " + long[:74] + " abcd e\n":   "  " + long[:74] + "\n  abcd e\n",
		"  → " + long[:72] + " abcd e\n": "  → " + long[:72] + "\n    abcd e\n",
		"    \t" + long[:69] + " …… e\n": "        " + long[:69] + " ……\n        e\n",
	} {
		if got := wrap(text); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}
