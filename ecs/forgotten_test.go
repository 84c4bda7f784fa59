package ecs

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

//go:noinline
func forgetWorld(t *testing.T, log func(string)) {
	w := New(Options{Memory: memmgr.Options{Arena: arena.Options{Reserve: 64 << 20, Log: log}}})
	Register[[8]byte](w, "eight")
	for range 100 {
		if _, err := w.Spawn(); err != nil {
			t.Fatal(err)
		}
	}
}

// A world that is dropped without Close is told, with the line that made it.
func TestForgottenWorld(t *testing.T) {
	told := make(chan string, 10)
	forgetWorld(t, func(text string) { told <- text })
	for range 200 {
		runtime.GC()
		select {
		case text := <-told:
			if !strings.Contains(text, "without Close") || !strings.Contains(text, "ecs.forgetWorld") {
				t.Errorf("told %q", text)
			}
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Error("a forgotten world is not told")
}
