package ecs_test

import (
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// clock goes on by step whenever it is asked.
type clock struct {
	now  time.Time
	step time.Duration
}

func (c *clock) tick() time.Time {
	c.now = c.now.Add(c.step)
	return c.now
}

func ticking(step time.Duration) *clock { return &clock{time.Unix(0, 0), step} }

// standing is a time that stands. A test that counts what frames allocate has it, since a world reads files of
// the system once its memory has been idle for a while, wherever that falls.
func standing() time.Time { return time.Unix(0, 0) }

// hurried is adapting in a hurry: a region is looked for in each frame, and hardly a move made at a safe point.
func hurried(r *rand.Rand) memmgr.AdaptOptions {
	order := []string{"duo", "trio", "table/b4", "table/b16", "table/b24", "table/b8k", "table/far", "nobody"}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var near layout.Layout
	for i := r.IntN(len(order)); i+1 < len(order); i++ {
		near.Statements = append(near.Statements, layout.Statement{Word: layout.Near, Name: order[i], With: order[i+1]})
	}
	return memmgr.AdaptOptions{
		Budget:    memmgr.Budget{Time: time.Duration(1 + r.IntN(3000)), Bytes: 1 + r.Uint64N(256<<10)},
		Every:     1,
		Decay:     []time.Duration{-1, time.Millisecond, time.Second}[r.IntN(3)],
		SoftLimit: r.Uint64N(2) << 20,
		Clock:     ticking(time.Duration(r.IntN(1000))).tick,
	}.With(near)
}

// manners are ways to run the same program. None may change a result.
func manners(r *rand.Rand) map[string]ecs.Options {
	adapting := func(l layout.Source) ecs.Options {
		o := ecs.Options{Adapt: hurried(r), Layout: l, Memory: memmgr.Options{Arena: arena.Options{Backend: []arena.Backend{arena.Auto, arena.Heap}[r.IntN(2)]}}}
		o.Adapt.Off = r.IntN(8) == 0
		return o
	}
	none := layout.Source{Off: true}
	recorded := adapting(hostile(r))
	recorded.Record, recorded.TimeEvery = true, 1
	stressed := adapting(hostile(r))
	stressed.Memory.Stress = true
	all := map[string]ecs.Options{
		"off":       {Adapt: memmgr.AdaptOptions{Off: true}},
		"hurried":   adapting(none),
		"hostile":   adapting(hostile(r)),
		"recorded":  recorded,
		"recording": {Adapt: memmgr.AdaptOptions{Off: true}, Record: true, TimeEvery: 1},
		"stressed":  stressed,
		"small":     {Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}},
	}
	return all
}

// wave has most of all entities die, and n others be born, in turns of groups that own
// their wide rows and of loose wide rows: regions have chunks of both, and
// are sparse after the next wave.
func (m *model) wave(n int) {
	if m.trios == nil {
		m.trios = ecs.GroupOf[trio](m.w, "trio")
		m.expect("GroupOf trio", m.w.Err(), nil)
	}
	doomed := slices.Clone(m.order[:len(m.order)*7/8])
	m.w.DestroyAll(ecs.Handles(doomed))
	for _, e := range doomed {
		m.died(e)
	}
	es := make([]ecs.Entity, 35)
	for ; n > 0; n -= 2 * len(es) {
		m.expect("SpawnN trio", m.trios.SpawnN(es, []trio{{}}), nil)
		for _, e := range es {
			m.born(e, map[int]byte{0: 0, 4: 0, 5: 0})
		}
		for range es {
			e, err := m.w.Spawn()
			m.expect("Spawn", err, nil)
			m.born(e, map[int]byte{5: 9})
			m.expect("Add b8k", m.columns[5].add(e, 9), nil)
		}
	}
}

// playing carries commands out with a frame behind each, and checks the world after
// each of both. It returns the digest and the counts of adapting.
func playing(t testing.TB, o ecs.Options, seed uint64, commands, crowd int) (uint64, memmgr.Adapting) {
	m := newModel(t, o, rand.New(rand.NewPCG(seed, 1)).IntN)
	m.systems()
	frames := uint64(0)
	follow := func() {
		if err := m.w.Check(); err != nil {
			t.Fatal(err)
		}
		for ; frames < m.w.Frame(); frames++ {
			m.frame()
		}
	}
	for i := range commands {
		if i%150 == 0 { // a wave, which dies little by little
			m.wave(crowd)
		}
		m.step(crowd)
		follow()
		m.expect("Frame", m.w.Run(t.Context()), nil)
		follow()
		if i%100 == 0 {
			m.compare()
		}
	}
	m.compare()
	if p := m.w.Facts(); o.Record {
		if _, err := p.WriteTo(io.Discard); err != nil || p.Frames != m.w.Frame() {
			t.Fatalf("%d frames of %d were recorded: %v", p.Frames, m.w.Frame(), err)
		}
	}
	d := m.digest()
	var st memmgr.Adapting
	if a := m.w.Manager().Stats().Adapting; a != nil {
		st = *a
	}
	if err := m.w.Close(); err != nil {
		t.Fatal(err)
	}
	return d, st
}

// The same commands end in the same state with any profile, any budget, recorded,
// stressed or neither.
func TestAdaptingChangesNoResult(t *testing.T) {
	t.Parallel()
	seeds, commands := uint64(3), 600
	if testing.Short() {
		seeds, commands = 1, 450
	}
	if race.Enabled {
		commands = 200
	}
	var moves uint64
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 99))
		all := manners(r)
		if race.Enabled {
			for _, name := range []string{"in code", "recording", "stressed", "traced"} {
				delete(all, name)
			}
		}
		crowd := []int{500, 40}[seed%2] // 500 span regions, so that there is something to move
		want, _ := playing(t, all["off"], seed, commands, crowd)
		for _, name := range slices.Sorted(mapsKeys(all)) {
			got, st := playing(t, all[name], seed, commands, crowd)
			if got != want {
				t.Fatalf("seed %d: digest %x when %s, else %x", seed, got, name, want)
			}
			moves += st.Moves
		}
	}
	if moves == 0 {
		t.Error("no moves: the test says nothing")
	}
	t.Logf("%d moves", moves)
}
