package ecs

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

type (
	smallPos struct{ X, Y, Z float32 }
	smallVel struct{ X, Y, Z float32 }
)

type smallBody struct {
	Pos smallPos
	Vel smallVel
}

// smallWorld is a world with a group of n entities, as a program makes it.
func smallWorld(t testing.TB, n int) *World {
	t.Helper()
	w := New(Options{})
	Register[smallPos](w, "pos")
	Register[smallVel](w, "vel")
	g := GroupOf[smallBody](w, "body")
	spawnSmall(t, g, n)
	return w
}

func spawnSmall(t testing.TB, g *Group[smallBody], n int) {
	for i := range n {
		if _, err := g.Spawn(smallBody{Pos: smallPos{X: float32(i)}}); err != nil {
			t.Fatal(err)
		}
	}
}

// A small world holds little: its arena clears no huge page for it. A larger one has
// them, which is their purpose.
func TestSmallWorldResident(t *testing.T) {
	for _, tt := range []struct {
		n    int
		most uint64
	}{{0, 100 << 10}, {1, 100 << 10}, {64, 400 << 10}, {1024, 600 << 10}, {8192, 1 << 20}} {
		w := smallWorld(t, tt.n)
		got, err := w.base.Manager.Arena().Resident()
		if err != nil {
			t.Skipf("resident memory can't be measured here; TestWorldFillsItsLimit tests what is committed: %v", err)
		}
		if committed := w.Stats().Memory.Arena.Committed; tt.n == 1 && w.base.Manager.Arena().Backend() == arena.OS && committed > 128<<10 {
			t.Errorf("one entity: %d KiB are committed, and docs/guide/memory.md says 128", committed>>10)
		}
		if got > tt.most {
			t.Errorf("%d entities: %d KiB are resident, want at most %d", tt.n, got>>10, tt.most>>10)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A thousand worlds are open at once, and each holds little.
func TestThousandWorlds(t *testing.T) {
	var all []*World
	var sum uint64
	for i := range 1000 {
		w := smallWorld(t, 100)
		all = append(all, w)
		if i == 50 && w.base.Manager.Arena().Backend() == arena.Heap {
			break // each has a slab of 2 MiB
		}
		n, err := w.base.Manager.Arena().Resident()
		if err != nil || w.base.Manager.Arena().Backend() == arena.Heap {
			n = 0 // not known here; that they open is tested everywhere
		}
		if sum += n; sum > uint64(i+1)*128<<10 {
			t.Fatalf("%d worlds hold %d KiB", i+1, sum>>10)
		}
	}
	for i, w := range all {
		if w.Len() != 100 {
			t.Errorf("world %d has %d entities", i, w.Len())
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkSmallWorld makes a world of 100 entities; they stay open, a thousand at a time.
func BenchmarkSmallWorld(b *testing.B) {
	var open []*World
	shut := func() {
		for _, w := range open {
			w.Close()
		}
		open = open[:0]
	}
	for b.Loop() {
		if len(open) == 1000 {
			b.StopTimer()
			shut()
			b.StartTimer()
		}
		open = append(open, smallWorld(b, 100))
	}
	shut()
}

const firstSpawnsEnv = "ECS_TEST_FIRST_SPAWNS"

// BenchmarkFirstSpawns times the first 1,024 spawns of a process, and the time of the same
// with slices that double. Each sample is a process.
func BenchmarkFirstSpawns(b *testing.B) {
	switch os.Getenv(firstSpawnsEnv) {
	case "ashlar":
		w := smallWorld(b, 0)
		g := &Group[smallBody]{group: w.names.groups[0]}
		begin := time.Now()
		spawnSmall(b, g, 1024)
		fmt.Println("took", time.Since(begin).Nanoseconds())
		os.Exit(0)
	case "slices":
		var ids, records []uint64
		var pos []smallPos
		var vel []smallVel
		begin := time.Now()
		for i := range 1024 {
			ids = append(ids, uint64(i))
			records = append(records, uint64(i)<<32)
			pos = append(pos, smallPos{X: float32(i)})
			vel = append(vel, smallVel{})
		}
		fmt.Println("took", time.Since(begin).Nanoseconds(), len(ids)+len(records)+len(pos)+len(vel))
		os.Exit(0)
	}
	for _, impl := range []string{"ashlar", "slices"} {
		b.Run("impl="+impl, func(b *testing.B) {
			var sum, n float64
			for b.Loop() {
				cmd := exec.Command(os.Args[0], "-test.run", "^$", "-test.bench", "^BenchmarkFirstSpawns$", "-test.benchtime", "1x")
				cmd.Env = append(os.Environ(), firstSpawnsEnv+"="+impl)
				out, err := cmd.Output()
				_, text, ok := strings.Cut(string(out), "took ")
				if err != nil || !ok {
					b.Skip("no processes here: ", err)
				}
				took, _ := strconv.ParseFloat(strings.Fields(text)[0], 64)
				sum, n = sum+took, n+1
			}
			b.ReportMetric(sum/n/1000, "µs/process")
		})
	}
}
