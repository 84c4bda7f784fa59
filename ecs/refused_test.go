package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A name that is taken is an error of the call. If it was of Register or GroupOf, Run says nothing:
// something has the name, and what the program makes of the error is its own affair.
func TestTakenNameIsNoErrorOfRun(t *testing.T) {
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	ok(ecs.Register[hp](w, "hp"))
	ok(ecs.GroupOf[solo](w, "solo"))
	for what, err := range map[string]error{
		"a component of the same type": second(ecs.Register[hp](w, "hp")),
		"a component of another type":  second(ecs.Register[b4](w, "hp")),
		"a group":                      second(ecs.GroupOf[solo](w, "solo")),
	} {
		if err == nil {
			t.Errorf("%s: a name is given twice", what)
		}
	}
	ok(0, w.Run(t.Context()))
}

// A refusal is put right under another name, too: by the same type, or the same function over the
// same rows.
func TestRefusalIsPutRightUnderAnotherName(t *testing.T) {
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	refused := func(err error) {
		t.Helper()
		if err == nil {
			t.Fatal("nothing is refused")
		}
	}
	refused(second(ecs.Register[hp](w, "h p")))
	ok(ecs.Register[hp](w, "hp"))
	refused(second(ecs.GroupOf[solo](w, "so lo")))
	g := ok(ecs.GroupOf[solo](w, "solo"))

	ran := 0
	count := func(*struct{}) { ran++ }
	other := func(*struct{}) { ran += 100 }
	ok(0, ecs.System(w, "count", count))
	refused(ecs.System(w, "count", other))
	ok(0, ecs.System(w, "other", other))
	ok(0, w.Run(t.Context()))
	if ran != 101 {
		t.Errorf("%d: both are to run", ran)
	}

	// Another function, other rows or another phase put nothing right.
	all := func(*struct{ HP []hp }) {}
	refused(ecs.System(w, "a b", all, ecs.OnlyIn(g)))
	ok(0, ecs.System(w, "ab", all))
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `"a b"`) {
		t.Errorf("Run says %v", err)
	}
	ok(0, ecs.System(w, "aob", all, ecs.OnlyIn(g)))
	refused(ecs.System(w, "a b", all, ecs.InPhase(ecs.Startup)))
	ok(0, ecs.System(w, "late", all, ecs.InPhase(ecs.Render)))
	if w.Run(t.Context()) == nil {
		t.Error("what was to run at the start is forgotten")
	}
}

// The function of a system whose name was taken is nowhere, so the next Run says it, once. The
// system that has the name stays.
func TestTakenNameOfSystemIsToldOnce(t *testing.T) {
	w := world(t, ecs.Options{})
	ran := 0
	ok(0, ecs.System(w, "x", func(*struct{}) { ran++ }))
	for range 2 {
		err := ecs.System(w, "x", func(*struct{}) { ran += 100 })
		if err == nil || !strings.Contains(err.Error(), "choose another one, or take that system out with RemoveSystem first") {
			t.Fatal(err)
		}
		if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `system "x": the name is taken`) || ran != 0 {
			t.Errorf("Run says %v, %d ran", err, ran)
		}
		ok(0, w.Run(t.Context()))
		if ran != 1 {
			t.Errorf("%d ran", ran)
		}
		ran = 0
	}
	// The other half of the message: that system goes, and the name is free.
	ok(0, w.RemoveSystem("x"))
	ok(0, ecs.System(w, "x", func(*struct{}) { ran += 100 }))
	ok(0, w.Run(t.Context()))
	if ran != 100 {
		t.Errorf("%d ran", ran)
	}
}

// Options of one system that say two things, or one twice, are refused with what to write.
func TestOptionsThatAreRefused(t *testing.T) {
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	ok(ecs.Register[hp](w, "hp"))
	g := ok(ecs.GroupOf[solo](w, "solo"))
	all := func(*struct{ HP []hp }) {}
	for want, options := range map[string][]ecs.SystemOption{
		"it has InPhase twice, of Startup and of Render: give one": {ecs.InPhase(ecs.Startup), ecs.InPhase(ecs.Render)},
		"it has InPhase twice, of EachFrame and of Fixed":          {ecs.InPhase(ecs.EachFrame), ecs.InPhase(ecs.Fixed)},
		"it has InPhase twice, of Fixed and of Fixed":              {ecs.InPhase(ecs.Fixed), ecs.InPhase(ecs.Fixed)},
		`group "solo" stands twice in OnlyIn: name it once`:        {ecs.OnlyIn(g, g)},
		"it has OnlyIn twice: name all groups in one":              {ecs.OnlyIn(g), ecs.OnlyIn(g)},
	} {
		if err := ecs.System(w, "s", all, options...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ok(0, ecs.System(w, "s", all, ecs.OnlyIn(g), ecs.InPhase(ecs.Render)))
	ok(0, w.Run(t.Context()))
}

// A program that goes on without what was refused says so by RemoveSystem, whatever it was.
func TestRemoveSystemEndsAnyRefusal(t *testing.T) {
	type pair struct {
		HP hp
		A  b4
	}
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	ok(ecs.Register[hp](w, "hp"))
	ok(ecs.Register[b4](w, "a"))
	ok(ecs.GroupOf[solo](w, "solo"))
	type other struct {
		HP hp `ashlar:"optional"`
		A  b4
	}
	if second(ecs.GroupOf[other](w, "pair")) == nil || second(ecs.Register[*int](w, "ptr")) == nil {
		t.Fatal("nothing is refused")
	}
	for range 2 {
		if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `"pair"`) || !strings.Contains(err.Error(), `"ptr"`) {
			t.Errorf("Run says %v", err)
		}
	}
	ok(0, w.RemoveSystem("pair"))
	ok(0, w.RemoveSystem("ptr"))
	ok(0, w.Run(t.Context()))
	if w.RemoveSystem("pair") == nil {
		t.Error("a refusal ends twice")
	}
	ok(ecs.GroupOf[pair](w, "pair"))
}
