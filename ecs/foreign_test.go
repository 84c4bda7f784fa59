package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A thing of another world is refused wherever it can be passed, with a message that
// names the right one, and neither world has changed.
func TestThingsOfAnotherWorld(t *testing.T) {
	type solo struct{ HP hp }
	type hurt struct {
		HP ecs.Write[hp]
	}
	make := func() (*ecs.World, *ecs.Pool[hp], *ecs.Pool[frozen], *ecs.Group[solo]) {
		w := ecs.New(ecs.Options{})
		t.Cleanup(func() { ok(0, w.Close()) })
		p, f := ecs.Register[hp](w, "hp"), ecs.Register[frozen](w, "frozen")
		g := ecs.GroupOf[solo](w, "solo")
		ok(g.Spawn(solo{hp{5}}))
		return w, p, f, g
	}
	w, p, f, g := make()
	v, _, vf, vg := make()
	e := g.Members(nil)[0]
	for what, err := range map[string]error{
		"GroupOf":       refusal(w, ecs.GroupMade[struct{ F frozen }](w, "foreign", vf)),
		"OnlyIn":        systemRefusal(w, "foreign", func(*hurt) {}, ecs.OnlyIn(vg)),
		"OnlyIn of two": systemRefusal(w, "mixed", func(*hurt) {}, ecs.OnlyIn(g, vg)),
	} {
		if err == nil || !strings.Contains(err.Error(), "of another world") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := refusal(w, ecs.GroupMade[struct{ F frozen }](w, "foreign", p)); err == nil || strings.Contains(err.Error(), "world") || !strings.Contains(err.Error(), `"hp" is of type ecs_test.hp`) {
		t.Errorf("a pool of this world and another type: %v", err)
	}
	for what, call := range map[string]func(){
		"Later of component \"frozen\"":      func() { f.Later(v.Commands()).Add(e, frozen{}) },
		"Later of component \"hp\"":          func() { p.Later(v.Commands()).Remove(e) },
		"Later of group \"solo\"":            func() { g.Later(v.Commands()).Spawn(solo{}) },
		"SortAs of group solo as group solo": func() { g.SortAs(vg, 1) },
	} {
		panics(t, what, call)
		panics(t, "of another world", call)
	}
	for _, w := range []*ecs.World{w, v} {
		if w.Len() != 1 || w.Commands().Len() != 0 {
			t.Errorf("%d entities, %d commands", w.Len(), w.Commands().Len())
		}
		ok(0, w.Check())
	}
}

// OnlyIn of no groups goes over none, so it is refused: it would be taken for all.
func TestOverOfNoGroups(t *testing.T) {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	ecs.Register[hp](w, "hp")
	type hurt struct{ HP []hp }
	var none []ecs.AnyGroup
	for what, o := range map[string]ecs.SystemOption{"OnlyIn.nothing": ecs.OnlyIn(), "OnlyIn.none": ecs.OnlyIn(none...)} {
		ecs.System(w, what, func(*hurt) {}, o)
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), "OnlyIn is given no group") || !strings.Contains(err.Error(), "leave OnlyIn out") {
			t.Errorf("%s: %v", what, err)
		}
	}
	ok(0, w.Run(t.Context())) // Err has handed the mistakes over
}
