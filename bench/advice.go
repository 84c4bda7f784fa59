package main

import (
	"context"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/cmd/ashlar/game"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// scene is a program in which a system needs a component that another group owns. Its flags say how it is
// laid out, and are set once.
type scene struct {
	rows    int
	order   order // of the readers' rows, seen from the owner's
	tables  bool  // no groups are declared
	alone   bool  // one is, over the readers' component
	sorted  bool  // the owner's rows follow the readers'
	labels  bool  // another group reads the owner's rows, in their own order
	writes  bool  // draw declares a write of a component that it only reads
	grows   bool  // and changes it now
	whole   bool  // draw asks for a whole component and needs a field of it
	pushes  bool  // another system writes the owner's rows in each frame
	handles bool  // draw reads the other component by handle
	twice   bool  // and that of another entity, too
	storage []ecs.Storage
}

func (s scene) world(o ecs.Options) *ecs.World {
	w := ecs.New(o)
	shape := ecs.Register[Shape](w, "shape", s.storage...)
	mesh := ecs.Register[Mesh](w, "mesh")
	type shaped struct{ S Shape }
	es := make([]ecs.Entity, s.rows)
	var shapes *ecs.Group[shaped]
	var meshes *ecs.Group[struct{ M Mesh }]
	if s.tables {
		p := ecs.SpawnerOf[shaped](w)
		twin.Check(p.SpawnN(es, []shaped{{Shape{At: vec4{1, 2, 3, 4}}}}))
	} else {
		shapes = ecs.GroupOf[shaped](w, "shapes")
		shapes.SortAs(nil, 0)
		if !s.alone {
			meshes = ecs.GroupOf[struct{ M Mesh }](w, "meshes")
			meshes.SortAs(nil, 0)
		}
		twin.Check(shapes.SpawnN(es, []shaped{{Shape{At: vec4{1, 2, 3, 4}}}}))
	}
	if s.labels {
		label := ecs.Register[Velocity](w, "label")
		ecs.GroupOf[struct{ L Velocity }](w, "labels").SortAs(nil, 0)
		for _, e := range es {
			twin.Check(label.Add(e, Velocity{}))
		}
		ecs.System(w, "write", func(c *struct {
			L  ecs.Write[Velocity]
			At []vec4 `ashlar:"shape.At"`
		}) {
			l, at := c.L, c.At[:len(c.L)]
			for i := range l {
				l[i].X += float64(at[i].X)
			}
		})
	}
	if s.pushes {
		ecs.System(w, "push", func(c *struct {
			S ecs.Write[Shape]
		}) {
			for i := range c.S {
				c.S[i].At.X++
			}
		})
	}
	s.draw(w, shape)
	for _, e := range s.order.arrange(es) {
		twin.Check(mesh.Add(e, Mesh{1, 2}))
	}
	if s.sorted {
		shapes.SortAs(meshes, 1<<20)
	}
	return w
}

// draw registers the system that needs the other component.
func (s scene) draw(w *ecs.World, shape *ecs.Pool[Shape]) {
	switch {
	case s.handles && s.twice:
		ecs.System(w, "draw", func(c *struct {
			E []ecs.Entity
			M ecs.Write[Mesh]
		}) {
			es, m := c.E, c.M[:len(c.E)]
			for i := range m {
				at, other := &shape.Get(es[i]).At, &shape.Get(es[len(es)-1-i]).At
				m[i].A += float64(at.X + other.W)
			}
		})
	case s.handles:
		ecs.System(w, "draw", func(c *struct {
			E []ecs.Entity
			M ecs.Write[Mesh]
		}) {
			es, m := c.E, c.M[:len(c.E)]
			for i := range m {
				at := &shape.Get(es[i]).At
				m[i].A += float64(at.X + at.W)
			}
		})
	case s.writes:
		ecs.System(w, "draw", func(c *struct {
			M  ecs.Write[Mesh]
			At ecs.Write[vec4] `ashlar:"shape.At"`
		}) {
			m, at := c.M, c.At[:len(c.M)]
			for i := range m {
				m[i].A += float64(at[i].X + at[i].W)
				if s.grows {
					at[i].W++
				}
			}
		})
	case s.whole:
		ecs.System(w, "draw", func(c *struct {
			M ecs.Write[Mesh]
			S []Shape
		}) {
			m, at := c.M, c.S[:len(c.M)]
			for i := range m {
				m[i].A += float64(at[i].At.X + at[i].At.W)
			}
		})
	default:
		drawShapes(w, "draw")
	}
}

// advised is a program, and the same as advice has it.
type advised struct {
	rule, name    string
	before, after func(ecs.Options) program
	// bytes says that the savings are memory, which after has less of.
	bytes bool
	// silent says that the rule has to say nothing: after is no better, or hardly.
	silent bool
	// held is how draw gets the other component in both programs; "": as counts decide.
	held string
}

func (a advised) String() string { return a.rule + " " + a.name }

// begin returns the layout that both programs begin with.
func (a advised) begin() layout.Source {
	if a.held == "" {
		return layout.Source{Off: true}
	}
	return layout.Source{Text: fmt.Appendf(nil, "ashlar layout 1\nview draw shape %[1]s\nview draw shape.At %[1]s\n", a.held)}
}

// program is a world and its frame.
type program struct {
	w     *ecs.World
	frame func()
}

func (s scene) program(o ecs.Options) program {
	w := s.world(o)
	return program{w, frame(w)}
}

func gameOf(o game.Options) func(ecs.Options) program {
	return func(eo ecs.Options) program {
		o.ECS = eo
		g := twin.Must(game.New(o))
		return program{g.World, func() { twin.Check(g.Step(context.Background())) }}
	}
}

// quests is a world in which one of some entities has a component that all have room for.
func quests(rows, one int, how ...ecs.Storage) func(ecs.Options) program {
	return func(o ecs.Options) program {
		w := ecs.New(o)
		ecs.Register[Position](w, "position")
		quest := ecs.Register[Shape](w, "quest", how...)
		es := make([]ecs.Entity, rows)
		twin.Check(ecs.SpawnerOf[struct{ P Position }](w).SpawnN(es, []struct{ P Position }{{}}))
		for i := 0; i < len(es); i += one {
			twin.Check(quest.Add(es[i], Shape{}))
		}
		ecs.System(w, "walk", func(c *struct {
			P ecs.Write[Position]
		}) {
			for i := range c.P {
				c.P[i].X++
			}
		})
		return program{w, frame(w)}
	}
}

// laden is a world in which rows have a component that a system walks, and perhaps one that nobody reads, or that is read
// by handle.
func laden(rows int, more, read bool) func(ecs.Options) program {
	return func(o ecs.Options) program {
		w := ecs.New(o)
		ecs.Register[Position](w, "position")
		shape := ecs.Register[Shape](w, "shape")
		es := make([]ecs.Entity, rows)
		type shaped struct {
			P Position
			S Shape
		}
		if more {
			twin.Check(ecs.SpawnerOf[shaped](w).SpawnN(es, []shaped{{}}))
		} else {
			twin.Check(ecs.SpawnerOf[struct{ P Position }](w).SpawnN(es, []struct{ P Position }{{}}))
		}
		ecs.System(w, "walk", func(c *struct {
			P ecs.Write[Position]
		}) {
			for i := range c.P {
				c.P[i].X++
			}
			if read {
				c.P[0].X += float64(shape.Get(es[0]).At.X)
			}
		})
		return program{w, frame(w)}
	}
}

// rocks is a world with a group that no system touches, but perhaps by handle; peak spawns as many more for a while.
func rocks(still, peak int, read bool) func(ecs.Options) program {
	return func(o ecs.Options) program {
		w := ecs.New(o)
		shape := ecs.Register[Shape](w, "shape")
		rocks := ecs.GroupOf[struct{ S Shape }](w, "rocks")
		rocks.SortAs(nil, 0)
		ecs.Register[Position](w, "position")
		twin.Must(ecs.SpawnerOf[struct{ P Position }](w).Spawn(struct{ P Position }{}))
		all := make([]ecs.Entity, still)
		ecs.System(w, "walk", func(*struct{ P []Position }) {
			if read {
				shape.Get(all[0])
			}
		})
		twin.Check(rocks.SpawnN(all, []struct{ S Shape }{{}}))
		gone := make([]ecs.Entity, peak)
		twin.Check(rocks.SpawnN(gone, []struct{ S Shape }{{}}))
		twin.Must(w.DestroyAll(ecs.Handles(gone)))
		return program{w, frame(w)}
	}
}

// advisedRows is how many rows a program has that is measured.
const advisedRows = 256 << 10

// advisedPrograms need a rule each, and have so many rows.
func advisedPrograms(rows int) []advised {
	base := scene{rows: rows}
	with := func(change func(*scene)) func(ecs.Options) program {
		s := base
		change(&s)
		return s.program
	}
	pushed := func(s *scene) { s.pushes = true }
	pushedSorted := func(s *scene) { s.pushes, s.sorted = true, true }
	pushedWhole := func(s *scene) { s.pushes, s.whole = true, true }
	return []advised{
		{rule: "sort", name: "rows in random order, gathered in each frame", before: with(pushed), after: with(pushedSorted), held: "gathered"},
		{rule: "sort", name: "the same, in a cached view that is built in each frame", silent: true, before: with(pushed), after: with(pushedSorted), held: "cached"},
		{rule: "sort", name: "rows in random order, and a second group reads them in theirs", silent: true, held: "gathered",
			before: with(func(s *scene) { s.pushes, s.labels = true, true }),
			after:  with(func(s *scene) { s.pushes, s.labels, s.sorted = true, true, true })},
		{rule: "sort", name: "rows in random order, in a cached view that is valid", silent: true, held: "cached",
			before: with(func(s *scene) {}), after: with(func(s *scene) { s.sorted = true })},
		{rule: "groups", name: "the same, in two groups, read whole", before: with(pushedWhole), after: with(func(s *scene) { s.pushes, s.whole, s.tables = true, true, true })},
		{rule: "groups", name: "the same, one group beside a table", before: with(func(s *scene) { s.pushes, s.whole, s.alone = true, true, true }), after: with(func(s *scene) { s.pushes, s.whole, s.tables = true, true, true })},
		{rule: "groups", name: "the game of bench, a group for each reader", before: gameOf(game.Options{Entities: rows / 4, Apart: true}), after: gameOf(game.Options{Entities: rows / 4, Tables: true})},
		{rule: "groups", name: "two groups, in a cached view that is valid", silent: true, held: "cached", before: with(func(s *scene) { s.whole = true }), after: with(func(s *scene) { s.whole, s.tables = true, true })},
		{rule: "apart", name: "a group in 1,024 tables", before: crowd(rows, false, false), after: crowd(rows, true, false)},
		{rule: "apart", name: "a sixteenth of it, within the caches", before: crowd(rows/16, false, false), after: crowd(rows/16, true, false)},
		{rule: "apart", name: "the same, and a system reads it beside others", silent: true, before: crowd(rows, false, true), after: crowd(rows, true, true)},
		{rule: "stored", name: "a thin component that all have", held: "gathered", before: with(func(s *scene) { s.tables, s.storage = true, []ecs.Storage{ecs.Thin} }), after: with(func(s *scene) { s.tables = true })},
		{rule: "write", name: "a shared field that is declared to be written", before: with(func(s *scene) { s.writes = true }), after: with(func(s *scene) {})},
		{rule: "write", name: "the same, and it is changed", silent: true, before: with(func(s *scene) { s.writes, s.grows = true, true }), after: with(func(s *scene) {})},
		{rule: "field", name: "64 B gathered in each frame, of which 16 are read", before: with(pushedWhole), after: with(pushed), held: "gathered"},
		{rule: "field", name: "the same, in a cached view", before: with(pushedWhole), after: with(pushed), held: "cached"},
		{rule: "field", name: "16 B gathered in each frame, a field already", silent: true, before: with(pushed), after: with(pushed), held: "gathered"},
		{rule: "handle", name: "a component of the same table, read by handle", before: with(func(s *scene) { s.tables, s.handles = true, true }), after: with(func(s *scene) { s.tables = true })},
		{rule: "handle", name: "rows of another group in random order, read by handle", before: with(func(s *scene) { s.pushes, s.handles = true, true }), after: with(pushed)},
		{rule: "handle", name: "rows of another group, two entities for each row", silent: true, before: with(func(s *scene) { s.pushes, s.handles, s.twice = true, true, true }), after: with(pushed)},
		{rule: "split", name: "fields of a component of 68 B, in five systems", before: turning(rows, false, false), after: turning(rows, true, false)},
		{rule: "split", name: "the same, and a system that asks for all of it", silent: true, before: turning(rows, false, true), after: turning(rows, true, true)},
		{rule: "stored", name: "a volatile component that 1 in 512 has", before: quests(rows, 512, ecs.Volatile), after: quests(rows, 512, ecs.Thin), bytes: true},
		{rule: "stored", name: "a volatile component that 1 in 2 has", silent: true, before: quests(rows, 2, ecs.Volatile), after: quests(rows, 2, ecs.Thin), bytes: true},
		{rule: "stored", name: "a thin component that 1 in 512 has", silent: true, before: quests(rows, 512, ecs.Thin), after: quests(rows, 512, ecs.Volatile), bytes: true},
		{rule: "unused", name: "a group that no system touches", before: rocks(rows, 0, false), after: rocks(0, 0, false), bytes: true},
		{rule: "unused", name: "a group that is read by handle", silent: true, before: rocks(rows, 0, true), after: rocks(rows, 0, true), bytes: true},
		{rule: "unread", name: "a component of 64 B without a reader", before: laden(rows, true, false), after: laden(rows, false, false), bytes: true},
		{rule: "unread", name: "the same, read by handle", silent: true, before: laden(rows, true, true), after: laden(rows, true, true), bytes: true},
		{rule: "idle", name: "after a peak", before: rocks(1000, rows, false), after: func(o ecs.Options) program {
			p := rocks(1000, rows, false)(o)
			twin.Must(p.w.Purge())
			return p
		}, bytes: true},
		{rule: "idle", name: "without a peak", silent: true, before: rocks(rows, 0, false), after: rocks(rows, 0, false), bytes: true},
	}
}

// Pairs of programs that are made, frames of each that are not measured, measured frames, and how
// many in a turn.
const (
	advisedPairs, advisedWarm, advisedFrames, advisedTurn = 3, 80, 60, 6
)

// recorder makes a program that begins with a layout, and records. It has one worker: predictions are sums of systems'
// times, and a second worker that comes late makes frames three times as long, now in one program, now in the other.
func recorder(make func(ecs.Options) program, begin layout.Source) program {
	o := options()
	o.Record, o.TimeEvery, o.Workers = true, 4, 1
	o.Layout = begin
	return make(o)
}

// pair has the figures of one run of both programs.
type pair struct {
	predicted float64   // nanoseconds of a frame, or bytes
	told      bool      // by the rule
	gains     []float64 // that were measured, one a turn
}

// measured runs both programs by turns. The prediction is of the same frames of the same program: a
// second one may have chosen other ways, or have met a slower machine.
func (a advised) measured() (r pair) {
	begin := a.begin()
	ways := [2]program{recorder(a.before, begin), recorder(a.after, begin)}
	defer func() {
		for _, p := range ways {
			twin.Check(p.w.Close())
		}
	}()
	for _, p := range ways {
		for range advisedWarm {
			p.frame()
		}
	}
	if a.bytes {
		committed := func(p program) float64 { return float64(p.w.Manager().Stats().Arena.Committed) }
		r.gains = []float64{committed(ways[0]) - committed(ways[1])}
	} else {
		for range advisedFrames / advisedTurn {
			r.gains = append(r.gains, ways[0].turn()-ways[1].turn())
		}
	}
	for _, l := range advice.Of(ways[0].w.Facts(), ways[0].w.Map(), 512<<10) {
		if l.Rule == a.rule {
			r.told, r.predicted = true, float64(l.Time)
			if a.bytes {
				r.predicted = float64(l.Bytes)
			}
			break
		}
	}
	return r
}

// turn is the median time of some frames.
func (p program) turn() float64 {
	p.frame() // finds the caches of the other
	var all []float64
	for range advisedTurn {
		start := time.Now()
		p.frame()
		all = append(all, float64(time.Since(start)))
	}
	return median(all)
}

// adviseAll measures the prediction of each rule of advice, and prints a line for each. Its
// result is 1 if a prediction is off by more than 2x, or has the wrong sign, or if a rule speaks
// where it has to be silent.
func adviseAll(q request) int {
	fmt.Fprintf(q.out, "%-7s %-64s %12s %12s %6s\n", "rule", "program", "predicted", "measured", "ratio")
	status := 0
	for _, a := range advisedPrograms(advisedRows) {
		if !q.match.MatchString(a.String()) {
			continue
		}
		var predictions, gains []float64
		for range advisedPairs {
			r := a.measured()
			if r.told == a.silent {
				status = 1
			}
			predictions, gains = append(predictions, r.predicted), append(gains, r.gains...)
		}
		status = max(status, adviseLine(q, a.rule, a.name, median(predictions), median(gains), a.silent, a.bytes))
	}
	return status
}

// adviseLine prints the line of a program. Its result is 1 if the prediction is off by more than 2x.
func adviseLine(q request, rule, name string, predicted, measured float64, silent, bytes bool) (status int) {
	ratio := fmt.Sprintf("%.2f", predicted/measured)
	switch {
	case silent:
		ratio = "-"
		if predicted > 0 {
			status = 1
		}
	case predicted < measured/2 || predicted > measured*2:
		status = 1
	}
	text := func(v float64) string { return fmt.Sprintf("%.0f µs", v/1000) }
	if bytes {
		text = func(v float64) string { return fmt.Sprintf("%.1f MiB", v/(1<<20)) }
	}
	fmt.Fprintf(q.out, "%-7s %-64s %12s %12s %6s\n", rule, name, text(predicted), text(measured), ratio)
	return status
}
