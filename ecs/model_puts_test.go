package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// The model test with components that are put and set later, one or a struct of them, and with
// entities that are spawned later in batches.

// putsOf is a column's part of that.
type putsOf struct {
	set, put func(c *ecs.Commands, e ecs.Entity, seed byte)
	now      func(e ecs.Entity, seed byte) error
}

func putsOfPool[T any](p *ecs.Pool[T], value func(byte) T) putsOf {
	return putsOf{
		set: func(c *ecs.Commands, e ecs.Entity, s byte) { p.Later(c).Set(e, value(s)) },
		put: func(c *ecs.Commands, e ecs.Entity, s byte) { p.Later(c).Put(e, value(s)) },
		now: func(e ecs.Entity, s byte) error { return p.Put(e, value(s)) },
	}
}

// kit is a group's struct, and components that are in no group or in another.
type kit struct {
	One b1
	Duo duo
	T   tag0
}

func kitOf(s byte) kit { return kit{b1{s}, duo{b4{s, s, s, s}, full16(s)}, tag0{}} }

type puts struct{ kits *ecs.Spawner[kit] }

// putKit is the effect of a kit on an entity.
func (m *model) putKit(e ecs.Entity, s byte) {
	for _, c := range []int{0, 1, 2, 3} {
		m.alive[e][c] = m.seed(c, s)
	}
}

// putLater asks for something to be put, and returns its effect on the maps.
func (m *model) putLater(c *ecs.Commands, e ecs.Entity, col int, s byte) func() {
	put := func(f func()) func() {
		return func() {
			if m.alive[e] == nil {
				m.dropped++
				return
			}
			f()
		}
	}
	switch m.next(6) {
	case 0:
		m.columns[col].puts.set(c, e, s)
		return func() {
			if m.want(e, col, nil, ecs.ErrAbsent) != nil {
				m.dropped++
				return
			}
			m.alive[e][col] = m.seed(col, s)
		}
	case 1, 2:
		m.columns[col].puts.put(c, e, s)
		return put(func() { m.alive[e][col] = m.seed(col, s) })
	case 3:
		if m.duos == nil {
			return func() {}
		}
		m.duos.Later(c).Put(e, duo{b4{s, s, s, s}, full16(s)})
		return put(func() { m.alive[e][2], m.alive[e][3] = s, s })
	case 4:
		m.puts.kits.Later(c).Put(e, kitOf(s))
		return put(func() { m.putKit(e, s) })
	default:
		es := make([]ecs.Entity, 1+m.next(4))
		if m.next(2) == 0 {
			m.puts.kits.Later(c).SpawnN(es, []kit{kitOf(s)})
		} else {
			m.puts.kits.Later(c).SpawnN(es, slices.Repeat([]kit{kitOf(s)}, len(es)))
		}
		for _, e := range es {
			m.born(e, map[int]byte{})
		}
		return func() {
			for _, e := range es {
				m.putKit(e, s)
			}
		}
	}
}

// TestModelPuts is the commands of TestModel, with puts among the later ones.
func TestModelPuts(t *testing.T) {
	t.Parallel()
	streams, commands := 4, 3000
	if testing.Short() {
		streams, commands = 3, 1500
	}
	if race.Enabled {
		commands = 1000
	}
	alike(t, streams, fewer(variants()), func(seed uint64, o ecs.Options) uint64 {
		crowd, every := 12, 1
		if seed%4 == 1 {
			crowd, every = 500, 100
		}
		m := newModel(t, o, rand.New(rand.NewPCG(seed, 5)).IntN)
		m.puts = &puts{ecs.SpawnerOf[kit](m.w)}
		m.systems()
		return m.play(commands, crowd, every)
	})
}

// The model's record of an entity follows Put at once, too.
func TestModelPutAtOnce(t *testing.T) {
	m := newModel(t, ecs.Options{}, rand.New(rand.NewPCG(1, 6)).IntN)
	defer m.w.Close()
	e := ok(m.w.Spawn())
	m.born(e, map[int]byte{})
	for s := range byte(40) {
		col := m.next(len(m.columns))
		m.expect(fmt.Sprint("Put ", names[col]), m.columns[col].puts.now(e, s), nil)
		m.alive[e][col] = m.seed(col, s)
		if m.next(3) == 0 {
			m.expect("Remove", m.columns[col].pool.Remove(e), nil)
			m.lost(e, col)
		}
		m.compare()
	}
	m.expect("Put", m.columns[1].puts.now(0, 1), ecs.ErrStale)
}
