package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// Systems that come and go leave nothing behind: not in the schedule, not among the readers
// of views, not in the record.
func TestSystemsComeAndGo(t *testing.T) {
	w := New(Options{Views: Views{Always: true}, Record: true})
	defer w.Close()
	type lamp struct{ Lit uint64 }
	type place struct{ X, Y float64 }
	lamps := Register[lamp](w, "lamp")
	places := Register[place](w, "place")
	Apart(GroupOf[struct{ L lamp }](w, "lamps"))
	Apart(GroupOf[struct{ P place }](w, "places"))
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	e, _ := w.Spawn()
	if err := errors.Join(lamps.Add(e, lamp{}), places.Add(e, place{2, 3})); err != nil {
		t.Fatal(err)
	}
	type look struct {
		L Write[lamp]
		X []float64 `ashlar:"place.X"`
	}
	add := func(name string) {
		System(w, name, func(c *look) { c.L[0].Lit += uint64(c.X[0]) })
	}
	add("stays")
	add("seen")
	for i := range 300 {
		add("goes")
		add(fmt.Sprint("goes", i%3))
		if err := errors.Join(w.Pause("goes"), w.Run(t.Context()), w.Resume("goes"), w.Run(t.Context())); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.RemoveSystem("goes"), w.RemoveSystem(fmt.Sprint("goes", i%3))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.RemoveSystem("seen"); err != nil {
		t.Fatal(err)
	}
	add("last")
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := lamps.Get(e).Lit; n != 2*(600+600+300+600+1+1) {
		t.Errorf("the systems have run, all together, %d times", n/2)
	}
	if n := len(w.systems.Systems()); n != 2 || cap(w.systems.Systems()) > 8 {
		t.Errorf("%d systems, in room for %d", n, cap(w.systems.Systems()))
	}
	if n := w.views.Readers(); n != 2 {
		t.Errorf("%d readers", n)
	}
	p := w.Facts()
	if len(p.Systems) != 7 || p.Systems[0].Name != "stays" || p.Systems[6].Name != "last" || p.Systems[6].Frames != 1 {
		t.Errorf("recorded: %+v", p.Systems)
	}
	for _, s := range p.Systems {
		if s.Name == "goes" && s.Frames != 1 || s.Name == "goes2" && s.Frames != 2 {
			t.Errorf("%s has run for %d frames", s.Name, s.Frames)
		}
		if s.Name == "seen" && len(s.Choices) != 1 {
			t.Errorf("%s: what its views have come to is forgotten", s.Name)
		}
	}
}
