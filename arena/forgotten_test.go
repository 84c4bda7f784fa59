package arena

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

//go:noinline
func forget(t *testing.T, o Options, closed bool) {
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := a.Alloc(Normal); err != nil {
		t.Fatal(err)
	} else {
		mark(a, s)
	}
	if closed {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// An arena that is dropped without Close is told once, with where it was made; its reservation
// stays counted. One that was closed is not.
func TestForgotten(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		told := make(chan string, 10)
		o.Log = func(text string) { told <- text }
		before := reservedInProcess.Load()
		o.Reserve = 64 << 20
		forget(t, o, true)
		forget(t, o, false)
		var text string
		for range 200 {
			runtime.GC()
			select {
			case text = <-told:
			case <-time.After(5 * time.Millisecond):
				continue
			}
			break
		}
		for range 5 { // the closed one is not told, and nothing twice
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if len(told) != 0 {
			t.Errorf("also told: %s", <-told)
		}
		for _, want := range []string{"without Close", "arena.forget\n", "forgotten_test.go:", "arena.TestForgotten"} {
			if !strings.Contains(text, want) {
				t.Errorf("told %q, want %q in it", text, want)
			}
		}
		if strings.Contains(text, "arena.New\n") || strings.Contains(text, "watch") {
			t.Errorf("the stack begins too deep: %s", text)
		}
		held := reservedInProcess.Load() - before
		if on := backendOf(o) == OS; on != (held == 64<<20+2*RegionBytes) || !on && held != 0 || on != strings.Contains(text, "68 MiB of address space") || !on && strings.Contains(text, "address space") {
			t.Errorf("%d bytes are counted as reserved; told %q", held, text)
		}
	})
}

func backendOf(o Options) Backend {
	if o.Backend == Auto || backendForced {
		return backendDefault
	}
	return o.Backend
}

// The first arena of a process notes no stack and starts no cleanups, but in checked builds.
func TestFirstArenaIsNotWatched(t *testing.T) {
	made.Store(false)
	for i, watched := range []bool{Checked, true, true} {
		a, err := New(Options{SmallPages: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.cleanup != (runtime.Cleanup{}); got != watched {
			t.Errorf("arena %d is watched: %v, want %v", i, got, watched)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
