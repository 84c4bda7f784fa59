package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// What a profile is good for at the next start, for -profiles: each program begins with none,
// with its own, with that of a level ten times as large, of one ten times as small, and with
// that of another program. Each start is a process of its own, and they take turns.

const (
	startFrames = 100
	startDivide = 10 // of the program's entities: the level ten times as large is the whole program
)

// startPrograms are those that -profiles runs unless -rows names others.
const startPrograms = `^(survivors|run game|epidemic.*components|churn: 500k|combinations: 256 sets, 256k, 5 % in two|births, bare.*256k)`

// start is what some frames from the beginning took.
type start struct {
	opened   time.Duration // until the first frame
	frames   []time.Duration
	resident float64 // bytes at the end
}

// least keeps the shorter time of each frame: what disturbed one of them says nothing.
func (s *start) least(o start) {
	if s.frames == nil {
		*s = o
		return
	}
	s.opened, s.resident = min(s.opened, o.opened), min(s.resident, o.resident)
	for i := range s.frames {
		s.frames[i] = min(s.frames[i], o.frames[i])
	}
}

// sum is the time of the frames, with what came before them.
func (s *start) sum() (sum time.Duration) {
	for _, d := range s.frames {
		sum += d
	}
	return sum + s.opened
}

// kinds of profiles that a program begins with.
var startsWith = [...]string{"none", "own", "10x level", "0.1x level", "foreign"}

// measureStarts prints a line a program: the first frames and the memory behind them, with each
// profile by those with none.
func measureStarts(all []twin.Program, match *regexp.Regexp, divide, rounds int, out, errs io.Writer) (status int) {
	dir, err := os.MkdirTemp("", "profiles")
	if err != nil {
		fmt.Fprintln(errs, "bench:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	all = slices.DeleteFunc(all, func(p twin.Program) bool { return !match.MatchString(p.Name) })
	fmt.Fprintf(out, "\n| program | entities | start and %d frames | resident | %s |\n|---|---|---|---|%s\n", startFrames,
		strings.Join(startsWith[1:], ": time, memory | ")+": time, memory", strings.Repeat("---|", len(startsWith)-1))
	file := func(program, level int) string { return filepath.Join(dir, fmt.Sprint(program, ".", level)) }
	for i, p := range all {
		for level, n := range levels(p.Entities / divide) {
			if _, err := begin(p.Name, n, "-record", file(i, level)); err != nil {
				fmt.Fprintf(errs, "bench: %s: %v\n", p.Name, err)
				return 1
			}
		}
	}
	for i, p := range all {
		n := levels(p.Entities / divide)[0]
		var starts [len(startsWith)]start
		files := [len(startsWith)]string{"", file(i, 0), file(i, 1), file(i, 2), file((i+1)%len(all), 0)}
		for round := range rounds {
			for k := range starts {
				k = (k + round) % len(starts)
				s, err := begin(p.Name, n, "-profile", files[k])
				if err != nil {
					fmt.Fprintf(errs, "bench: %s: %v\n", p.Name, err)
					return 1
				}
				starts[k].least(s)
			}
		}
		none := starts[0]
		fmt.Fprintf(out, "| %s | %d | %s | %s |", p.Name, n, millis(float64(none.sum())), mebibytes(none.resident))
		for _, s := range starts[1:] {
			fmt.Fprintf(out, " %.3f, %.3f |", float64(s.sum())/float64(none.sum()), s.resident/none.resident)
		}
		fmt.Fprintln(out)
	}
	return 0
}

// levels are the numbers of entities: the one measured, ten times as many, a tenth.
func levels(entities int) [3]int {
	n := max(10, entities/startDivide)
	return [3]int{n, 10 * n, n / 10}
}

// begin runs the first frames of a program in a process of its own.
func begin(program string, entities int, flags ...string) (s start, err error) {
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	flags = append([]string{"-stage", program + "/" + twin.Ashlar, "-entities", strconv.Itoa(entities), "-begin"}, flags...)
	cmd := exec.Command(self, flags...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return s, err
	}
	fields := strings.Fields(string(text))
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		switch {
		case err != nil:
			return s, err
		case i == 0:
			s.resident = v
		case i == 1:
			s.opened = time.Duration(v)
		default:
			s.frames = append(s.frames, time.Duration(v))
		}
	}
	if len(s.frames) != startFrames {
		return s, fmt.Errorf("%d frames were run, and not %d", len(s.frames), startFrames)
	}
	return s, nil
}

// beginHere is the other side: it runs the frames, and records them if a file is named.
func beginHere(v twin.Variant, entities int, load, record string, out io.Writer) error {
	var o ecs.Options
	o.Profile.Named = true
	o.Profile.File = load
	o.Profile.Log = slog.New(slog.DiscardHandler)
	o.Record.On = record != ""
	debug.FreeOSMemory()
	before := resident()
	from := time.Now()
	stage := v.With(entities, o)
	defer stage.Close() // what it keeps counts until then
	opened := time.Since(from)
	frames := make([]time.Duration, startFrames)
	for i := range frames {
		frames[i] = timed(stage)
	}
	debug.FreeOSMemory()
	fmt.Fprintln(out, 1024*(resident()-before), int64(opened))
	for _, d := range frames {
		fmt.Fprintln(out, int64(d))
	}
	if record == "" {
		return nil
	}
	return stage.World.Facts().WriteFile(record)
}
