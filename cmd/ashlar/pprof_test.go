package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/profile"
)

// asCommand in the environment makes the test binary the command itself: the driver
// of pprof prints to the process's own output.
const asCommand = "ASHLAR_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	if os.Getenv(asProgram) != "" {
		if err := program(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command is the command as a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, args...)
	c.Env = append(os.Environ(), asCommand+"=1", "PPROF_TMPDIR="+t.TempDir())
	return c
}

// process runs the command and returns its status and output. It reads the command top.
func process(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	return processWith(t, "top\n", args...)
}

// processWith is process with a standard input.
func processWith(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	c := command(t, args...)
	var o, e bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &o, &e
	err := c.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), o.String(), e.String()
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, o.String(), e.String()
}

// moved is the profile of one system that reads one column.
func moved() profile.Profile {
	return profile.Profile{Frames: 3, Systems: []profile.System{{Name: "move", Access: []profile.Access{
		{Group: "body", Component: "position", Rows: 30, Chunks: 3, Bytes: 480}}}}}
}

// accessFile is a file for pprof.
func accessFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "access.pb.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(report.PprofAccess(moved()).Write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPprof(t *testing.T) {
	file, place := accessFile(t), mapFile(t)
	dir := t.TempDir()
	text, bad := filepath.Join(dir, "run.profile"), filepath.Join(dir, "bad.map")
	if err := errors.Join(moved().WriteFile(text), os.WriteFile(bad, []byte("ashlar map 1\nfly\nend\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   []string
		status int
		out    string // regular expressions
		errs   string
	}{
		{[]string{"pprof", "-top", file}, 0, `480B +100% +100% +480B +100% +column:position\n`, `^$`},
		{[]string{"pprof", "-top", "-sample_index=rows", "-tagroot=system", file}, 0, `30 +100% +move\n`, `^$`},
		{[]string{"pprof", "-peek=group:body", file}, 0, `\| +system:move\n`, `^$`},
		{[]string{"pprof", "-top", "-diff_base", file, file}, 0, `accounting for 0, `, `^$`},
		{[]string{"pprof", file}, 0, `480B .*column:position\n`, `interactive`}, // reads the command top
		{[]string{"pprof", "-top", "-unit=b", text}, 0, `480B +100% .*column:position\n`, `^$`},
		{[]string{"pprof", "-top", "-unit=kb", place}, 0, `64kB .* group:body\n`, `^$`},
		{[]string{"pprof", "-top", "-diff_base", text, text}, 0, `accounting for 0, `, `^$`},
		{[]string{"pprof", "-top", bad}, 1, `^$`, `bad.map:2:1: "fly" is not a statement`},
		{[]string{"pprof"}, 2, `^$`, `(?s)ashlar pprof <format>.*pprof needs a file`},
		{[]string{"pprof", "-top"}, 2, `^$`, `pprof needs a file`},
		{[]string{"pprof", "-help"}, 0, `ashlar pprof <format>`, `^$`},
		{[]string{"help", "pprof"}, 0, `ashlar pprof <format>`, `^$`},
		{[]string{"pprof", "-warp", file}, 2, `^$`, `not defined: -warp: see`},
		{[]string{"pprof", "-top", filepath.Join(t.TempDir(), "none")}, 1, `^$`, `none: (no such|The system).*: name a file that is there and can be read`},
		{[]string{"pprof", "-top", t.TempDir()}, 1, `^$`, `it is a directory: name the profile in it`},
		{[]string{"pprof", "-top", "-http=localhost:0", file}, 1, `^$`, `not compatible`},
	} {
		status, out, errs := process(t, tt.args...)
		if status != tt.status || !regexp.MustCompile(tt.out).MatchString(out) || !regexp.MustCompile(tt.errs).MatchString(errs) {
			t.Errorf("%q: status %d, want %d\nout  %s\nwant %s\nerr  %s\nwant %s", tt.args, status, tt.status, out, tt.out, errs, tt.errs)
		}
	}
}

// The web pages are served until Ctrl-C.
func TestPprofHTTP(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no interrupt to send to a process; the reports are tested by the others")
	}
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Skipf("no port of this machine can be listened on: %v", err)
	}
	address := l.Addr().String()
	l.Close()
	c := command(t, "pprof", "-http="+address, "-no_browser", accessFile(t))
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	page := ""
	for range 200 {
		if r, err := http.Get("http://" + address + "/ui/top"); err == nil {
			raw, _ := io.ReadAll(r.Body)
			r.Body.Close()
			page = string(raw)
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !strings.Contains(page, "column:position") {
		t.Errorf("the page has no column:\n%.300s", page)
	}
	c.Process.Signal(os.Interrupt)
	if err := c.Wait(); c.ProcessState.ExitCode() != 130 {
		t.Errorf("%v\n%s", err, errs.String())
	}
}
