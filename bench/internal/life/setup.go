package life

import (
	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/reference"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// setups is how many samples there are, as in the experiment.
const setups = 5000

// together is how many entities a sample has: the clock is too coarse for one.
const together = 20

// store sets up entities, one a call, and forgets them all.
type store struct {
	one    func()
	forget func()
	digest func() uint64
	close  func()
}

// Setup is the contests about the time that an entity takes to be set up with the components of the experiment. In a
// warm store as many entities have lived before, so its memory is there. A fresh store gets its memory meanwhile.
func Setup() (list []candidate.Contest) {
	for _, c := range []struct {
		name                              string
		ashlar, sparse, archetype, hybrid func() store
	}{
		{"set-up, one add for each component", setupAshlar, setupSparse, setupArchetype, setupHybrid},
		{"set-up, all at once", setupAshlarAtOnce, setupSparse, setupArchetypeAtOnce, setupHybridAtOnce},
	} {
		warmed := candidate.Contest{Part: "setup", Name: c.name, Entities: setups * together, Ops: together, Samples: setups, Turn: 100}
		afresh := candidate.Contest{Part: "setup", Name: c.name + ", fresh", Entities: setups, Ops: setups}
		for _, e := range []struct {
			storage, guide string
			open           func() store
		}{
			{candidate.Ashlar, "components.md", c.ashlar}, {candidate.Sparse, "", c.sparse}, {candidate.Archetype, "", c.archetype},
			{candidate.Hybrid, "", c.hybrid}, {candidate.Objects, "", setupObjects}, {candidate.Arrays, "", setupArrays},
		} {
			warmed.Entries = append(warmed.Entries, candidate.Entry{Storage: e.storage, Guide: e.guide, Open: func() candidate.Body { return warm(e.open()) }})
			afresh.Entries = append(afresh.Entries, candidate.Entry{Storage: e.storage, Guide: e.guide, Open: func() candidate.Body { return fresh(e.open) }})
		}
		list = append(list, warmed, afresh)
	}
	return list
}

// warm is a store that has had as many entities as it will get.
func warm(s store) candidate.Body {
	for range setups * together * 6 / 5 {
		s.one()
	}
	s.forget()
	return candidate.Body{
		Work: func() int {
			for range together {
				s.one()
			}
			return together
		},
		Digest: s.digest,
		Close:  s.close,
	}
}

// fresh is a store that is made before each work.
func fresh(open func() store) candidate.Body {
	var s store
	closed := func() {
		if s.close != nil {
			s.close()
		}
	}
	return candidate.Body{
		Prepare: func() { closed(); s = open() },
		Work: func() int {
			for range setups {
				s.one()
			}
			return setups
		},
		Digest: func() uint64 { return s.digest() },
		Close:  closed,
	}
}

// tally counts entities, and sums their places up.
type tally struct{ n, sum int }

func (t *tally) place() Position { t.n++; return Position{int32(t.n), int32(2 * t.n)} }

func (t *tally) add(p Position, s State) { t.sum += int(p.X) + int(p.Y) + int(s.Alive) }

func (t *tally) digest() uint64 { return twin.Mix(uint64(t.n), uint64(t.sum)) }

type handles = Near[ecs.Entity]

func setupAshlar() store {
	w := newWorld(Grid{}, false)
	near := ecs.Register[handles](w.World, "near")
	return ashlarSetup(w, func(p Position) {
		e := twin.Must(w.Spawn())
		twin.Check(w.position.Add(e, p))
		twin.Check(w.state.Add(e, State{1}))
		twin.Check(w.count.Add(e, Count{}))
		twin.Check(near.Add(e, handles{}))
	})
}

func setupAshlarAtOnce() store {
	w := newWorld(Grid{}, false)
	ecs.Register[handles](w.World, "near")
	cells := ecs.SpawnerOf[cell[handles]](w.World)
	return ashlarSetup(w, func(p Position) {
		twin.Must(cells.Spawn(cell[handles]{Position: p, State: State{1}}))
	})
}

func ashlarSetup(w *world, one func(p Position)) store {
	var t tally
	q := ecs.QueryOf[struct {
		P []Position
		S []State
		_ ecs.With[handles]
		_ ecs.With[Count]
	}](w.World)
	return store{
		one:    func() { one(t.place()) },
		forget: func() { twin.Must(w.DestroyAll(q)); t = tally{} },
		digest: func() uint64 {
			for c := range q.All() {
				for i := range c.P {
					t.add(c.P[i], c.S[i])
				}
			}
			return t.digest()
		},
		close: w.Close,
	}
}

func setupSparse() store {
	w, t := &reference.Sparse{}, tally{}
	position, state, count, near := reference.SetOf[Position](w), reference.SetOf[State](w), reference.SetOf[Count](w), reference.SetOf[Near[reference.Entity]](w)
	return store{
		one: func() {
			e := w.Spawn()
			position.Add(e, t.place())
			state.Add(e, State{1})
			count.Add(e, Count{})
			near.Add(e, Near[reference.Entity]{})
		},
		forget: func() {
			for len(position.Entities()) > 0 {
				w.Destroy(position.Entities()[len(position.Entities())-1])
			}
			t = tally{}
		},
		digest: func() uint64 {
			for i, e := range position.Entities() {
				if count.Get(e) != nil && near.Get(e) != nil {
					t.add(position.Values()[i], *state.Get(e))
				}
			}
			return t.digest()
		},
	}
}

// pools is an archetype store with the components of a cell. States may be in a set beside it.
type pools struct {
	*reference.Archetypes
	position *reference.Pool[Position]
	count    *reference.Pool[Count]
	near     *reference.Pool[Near[reference.Entity]]
	state    *reference.Pool[State] // nil if states are beside
	beside   reference.Set[State]
	tally
}

func newPools(states bool) *pools {
	w := &reference.Archetypes{}
	p := &pools{Archetypes: w, position: reference.PoolOf[Position](w), count: reference.PoolOf[Count](w), near: reference.PoolOf[Near[reference.Entity]](w)}
	if states {
		p.state = reference.PoolOf[State](w)
	}
	return p
}

func (p *pools) store(one func()) store {
	q := p.Query(0b111, 0)
	return store{
		one: one,
		forget: func() {
			for _, t := range q.Tables() {
				for n := len(t.Entities()); n > 0; n-- {
					e := t.Entities()[n-1]
					p.Destroy(e)
					p.beside.Remove(e)
				}
			}
			p.tally = tally{}
		},
		digest: func() uint64 {
			get := p.beside.Get
			if p.state != nil {
				get = p.state.Get
			}
			for _, t := range q.Tables() {
				for i, e := range t.Entities() {
					p.add(p.position.Column(t)[i], *get(e))
				}
			}
			return p.digest()
		},
	}
}

func setupArchetype() store {
	p := newPools(true)
	root := p.Table(0)
	return p.store(func() {
		e := p.Spawn(root)
		p.position.Add(e, p.place())
		p.state.Add(e, State{1})
		p.count.Add(e, Count{})
		p.near.Add(e, Near[reference.Entity]{})
	})
}

func setupArchetypeAtOnce() store {
	p := newPools(true)
	t := p.Table(0b1111)
	return p.store(func() {
		p.Spawn(t)
		p.position.Push(t, p.place())
		p.state.Push(t, State{1})
		p.count.Push(t, Count{})
		p.near.Push(t, Near[reference.Entity]{})
	})
}

func setupHybrid() store {
	p := newPools(false)
	root := p.Table(0)
	return p.store(func() {
		e := p.Spawn(root)
		p.position.Add(e, p.place())
		p.beside.Add(e, State{1})
		p.count.Add(e, Count{})
		p.near.Add(e, Near[reference.Entity]{})
	})
}

func setupHybridAtOnce() store {
	p := newPools(false)
	t := p.Table(0b111)
	return p.store(func() {
		e := p.Spawn(t)
		p.position.Push(t, p.place())
		p.count.Push(t, Count{})
		p.near.Push(t, Near[reference.Entity]{})
		p.beside.Add(e, State{1})
	})
}

func setupObjects() store {
	var t tally
	var cells []*object
	return store{
		one:    func() { cells = append(cells, &object{position: t.place(), state: State{1}}) },
		forget: func() { clear(cells); cells, t = cells[:0], tally{} },
		digest: func() uint64 {
			for _, o := range cells {
				t.add(o.position, o.state)
			}
			return t.digest()
		},
	}
}

func setupArrays() store {
	var t tally
	var s arrays
	return store{
		one: func() {
			s.position, s.state = append(s.position, t.place()), append(s.state, State{1})
			s.count, s.near = append(s.count, Count{}), append(s.near, Near[uint32]{})
		},
		forget: func() {
			s.position, s.state, s.count, s.near, t = s.position[:0], s.state[:0], s.count[:0], s.near[:0], tally{}
		},
		digest: func() uint64 {
			for i, p := range s.position {
				t.add(p, s.state[i])
			}
			return t.digest()
		},
	}
}
