package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Run returns a mistake until Err has handed it over. Then nobody is told again.
func TestErrHandsOver(t *testing.T) {
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	ran := 0
	ecs.System(w, "ran", func(*struct{}) { ran++ })
	ecs.Register[hp](w, "hp")
	ecs.GroupMade[solo](w, "solo")
	for what, mistake := range map[string]func(){
		`component "hp": the name is taken`:    func() { ecs.Register[b4](w, "hp") },
		`group "solo": the name is taken`:      func() { ecs.GroupMade[solo](w, "solo") },
		`system "ran": the name is taken`:      func() { ecs.System(w, "ran", func(*struct{}) { ran += 100 }) },
		"SpawnerOf: field B ecs_test.b16: ecs": func() { ecs.SpawnerMade[struct{ B b16 }](w) },
		`"h p": the name has " " in it`:        func() { ecs.Register[hp](w, "h p") },
		"QueryOf: field B []ecs_test.b16: ecs": func() { ecs.QueryMade[struct{ B []b16 }](w) },
	} {
		mistake()
		ran = 0
		for _, run := range []func() error{
			func() error { return w.Run(t.Context()) },
			func() error { return w.Run(t.Context()) },
			func() error { return w.RunFor(t.Context(), 0) },
			w.Err,
		} {
			if err := run(); err == nil || !strings.Contains(err.Error(), what) || strings.Count(err.Error(), "ecs: ") != 1 {
				t.Errorf("%v, want %s once", err, what)
			}
		}
		if ran > 0 {
			t.Errorf("%s: a system has run", what)
		}
		ok(0, w.Err())
		if ok(0, w.Run(t.Context())); ran != 1 {
			t.Errorf("%s: %d ran", what, ran)
		}
	}
}

// Several mistakes are told together, in the order made, and the second of one name replaces the first.
func TestErrJoinsMistakes(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[*int](w, "a")
	ecs.Register[[]int](w, "b")
	ecs.Register[string](w, "a")
	for range 3 {
		ecs.QueryMade[struct{ HP []hp }](w)
	}
	err := w.Run(t.Context())
	for at, want := range []string{`component "b": chunk: []int`, `component "a": chunk: string`, "QueryOf: "} {
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 3 || !strings.Contains(lines[at], want) {
			t.Errorf("want %s in line %d of\n%v", want, at, err)
		}
	}
	if handed := w.Err(); handed == nil || handed.Error() != err.Error() {
		t.Errorf("Err has %v, Run had %v", handed, err)
	}
}

// Who makes the same thing rightly has put the mistake right: under the same name, or the same type
// under another one, or the same function over the same rows.
func TestMistakesArePutRight(t *testing.T) {
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	wrong := func() {
		t.Helper()
		if w.Run(t.Context()) == nil {
			t.Error("nothing is refused")
		}
	}
	right := func() {
		t.Helper()
		ok(0, w.Run(t.Context()))
	}
	ecs.Register[hp](w, "h p")
	wrong()
	ecs.Register[hp](w, "hp")
	right()
	ecs.GroupMade[solo](w, "so lo")
	wrong()
	g := ecs.GroupOf[solo](w, "solo")
	right()

	ran := 0
	count := func(*struct{}) { ran++ }
	other := func(*struct{}) { ran += 100 }
	ecs.System(w, "count", count)
	ecs.System(w, "count", other)
	wrong()
	ecs.System(w, "other", other)
	if right(); ran != 101 {
		t.Errorf("%d: both are to run", ran)
	}
	ok(0, w.RemoveSystem("count"))
	ecs.System(w, "other", count) // the name is taken
	wrong()
	ok(0, w.RemoveSystem("other"))
	ecs.System(w, "other", count)
	right()

	// Another function, other rows or another phase put nothing right.
	all := func(*struct{ HP []hp }) {}
	ecs.System(w, "a b", all, ecs.OnlyIn(g))
	ecs.System(w, "ab", all)
	wrong()
	ecs.System(w, "aob", all, ecs.OnlyIn(g))
	right()
	ecs.System(w, "a b", all, ecs.InPhase(ecs.Startup))
	ecs.System(w, "late", all, ecs.InPhase(ecs.Render))
	wrong()
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), `"a b"`) {
		t.Errorf("what was to run at the start is forgotten: %v", err)
	}

	// A thing without a name is known by its type, or by the names of its pools.
	type shot struct{ B b16 }
	type armed struct{ B *b16 }
	type disarmed struct {
		B b16
		_ ecs.Without[hp]
	}
	none := ecs.Register[*int](w, "b16")
	for range 2 {
		ecs.SpawnerMade[shot](w)
		ecs.QueryMade[armed](w)
		ecs.SchemaOf[armed](w)
		ecs.ExchangeOf[disarmed](w)
		ecs.SchemaOfPools(w, none)
		if err := w.Run(t.Context()); err == nil || strings.Count(err.Error(), "\n") != 5 {
			t.Errorf("want 6 mistakes: %v", err)
		}
	}
	pool := ecs.Register[b16](w, "b16")
	wrong() // these things do nothing still
	ecs.SpawnerMade[shot](w)
	ecs.QueryMade[armed](w)
	ecs.SchemaOf[armed](w)
	ecs.ExchangeOf[disarmed](w)
	wrong()
	ecs.SchemaOfPools(w, pool)
	right()
}

// A mistake within a system is returned by the Run under way, which finishes its frame, and by the ones
// that come.
func TestMistakeWithinASystem(t *testing.T) {
	type shot struct{ HP []hp }
	w := world(t, ecs.Options{})
	asks, frames := true, 0
	ecs.System(w, "asks", func(*struct{}) {
		if asks {
			for range ecs.QueryOf[shot](w).All() {
				t.Error("a query that was refused has rows")
			}
		}
	})
	ecs.System(w, "last", func(*struct{}) { frames++ })
	for range 2 {
		if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "hp is not registered") {
			t.Errorf("Run says %v", err)
		}
	}
	if frames != 1 || w.Frame() != 1 {
		t.Errorf("%d, %d frames", frames, w.Frame())
	}
	ecs.Register[hp](w, "hp")
	for range ecs.QueryOf[shot](w).All() {
		t.Error("there are no entities")
	}
	ok(0, w.Run(t.Context()))

	asks = false // and within a loop over rows
	ok(ecs.SpawnerOf[struct{ HP hp }](w).Spawn(struct{ HP hp }{}))
	for range ecs.QueryOf[shot](w).All() {
		ecs.SpawnerMade[struct{ B b16 }](w)
	}
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "b16 is not registered") {
		t.Errorf("Run says %v", err)
	}
	if w.Err() == nil {
		t.Error("Err has nothing")
	}
}

// Options of one system that say two things, or one twice, are refused with the right form.
func TestOptionsThatAreRefused(t *testing.T) {
	type solo struct{ HP hp }
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	g := ecs.GroupOf[solo](w, "solo")
	all := func(*struct{ HP []hp }) {}
	for want, options := range map[string][]ecs.SystemOption{
		"it has InPhase twice, of Startup and of Render: give one": {ecs.InPhase(ecs.Startup), ecs.InPhase(ecs.Render)},
		"it has InPhase twice, of EachFrame and of Fixed":          {ecs.InPhase(ecs.EachFrame), ecs.InPhase(ecs.Fixed)},
		"it has InPhase twice, of Fixed and of Fixed":              {ecs.InPhase(ecs.Fixed), ecs.InPhase(ecs.Fixed)},
		`group "solo" stands twice in OnlyIn: name it once`:        {ecs.OnlyIn(g, g)},
		"it has OnlyIn twice: name all groups in one":              {ecs.OnlyIn(g), ecs.OnlyIn(g)},
	} {
		if err := systemRefusal(w, "s", all, options...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ecs.System(w, "s", all, ecs.OnlyIn(g), ecs.InPhase(ecs.Render))
	ok(0, w.Run(t.Context()))
}
