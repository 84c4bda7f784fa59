package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"time"

	"github.com/ashlar-go/ashlar/bench/game"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/advice"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// scene is a program in which a system needs what another group owns. Its flags say how it is
// laid out.
type scene struct {
	rows    int
	order   order // of the readers' rows, seen from the owner's
	tables  bool  // no groups are declared
	alone   bool  // one is, of what the other rows need
	sorted  bool  // the owner's rows follow the readers'
	writes  bool  // draw says that it writes what it only reads
	whole   bool  // draw asks for a whole component of which it needs a field
	pushes  bool  // another system writes the owner's rows in each frame
	handles bool  // draw reads the other component by handle
	storage []ecs.Storage
}

func (s scene) world(o ecs.Options) *ecs.World {
	w := must(ecs.New(o))
	shape := must(ecs.Register[Shape](w, "shape", s.storage...))
	mesh := must(ecs.Register[Mesh[[0]byte]](w, "mesh"))
	type shaped struct{ S Shape }
	es := make([]ecs.Entity, s.rows)
	var shapes *ecs.Group[shaped]
	var meshes *ecs.Group[struct{ M Mesh[[0]byte] }]
	if s.tables {
		p := must(ecs.SpawnerOf[shaped](w))
		check(p.SpawnN(es, []shaped{{Shape{At: vec4{1, 2, 3, 4}}}}))
	} else {
		shapes = must(ecs.GroupOf[shaped](w, "shapes"))
		if !s.alone {
			meshes = must(ecs.GroupOf[struct{ M Mesh[[0]byte] }](w, "meshes"))
		}
		check(shapes.SpawnN(es, []shaped{{Shape{At: vec4{1, 2, 3, 4}}}}))
	}
	if s.pushes {
		check(ecs.System(w, "push", func(c *struct {
			S []Shape `ashlar:"write"`
		}) {
			for i := range c.S {
				c.S[i].At.X++
			}
		}))
	}
	use := func(m []Mesh[[0]byte], at []vec4) {
		at = at[:len(m)]
		for i := range m {
			m[i].A += float64(at[i].X + at[i].W)
		}
	}
	useWhole := func(m []Mesh[[0]byte], at []Shape) {
		at = at[:len(m)]
		for i := range m {
			m[i].A += float64(at[i].At.X + at[i].At.W)
		}
	}
	switch {
	case s.handles:
		check(ecs.System(w, "draw", func(c *struct {
			E []ecs.Entity
			M []Mesh[[0]byte] `ashlar:"write"`
		}) {
			es, m := c.E, c.M[:len(c.E)]
			for i := range m {
				at := &shape.Get(es[i]).At
				m[i].A += float64(at.X + at.W)
			}
		}))
	case s.writes:
		check(ecs.System(w, "draw", func(c *struct {
			M  []Mesh[[0]byte] `ashlar:"write"`
			At []vec4          `ashlar:"shape.At,write"`
		}) {
			use(c.M, c.At)
		}))
	case s.whole:
		check(ecs.System(w, "draw", func(c *struct {
			M []Mesh[[0]byte] `ashlar:"write"`
			S []Shape
		}) {
			useWhole(c.M, c.S)
		}))
	default:
		check(ecs.System(w, "draw", func(c *struct {
			M  []Mesh[[0]byte] `ashlar:"write"`
			At []vec4          `ashlar:"shape.At"`
		}) {
			use(c.M, c.At)
		}))
	}
	for _, e := range s.order.arrange(es) {
		check(mesh.Add(e, Mesh[[0]byte]{1, 2}))
	}
	if s.sorted {
		shapes.SortAs(meshes, 1<<20)
	}
	return w
}

// advised is a program, and the same as advice has it.
type advised struct {
	rule, name    string
	before, after func(ecs.Options) program
	// bytes says that what is saved is memory, which after has less of.
	bytes bool
	// profiled is what before begins with, if that is more than nothing.
	profiled func() profile.Profile
}

// program is a world and what a frame of it is.
type program struct {
	w     *ecs.World
	frame func()
}

func (s scene) program(o ecs.Options) program {
	w := s.world(o)
	return program{w, func() { check(w.Run(context.Background())) }}
}

func gameOf(o game.Options) func(ecs.Options) program {
	return func(eo ecs.Options) program {
		o.ECS = eo
		g := must(game.New(o))
		return program{g.World, func() { check(g.Step(context.Background())) }}
	}
}

// quests is a world in which few entities have what all of them have room for.
func quests(rows int, how ...ecs.Storage) func(ecs.Options) program {
	return func(o ecs.Options) program {
		w := must(ecs.New(o))
		must(ecs.Register[Position](w, "position"))
		quest := must(ecs.Register[Shape](w, "quest", how...))
		es := make([]ecs.Entity, rows)
		check(must(ecs.SpawnerOf[struct{ P Position }](w)).SpawnN(es, []struct{ P Position }{{}}))
		for i := 0; i < len(es); i += 512 {
			check(quest.Add(es[i], Shape{}))
		}
		check(ecs.System(w, "walk", func(c *struct {
			P []Position `ashlar:"write"`
		}) {
			for i := range c.P {
				c.P[i].X++
			}
		}))
		return program{w, func() { check(w.Run(context.Background())) }}
	}
}

// rocks is a world with a group that no system touches; peak spawns as many more for a while.
func rocks(still, peak int) func(ecs.Options) program {
	return func(o ecs.Options) program {
		w := must(ecs.New(o))
		must(ecs.Register[Shape](w, "shape"))
		rocks := must(ecs.GroupOf[struct{ S Shape }](w, "rocks"))
		must(ecs.Register[Position](w, "position"))
		must(must(ecs.SpawnerOf[struct{ P Position }](w)).Spawn(struct{ P Position }{}))
		check(ecs.System(w, "walk", func(*struct{ P []Position }) {}))
		check(rocks.SpawnN(make([]ecs.Entity, still), []struct{ S Shape }{{}}))
		gone := make([]ecs.Entity, peak)
		check(rocks.SpawnN(gone, []struct{ S Shape }{{}}))
		must(w.DestroyAll(ecs.Handles(gone)))
		return program{w, func() { check(w.Run(context.Background())) }}
	}
}

// advisedPrograms are those that need a rule, of so many rows.
func advisedPrograms(rows int) []advised {
	base := scene{rows: rows}
	with := func(change func(*scene)) func(ecs.Options) program {
		s := base
		change(&s)
		return s.program
	}
	forced := profile.Hints{Views: []profile.View{{System: "draw", Component: "shape.At", Choice: "gathered"}}}
	return []advised{
		{rule: "sort", name: "rows in random order, one system writes them, one reads a field", before: with(func(s *scene) { s.pushes = true }), after: with(func(s *scene) { s.pushes, s.sorted = true, true })},
		{rule: "groups", name: "the same, in two groups, read whole", before: with(func(s *scene) { s.pushes, s.whole = true, true }), after: with(func(s *scene) { s.pushes, s.whole, s.tables = true, true, true })},
		{rule: "groups", name: "the same, one group beside a table", before: with(func(s *scene) { s.pushes, s.whole, s.alone = true, true, true }), after: with(func(s *scene) { s.pushes, s.whole, s.tables = true, true, true })},
		{rule: "groups", name: "the game of bench, a group for each reader", before: gameOf(game.Options{Entities: rows / 4}), after: gameOf(game.Options{Entities: rows / 4, Tables: true})},
		{rule: "stored", name: "a thin component that all have", before: with(func(s *scene) { s.tables, s.storage = true, []ecs.Storage{ecs.Thin} }), after: with(func(s *scene) { s.tables = true })},
		{rule: "write", name: "a shared field that is declared to be written", before: with(func(s *scene) { s.writes = true }), after: with(func(s *scene) {})},
		{rule: "field", name: "64 B gathered, of which 16 are read", before: with(func(s *scene) { s.pushes, s.whole = true, true }), after: with(func(s *scene) { s.pushes = true })},
		{rule: "handle", name: "a component of the same table, read by handle", before: with(func(s *scene) { s.tables, s.handles = true, true }), after: with(func(s *scene) { s.tables = true })},
		{rule: "handle", name: "rows of another group in random order, read by handle", before: with(func(s *scene) { s.pushes, s.handles = true, true }), after: with(func(s *scene) { s.pushes = true })},
		{rule: "view", name: "a profile that asks for stream", before: with(func(s *scene) {}), after: with(func(s *scene) {}),
			profiled: func() profile.Profile {
				p, _ := recorded(with(func(s *scene) {}), profile.Profile{})
				p.Hints = forced
				return p
			}},
		{rule: "stored", name: "a volatile component that 1 in 512 has", before: quests(rows, ecs.Volatile), after: quests(rows, ecs.Thin), bytes: true},
		{rule: "unused", name: "a group that no system touches", before: rocks(rows, 0), after: rocks(0, 0), bytes: true},
		{rule: "idle", name: "after a peak", before: rocks(1000, rows), after: func(o ecs.Options) program {
			p := rocks(1000, rows)(o)
			must(p.w.Purge())
			return p
		}, bytes: true},
	}
}

// Frames of a program that are not measured, those that are, and how many in a turn.
const (
	advisedWarm, advisedFrames, advisedTurn = 80, 60, 6
)

// recorded runs a program that begins with a profile, and returns what it has noted.
func recorded(make func(ecs.Options) program, begin profile.Profile) (profile.Profile, profile.Map) {
	o := options()
	o.Record.On, o.Record.TimeEvery = true, 4
	o.Profile.Code, o.Profile.Named, o.Profile.Log = begin, true, slog.New(slog.DiscardHandler)
	p := make(o)
	defer func() { check(p.w.Close()) }()
	for range advisedWarm + advisedFrames {
		p.frame()
	}
	facts := p.w.Facts()
	facts.Hints = begin.Hints
	return facts, p.w.Map()
}

// predicted is the line of a rule for a program; false: it says nothing.
func (a advised) predicted() (line advice.Line, told bool) {
	var begin profile.Profile
	if a.profiled != nil {
		begin = a.profiled()
	}
	facts, m := recorded(a.before, begin)
	for _, l := range advice.Of(facts, m, 512<<10) {
		if l.Rule == a.rule {
			return l, true
		}
	}
	return line, false
}

// measured is what a frame takes longer, in nanoseconds, or what memory before has more.
func (a advised) measured() float64 {
	var begin profile.Profile
	if a.profiled != nil {
		begin = profile.Profile{Hints: a.profiled().Hints}
	}
	ways := [2]program{}
	for i, make := range []func(ecs.Options) program{a.before, a.after} {
		o := options()
		if i == 0 {
			o.Profile.Code, o.Profile.Named, o.Profile.Log = begin, true, slog.New(slog.DiscardHandler)
		}
		ways[i] = make(o)
	}
	defer func() {
		for _, p := range ways {
			check(p.w.Close())
		}
	}()
	for _, p := range ways {
		for range advisedWarm {
			p.frame()
		}
	}
	if a.bytes {
		return float64(ways[0].w.Manager().Stats().Arena.Committed) - float64(ways[1].w.Manager().Stats().Arena.Committed)
	}
	var gains []float64
	for range advisedFrames / advisedTurn {
		var took [2]float64
		for i, p := range ways {
			p.frame() // finds the caches of the other
			var all []float64
			for range advisedTurn {
				start := time.Now()
				p.frame()
				all = append(all, float64(time.Since(start)))
			}
			took[i] = median(all)
		}
		gains = append(gains, took[0]-took[1])
	}
	return median(gains)
}

// adviseAll measures what each rule of advice predicts, and prints a line for each. Its
// result is 1 if a prediction is off by more than 2x, or has the wrong sign.
func adviseAll(out io.Writer, match *regexp.Regexp) int {
	fmt.Fprintf(out, "%-7s %-64s %12s %12s %6s\n", "rule", "program", "predicted", "measured", "ratio")
	status := 0
	for _, a := range advisedPrograms(k262) {
		if !match.MatchString(a.rule + " " + a.name) {
			continue
		}
		l, told := a.predicted()
		measured := a.measured()
		predicted, text := float64(l.Time), func(v float64) string { return fmt.Sprintf("%.0f µs", v/1000) }
		if a.bytes {
			predicted, text = float64(l.Bytes), func(v float64) string { return fmt.Sprintf("%.1f MiB", v/(1<<20)) }
		}
		ratio := predicted / measured
		if !told || ratio < 0.5 || ratio > 2 {
			status = 1
		}
		fmt.Fprintf(out, "%-7s %-64s %12s %12s %6.2f\n", a.rule, a.name, text(predicted), text(measured), ratio)
	}
	return status
}
