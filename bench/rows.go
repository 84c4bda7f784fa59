package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

const (
	k16  = 16 << 10
	k262 = 256 << 10
	m1   = 1 << 20
)

// rows is the table, in the order in which it is printed.
func rows() []row {
	var all []row
	for _, s := range []struct {
		n   int
		bar float64
	}{{1 << 10, 1.1}, {4 << 10, 1.1}, {k16, 1.03}, {64 << 10, 1.03}, {k262, 1.03}, {m1, 1.03}, {4 * m1, 0.9}} {
		all = append(all, sweepRow(s.n, s.bar))
	}
	all = append(all, row{name: "sweep of six 16 B columns, 262144 rows", ops: 4 * k262, bar: 1.05, ratio: true, make: sixColumns})
	all = append(all, row{name: "move of a striped chunk, against a copy of its bytes", ops: 100, bar: 1.5, ratio: true, make: moveStriped})
	all = append(all, row{name: "system over 256 groups of 4 rows", ops: 256 * 4 * 100, bar: 14, make: manyGroups})
	for _, n := range []int{1 << 10, k16, k262, m1} {
		bar := 1.1
		if n > k16 {
			bar = 1.5
		}
		all = append(all, getRow(n, bar))
	}
	all = append(all,
		row{name: "add + remove, ungrouped, 16k", ops: k16, bar: 40, make: addRemove, allocs: true},
		row{name: "add + remove through a group, 16k", ops: k16, bar: 120, make: addRemoveGroup, allocs: true},
		row{name: "spawn 2 components + destroy, 16k", ops: k16, bar: 90, make: spawnDestroy, allocs: true},
		row{name: "the same in batches, 16k", ops: k16, bar: 12, make: spawnDestroyBatch, allocs: true},
		row{name: "spawn 1M into a fresh world", ops: m1, bar: 0.8, ratio: true, make: spawnFresh},
		row{name: "query over one entity", ops: 1000, unit: nanoseconds, bar: 25, make: queryOne, allocs: true},
		row{name: "frame of one system over one entity", ops: 1000, unit: nanoseconds, bar: 100, make: frameOf(1, 0), allocs: true},
		row{name: "frame of one system over 16 entities of 2,000", ops: 1000, unit: nanoseconds, bar: 60, make: frameOf(16, 1984), allocs: true},
		row{name: "frame of 1,000 systems paused, a system", ops: 100_000, unit: nanoseconds, bar: 10, make: pausedSystems(ecs.InSet("paused")), allocs: true},
		row{name: "frame of 1,000 systems that When stops, a system", ops: 100_000, unit: nanoseconds, bar: 10, make: pausedSystems(ecs.When(func() bool { return false })), allocs: true},
		row{name: "empty world, and close", ops: 20, unit: microseconds, bar: 10, make: emptyWorld},
		row{name: "world with one entity, and close", ops: 20, unit: microseconds, bar: 60, make: oneWorld},
		row{name: "64 registrations", ops: 20, unit: microseconds, bar: 100, make: registrations},
		row{name: "slowest spawn while growing to 4M", unit: microseconds, bar: 1. / 20, ratio: true, series: slowestSpawn},
	)
	return slices.Concat(all, wayRows(), contractRows(), []row{policyRow()}, batchRows(), massRows(), viewRows(), declaredRows(), filterRows(), acrossRows(), changedRows(), presenceRows(), disabledRows(), apartRows(), spreadRows(), []row{massacreRow(), nestedRow(), recordedRow()}, sortRows())
}

// repeat is how often short work is done in one measurement.
func repeat(n int) int { return max(4, (1<<20)/n) }

func sweepRow(n int, bar float64) row {
	times := repeat(n)
	return row{name: fmt.Sprintf("sweep of two 16 B columns, %d rows", n), ops: n * times, bar: bar, ratio: true, make: func() (ours, rival, limit piece) {
		s := newSetup()
		spawn(s.group(), n)
		check(ecs.System(s.w, "move", moveSystem))
		ctx := context.Background()
		for range 50 {
			check(s.w.Run(ctx)) // chunks come to their places
		}
		ours.work = func() {
			for range times {
				check(s.w.Run(ctx))
			}
		}
		flat := &move{make([]Position, n), make([]Velocity, n)}
		for i := range flat.Pos {
			flat.Pos[i], flat.Vel[i] = Position{1, 2}, Velocity{0.5, 0.25}
		}
		call := moveSystem
		rival.work = func() {
			for range times {
				call(flat)
			}
		}
		chunked := make([]move, 0, n/1632+1) // the same loop over plain slices of a chunk's length
		backing := make([]Position, 4096*(n/1632+1))
		for left := n; left > 0; left -= 1632 {
			k := min(left, 1632)
			mem := backing[:4096]
			backing = backing[4096:]
			chunked = append(chunked, move{mem[820 : 820+k], velocities(mem[2456 : 2456+k])})
		}
		limit.work = func() {
			for range times {
				for i := range chunked {
					call(&chunked[i])
				}
			}
		}
		return ours, rival, limit
	}}
}

// manyGroups is 256 groups with pools of their own, of the same two types, and one
// system over all of them.
func manyGroups() (ours, rival, limit piece) {
	w := must(ecs.New(options()))
	var groups []ecs.AnyGroup
	for i := range 256 {
		p := must(ecs.Register[Position](w, fmt.Sprintf("position.%d", i)))
		v := must(ecs.Register[Velocity](w, fmt.Sprintf("velocity.%d", i)))
		g := must(ecs.GroupOf[body](w, fmt.Sprintf("group.%d", i), p, v))
		spawn(g, 4)
		groups = append(groups, g)
	}
	type move struct {
		Pos []Position `ashlar:"position.0,write"`
		Vel []Velocity `ashlar:"velocity.0"`
	}
	check(ecs.System(w, "move", func(c *move) {
		pos, vel := c.Pos, c.Vel
		for i := range pos {
			pos[i].X += vel[i].X
			pos[i].Y += vel[i].Y
		}
	}, ecs.OnlyIn(groups...)))
	ctx := context.Background()
	ours.work = func() {
		for range 100 {
			check(w.Run(ctx))
		}
	}
	pos, vel := make([][]Position, 256), make([][]Velocity, 256)
	for i := range pos {
		pos[i], vel[i] = make([]Position, 4), make([]Velocity, 4)
	}
	limit.work = func() { // separate slices, called the same way
		call, c := func(c *move) {
			pos, vel := c.Pos, c.Vel
			for i := range pos {
				pos[i].X += vel[i].X
				pos[i].Y += vel[i].Y
			}
		}, new(move)
		for range 100 {
			for i := range pos {
				c.Pos, c.Vel = pos[i], vel[i]
				call(c)
			}
		}
	}
	return ours, rival, limit
}

func getRow(n int, bar float64) row {
	times := repeat(n)
	return row{name: fmt.Sprintf("get by entity, random, %d", n), ops: n * times, bar: bar, ratio: true, make: func() (ours, rival, limit piece) {
		s := newSetup()
		es := spawn(s.group(), n)
		var hand sparse[Position]
		for _, e := range es {
			hand.add(e, Position{1, 2})
		}
		order := shuffled(es)
		ours.work = func() {
			pos, sum := s.pos, 0.0
			for range times {
				for _, e := range order {
					if p := pos.Get(e); p != nil {
						sum += p.X
					}
				}
			}
			keep(sum)
		}
		rival.work = func() {
			sum := 0.0
			for range times {
				for _, e := range order {
					if p := hand.get(e); p != nil {
						sum += p.X
					}
				}
			}
			keep(sum)
		}
		return ours, rival, limit
	}}
}

// keep makes the compiler believe that a result is needed.
//
//go:noinline
func keep(float64) {}

func addRemove() (ours, rival, limit piece) {
	s := newSetup()
	es := make([]ecs.Entity, k16)
	var hand sparse[Velocity]
	for i := range es {
		es[i] = must(s.w.Spawn())
		check(s.vel.Add(es[i], Velocity{}))
		hand.add(es[i], Velocity{})
	}
	order := shuffled(es)
	ours.work = func() {
		for _, e := range order {
			check(s.vel.Remove(e))
			check(s.vel.Add(e, Velocity{1, 2}))
		}
	}
	limit.work = func() {
		for _, e := range order {
			hand.remove(e)
			hand.add(e, Velocity{1, 2})
		}
	}
	return ours, rival, limit
}

func addRemoveGroup() (ours, rival, limit piece) {
	s := newSetup()
	order := shuffled(spawn(s.group(), k16))
	ours.work = func() {
		for _, e := range order {
			check(s.vel.Remove(e))
			check(s.vel.Add(e, Velocity{1, 2}))
		}
	}
	return ours, rival, limit
}

func spawnDestroy() (ours, rival, limit piece) {
	s := newSetup()
	g := s.group()
	es := spawn(g, k16)
	s.w.DestroyAll(ecs.Handles(es))
	ours.work = func() {
		for i := range es {
			es[i] = must(g.Spawn(body{Position{1, 2}, Velocity{3, 4}}))
		}
		for _, e := range es {
			check(s.w.Destroy(e))
		}
	}
	return ours, rival, limit
}

func spawnDestroyBatch() (ours, rival, limit piece) {
	s := newSetup()
	g := s.group()
	es := spawn(g, k16)
	all := ecs.AnyQuery(ecs.Handles(es)) // as one value: a slice that becomes an interface is allocated
	s.w.DestroyAll(all)
	ours.work = func() {
		check(g.SpawnN(es, []body{{Position{1, 2}, Velocity{3, 4}}}))
		s.w.DestroyAll(all)
	}
	return ours, rival, limit
}

func spawnFresh() (ours, rival, limit piece) {
	var s *setup
	var g *ecs.Group[body]
	ours.prepare = func() {
		s = newSetup()
		g = s.group()
	}
	ours.work = func() {
		for range m1 {
			must(g.Spawn(body{Position{1, 2}, Velocity{3, 4}}))
		}
	}
	ours.done = func() { check(s.w.Close()) }
	var pos []Position
	var vel []Velocity
	rival.prepare = func() { // a fresh process has no heap to reuse
		pos, vel = nil, nil
		debug.FreeOSMemory()
	}
	rival.work = func() {
		for range m1 {
			pos = double(pos, Position{1, 2})
			vel = double(vel, Velocity{3, 4})
		}
	}
	rival.done = func() { pos, vel = nil, nil }
	return ours, rival, limit
}

// double appends to a slice that doubles.
func double[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = append(make([]T, 0, max(2*len(s), 64)), s...)
	}
	return append(s, v)
}

func queryOne() (ours, rival, limit piece) {
	s := newSetup()
	spawn(s.group(), 1)
	q := must(ecs.QueryOf[move](s.w))
	ours.work = func() {
		for range 1000 {
			for c := range q.All() {
				c.Pos[0].X += c.Vel[0].X
			}
		}
	}
	return ours, rival, limit
}

// frameOf is frames of a system over n entities, in a world that has others.
func frameOf(n, others int) func() (ours, rival, limit piece) {
	return func() (ours, rival, limit piece) {
		s := newSetup()
		spawn(s.group(), n)
		if others > 0 {
			mass := must(ecs.Register[[2]uint64](s.w, "mass"))
			for range others {
				check(mass.Add(must(s.w.Spawn()), [2]uint64{}))
			}
		}
		check(ecs.System(s.w, "move", moveSystem))
		ctx := context.Background()
		ours.work = func() {
			for range 1000 {
				check(s.w.Run(ctx))
			}
		}
		return ours, rival, limit
	}
}

// pausedSystems is frames of systems that an option keeps from running, or its set.
func pausedSystems(o ecs.SystemOption) func() (ours, rival, limit piece) {
	return func() (ours, rival, limit piece) {
		s := newSetup()
		spawn(s.group(), 16)
		for i := range 1000 {
			check(ecs.System(s.w, fmt.Sprint("system", i), moveSystem, o))
		}
		_ = s.w.Pause("paused") // an error where no system is of the set
		ctx := context.Background()
		ours.work = func() {
			for range 100 {
				check(s.w.Run(ctx))
			}
		}
		return ours, rival, limit
	}
}

func emptyWorld() (ours, rival, limit piece) {
	ours.work = func() {
		for range 20 {
			check(must(ecs.New(options())).Close())
		}
	}
	return ours, rival, limit
}

func oneWorld() (ours, rival, limit piece) {
	ours.work = func() {
		for range 20 {
			w := must(ecs.New(options()))
			must(ecs.Register[Position](w, "position"))
			must(ecs.Register[Velocity](w, "velocity"))
			g := must(ecs.GroupOf[body](w, "body"))
			must(g.Spawn(body{}))
			check(w.Close())
		}
	}
	return ours, rival, limit
}

func registrations() (ours, rival, limit piece) {
	ours.work = func() {
		for range 20 {
			check(newSetup().w.Close())
		}
	}
	return ours, rival, limit
}

// slowestSpawn times every spawn while a world grows to 4M entities, and every
// append of the same rows to slices that double. Per index it takes the best of
// five runs, which removes the machine's own hiccups, and then the worst index.
func slowestSpawn() (ours, rival float64) {
	const n, runs = 4 << 20, 5
	best := [2][]int32{make([]int32, n), make([]int32, n)}
	note := func(which, run, i int, took time.Duration) {
		if d := int32(min(took, time.Second)); run == 0 || d < best[which][i] {
			best[which][i] = d
		}
	}
	for run := range runs {
		s := newSetup()
		g := s.group()
		last := time.Now()
		for i := range n {
			must(g.Spawn(body{Position{1, 2}, Velocity{3, 4}}))
			now := time.Now()
			note(0, run, i, now.Sub(last))
			last = now
		}
		check(s.w.Close())
		var pos []Position
		var vel []Velocity
		last = time.Now()
		for i := range n {
			pos, vel = double(pos, Position{1, 2}), double(vel, Velocity{3, 4})
			now := time.Now()
			note(1, run, i, now.Sub(last))
			last = now
		}
	}
	worst := [2]int32{}
	for which := range best {
		for _, d := range best[which] {
			worst[which] = max(worst[which], d)
		}
	}
	return float64(worst[0]) / 1000, float64(worst[1]) / 1000
}
