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
	events    []motleyEvent
	read      map[string]int    // events that a system has read
	seen      map[string]uint64 // clock of a system's last walk
	paused    map[string]bool
	heard     map[string]uint64
	watchers  []*motleyWatch
	observers []*motleyWatch
}

// motleyWatch is a system or an observer that is told of changes of a component.
type motleyWatch struct {
	name    string
	k, kind int
	then    int // an observer's answer is about this component; -1: none
	first   map[ecs.Entity]motleyNews
	last    map[ecs.Entity]bool // has come
}

type motleyNews struct {
	left bool
	v    motleyPair
}

func heardOf(left bool, e ecs.Entity, v motleyPair) uint64 {
	n := mixed(uint64(e), mixed(v.V, v.W))
	if left {
		n = mixed(n, 77)
	}
	return n
}

// answer is the change that an observer asks for.
func (o *motleyWatch) answer(left bool, e ecs.Entity, v motleyPair) (a motleyAsk, is bool) {
	if o.then < 0 || mixed(v.V, uint64(e))%4 != 0 {
		return a, false
	}
	a = motleyAsk{kind: askPut, k: o.then, e: e, v: motleyPair{v.W, v.V + 1}}
	if left {
		a.kind = askRemove
	}
	return a, true
}

// tell notes a change, and returns the answers of observers.
func (g *ghost) tell(k, kind int, left bool, e ecs.Entity, v motleyPair) (asks []motleyAsk) {
	for _, o := range g.watchers {
		if o.k == k && o.kind == kind {
			if _, is := o.first[e]; !is && (kind != watchSet || left) {
				o.first[e] = motleyNews{left, v}
			}
			o.last[e] = !left
		}
	}
	for _, o := range g.observers {
		if o.k == k && o.kind == kind {
			g.heard[o.name] += heardOf(left, e, v)
			if a, is := o.answer(left, e, v); is {
				asks = append(asks, a)
			}
		}
	}
	return asks
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
	k, v := a.k, a.v
	if k >= partT {
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
		x.has[k], x.off[k], x.val[k], x.mark[k] = true, false, v, g.clock
		return g.tell(k, watchHas, false, a.e, v), true
	case askSet:
		if !x.has[k] {
			return nil, false
		}
		was := x.val[k]
		x.val[k], x.mark[k] = v, g.clock
		asks = g.tell(k, watchSet, true, a.e, was)
		return append(asks, g.tell(k, watchSet, false, a.e, v)...), true
	case askRemove:
		if !x.has[k] {
			return nil, false
		}
		return g.lose(x, k), true
	case askOn, askOff:
		if !x.has[k] {
			return nil, false
		}
		if off := kind == askOff; x.off[k] != off {
			x.off[k] = off
			return g.tell(k, watchOff, !off, a.e, x.val[k]), true
		}
		return nil, true
	case askWholeOn, askWholeOff:
		x.dark = kind == askWholeOff
	case askDestroy:
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
		asks = g.tell(k, watchOff, true, x.e, x.val[k])
	}
	asks = append(asks, g.tell(k, watchHas, true, x.e, x.val[k])...)
	x.has[k], x.off[k], x.val[k] = false, false, motleyPair{}
	return asks
}

// spawn makes entities of a kit.
func (g *ghost) spawn(motleyKit int, es []ecs.Entity, xs []uint64) {
	var asks []motleyAsk
	for i, e := range es {
		if g.souls[e] != nil {
			g.m.fail("%v was born twice", e)
		}
		x := &soul{e: e}
		g.souls[e] = x
		g.order = append(g.order, e)
		for _, k := range g.m.kits[motleyKit].parts {
			more, _ := g.changed(motleyAsk{kind: askAdd, k: k, e: e, v: valueOf(k, xs[i%len(xs)])})
			asks = append(asks, more...)
		}
	}
	g.answers(asks)
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
			required = append(required, x.k)
		}
	}
	es := g.alive(func(x *soul) bool { return x.matches(s.conds, required, g.seen[s.name]) })
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
		g.command(s.name, a)
	}
}

// command makes a command of a system.
func (g *ghost) command(by string, a motleyAsk) {
	if a.kind != askSpawn {
		if !g.change(a) {
			g.dropped++
		}
		return
	}
	b := birth{by, a.e}
	list := g.m.born.of[b]
	if len(list) == 0 {
		g.m.fail("%s spawns more than the world", by)
		return
	}
	g.m.born.of[b] = list[1:]
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
	*c.late = append(*c.late, func() { g.command(s.name, a) })
}

// watched runs a system that is told of changes.
func (g *ghost) watched(o *motleyWatch) {
	for e, n := range o.first {
		if n.left {
			g.heard[o.name] += heardOf(true, e, n.v)
		}
	}
	for e, came := range o.last {
		if x := g.souls[e]; came && x != nil && x.has[o.k] {
			g.heard[o.name] += heardOf(false, e, x.val[o.k])
		}
	}
	clear(o.first)
	clear(o.last)
}
