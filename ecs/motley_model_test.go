package ecs_test

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// ghost is a motley's model: plain maps, and systems that go over them.
type ghost struct {
	m         *motley
	souls     map[ecs.Entity]*soul
	order     []ecs.Entity // in order of birth, dead ones too
	clock     uint64
	dropped   uint64
	sum       uint64
	panics    int
	events    []motleyEvent
	read      map[string]int    // events that a system has read
	seen      map[string]uint64 // clock of a system's last walk
	paused    map[string]bool
	heard     map[string]uint64
	watchers  []*motleyWatch
	ears      map[string]map[int]*motleyWatch // of systems with rows, by subject
	observers []*motleyWatch
}

func (g *ghost) answers(asks []motleyAsk) {
	for _, a := range asks {
		if !g.change(a) {
			g.dropped++
		}
	}
}

// change makes one change, and tells whether it could be made.
func (g *ghost) change(a motleyAsk) bool {
	asks, done := g.changed(a)
	g.answers(asks)
	return done
}

// mass makes changes of many entities, and counts them. Observers answer behind all of them.
func (g *ghost) mass(es []ecs.Entity, a func(e ecs.Entity) motleyAsk) (n int) {
	var asks []motleyAsk
	for _, e := range es {
		more, done := g.changed(a(e))
		if asks = append(asks, more...); done {
			n++
		}
	}
	g.answers(asks)
	return n
}

func (g *ghost) changed(a motleyAsk) (asks []motleyAsk, done bool) {
	x := g.souls[a.e]
	if x == nil {
		return nil, false
	}
	was := g.members(x)
	asks, done = g.changeOf(x, a)
	return append(asks, g.joined(x, was, g.members(x))...), done
}

func (g *ghost) changeOf(x *soul, a motleyAsk) (asks []motleyAsk, done bool) {
	k, v := a.k, a.v
	if k >= partT && a.kind != askExchange {
		v = motleyPair{}
	}
	kind := a.kind
	if kind == askPut {
		if kind = askAdd; x.has[k] {
			kind = askSet
		}
	}
	switch kind {
	case askAdd:
		if x.has[k] {
			return nil, false
		}
		x.has[k], x.off[k], x.val[k], x.mark[k], x.came[k] = true, false, v, g.clock, g.clock
		return g.tell(k*watches+watchHas, false, a.e, v), true
	case askSet:
		if !x.has[k] {
			return nil, false
		}
		was := x.val[k]
		x.val[k], x.mark[k] = v, g.clock
		asks = g.tell(k*watches+watchSet, true, a.e, was)
		return append(asks, g.tell(k*watches+watchSet, false, a.e, v)...), true
	case askExchange:
		return g.exchange(x, a.k, a.v.V)
	case askRemove:
		if !x.has[k] || x.keeps(k) {
			return nil, false
		}
		return g.lose(x, k), true
	case askOn, askOff:
		if !x.has[k] {
			return nil, false
		}
		if off := kind == askOff; x.off[k] != off {
			x.off[k] = off
			return g.tell(k*watches+watchOff, !off, a.e, x.val[k]), true
		}
		return nil, true
	case askWholeOn, askWholeOff:
		if dark := kind == askWholeOff; x.dark != dark {
			x.dark = dark
			asks = g.tell(subjectDark, !dark, x.e, motleyPair{V: uint64(x.e)})
		}
	case askDestroy:
		if x.held() {
			return nil, false
		}
		asks = g.tell(subjectAlive, true, x.e, motleyPair{V: uint64(x.e)})
		if x.dark {
			asks = append(asks, g.tell(subjectDark, true, x.e, motleyPair{V: uint64(x.e)})...)
		}
		for k := range parts {
			if x.has[k] {
				asks = append(asks, g.lose(x, k)...)
			}
		}
		delete(g.souls, a.e)
	}
	return asks, true
}

func (g *ghost) lose(x *soul, k int) (asks []motleyAsk) {
	if x.off[k] {
		asks = g.tell(k*watches+watchOff, true, x.e, x.val[k])
	}
	asks = append(asks, g.tell(k*watches+watchHas, true, x.e, x.val[k])...)
	x.has[k], x.off[k], x.val[k] = false, false, motleyPair{}
	return asks
}

// spawn makes entities of a kit.
func (g *ghost) spawn(motleyKit int, es []ecs.Entity, xs []uint64) {
	var asks []motleyAsk
	for i, e := range es {
		asks = append(asks, g.bear(e, g.m.kits[motleyKit].parts, xs[i%len(xs)])...)
	}
	g.answers(asks)
}

// born makes an entity of components.
func (g *ghost) born(e ecs.Entity, parts []int, v uint64) { g.answers(g.bear(e, parts, v)) }

func (g *ghost) bear(e ecs.Entity, parts []int, v uint64) (asks []motleyAsk) {
	if g.souls[e] != nil {
		g.m.fail("%v was born twice", e)
	}
	x := &soul{e: e}
	was := g.members(x)
	g.souls[e] = x
	g.order = append(g.order, e)
	asks = g.tell(subjectAlive, false, e, motleyPair{V: uint64(e)})
	for _, k := range parts {
		more, _ := g.changeOf(x, motleyAsk{kind: askAdd, k: k, e: e, v: valueOf(k, v)})
		asks = append(asks, more...)
	}
	return append(asks, g.joined(x, was, g.members(x))...)
}

// alive are the entities in order of birth.
func (g *ghost) alive(f func(x *soul) bool) (es []ecs.Entity) {
	g.order = slices.DeleteFunc(g.order, func(e ecs.Entity) bool { return g.souls[e] == nil })
	for _, e := range g.order {
		if f(g.souls[e]) {
			es = append(es, e)
		}
	}
	return es
}

func (g *ghost) matching(f *motleyFar) []ecs.Entity {
	return g.alive(func(x *soul) bool { return x.matches(f.conds, nil, 0) })
}

// wrote has the rows of a query count as written.
func (g *ghost) wrote(f *motleyFar) {
	if f.writes < 0 {
		return
	}
	for _, e := range g.matching(f) {
		g.souls[e].mark[f.writes] = g.clock
	}
}

// ghostCall is a run of a system over the model.
type ghostCall struct {
	g      *ghost
	s      *motleySpec
	priors []map[ecs.Entity]motleyPair
	x      *soul
	sum    uint64
	fresh  uint64
	heard  []uint64 // by subjects
	draws  ecs.Random
	asked  []motleyAsk
	late   *[]func()
}

// run runs a system with rows.
func (g *ghost) run(s *motleySpec, draws ecs.Random, late *[]func()) {
	g.clock++
	c := &ghostCall{g: g, s: s, sum: g.sum, draws: draws, late: late}
	var required []int
	for _, x := range s.cols {
		if !x.form.maybe() {
			required = append(required, x.comps()...)
		}
	}
	es := g.alive(func(x *soul) bool {
		if s.group > 0 {
			if o := g.m.groups[s.group-1]; o.gone || !o.is(x) {
				return false
			}
		}
		return x.matches(s.conds, required, g.seen[s.name])
	})
	if s.byChunk() {
		es = g.passed(s, required, es)
	}
	if s.booms(g.m.frame()) && len(es) > 0 {
		g.panics++
		return
	}
	if len(es) > 0 {
		for _, of := range s.hears {
			c.heard = append(c.heard, g.watched(g.ears[s.name][of]))
		}
	}
	if s.in && len(es) > 0 {
		for _, x := range g.events[g.read[s.name]:] {
			c.fresh += mixed(x.V, uint64(x.E))
		}
		g.read[s.name] = len(g.events)
	}
	for _, k := range s.priors {
		was := map[ecs.Entity]motleyPair{}
		for e, x := range g.souls {
			if x.has[k] {
				was[e] = x.val[k]
			}
		}
		c.priors = append(c.priors, was)
	}
	in, has := make([]motleyPair, len(s.cols)), make([]bool, len(s.cols))
	for _, e := range es {
		c.x = g.souls[e]
		for j, x := range s.cols {
			has[j], in[j] = c.x.has[x.k], c.x.val[x.k]
			if x.whole {
				in[j].W = c.x.val[partQ].W
			}
			switch x.half {
			case 1:
				in[j].W = 0
			case 2:
				in[j].V = 0
			}
		}
		acc := s.think(in, has, e, c)
		for j, x := range s.cols {
			if !x.form.write() || !has[j] {
				continue
			}
			v := s.value(j, in[j], acc)
			if x.whole {
				c.x.val[partP].V, c.x.val[partQ].W = v.V, v.W
				c.x.mark[partP], c.x.mark[partQ] = g.clock, g.clock
				continue
			}
			if x.half != 2 {
				c.x.val[x.k].V = v.V
			}
			if x.half != 1 {
				c.x.val[x.k].W = v.W
			}
			c.x.mark[x.k] = g.clock
		}
		s.act(acc, e, c)
	}
	g.seen[s.name] = g.clock
	g.clock++
	for _, a := range c.asked {
		g.command(s.name, false, a)
	}
}

// command makes a command of a system.
func (g *ghost) command(by string, end bool, a motleyAsk) {
	if a.kind != askSpawn {
		if !g.change(a) {
			g.dropped++
		}
		return
	}
	b := birth{by, a.e, end}
	list := g.m.born.of[b]
	if len(list) == 0 {
		g.m.fail("%s spawns more than the world", by)
		return
	}
	if g.m.born.of[b] = list[1:]; list[0] == 0 && g.m.room != nil { // it found none
		return
	}
	g.spawn(a.motleyKit, list[:1], []uint64{a.v.V})
}

func (c *ghostCall) target(acc uint64) ecs.Entity { return c.g.m.target(acc) }
func (c *ghostCall) look(j int, e ecs.Entity) (motleyPair, bool) {
	if x := c.g.souls[e]; x != nil {
		return x.val[c.s.looks[j]], x.has[c.s.looks[j]]
	}
	return motleyPair{}, false
}
func (c *ghostCall) prior(j int, e ecs.Entity) (motleyPair, bool) {
	v, is := c.priors[j][e]
	return v, is
}
func (c *ghostCall) row(j int) motleyPair     { return c.priors[j][c.x.e] }
func (c *ghostCall) draw(e ecs.Entity) uint64 { d := c.draws.Of(e); return d.Uint64() }
func (c *ghostCall) res() uint64              { return c.sum }
func (c *ghostCall) news() uint64             { return c.fresh }
func (c *ghostCall) hear() (sum uint64) {
	for _, n := range c.heard {
		sum = mixed(sum, n)
	}
	return sum
}
func (c *ghostCall) far() (sum uint64) {
	f := &fars[c.s.far]
	for _, x := range c.g.souls {
		if x.matches(f.conds, nil, 0) {
			sum += f.row(x) + 11
			if f.one && c.s.ents && x == c.x {
				sum += 3 * f.row(x)
			}
		}
	}
	return sum
}
func (c *ghostCall) add(acc uint64) { c.g.sum += acc }
func (c *ghostCall) emit(e ecs.Entity, acc uint64) {
	c.g.events = append(c.g.events, motleyEvent{e, acc})
}
func (c *ghostCall) mut(j int, e ecs.Entity, acc uint64) {
	k := c.s.reaches[j]
	if x := c.g.souls[e]; x != nil && x.has[k] {
		x.val[k].V += acc
		x.val[k].W += acc >> 7
		x.mark[k] = c.g.clock
	}
}
func (c *ghostCall) farWrite(acc uint64) {
	f := &fars[c.s.far]
	for _, x := range c.g.souls {
		if x.matches(f.conds, nil, 0) {
			if f.writes == partD {
				x.val[partD].V += acc
			} else {
				x.val[f.writes].W += acc
			}
			x.mark[f.writes] = c.g.clock
		}
	}
}
func (c *ghostCall) ask(j int, a motleyAsk) { c.asked = append(c.asked, a) }
func (c *ghostCall) do(end bool, a motleyAsk) {
	if !end {
		c.asked = append(c.asked, a)
		return
	}
	g, s := c.g, c.s
	*c.late = append(*c.late, func() { g.command(s.name, true, a) })
}
