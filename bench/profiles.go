package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/counters"
)

// What a profile is good for at the next start, for -profiles: each program begins with none, twice,
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
	Steps    []counters.Reading // what came before the first frame, and the frames
	Resident []float64          // bytes at the end of each run
}

// add keeps the shorter time of each frame, and its fewer cycles: what disturbed one of them says
// nothing.
func (s *start) add(o start) {
	s.Resident = append(s.Resident, o.Resident...)
	if s.Steps == nil {
		s.Steps = o.Steps
	}
	for i, r := range o.Steps {
		s.Steps[i].Wall = min(s.Steps[i].Wall, r.Wall)
		s.Steps[i].Cycles = min(s.Steps[i].Cycles, r.Cycles)
	}
}

// figures are milliseconds, cycles, and the median of the memory.
func (s *start) figures() (list [3]float64) {
	for _, r := range s.Steps {
		list[0] += float64(r.Wall)
		list[1] += r.Cycles
	}
	list[2] = median(s.Resident)
	return list
}

// kinds of profiles that a program begins with.
var startsWith = [...]string{"none", "none again", "own", "10x level", "0.1x level", "foreign"}

// measureStarts prints a line a program: the first frames and the memory behind them, with each
// profile by those with none.
func measureStarts(all []twin.Program, q request) (status int) {
	dir, err := os.MkdirTemp("", "profiles")
	if err != nil {
		fmt.Fprintln(q.errs, "bench:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	all = slices.DeleteFunc(all, func(p twin.Program) bool { return !q.match.MatchString(p.Name) })
	fmt.Fprintf(q.out, "\n| program | entities | start and %d frames | resident | %s |\n|---|---|---|---|%s\n", startFrames,
		strings.Join(startsWith[1:], ": time, cycles, memory | ")+": time, cycles, memory", strings.Repeat("---|", len(startsWith)-1))
	file := func(program, level int) string { return filepath.Join(dir, fmt.Sprint(program, ".", level)) }
	for i, p := range all {
		for level, n := range levels(p.Entities / q.divide) {
			if _, err := begin(p.Name, n, "-record", file(i, level)); err != nil {
				fmt.Fprintf(q.errs, "bench: %s: %v\n", p.Name, err)
				return 1
			}
		}
	}
	for i, p := range all {
		n := levels(p.Entities / q.divide)[0]
		var starts [len(startsWith)]start
		files := [len(startsWith)]string{"", "", file(i, 0), file(i, 1), file(i, 2), file((i+1)%len(all), 0)}
		for round := range q.rounds {
			for k := range starts {
				k = (k + round) % len(starts)
				s, err := begin(p.Name, n, "-profile", files[k])
				if err != nil {
					fmt.Fprintf(q.errs, "bench: %s: %v\n", p.Name, err)
					return 1
				}
				starts[k].add(s)
			}
		}
		none := starts[0].figures()
		fmt.Fprintf(q.out, "| %s | %d | %s | %s |", p.Name, n, millis(none[0]), mebibytes(none[2]))
		for _, s := range starts[1:] {
			f := s.figures()
			fmt.Fprintf(q.out, " %.3f, %.3f, %.3f |", f[0]/none[0], f[1]/none[1], f[2]/none[2])
		}
		fmt.Fprintln(q.out)
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
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&s); err != nil {
		return s, err
	}
	if len(s.Steps) != 1+startFrames || len(s.Resident) != 1 {
		return s, fmt.Errorf("%d steps of %d", len(s.Steps), 1+startFrames)
	}
	return s, nil
}

// beginHere is the other side: it runs the frames, and records them if a file is named.
func beginHere(v twin.Variant, entities int, load, record string, out io.Writer) error {
	var o ecs.Options
	o.Profile.Named = true
	o.Profile.File = load
	o.Profile.Log = slog.New(slog.DiscardHandler)
	o.Record = record != ""
	runtime.LockOSThread() // the meter's
	meter := counters.New()
	defer meter.Close()
	debug.FreeOSMemory()
	before := resident()
	steps := make([]counters.Reading, 1+startFrames)
	meter.Start()
	stage := v.With(entities, o)
	steps[0] = meter.Stop()
	defer stage.Close() // what it keeps counts until then
	for i := range startFrames {
		if stage.Prepare != nil {
			stage.Prepare()
		}
		meter.Start()
		stage.Frame()
		steps[1+i] = meter.Stop()
	}
	debug.FreeOSMemory()
	if err := gob.NewEncoder(out).Encode(start{steps, []float64{1024 * (resident() - before)}}); err != nil || record == "" {
		return err
	}
	return stage.World.Facts().WriteFile(record)
}
