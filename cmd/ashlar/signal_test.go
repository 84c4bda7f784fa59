package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// SIGTERM and SIGHUP save the same as Ctrl-C, and all say that the run was interrupted.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no signals to send to a process; TestRecordInterrupted has the rest")
	}
	for _, tt := range []struct {
		signal os.Signal
		status int
		says   string
	}{
		{os.Interrupt, 130, "interrupted"},
		{syscall.SIGTERM, 143, "interrupted by SIGTERM"},
		{hangup, 129, "interrupted by SIGHUP"},
	} {
		if signal.Ignored(tt.signal) {
			t.Logf("%v is ignored here, as under nohup, and so by what the test starts", tt.signal)
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "run.profile")
		c := command(t, "run", "churn", "-entities", "500", "-frames", "1000000000", "-record", path)
		var out bytes.Buffer
		c.Stdout = &out
		errs := underWay(t, c)
		if err := c.Process.Signal(tt.signal); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(errs)
		c.Wait()
		if got := c.ProcessState.ExitCode(); got != tt.status || string(rest) != "ashlar: "+tt.says+"\n" {
			t.Errorf("%v: status %d, want %d; %q, want %q", tt.signal, got, tt.status, rest, tt.says)
		}
		at := found(out.String(), `^stopped +at frame (\d+) of 1000000000: `+tt.says+`\nframe +\d+\n`)
		f, err := profile.ReadFile(path)
		m, errMap := profile.ReadMap(path + ".map")
		if err != nil || errMap != nil || at == "" || strconv.FormatUint(f.Frames, 10) != at || m.Frame != f.Frames {
			t.Errorf("%v: at frame %q; recorded %v, %v\n%s", tt.signal, at, err, errMap, out.String())
		}
	}
}

// A second signal ends a command that does not end by the first: here it waits for somebody to read what it writes.
func TestSecondSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no signals to send to a process")
	}
	text := "ashlar layout 1\n"
	for i := range 5000 {
		text += "cold group" + strconv.Itoa(i) + "\n"
	}
	c := command(t, "layout", "show", writeText(t, filepath.Join(t.TempDir(), "long.layout"), text))
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1)) // more than a pipe holds is behind it
	}
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error)
	go func() { gone <- c.Wait() }()
	for began := time.Now(); ; {
		c.Process.Signal(os.Interrupt)
		select {
		case <-gone:
			if took := time.Since(began); took < patience {
				t.Errorf("it ended after %v", took)
			}
			return
		case <-time.After(patience / 4):
			if time.Since(began) > 20*patience {
				c.Process.Kill()
				t.Fatal("it goes on")
			}
		}
	}
}

// underWay starts a run, waits until it reads its layout and runs frames, and returns its output about
// errors. The layout is longer than a pipe holds, so it is written once the run reads it.
func underWay(t *testing.T, c *exec.Cmd) *bufio.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c.ExtraFiles = []*os.File{r}
	c.Env = append(c.Env, layout.EnvironmentVariable+"=/dev/fd/3")
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "ashlar layout 1\n"+strings.Repeat("# a comment\n", 100_000)+"cold plants.2\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	time.Sleep(100 * time.Millisecond) // some frames, as a rule
	return bufio.NewReader(pipe)
}

// A run that ignores SIGHUP, as under nohup, goes on after it.
func TestHangupIgnored(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skipf("no shell that ignores signals: %v", err)
	}
	c := command(t, "run", "churn", "-entities", "500", "-frames", "1000000000")
	c.Args = append([]string{shell, "-c", `trap "" HUP && exec "$0" "$@"`, c.Path}, c.Args[1:]...)
	c.Path = shell
	errs := underWay(t, c)
	c.Process.Signal(hangup)
	c.Process.Signal(syscall.SIGTERM)
	io.Copy(io.Discard, errs)
	if c.Wait(); c.ProcessState.ExitCode() != 143 {
		t.Errorf("%v", c.ProcessState)
	}
}

// A verb that waits for its standard input ends by a signal, too, and says nothing else.
func TestSignalWhileReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no signals to send to a process; package files tests that reading ends with its context")
	}
	for _, line := range []string{"profile show -", "map -", "advise -", "run life -", "run churn -layout -", "layout show -", "layout check -", "pprof -top -"} {
		c := command(t, strings.Fields(line)...)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		c.Stderr = &errs
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(make([]byte, 1<<20)); err != nil { // more than a pipe holds: it has begun to read
			t.Fatal(err)
		}
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
		if got := c.ProcessState.ExitCode(); got != 143 || !strings.HasSuffix(errs.String(), "ashlar: interrupted by SIGTERM\n") || strings.Contains(errs.String(), "cancel") {
			t.Errorf("%s: status %d, %s", line, got, errs.String())
		}
	}
}

// The reader of the summary may go away: the recording is there all the same.
func TestRecordBeforeSummary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.profile")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	c := command(t, "run", "churn", "-entities", "100", "-frames", "2", "-record", path)
	c.Stdout = w
	err = c.Run()
	w.Close()
	if err == nil {
		t.Error("a summary that nobody can read is no error")
	}
	if status, out, errs := call(t, "profile", "check", path); status != 0 || !strings.Contains(out, "frames 2, ") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// No file may have more than 4 KiB: profile and map of one run are both as they were, whichever
// of them is too long.
func TestRecordBothOrNeither(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skipf("no shell that limits sizes of files; internal/atomicfile lets each step fail: %v", err)
	}
	const most = 4096
	for line, long := range map[string]string{
		"run churn -entities 500 -frames 20 -groups 30":   "",
		"run churn -entities 30000 -frames 100 -groups 2": ".map",
	} {
		path := filepath.Join(t.TempDir(), "run.profile")
		runs(t, line, "-record", path)
		for _, suffix := range []string{"", ".map"} {
			if size := len(readText(t, path+suffix)); size > most != (suffix == long) {
				t.Errorf("%s: %q has %d bytes: the test no longer tells the two apart", line, suffix, size)
			}
		}
		writeText(t, path, "ashlar profile 1\nframes 1\nend\n")
		writeText(t, path+".map", "ashlar map 1\nframe 7\nend\n")
		before := snapshot(t, filepath.Dir(path))
		c := command(t, append(strings.Fields(line), "-record", path)...)
		c.Args = append([]string{shell, "-c", `ulimit -f 8 && exec "$0" "$@"`}, append([]string{c.Path}, c.Args[1:]...)...)
		c.Path = shell
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		c.Run()
		if c.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), "state hash") ||
			!strings.Contains(errs.String(), "writing it for "+path+long+": ") || !strings.Contains(errs.String(), "make room there or write elsewhere; "+path+" is unchanged, "+path+".map is unchanged") {
			t.Errorf("%s: %v\n%s%s", line, c.ProcessState, errs.String(), out.String())
		}
		if is := snapshot(t, filepath.Dir(path)); is != before {
			t.Errorf("%s: there was\n%s\nand is\n%s", line, before, is)
		}
	}
}
