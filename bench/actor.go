package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// An actor is a process that runs one variant of a program: this command with -stage.
//
//	to it          from it
//	               ready
//	10             1203311 1198022 …     nanoseconds of so many frames
//	end            digest, resident bytes
type actor struct {
	name string
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
}

// hire starts an actor and waits until it is ready.
func hire(program, variant string, entities int) (*actor, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	a := &actor{name: variant, cmd: exec.Command(self, "-stage", program+"/"+variant, "-entities", strconv.Itoa(entities))}
	a.cmd.Stderr = os.Stderr
	if a.to, err = a.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	from, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.from = bufio.NewReader(from)
	if err := a.cmd.Start(); err != nil {
		return nil, err
	}
	if line, err := a.from.ReadString('\n'); line != "ready\n" {
		a.stop()
		return nil, fmt.Errorf("it did not get ready: %w", errors.Join(err, a.cmd.Err))
	}
	return a, nil
}

func (a *actor) ask(request string) (fields []string, err error) {
	if _, err := fmt.Fprintln(a.to, request); err != nil {
		return nil, err
	}
	line, err := a.from.ReadString('\n')
	return strings.Fields(line), err
}

// frames runs so many frames and returns the time of each.
func (a *actor) frames(n int) ([]time.Duration, error) {
	fields, err := a.ask(strconv.Itoa(n))
	var times []time.Duration
	for _, f := range fields {
		d, wrong := strconv.ParseInt(f, 10, 64)
		times, err = append(times, time.Duration(d)), errors.Join(err, wrong)
	}
	return times, err
}

// end asks for the digest and the resident bytes.
func (a *actor) end() (digest uint64, resident float64, err error) {
	fields, err := a.ask("end")
	if err != nil {
		return 0, 0, fmt.Errorf("it did not end well: %w", err)
	}
	digest, err = strconv.ParseUint(fields[0], 10, 64)
	resident, wrong := strconv.ParseFloat(fields[1], 64)
	return digest, resident, errors.Join(err, wrong)
}

// stop ends the process, whatever it does.
func (a *actor) stop() {
	a.to.Close()
	a.cmd.Process.Kill()
	a.cmd.Wait()
}

// variant finds program/variant.
func variant(all []twin.Program, name string) (v twin.Variant, found bool) {
	for _, p := range all {
		for _, v := range p.Variants {
			if p.Name+"/"+v.Name == name {
				return v, true
			}
		}
	}
	return v, false
}

// play is the other side: it answers requests until the end, for -stage.
func play(v twin.Variant, entities int, in io.Reader, out io.Writer) int {
	debug.FreeOSMemory()
	before := resident()
	stage := v.Open(entities)
	fmt.Fprintln(out, "ready")
	for lines := bufio.NewScanner(in); lines.Scan(); {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			debug.FreeOSMemory()
			grown := 1024 * (resident() - before)
			fmt.Fprintf(out, "%d %f\n", stage.Digest(), grown)
			break
		}
		answer := make([]string, n)
		for i := range answer {
			answer[i] = strconv.FormatInt(int64(timed(stage)), 10)
		}
		fmt.Fprintln(out, strings.Join(answer, " "))
	}
	return 0
}

// timed runs a frame.
func timed(s twin.Stage) time.Duration {
	if s.Prepare != nil {
		s.Prepare()
	}
	start := time.Now()
	s.Frame()
	return time.Since(start)
}

// resident is how many KiB of the process are in physical pages of its own, without the pages of its
// program file, by Linux's /proc; NaN elsewhere.
func resident() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return math.NaN()
	}
	var size, all, shared float64
	if _, err := fmt.Sscan(string(text), &size, &all, &shared); err != nil {
		return math.NaN()
	}
	return (all - shared) * float64(os.Getpagesize()) / 1024
}
