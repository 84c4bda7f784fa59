package ecs

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// forgetWorld drops a world behind some frames of Parallel systems: that many follow each other.
//
//go:noinline
func forgetWorld(t *testing.T, workers, systems int, log func(string)) {
	w := New(Options{Workers: workers, Memory: memmgr.Options{Arena: arena.Options{Reserve: 64 << 20, Log: log}}})
	w.systems.ShareWork = 1 // pieces are shared however few they are
	Register[[8]byte](w, "eight")
	sp := SpawnerOf[struct{ E [8]byte }](w)
	if err := sp.SpawnN(make([]Entity, 50_000), []struct{ E [8]byte }{{}}); err != nil {
		t.Fatal(err)
	}
	for i := range systems {
		System(w, fmt.Sprint("s", i), func(c *struct{ E [][8]byte }) { w.Frame() }, Parallel())
	}
	for range 3 {
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := crewmen(); systems > 0 && n != workers-1 {
		t.Errorf("%d systems of %d workers: %d goroutines", systems, workers, n)
	}
}

// crewmen counts the goroutines of workers.
func crewmen() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return bytes.Count(stacks, []byte("created by github.com/ashlar-go/ashlar/ecs/internal/crew.(*"))
}

// A world that is dropped without Close is told, with the line that made it, and its workers end.
func TestForgottenWorld(t *testing.T) {
	if err := New(Options{}).Close(); err != nil { // the first one of a process is not told: see arena.New
		t.Fatal(err)
	}
	for _, systems := range []int{0, 1, 3} {
		told := make(chan string, 10)
		forgetWorld(t, 8, systems, func(text string) { told <- text })
		text := ""
		for n := 0; (text == "" || crewmen() > 0) && n < 200; n++ {
			runtime.GC()
			select {
			case text = <-told:
			case <-time.After(5 * time.Millisecond):
			}
		}
		if !strings.Contains(text, "without Close") || !strings.Contains(text, "ecs.forgetWorld") {
			t.Errorf("%d systems: told %q", systems, text)
		}
		if n := crewmen(); n > 0 {
			t.Errorf("%d systems: %d goroutines are left", systems, n)
		}
	}
}
