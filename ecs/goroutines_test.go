package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A goroutine that uses a world while another one runs a system of it panics, and is told
// that a world has one user at a time; the frame under way ends as if nothing had been.
func TestTwoGoroutines(t *testing.T) {
	w := world(t, ecs.Options{})
	a := ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	g := ecs.GroupOf[duo](w, "duo")
	e := ok(g.Spawn(duo{}))
	entered, leave := make(chan bool), make(chan bool)
	ecs.System(w, "waits", func(*struct{ A []b4 }) {
		entered <- true
		<-leave
	})
	done := make(chan error)
	go func() { done <- w.Run(t.Context()) }()
	<-entered
	for what, use := range map[string]func(){
		"Run":        func() { _ = w.Run(t.Context()) },
		"Spawn":      func() { _, _ = g.Spawn(duo{}) },
		"Remove":     func() { _ = a.Remove(e) },
		"Destroy":    func() { _ = w.Destroy(e) },
		"DestroyAll": func() { w.DestroyAll(ecs.Handles{e}) },
		"Reset":      func() { w.Reset() },
		"SafePoint":  func() { _ = w.SafePoint() },
		"Close":      func() { _ = w.Close() },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "one goroutine at a time") {
					t.Errorf("%s while another goroutine runs a system: %q", what, text)
				}
			}()
			use()
		}()
	}
	leave <- true
	if err := <-done; err != nil || !w.Alive(e) || g.Len() != 1 {
		t.Errorf("the frame: %v, %d members", err, g.Len())
	}
	ok(0, w.Check())
}
