package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// motley is a program of systems whose structs are made up at random, with a model beside it.
type motley struct {
	w           *ecs.World
	seed        uint64
	r           *rand.Rand // of calls between frames
	parts       []*motleyPart
	kits        []motleyKit
	subjects    []*motleySubject // three of each component, two of entities, one of each group
	groups      []*motleyGroup
	exchanges   []motleyExchange
	locks       []*ecs.Lock
	holds       map[motleyHold]int
	split       motleySplit
	panics      int
	resumes     bool   // a frame goes on that was refused memory, or in which an observer has panicked
	asked       string // the last system of which When was asked
	observers   int
	bomb, blown bool           // the only observer panics; it has, in the last call
	vague       [2][parts]bool // components that panicking systems write, and of which changes are asked
	room        *motleyRoom    // nil: there is enough
	specs       []*motleySpec
	steps       []motleyStep // systems in the order of registration
	es          []ecs.Entity // targets
	born        births
	heard       map[string]*motleySum
	model       *ghost // nil: there is none
	queries     []ecs.AnyQuery
	destroy     []func(func(uint64) bool) (int, error)
	draws       map[string]ecs.Random     // of the frame
	passed      map[string][][]ecs.Entity // rows of runs that ask for changed chunks
	trace       []string
	mu          sync.Mutex
	faults      []string
	refused     []string
}

// motleyStep is a system of any kind.
type motleyStep struct {
	name  string
	phase ecs.Phase
	when  uint64
	run   func(late *[]func()) // on the model
}

func (m *motley) fail(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.faults) < 8 {
		m.faults = append(m.faults, fmt.Sprintf("frame %d: ", m.w.Frame())+fmt.Sprintf(format, args...))
	}
}

func (m *motley) target(acc uint64) ecs.Entity { return m.es[acc%uint64(len(m.es))] }

const motleyStepTime = 10 * time.Millisecond

// newMotley makes the program of a seed. Systems of which keep is false are left out.
func newMotley(seed uint64, o ecs.Options, model, tight bool, keep func(i int) bool) *motley {
	o.FixedStep, o.Seed = motleyStepTime, seed
	w := ecs.New(o)
	m := &motley{w: w, seed: seed, r: rand.New(rand.NewPCG(seed, 1)), heard: map[string]*motleySum{}, passed: map[string][][]ecs.Entity{}, holds: map[motleyHold]int{}}
	if tight {
		m.room = &motleyRoom{r: rand.New(rand.NewPCG(seed, 3))}
	}
	r := rand.New(rand.NewPCG(seed, 2))
	how := func(usual ...ecs.Storage) []ecs.Storage {
		if r.IntN(3) == 0 {
			return []ecs.Storage{ecs.Storage(r.IntN(4))}
		}
		return usual
	}
	m.parts = []*motleyPart{
		motleyPartOf(w, partA, "ma", (*mA).motleyPair, how(ecs.Stable)...), motleyPartOf(w, partB, "mb", (*mB).motleyPair, how(ecs.Volatile)...), motleyPartOf(w, partC, "mc", (*mC).motleyPair, how()...),
		motleyPartOf(w, partD, "md", (*mD).motleyPair, how(ecs.Volatile)...), motleyPartOf(w, partE, "me", (*mE).motleyPair, how(ecs.Thin)...), motleyPartOf(w, partF, "mf", (*mF).motleyPair, how()...),
		motleyPartOf(w, partG, "mg", (*mG).motleyPair),
	}
	m.parts = append(append(m.parts, m.makeSplit(how()...)...),
		motleyPartOf[mT](w, partT, "mt", nil, how(ecs.Stable)...), motleyPartOf[mU](w, partU, "mu", nil, how(ecs.Volatile)...))
	for _, p := range m.parts {
		m.subjects = append(m.subjects, p.subjects...)
	}
	m.subjects = append(m.subjects, wholeSubjects()...)
	m.makeGroups(r.IntN)
	for _, f := range kits {
		m.kits = append(m.kits, f(w))
	}
	m.makeKeepers()
	ecs.Provide(w, motleySum{})
	ecs.EventsOf[motleyEvent](w)
	for _, f := range fars {
		q, d := f.make(w)
		m.queries, m.destroy = append(m.queries, q), append(m.destroy, d)
	}
	if model {
		m.model = &ghost{m: m, clock: 1, souls: map[ecs.Entity]*soul{}, read: map[string]int{}, seen: map[string]uint64{}, paused: map[string]bool{}, heard: map[string]uint64{}, ears: map[string]map[int]*motleyWatch{}}
	}
	if err := w.Err(); err != nil {
		panic(err)
	}
	for i := range 4 + r.IntN(10) {
		m.addSystem(i, rand.New(rand.NewPCG(seed, 100+uint64(i))), keep == nil || keep(i))
	}
	return m
}

// addSystem adds a system, or an observer.
func (m *motley) addSystem(i int, r *rand.Rand, keep bool) {
	if !keep {
		return
	}
	kind := r.IntN(13)
	of := r.IntN(len(m.subjects))
	if one := subjectAlive + r.IntN(len(m.subjects)-subjectAlive); r.IntN(3) == 0 {
		of = one
	}
	switch kind {
	case 0: // told of changes
		o := newWatch(fmt.Sprintf("watch%d-%s", i, m.subjects[of].name), of)
		sum := &motleySum{}
		m.heard[o.name] = sum
		m.subjects[of].watch(m.w, o.name, func(left bool, es []ecs.Entity, v func(int) motleyPair, _ *ecs.Commands) {
			for i, e := range es {
				n := heardOf(left, e, v(i))
				sum.V += n
				sum.H = sum.H*31 + n
			}
		})
		if m.model != nil {
			m.model.watchers = append(m.model.watchers, o)
		}
		m.step(motleyStep{name: o.name, phase: ecs.EachFrame, run: func(*[]func()) { m.model.heard[o.name] += m.model.watched(o) }})
	case 1: // an observer
		if m.bomb {
			return
		}
		m.bomb = m.observers == 0 && r.IntN(4) == 0
		m.observers++
		o := newWatch(fmt.Sprintf("observe%d-%s", i, m.subjects[of].name), of)
		if k := m.subjects[of].k; k >= 0 && k < partG && r.IntN(2) == 0 {
			if o.then = k + 1 + r.IntN(parts-k-1); m.room != nil || m.bomb { // a command of an observer that is refused is dropped, as if it panics
				o.then = -1
			}
		}
		sum := &motleySum{}
		m.heard[o.name] = sum
		due := false
		m.subjects[of].observe(m.w, o.name, func(left bool, es []ecs.Entity, v func(int) motleyPair, do *ecs.Commands) {
			if len(es) > 0 {
				sum.H++
			}
			for i, e := range es {
				n := heardOf(left, e, v(i))
				sum.V += n
				sum.H = sum.H*31 + n
				if a, is := o.answer(left, e, v(i)); is {
					_ = a.make(m.parts[a.k].later(do))
				}
				due = due || m.bomb && mixed(uint64(e), n)>>32%8 == 0 && !(left && m.subjects[of].set) // else it would not hear of the new value
			}
			if len(es) == 0 && due {
				due = false
				panic(errHeard)
			}
		})
		if m.model != nil {
			m.model.observers = append(m.model.observers, o)
		}
	case 2: // reads events
		name := fmt.Sprintf("reads%d", i)
		sum := &motleySum{}
		m.heard[name] = sum
		ecs.System(m.w, name, func(c *struct{ In ecs.Events[motleyEvent] }) {
			for list := range c.In.All() {
				for _, x := range list {
					n := mixed(uint64(x.E), x.V)
					sum.V += n
					sum.H = sum.H*31 + n
				}
			}
		})
		m.step(motleyStep{name: name, phase: ecs.EachFrame, run: func(*[]func()) {
			g := m.model
			for _, x := range g.events[g.read[name]:] {
				g.heard[name] += mixed(uint64(x.E), x.V)
			}
			g.read[name] = len(g.events)
		}})
	case 3: // changes of all that match
		name, f, n := fmt.Sprintf("mass%d", i), r.IntN(len(fars)), r.Uint64()
		ecs.System(m.w, name, func(*struct{}) {
			if m.room != nil {
				m.w.Manager().Arena().SetLimit(0) // for what is left of the frame
			}
			defer m.defuse()
			_, _ = m.massNow(m.queries[f], plainMass(mixed(n, m.w.Frame())))
		})
		m.step(motleyStep{name: name, phase: ecs.EachFrame, run: func(*[]func()) {
			g := m.model
			g.clock++
			m.massModel(g.matching(&fars[f]), plainMass(mixed(n, m.frame())))
		}})
	case 4: // holds entities
		name, n := fmt.Sprintf("holds%d", i), r.Uint64()
		ecs.System(m.w, name, func(*struct{}) { m.hold(mixed(n, m.w.Frame())) })
		m.step(motleyStep{name: name, phase: ecs.EachFrame, run: func(*[]func()) { m.model.hold(mixed(n, m.frame())) }})
	default:
		s := drawMotley(r, fmt.Sprintf("s%d", i), m.subjects)
		if s.phase == ecs.Fixed {
			s.rand = false
		}
		options := []ecs.SystemOption{ecs.InPhase(s.phase)}
		if n := len(m.groups); n > 0 && r.IntN(5) == 0 {
			i := r.IntN(n)
			s.onlyIn(r, i, m.groups[i])
			options = append(options, ecs.OnlyIn(m.groups[i].any))
		}
		if m.tooVague(s) {
			return
		}
		s.make(m.parts, m.subjects)
		if s.phase == 0 {
			s.phase = ecs.EachFrame
		}
		if s.parallel {
			options = append(options, ecs.Parallel())
		}
		if s.when > 0 || s.byChunk() || m.room != nil || m.bomb {
			options = append(options, ecs.When(func() bool {
				if s.when > 0 && m.w.Frame()%s.when == 0 {
					return false
				}
				m.asks(s.name)
				return true
			}))
		}
		ecs.SystemOf(m.w, s.name, s.typ, func(v reflect.Value) { m.call(s, v) }, options...)
		if err := m.w.Err(); err != nil {
			m.refused = append(m.refused, err.Error())
			return
		}
		m.specs = append(m.specs, s)
		if m.model != nil && len(s.hears) > 0 {
			m.model.ears[s.name] = map[int]*motleyWatch{}
			for _, of := range s.hears {
				o := newWatch(s.name, of)
				m.model.ears[s.name][of] = o
				m.model.watchers = append(m.model.watchers, o)
			}
		}
		m.step(motleyStep{name: s.name, phase: s.phase, when: s.when, run: func(late *[]func()) {
			m.model.run(s, m.draws[s.name], late)
		}})
	}
	if err := m.w.Err(); err != nil {
		panic(err)
	}
}

func (m *motley) step(s motleyStep) { m.steps = append(m.steps, s) }

// frame is the number of the frame that the model is in: the world's is over.
func (m *motley) frame() uint64 { return m.w.Frame() - 1 }

// plainMass is a number for massNow: a change with one value for all. Other changes become these.
func plainMass(n uint64) uint64 {
	switch n % 10 {
	case 3, 4:
		n -= 3
	case 5, 6, 7:
		n -= 5
	}
	return n
}

// switches tells whether a change of many entities is a loop of SetEnabled.
func switches(n uint64) bool { return n%10 == 3 || n%10 == 4 || n%10 == 7 }

// switchEach disables or enables entities of a list, one by one.
func (m *motley) switchEach(es []ecs.Entity, n uint64) {
	a := motleyAsk{k: int(n >> 8 % parts), kind: askWholeOff}
	switch {
	case n%10 == 3:
		a.kind = askOff
	case n%10 == 4:
		a.kind = askOn
	case n>>20%2 == 0:
		a.kind = askWholeOn
	}
	for _, e := range es {
		a.e = e
		err := m.try(func() error { return m.now(a) })
		if m.model == nil {
			continue
		}
		if want := m.model.change(a); want != (err == nil) {
			m.fail("call %+v: %v", a, err)
		}
	}
}

// massNow is a change of all of a query. massModel is the same of the model.
func (m *motley) massNow(q ecs.AnyQuery, n uint64) (int, error) {
	k := int(n >> 8 % parts)
	x, v := m.parts[k].now, motleyPair{n, n >> 2}
	switch n % 10 {
	case 0:
		return x.addAll(q, v)
	case 1:
		return x.setAll(q, v)
	case 2:
		return x.removeAll(q)
	case 5:
		return x.addAll(q, v)
	case 6:
		return x.setAll(q, v)
	case 8:
		if n>>20%4 == 0 {
			return m.w.DestroyAll(q)
		}
	case 9:
		return m.exchanges[k%motleyExchanges].all(q, v.V)
	}
	return 0, nil
}

func (m *motley) massModel(es []ecs.Entity, n uint64) (changed int, refused bool) {
	k := int(n >> 8 % parts)
	a := motleyAsk{k: k, v: motleyPair{n, n >> 2}, kind: []int{0: askAdd, 1: askSet, 2: askRemove, 5: askAdd, 6: askSet, 8: askDestroy, 9: askExchange}[n%10]}
	switch {
	case n%10 == 9:
		a.k %= motleyExchanges
	case n%10 == 8 && n>>20%4 > 0:
		return 0, false
	}
	g := m.model
	refused = g.refusals(es, a)
	g.mass(es, func(e ecs.Entity) motleyAsk {
		a := a
		a.e = e
		x := g.souls[e]
		switch {
		case x == nil:
		case a.kind == askAdd:
			if !x.has[k] {
				changed++
			}
		case a.kind == askDestroy:
			if !x.held() {
				changed++
			}
		case a.kind == askExchange:
			if o := &m.exchanges[a.k]; x.exchanges(o) && !slices.ContainsFunc(o.goes, x.keeps) {
				changed++
			}
		case a.kind == askRemove && x.keeps(k):
		case x.has[k]:
			changed++
		}
		return a
	})
	return changed, refused
}
