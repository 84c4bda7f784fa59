package ecs_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
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

// hurried is adapting in a hurry: a region is looked for in each frame, and hardly a move made at a safe point.
func hurried(r *rand.Rand) memmgr.AdaptOptions {
	order := []string{"duo", "trio", "table/b4", "table/b16", "table/b24", "table/b8k", "table/far", "nobody"}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return memmgr.AdaptOptions{
		Order:     order[r.IntN(len(order)):],
		Budget:    profile.Budget{Time: time.Duration(1 + r.IntN(3000)), Bytes: 1 + r.Uint64N(256<<10)},
		Every:     1,
		Decay:     []time.Duration{-1, time.Millisecond, time.Second}[r.IntN(3)],
		SoftLimit: r.Uint64N(2) << 20,
		Clock:     ticking(time.Duration(r.IntN(1000))).tick,
	}
}

// hostile makes up a profile that fits the text form but not the program: names that
// the model has, figures and hints that no run has seen.
func hostile(r *rand.Rand) profile.Profile {
	figure := func() uint64 {
		return []uint64{0, 1, r.Uint64N(1000), r.Uint64N(1 << 40), math.MaxUint64 - r.Uint64N(3)}[r.IntN(5)]
	}
	some := func(of ...string) (list []string) {
		for _, i := range r.Perm(len(of)) {
			if r.IntN(3) > 0 {
				list = append(list, of[i])
			}
		}
		return list
	}
	components := []string{"tag", "b1", "b4", "b16", "b24", "b8k", "far", "nothing", "\x00\xff \n\"#"}
	groups := []string{"duo", "trio", "table/b4", "table/b8k", "table/b24", "table/far", "table/tag", "nobody", "table/nobody"}
	systems := []string{"bump", "grow", "ghost", "end"}
	p := profile.Profile{Frames: figure()}
	for _, n := range some(components...) {
		p.Components = append(p.Components, profile.Component{Name: n, Size: r.IntN(1 << 17), Align: 1 << r.IntN(9)})
	}
	for _, n := range some(groups...) {
		p.Groups = append(p.Groups, profile.Group{Name: n, Owns: some(components...), Rows: figure(), Chunks: figure(), Peak: figure(), Last: figure()})
	}
	for _, n := range some(systems...) {
		s := profile.System{Name: n, Frames: figure(), Timed: figure(), Times: profile.Times{P99: time.Duration(figure() >> 1)}}
		for _, g := range some(groups...) {
			for _, c := range some(components...) {
				s.Access = append(s.Access, profile.Access{Group: g, Component: c, Write: r.IntN(2) == 0, Scattered: r.IntN(2) == 0, Rows: figure(), Chunks: figure(), Bytes: figure()})
			}
		}
		p.Systems = append(p.Systems, s)
		p.Hints.Views = append(p.Hints.Views, profile.View{System: n, Component: "b4.X", Choice: "cached"})
	}
	in := &p.Hints
	in.Pinned = some("trio", "nobody", "table/b4")
	in.Cold = some(groups...)
	in.Budget.Time, in.Budget.Bytes = time.Duration(r.IntN(1e6)), r.Uint64N(1<<30)
	in.Goal = profile.Goal{Resident: r.Uint64N(4 << 20), Frame: time.Duration(r.IntN(1e5))}
	in.Off = r.IntN(8) == 0
	return p
}

// twisted is hostile, and says everything twice and some of it out of range: what no
// file holds, but code may pass.
func twisted(r *rand.Rand) profile.Profile {
	p, q := hostile(r), hostile(r)
	p.Components = append(p.Components, q.Components...)
	p.Components = append(p.Components, profile.Component{Size: -1, Align: 3})
	p.Groups = append(append(p.Groups, q.Groups...), profile.Group{})
	p.Systems = append(append(p.Systems, q.Systems...), profile.System{Times: profile.Times{P10: -1}, Access: make([]profile.Access, 3)})
	p.Hints.Cold = append(append(p.Hints.Cold, q.Hints.Cold...), "")
	p.Hints.Pinned = append(append(p.Hints.Pinned, q.Hints.Pinned...), "")
	p.Hints.Views = append(p.Hints.Views, profile.View{Choice: "?"})
	p.Hints.Budget.Time = -time.Second
	p.Hints.Goal = profile.Goal{Frame: -time.Second}
	return p
}

// manners are ways to run the same program. None may change a result.
func manners(t testing.TB, r *rand.Rand) map[string]ecs.Options {
	adapting := func(p profile.Profile) ecs.Options {
		o := ecs.Options{Adapt: hurried(r), Memory: memmgr.Options{Arena: arena.Options{Backend: []arena.Backend{arena.Auto, arena.Heap}[r.IntN(2)]}}}
		o.Adapt.Off, o.Adapt.Pinned = p.Hints.Off, p.Hints.Pinned
		o.Adapt.Cold = p.Hints.Cold
		return o
	}
	code := adapting(profile.Profile{})
	code.Profile.Code = hostile(r)
	if err := code.Profile.Code.Check(); err != nil {
		t.Fatal(err)
	}
	recorded := adapting(hostile(r))
	recorded.Record, recorded.TimeEvery = true, 1
	stressed := adapting(hostile(r))
	stressed.Memory.Stress = true
	all := map[string]ecs.Options{
		"off":       {Adapt: memmgr.AdaptOptions{Off: true}},
		"hurried":   adapting(profile.Profile{}),
		"hostile":   adapting(hostile(r)),
		"twisted":   adapting(twisted(r)),
		"in code":   code,
		"recorded":  recorded,
		"recording": {Adapt: memmgr.AdaptOptions{Off: true}, Record: true, TimeEvery: 1},
		"stressed":  stressed,
		"traced":    {Memory: memmgr.Options{TraceChunks: true, HugePages: memmgr.HugePages{Off: true}}},
	}
	for name, o := range all {
		o.Profile.Named = true // not a file that lies about
		o.Profile.Log = quiet()
		all[name] = o
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
		if err := p.Check(); err != nil || p.Frames != m.w.Frame() {
			t.Fatalf("%d frames of %d were recorded: %v", p.Frames, m.w.Frame(), err)
		}
	}
	d := m.digest()
	st, _ := m.w.Manager().Adapting()
	if err := m.w.Close(); err != nil {
		t.Fatal(err)
	}
	return d, st
}

// The same commands end in the same state with any profile, any budget, recorded,
// stressed or neither.
func TestAdaptingChangesNoResult(t *testing.T) {
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
		all := manners(t, r)
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
