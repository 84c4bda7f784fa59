package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// What a process holds, and what its first calls take, is measured in processes of their
// own: each runs this command again with -measure and prints one number.

// apart are those measurements by name: resident bytes in KiB, times in microseconds or as
// their rows say.
func apart() map[string]func() float64 {
	all := manyFigures()
	maps.Copy(all, spreadFigures())
	all["massacre"], all["churn, large"] = massacre, largeChurn
	return all
}

// manyFigures are those of worlds, and of thousands of things.
func manyFigures() map[string]func() float64 {
	return map[string]func() float64{
		"world of 64":         func() float64 { return residentKiB(func() any { return smallWorld(64) }) },
		"slices of 64":        func() float64 { return residentKiB(func() any { return smallSlices(64) }) },
		"world of 1024":       func() float64 { return residentKiB(func() any { return smallWorld(1024) }) },
		"slices of 1024":      func() float64 { return residentKiB(func() any { return smallSlices(1024) }) },
		"1024 spawns":         func() float64 { return firstSpawns() },
		"1024 appends":        func() float64 { return micros(func() { smallSlices(1024) }) },
		"thousand worlds":     func() float64 { return micros(func() { thousandWorlds() }) / 1000 },
		"memory of worlds":    func() float64 { return residentKiB(func() any { return thousandWorlds() }) / 1000 },
		"lock step":           lockStep,
		"thousand sequences":  func() float64 { return residentKiB(func() any { return manySequences(1000, 10) }) },
		"drop of sequences":   dropSequences,
		"check of groups":     checkGroups,
		"systems and groups":  registerSystems,
		"ten thousand series": func() float64 { return residentKiB(func() any { return manySequences(10_000, 1) }) },
	}
}

// measureApart prints one of them, for -measure.
func measureApart(name string, out, errs io.Writer) int {
	f := apart()[name]
	if f == nil {
		fmt.Fprintf(errs, "bench: -measure %q: it is for this command itself, which runs each row of memory in a process of its own\n", name)
		return 2
	}
	fmt.Fprintln(out, f())
	return 0
}

// apartRow is a row whose pieces run in processes of their own; rival may be empty.
func apartRow(name string, unit unit, bar float64, ratio bool, ours, rival string) row {
	return row{name: name, unit: unit, bar: bar, ratio: ratio, series: func() (o, r float64) {
		if o = inProcess(ours); rival != "" {
			r = inProcess(rival)
		}
		return o, r
	}}
}

// inProcess runs one measurement; NaN, which has the row refused, if it can't.
func inProcess(name string) float64 {
	self, err := os.Executable()
	if err != nil {
		return math.NaN()
	}
	var out bytes.Buffer
	cmd := exec.Command(self, "-measure", name)
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if cmd.Run() != nil {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(out.String()), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// residentKiB is how much more of the process is in physical pages once something was
// made; NaN where the system does not say. The collector has run before, several times: its
// first runs touch some 250 KiB of its own, whatever was made.
func residentKiB(make func() any) float64 {
	for range 4 {
		debug.FreeOSMemory()
		resident()
	}
	before := resident()
	keep := make()
	debug.FreeOSMemory()
	grown := resident() - before
	runtime.KeepAlive(keep)
	return grown
}

// resident reads Linux's /proc: pages that are the process's own, without those of its
// program file.
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

func micros(f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start).Nanoseconds()) / 1000
}

// smallWorld is a world as a program makes it: default options, three components, one
// group, a system, some entities, a frame.
func smallWorld(n int) *ecs.World {
	w, g := spawnable()
	for range n {
		must(g.Spawn(body{Position{1, 2}, Velocity{3, 4}}))
	}
	check(w.Run(context.Background()))
	return w
}

func spawnable() (*ecs.World, *ecs.Group[body]) {
	w := must(ecs.New(ecs.Options{}))
	must(ecs.Register[Position](w, "position"))
	must(ecs.Register[Velocity](w, "velocity"))
	g := must(ecs.GroupOf[body](w, "body"))
	check(ecs.System(w, "move", moveSystem))
	return w, g
}

func smallSlices(n int) [2]any {
	var pos []Position
	var vel []Velocity
	var ids []ecs.Entity
	for i := range n {
		pos, vel = double(pos, Position{1, 2}), double(vel, Velocity{3, 4})
		ids = double(ids, ecs.Entity(i))
	}
	return [2]any{pos, vel}
}

// firstSpawns is the first spawns of a process; the world was made before.
func firstSpawns() float64 {
	_, g := spawnable()
	return micros(func() {
		for range 1024 {
			must(g.Spawn(body{Position{1, 2}, Velocity{3, 4}}))
		}
	})
}

func thousandWorlds() (ws []*ecs.World) {
	for range 1000 {
		ws = append(ws, smallWorld(100))
	}
	return ws
}

func columns() []memmgr.ColumnSpec {
	return []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 8, Align: 8}}, {Spec: chunk.Spec{Size: 16, Align: 8}}, {Spec: chunk.Spec{Size: 16, Align: 8}}}
}

func manySequences(n, rows int) (m *memmgr.Manager) {
	m = must(memmgr.New(memmgr.Options{}))
	for i := range n {
		s := must(m.MakeSequence("s"+strconv.Itoa(i), columns()))
		for range rows {
			l := must(s.Append())
			memmgr.Slice[[16]byte](s, 1, l.Chunk())[l.Row()][0] = 1
		}
	}
	return m
}

// lockStep is KiB of Go heap for 2,048 sequences that grow in turn to two chunks each.
func lockStep() float64 {
	m := must(memmgr.New(memmgr.Options{}))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var seqs []*memmgr.Sequence
	for i := range 2048 {
		seqs = append(seqs, must(m.MakeSequence("s"+strconv.Itoa(i), columns())))
	}
	for range 2 * seqs[0].Capacity() / 50 {
		for _, s := range seqs {
			must2(s.AppendRun(50))
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(seqs)
	check(m.Close())
	return (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / 1024
}

func must2[A, B any](a A, _ B, err error) A { return must(a, err) }

func dropSequences() float64 {
	m := must(memmgr.New(memmgr.Options{}))
	var seqs []*memmgr.Sequence
	for i := range 20_000 {
		s := must(m.MakeSequence("s"+strconv.Itoa(i), columns()))
		must(s.Append())
		seqs = append(seqs, s)
	}
	return micros(func() {
		for _, s := range seqs {
			s.Drop()
		}
	}) / 1000
}

func checkGroups() float64 {
	w := must(ecs.New(ecs.Options{}))
	for i := range 4000 {
		p := must(ecs.Register[Position](w, "p"+strconv.Itoa(i)))
		v := must(ecs.Register[Velocity](w, "v"+strconv.Itoa(i)))
		must(must(ecs.GroupOf[body](w, "g"+strconv.Itoa(i), p, v)).Spawn(body{}))
	}
	return micros(func() { check(w.Check()) }) / 1000
}

func registerSystems() float64 {
	w := must(ecs.New(ecs.Options{}))
	p := must(ecs.Register[Position](w, "position"))
	must(ecs.Register[Velocity](w, "velocity"))
	return micros(func() {
		for i := range 2000 {
			if i%40 == 0 {
				v := must(ecs.Register[dummy](w, "d"+strconv.Itoa(i)))
				must(ecs.GroupOf[struct{ D dummy }](w, "g"+strconv.Itoa(i), v))
			}
			check(ecs.System(w, "s"+strconv.Itoa(i), moveSystem))
		}
		runtime.KeepAlive(p)
	}) / 1000
}

// apartRows are the rows of memory and of the costs of many things.
func apartRows() []row {
	return []row{
		apartRow("resident: a world of 64 entities", kibibytes, 410, false, "world of 64", "slices of 64"),
		apartRow("resident: a world of 1,024 entities", kibibytes, 614, false, "world of 1024", "slices of 1024"),
		apartRow("first 1,024 spawns of a process, against slices", microseconds, 1.5, true, "1024 spawns", "1024 appends"),
		apartRow("1,000 worlds of 100 entities, each", microseconds, 100, false, "thousand worlds", ""),
		apartRow("resident: 1,000 worlds of 100 entities, each", kibibytes, 128, false, "memory of worlds", ""),
		apartRow("Go heap: 2,048 sequences that grow in turn", kibibytes, 2048, false, "lock step", ""),
		apartRow("resident: 1,000 sequences of 10 rows", kibibytes, 5<<10, false, "thousand sequences", ""),
		apartRow("resident: 10,000 sequences of a row", kibibytes, 250_000, false, "ten thousand series", ""),
		apartRow("drop of 20,000 sequences", milliseconds, 20, false, "drop of sequences", ""),
		apartRow("Check of 4,000 groups", milliseconds, 100, false, "check of groups", ""),
		apartRow("2,000 systems and 50 groups registered", milliseconds, 50, false, "systems and groups", ""),
	}
}
