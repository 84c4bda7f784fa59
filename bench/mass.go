package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// dieRows are about mass death and about commands.
func dieRows() []row {
	return []row{
		{name: "destroy 80 % of 2M rows by a predicate", ops: 2 * m1, bar: 4, ratio: true, make: dieWhere},
		{name: "destroy 80 % of 2M rows by commands", ops: 2 * m1, bar: 12, ratio: true, make: dieByCommands},
		{name: "100,000 mixed commands, against the same calls", ops: 100_000, bar: 1.05, ratio: true, make: mixedCommands, allocs: true},
	}
}

// particle is a row of 24 bytes that lives for a while.
type particle struct {
	Position
	Life
}

// Life is how long a particle lives yet.
type Life struct{ Left float64 }

// dying is n particles, of which four in five have no life left.
type dying struct {
	w     *ecs.World
	some  *ecs.Spawner[particle]
	es    []ecs.Entity
	given []particle
}

func newDying(n int) *dying {
	d := &dying{w: ecs.New(options()), es: make([]ecs.Entity, n), given: make([]particle, n)}
	ecs.Register[Position](d.w, "position")
	ecs.Register[Life](d.w, "life")
	d.some = ecs.SpawnerOf[particle](d.w)
	x := uint64(1)
	for i := range d.given {
		x = x*6364136223846793005 + 1442695040888963407
		d.given[i] = particle{Position{float64(i), 0}, Life{float64(x >> 33 % 5 / 4)}}
	}
	check(d.some.SpawnN(d.es, d.given))
	return d
}

// again brings back as many as have died.
func (d *dying) again() {
	d.w.Reset()
	check(d.some.SpawnN(d.es, d.given))
}

// flatDying is the same particles in slices, from which the dead are deleted in order.
func flatDying(given []particle) (p piece) {
	pos, life := make([]Position, 0, len(given)), make([]Life, 0, len(given))
	p.prepare = func() {
		pos, life = pos[:0], life[:0]
		for _, x := range given {
			pos, life = append(pos, x.Position), append(life, x.Life)
		}
	}
	p.work = func() {
		k := 0
		for i := range life {
			if life[i].Left > 0 {
				pos[k], life[k] = pos[i], life[i]
				k++
			}
		}
		pos, life = pos[:k], life[:k]
	}
	return p
}

func dieWhere() (ashlar, baseline, floor piece) {
	d := newDying(2 * m1)
	type rows struct{ Life []Life }
	q := ecs.QueryOf[rows](d.w)
	ashlar.prepare = d.again
	ashlar.work = func() {
		must(q.DestroyWhere(func(c *rows, i int) bool { return c.Life[i].Left == 0 }))
	}
	return ashlar, flatDying(d.given), floor
}

func dieByCommands() (ashlar, baseline, floor piece) {
	d := newDying(2 * m1)
	ecs.System(d.w, "die", func(c *struct {
		Ents []ecs.Entity
		Life []Life
		Do   *ecs.Commands
	}) {
		for i := range c.Life {
			if c.Life[i].Left == 0 {
				c.Do.Destroy(c.Ents[i])
			}
		}
	})
	ashlar.prepare = d.again
	ashlar.work = frame(d.w)
	return ashlar, flatDying(d.given), floor
}

// things are n entities with some of four components, and changes of them: of ten, three add, three remove, two set, and two
// put a new entity in the place of another one. So the world stays as large as it is. Both halves of the row make the same changes.
type things struct {
	w     *ecs.World
	body  *ecs.Spawner[struct{ Position }]
	pools [3]*ecs.Pool[four]
	es    []ecs.Entity
	x     uint64
}

// four is a component of 16 bytes.
type four struct{ A, B, C, D float32 }

func newThings(n int) *things {
	t := &things{w: ecs.New(options()), es: make([]ecs.Entity, n), x: 1}
	ecs.Register[Position](t.w, "position", ecs.Stable)
	for i := range t.pools {
		t.pools[i] = ecs.Register[four](t.w, fmt.Sprint("four", i), ecs.Stable)
	}
	t.body = ecs.SpawnerOf[struct{ Position }](t.w)
	check(t.body.SpawnN(t.es, []struct{ Position }{{Position{1, 2}}}))
	for i, e := range t.es {
		for k, p := range t.pools {
			if i>>k%2 == 1 {
				check(p.Add(e, four{}))
			}
		}
	}
	return t
}

// next is a number below n.
func (t *things) next(n int) int {
	t.x = t.x*6364136223846793005 + 1442695040888963407
	return int(t.x >> 33 % uint64(n))
}

// called makes the changes at once. Changes that are not possible are passed over.
func (t *things) called(n int) {
	for range n / 10 * 9 {
		i, p := t.next(len(t.es)), t.pools[t.next(3)]
		switch t.next(9) {
		case 0, 1, 2:
			_ = p.Add(t.es[i], four{1, 2, 3, 4})
		case 3, 4, 5:
			_ = p.Remove(t.es[i])
		case 6, 7:
			_ = p.Set(t.es[i], four{4, 3, 2, 1})
		default:
			check(t.w.Destroy(t.es[i]))
			t.es[i] = must(t.body.Spawn(struct{ Position }{Position{1, 2}}))
		}
	}
}

// asked makes them by commands.
func (t *things) asked(n int, do *ecs.Commands) {
	for range n / 10 * 9 {
		i, p := t.next(len(t.es)), t.pools[t.next(3)]
		switch t.next(9) {
		case 0, 1, 2:
			p.Later(do).Add(t.es[i], four{1, 2, 3, 4})
		case 3, 4, 5:
			p.Later(do).Remove(t.es[i])
		case 6, 7:
			p.Later(do).Set(t.es[i], four{4, 3, 2, 1})
		default:
			do.Destroy(t.es[i])
			t.es[i] = t.body.Later(do).Spawn(struct{ Position }{Position{1, 2}})
		}
	}
}

func mixedCommands() (ashlar, baseline, floor piece) {
	a, b := newThings(200_000), newThings(200_000)
	ashlar.work = func() {
		a.asked(100_000, a.w.Commands())
		check(a.w.SafePoint())
	}
	baseline.work = func() {
		b.called(100_000)
		check(b.w.SafePoint())
	}
	for range 24 { // until as many components come as go
		ashlar.work()
		baseline.work()
	}
	return ashlar, baseline, floor
}
