package promise

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/legs"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Watch is a system that runs by itself in a checked build, to see whether it keeps its promise. The zero value watches none.
type Watch struct {
	x      *schedule.System // nil: none is watched
	seed   maphash.Seed
	things []Thing
}

// Begin begins to watch a system, which must not change some things.
func (w *Watch) Begin(x *schedule.System, things []Thing) {
	if w.seed == (maphash.Seed{}) {
		w.seed = maphash.MakeSeed()
	}
	for i := range things {
		things[i].was = things[i].sum(w.seed)
	}
	w.x, w.things = x, things
}

// End panics if a thing has changed; whole says that the system has not panicked.
func (w *Watch) End(whole bool) {
	x := w.x
	w.x = nil
	for i := 0; whole && i < len(w.things); i++ {
		if t := &w.things[i]; t.sum(w.seed) != t.was {
			panic(broken(x, t.Fault))
		}
	}
}

// MustReach panics if the system that is watched reaches a component that its struct does not name for that.
func (w *Watch) MustReach(c *store.Component, call string, write bool) {
	x := w.x
	if x == nil {
		return
	}
	fault := ""
	switch {
	case slices.Contains(x.Reached, c):
	case write:
		fault = "it must not write by handle: give its struct a field *ecs.Pool, or write the component by a column or by ecs.Later"
	case slices.Contains(x.Pools, walk.Pool{Comp: c}):
	case slices.Contains(x.Declares.Writes, c.Name):
		fault = "it writes: give its struct a field ecs.Prior, which has the values of when the system began"
	case !slices.Contains(x.Declares.Reads, c.Name):
		fault = "its struct does not name: give it a field ecs.Look"
	}
	if fault != "" {
		panic(broken(x, fmt.Sprintf("calls %s of component %q, which %s", call, c.Name, fault)))
	}
}

// MustSee panics if the system that is watched counts the entities that have a component which its struct does not name.
func (w *Watch) MustSee(c *store.Component, call string) {
	if x := w.x; x != nil && !slices.Contains(x.Declares.Sees, c.Name) && !slices.Contains(x.Declares.Sees, legs.Any) {
		panic(broken(x, fmt.Sprintf("calls %s of component %q, which its struct does not name: give it a field ecs.Look", call, c.Name)))
	}
}

// MustNot panics if a system is watched: it calls what no field declares.
func (w *Watch) MustNot(call string) {
	if w.x != nil {
		panic(broken(w.x, fmt.Sprintf("calls %s of the world, which no field declares: call it in a system without the option", call)))
	}
}

// MustHave panics if a system is watched that does not name the resource.
func (w *Watch) MustHave(resource string) {
	if x := w.x; x != nil && !slices.Contains(x.Declares.Reads, resource) && !slices.Contains(x.Declares.Writes, resource) {
		panic(broken(x, fmt.Sprintf("asks for %s, which its struct does not name: give it a field ecs.Res or ecs.WriteRes", resource)))
	}
}

// broken is the panic of a broken promise.
func broken(x *schedule.System, fault string) string {
	return fmt.Sprintf("ecs: system %q has the option ecs.Parallel and %s", x.Name, fault)
}
