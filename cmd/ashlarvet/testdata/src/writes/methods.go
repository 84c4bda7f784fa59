package writes

import (
	"regexp"
	"sync"

	"github.com/ashlar-go/ashlar/ecs"
	"other"
)

type counted struct {
	Own ecs.Local[other.Counter]
	Pos ecs.Write[Position]
}

// Methods of other packages write their receiver if code of theirs does.
func methods(w *ecs.World, at *other.Counter) {
	var counter other.Counter
	names := other.Names{}
	pattern := regexp.MustCompile("a")
	var mu sync.Mutex
	ecs.System(w, "methods", func(c *counted) {
		counter.Inc()         // want `calls Inc of counter, which its struct does not name`
		at.Inc()              // want `calls Inc of at`
		at.Name("a")          // want `calls Name of at`
		at.Forget("a")        // want `calls Forget of at`
		at.Twice()            // want `calls Twice of at`
		at.Print("a")         // want `calls Print of at`
		at.Each(func(int) {}) // want `calls Each of at`
		at.Count("a")         // want `calls Count of at`
		names.Add("a")        // want `calls Add of names`
		names.Reset()         // want `calls Reset of names`
		_ = counter.N() + len(at.With(2).Text())
		_ = names.Has("a") || pattern.MatchString("b")
		mu.Lock()
		mu.Unlock()
		c.Own.Get().Inc()
		var mine other.Counter
		mine.Inc()
	}, ecs.Parallel())
}

// Systems in a list are those of its elements.
func listed(w *ecs.World) {
	n := 0
	for _, f := range []func(*row){
		func(c *row) { n++ }, // want `promises ecs.Parallel, and writes n`
		func(c *row) { _ = n },
		addToTotal,
	} {
		ecs.System(w, "list", f, ecs.Parallel())
	}
	for name, s := range map[string]struct {
		run  func(*row)
		when func() bool
	}{
		"table": {func(c *row) { n++ }, func() bool { n++; return true }}, // want `promises ecs.Parallel, and writes n`
	} {
		ecs.System(w, name, s.run, ecs.Parallel())
	}
	ecs.System(w, "first", all[0], ecs.Parallel())
	ecs.System(w, "plain", fixed[0])
}

var (
	all   = []func(*row){addToAll}
	fixed = [1]func(*row){addToFixed}
	count int
)

func addToAll(c *row)   { count++ } // want `system "first" promises ecs.Parallel, and writes count`
func addToFixed(c *row) { count++ }
func addToTotal(c *row) { count++ } // want `promises ecs.Parallel, and writes count`
