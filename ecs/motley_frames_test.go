package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// play runs frames.
func (m *motley) play(frames int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	m.spawn(m.r.IntN(len(kits)), []int{1, 15, 64, 300, 700, 1200, 2500}[m.r.IntN(7)])
	m.spawn(m.r.IntN(len(kits)), []int{1, 15, 64, 300, 700, 1200, 2500}[m.r.IntN(7)])
	for frame := range frames {
		for range m.r.IntN(4) {
			m.between()
		}
		if m.w.Len() > 4000 {
			m.massBoth(-1, 8, m.all()[:2500])
		}
		if m.w.Len() < 20 {
			m.spawn(m.r.IntN(len(kits)), 40)
		}
		m.es, m.draws = m.all(), map[string]ecs.Random{}
		for _, s := range m.specs {
			m.draws[s.name] = m.w.Random(s.name)
		}
		steps := m.r.IntN(3)
		if err := m.runFrame(steps); err != nil {
			return err
		}
		if m.model != nil {
			m.modelFrame(frame, steps)
			m.compare()
		}
		clear(m.born.of)
		clear(m.passed)
		m.look()
		if len(m.faults) > 0 {
			return errors.New(fmt.Sprint(m.faults))
		}
	}
	return nil
}

var errMotley = errors.New("a panic of a motley")

func (s *motleySpec) booms(frame uint64) bool { return s.boom > 0 && frame%s.boom == 0 }

// runFrame runs a frame, and goes on with it behind each panic.
func (m *motley) runFrame(steps int) error {
	caught := func(f func() error) (err error, is bool) {
		defer func() {
			if v := recover(); v != nil {
				of, _ := v.(error)
				if is = errors.Is(of, errMotley); !is {
					panic(v)
				}
				m.panics++
			}
		}()
		return f(), false
	}
	ctx := context.Background()
	err, is := caught(func() error {
		elapsed := time.Duration(steps) * motleyStepTime
		return m.try(func() error {
			once := elapsed
			elapsed = 0 // the frame under way has its steps
			return m.runOut(func() error { return m.w.RunFor(ctx, once) })
		})
	})
	for is {
		if err := m.w.Check(); err != nil {
			return err
		}
		err, is = caught(func() error {
			goOn := m.w.Continue
			return m.try(func() error {
				f := goOn
				goOn = m.w.Run // which resumes a frame that memory has stopped
				return m.runOut(func() error { return f(ctx) })
			})
		})
	}
	if m.dropped(err) {
		return nil
	}
	return err
}

func (m *motley) all() (es []ecs.Entity) { return slices.Collect(m.w.All()) }

func (m *motley) modelFrame(frame, steps int) {
	g := m.model
	var late []func()
	run := func(p ecs.Phase) {
		for _, s := range m.steps {
			if s.phase == p && !g.paused[s.name] && (s.when == 0 || m.frame()%s.when > 0) {
				s.run(&late)
			}
		}
	}
	if frame == 0 {
		run(ecs.Startup)
	}
	for range steps {
		run(ecs.Fixed)
	}
	run(ecs.EachFrame)
	run(ecs.Render)
	g.clock++
	for _, f := range late {
		f()
	}
}

// spawn makes entities between frames.
func (m *motley) spawn(motleyKit, n int) {
	es, xs := make([]ecs.Entity, n), make([]uint64, n)
	for i := range xs {
		xs[i] = m.r.Uint64()
	}
	ok(0, m.try(func() error { return m.kits[motleyKit].many(es, xs) }))
	if m.model != nil {
		m.model.spawn(motleyKit, es, xs)
	}
}

// massBoth makes a change of all that match, or of a list.
func (m *motley) massBoth(f int, n uint64, es []ecs.Entity) {
	if switches(n) {
		if f >= 0 {
			es = m.all()
		}
		m.switchEach(es[:min(len(es), 100)], n) // a check of the world follows each panic of an observer
		return
	}
	var q ecs.AnyQuery = ecs.Handles(es)
	if f >= 0 {
		q = m.queries[f]
	}
	if m.model != nil && f >= 0 {
		es = m.model.matching(&fars[f])
	}
	got, err := m.tryN(func() (int, error) { return m.massNow(q, n) })
	if err != nil && !errors.Is(err, ecs.ErrLocked) {
		panic(err)
	}
	if m.model != nil {
		want, refused := m.massModel(es, n)
		if refused != (err != nil) && !m.blown {
			m.fail("call %d of component %d and query %d: %v", n%10, int(n>>8%parts), f, err)
		}
		if got != want && !m.blown && (m.room == nil || n%10 != 1 && n%10 != 6) { // values may be set again
			m.fail("call %d of component %d and query %d changed %d of %d, want %d", n%10, int(n>>8%parts), f, got, len(es), want)
		}
	}
	m.trace = append(m.trace, fmt.Sprint("changed ", got))
}

// between makes calls between frames.
func (m *motley) between() {
	g := m.model
	if g != nil {
		g.clock++
	}
	n := m.r.Uint64()
	f := m.r.IntN(len(fars))
	switch m.r.IntN(13) {
	case 0:
		m.spawn(int(n%uint64(len(kits))), []int{1, 3, 15, 70, 500}[n>>9%5])
	case 1, 2:
		m.massBoth(f, n, nil)
	case 3:
		all := m.all()
		from := m.r.IntN(len(all) + 1)
		es := all[from : from+m.r.IntN(len(all)-from+1)]
		if n>>40%2 == 0 {
			m.r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		}
		m.massBoth(-1, n, es)
	case 4:
		all := m.all()
		for i := range all[:min(len(all), 8)] {
			m.splitCall(all[mixed(n, uint64(i))%uint64(len(all))], mixed(n, uint64(i+9))>>3)
		}
		for range 30 {
			a := motleyAsk{kind: m.r.IntN(askDestroy + 1), k: m.r.IntN(parts), v: motleyPair{m.r.Uint64(), 5}}
			if len(all) > 0 {
				a.e = all[m.r.IntN(len(all))]
			}
			if a.kind == askDestroy { // rather than so many entities
				a.kind, a.k = askExchange, a.k%motleyExchanges
			}
			err := m.try(func() error { return m.now(a) })
			if g != nil {
				if want := g.change(a); want != (err == nil) {
					m.fail("call %+v: %v", a, err)
				}
			}
		}
	case 5, 6:
		next := rand.New(rand.NewPCG(n, 7))
		ecs.Restore(m.w, next.IntN)
	case 7:
		if p := m.parts[m.r.IntN(partT)]; true {
			p.sort(n)
		}
	case 8:
		if len(m.steps) > 0 {
			name := m.steps[m.r.IntN(len(m.steps))].name
			on := n%2 == 0
			if on {
				ok(0, m.w.Resume(name))
			} else {
				ok(0, m.w.Pause(name))
			}
			if g != nil {
				g.paused[name] = !on
			}
		}
	case 10:
		m.groupCall(n)
	case 12:
		m.rest(n)
	case 11:
		if m.es = m.all(); len(m.es) == 0 {
			return
		}
		if m.hold(n >> 8); g != nil {
			g.hold(n >> 8)
		}
	case 9:
		pick := func(v uint64) bool { return mixed(v, n)%3 == 0 }
		var es []ecs.Entity
		if g != nil {
			for _, e := range g.matching(&fars[f]) {
				if pick(fars[f].row(g.souls[e])) {
					es = append(es, e)
				}
			}
		}
		if n>>8%3 > 0 { // rather than so many entities
			return
		}
		got := ok(m.tryN(func() (int, error) { return m.destroy[f](pick) }))
		if g != nil {
			g.wrote(&fars[f]) // rows that a walk passes for writing count as written
			if want := g.mass(es, func(e ecs.Entity) motleyAsk { return motleyAsk{kind: askDestroy, e: e} }); got != want && !m.blown {
				m.fail("where of query %d changed %d, want %d", f, got, want)
			}
		}
	}
}

// compare compares the world with the model.
func (m *motley) compare() {
	g := m.model
	if n := m.w.Len(); n != len(g.souls) {
		m.fail("%d entities, want %d", n, len(g.souls))
	}
	for b, list := range m.born.of {
		if len(list) > 0 {
			m.fail("%s of %v has spawned %v, and the model has not", b.by, b.parent, list)
		}
	}
	for _, e := range g.order {
		x := g.souls[e]
		if x == nil {
			if m.w.Alive(e) {
				m.fail("%v is alive", e)
			}
			continue
		}
		if m.w.Enabled(e) == x.dark {
			m.fail("%v is enabled: %v", e, !x.dark)
		}
		if p, q, has := m.split.load(e); has != (x.has[partP] && x.has[partQ]) || has && (p != x.val[partP] || q != x.val[partQ]) {
			m.fail("%v has the whole: %v, %x and %x", e, has, p, q)
		}
		for k, p := range m.parts {
			v, has := p.get(e)
			if has != x.has[k] || v != x.val[k] || has && p.on(e) == x.off[k] {
				m.fail("%v has %s: %v %x, enabled %v; want %v %x, enabled %v", e, p.name, has, v, p.on(e), x.has[k], x.val[k], !x.off[k])
			}
		}
	}
	if m.panics > g.panics || (m.panics == 0) != (g.panics == 0) { // of systems side by side the first one's comes out
		m.fail("%d panics, want %d", m.panics, g.panics)
	}
	m.compareGroups()
	m.compareLocks()
	if v := ecs.Resource[motleySum](m.w).V; v != g.sum {
		m.fail("the sum is %x, want %x", v, g.sum)
	}
	for name, sum := range m.heard {
		if sum.V != g.heard[name] {
			m.fail("%s has heard %x, want %x", name, sum.V, g.heard[name])
		}
	}
	if d := m.w.Stats().Dropped; d != g.dropped && m.room == nil {
		m.fail("%d commands were dropped, want %d: %v", d, g.dropped, m.w.Stats().Drops)
	}
	if err := m.w.Check(); err != nil {
		m.fail("%v", err)
	}
}

// look adds all that can be seen to the trace.
func (m *motley) look() {
	h := fnv.New64a()
	section := func(name string, f func()) {
		h.Reset()
		f()
		m.trace = append(m.trace, fmt.Sprintf("frame %d %s %x", m.w.Frame(), name, h.Sum64()))
	}
	for _, p := range m.parts {
		section(p.name, func() {
			p.all(func(e ecs.Entity, v motleyPair) { fmt.Fprintln(h, e, v, p.on(e)) })
		})
	}
	section("entities", func() {
		for e := range m.w.All() {
			fmt.Fprintln(h, e, m.w.Enabled(e))
		}
	})
	for _, g := range m.groups {
		section(g.name, func() { fmt.Fprintln(h, g.members()) })
	}
	for _, name := range slices.Sorted(mapsKeys(m.heard)) {
		section(name, func() { fmt.Fprintln(h, *m.heard[name]) })
	}
	section("sums", func() {
		events := ecs.EventsIn(m.w)
		fmt.Fprintln(h, *ecs.Resource[motleySum](m.w), m.w.Stats().Dropped, events.Written, events.Dropped)
	})
}

// end closes the world.
func (m *motley) end() error { return errors.Join(m.w.Check(), m.w.Close()) }
