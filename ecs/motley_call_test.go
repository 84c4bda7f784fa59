package ecs_test

import (
	"reflect"
	"sync"

	"github.com/ashlar-go/ashlar/ecs"
)

// motleyCall is a call of a system.
type motleyCall struct {
	m     *motley
	s     *motleySpec
	c     reflect.Value
	es    []ecs.Entity
	e     ecs.Entity
	i     int
	get   []func(ecs.Entity) (motleyPair, bool)
	looks []func(ecs.Entity) (motleyPair, bool)
	rows  []func(int) motleyPair
	muts  []func(ecs.Entity) motleyCell
	asks  []changesOf
}

func (c *motleyCall) field(at int) any { return c.c.Field(at).Addr().Interface() }

// call is the work of a system.
func (m *motley) call(s *motleySpec, v reflect.Value) {
	if s.booms(m.w.Frame()) {
		panic(errMotley)
	}
	c := &motleyCall{m: m, s: s, c: v}
	n := -1
	at := make([]func(int) motleyCell, len(s.cols))
	has := make([]*ecs.Has, len(s.cols))
	for j, x := range s.cols {
		shapes := &m.parts[x.k].shapes
		if x.half > 0 {
			shapes = &partShapes[x.half-1]
		}
		if x.whole {
			shapes = &wholeShapes
		}
		var rows int
		if rows, at[j] = shapes[x.form].open(c.field(s.at.cols[j])); n >= 0 && rows != n {
			m.fail("%s: column %d has %d rows, and others %d", s.name, j, rows, n)
		}
		if n = rows; s.at.has[j] >= 0 {
			has[j] = c.field(s.at.has[j]).(*ecs.Has)
		}
	}
	if s.ents && s.pointers {
		c.es = []ecs.Entity{*c.field(s.at.ents).(*ecs.Entity)}
	} else if s.ents {
		if c.es = *c.field(s.at.ents).(*[]ecs.Entity); len(c.es) != n {
			m.fail("%s: %d entities of %d rows", s.name, len(c.es), n)
		}
	}
	for j, k := range s.looks {
		c.looks = append(c.looks, m.parts[k].looks(c.field(s.at.looks[j])))
	}
	for j, k := range s.priors {
		get, rows := m.parts[k].priors(c.field(s.at.priors[j]))
		c.get, c.rows = append(c.get, get), append(c.rows, rows(c.es))
	}
	for j, k := range s.reaches {
		c.muts = append(c.muts, m.parts[k].reaches(c.field(s.at.reaches[j])))
	}
	for j, k := range s.asks {
		c.asks = append(c.asks, m.parts[k].asks(c.field(s.at.asks[j])))
	}
	var tmp *[]uint64
	if s.local {
		tmp = c.field(s.at.local).(*ecs.Local[[]uint64]).Get()
		*tmp = (*tmp)[:0]
	}
	in, is := make([]motleyPair, len(s.cols)), make([]bool, len(s.cols))
	each := func(i int) {
		if c.i = i; s.ents {
			c.e = c.es[i]
		}
		for j, x := range s.cols {
			motleyCell := at[j](i)
			in[j] = motleyCell.value()
			is[j] = !x.form.maybe() || motleyCell != cell0
			if has[j] != nil {
				if is[j] = has[j].Has(i); !is[j] && in[j] != (motleyPair{}) {
					m.fail("%s: row %d lacks column %d, and is %v there", s.name, i, j, in[j])
				}
			}
		}
		acc := s.think(in, is, c.e, c)
		for j, x := range s.cols {
			if x.form.write() {
				at[j](i).put(s.value(j, in[j], acc))
			}
		}
		if tmp != nil {
			*tmp = append(*tmp, acc)
		}
		s.act(acc, c.e, c)
	}
	if s.byChunk() {
		m.note(s, c)
	}
	if s.rows {
		for _, i := range *c.field(s.at.rows).(*ecs.Rows) {
			each(int(i))
		}
		return
	}
	for i := range n {
		each(i)
	}
}

var cell0 motleyCell

func (c *motleyCall) target(acc uint64) ecs.Entity                 { return c.m.target(acc) }
func (c *motleyCall) look(j int, e ecs.Entity) (motleyPair, bool)  { return c.looks[j](e) }
func (c *motleyCall) prior(j int, e ecs.Entity) (motleyPair, bool) { return c.get[j](e) }
func (c *motleyCall) row(j int) motleyPair                         { return c.rows[j](c.i) }
func (c *motleyCall) draw(e ecs.Entity) uint64 {
	d := c.field(c.s.at.rand).(*ecs.Random).Of(e)
	return d.Uint64()
}
func (c *motleyCall) res() uint64 { return c.field(c.s.at.res).(*ecs.Res[motleySum]).Get().V }
func (c *motleyCall) news() (sum uint64) {
	in := c.field(c.s.at.in).(*ecs.Events[motleyEvent])
	n := 0
	for list := range in.All() {
		n += len(list)
		for _, x := range list {
			sum += mixed(x.V, uint64(x.E))
		}
	}
	if n != in.Len() {
		c.m.fail("%s: %d events, and Len is %d", c.s.name, n, in.Len())
	}
	return sum
}

// hear is what each call of a run is told: the same.
func (c *motleyCall) hear() (sum uint64) {
	for j, of := range c.s.hears {
		one := uint64(0)
		hear := func(left bool, es []ecs.Entity, v func(i int) motleyPair, _ *ecs.Commands) {
			for i, e := range es {
				one += heardOf(left, e, v(i))
			}
		}
		c.m.subjects[of].outs(c.field(c.s.at.hears[2*j]), hear)
		c.m.subjects[of].ins(c.field(c.s.at.hears[2*j+1]), hear)
		sum = mixed(sum, one)
	}
	return sum
}

func (c *motleyCall) far() uint64 { return fars[c.s.far].sum(c.field(c.s.at.far), c.e) }
func (c *motleyCall) add(acc uint64) {
	x := c.field(c.s.at.sum).(*ecs.WriteRes[motleySum]).Mut()
	x.V += acc
	x.H = x.H*31 + acc
}
func (c *motleyCall) emit(e ecs.Entity, acc uint64) {
	c.field(c.s.at.out).(*ecs.WriteEvents[motleyEvent]).Write(motleyEvent{e, acc})
}
func (c *motleyCall) mut(j int, e ecs.Entity, acc uint64) {
	if x := c.muts[j](e); x != cell0 {
		*x.v += acc
		*x.w += acc >> 7
	}
}
func (c *motleyCall) farWrite(acc uint64)    { fars[c.s.far].write(c.field(c.s.at.far), acc) }
func (c *motleyCall) ask(j int, a motleyAsk) { a.make(c.asks[j]) }
func (c *motleyCall) do(end bool, a motleyAsk) {
	var do *ecs.Commands
	if end {
		do = c.field(c.s.at.end).(*ecs.AtEnd).Do()
	} else {
		do = *c.field(c.s.at.do).(**ecs.Commands)
	}
	c.m.do(do, c.s.name, end, a)
}

// make makes a change of a component.
func (a motleyAsk) make(x changesOf) (err error) {
	switch a.kind {
	case askAdd:
		err = x.add(a.e, a.v)
	case askPut:
		err = x.put(a.e, a.v)
	case askSet:
		err = x.set(a.e, a.v)
	case askRemove:
		err = x.remove(a.e)
	case askOn, askOff:
		err = x.enable(a.e, a.kind == askOn)
	}
	return err
}

// do asks for a change by commands, and notes births.
func (m *motley) do(do *ecs.Commands, by string, end bool, a motleyAsk) {
	switch a.kind {
	case askDestroy:
		do.Destroy(a.e)
	case askSpawn:
		child := m.kits[a.motleyKit].later(do, a.v.V)
		m.born.Lock()
		if m.born.of == nil {
			m.born.of = map[birth][]ecs.Entity{}
		}
		b := birth{by, a.e, end}
		m.born.of[b] = append(m.born.of[b], child)
		m.born.Unlock()
	case askWholeOn, askWholeOff:
		do.SetEnabled(a.e, a.kind == askWholeOn)
	default:
		_ = a.make(m.parts[a.k].later(do))
	}
}

type birth struct {
	by     string
	parent ecs.Entity
	end    bool // by AtEnd: of several steps these come behind
}

// births are the entities that were spawned in a frame, by system and parent.
type births struct {
	sync.Mutex
	of map[birth][]ecs.Entity
}

// kit is a spawner of several components.
type motleyKit struct {
	parts []int
	later func(do *ecs.Commands, x uint64) ecs.Entity
	many  func(es []ecs.Entity, x []uint64) error
	all   func(x []uint64) error
}

// valueOf is the value that a component is spawned with.
func valueOf(k int, x uint64) motleyPair {
	if k >= partT {
		return motleyPair{}
	}
	return motleyPair{mixed(x, uint64(k)), x ^ uint64(k)}
}

func motleyKitOf[S any](parts []int, value func(x uint64) S) func(w *ecs.World) motleyKit {
	return func(w *ecs.World) motleyKit {
		s := ecs.SpawnerOf[S](w)
		values := func(x []uint64) (list []S) {
			for _, x := range x {
				list = append(list, value(x))
			}
			return list
		}
		return motleyKit{parts, func(do *ecs.Commands, x uint64) ecs.Entity { return s.Later(do).Spawn(value(x)) },
			func(es []ecs.Entity, x []uint64) error { return s.SpawnN(es, values(x)) },
			func(x []uint64) error { return s.SpawnAll(values(x)) }}
	}
}

type (
	kit0 struct {
		A mA
		C mC
	}
	kit1 struct {
		A mA
		B mB
		C mC
		D mD
		F mF
	}
	kit2 struct {
		A mA
		C mC
		E mE
		G mG
		T mT
	}
	kit3 struct {
		B mB
		F mF
		U mU
		D mD
	}
	kit5 struct {
		A mA
		S mS
	}
	kit4 struct {
		A mA
		F mF
		D mD
		G mG
		E mE
		U mU
	}
)

var kits = []func(w *ecs.World) motleyKit{
	motleyKitOf([]int{partA, partC}, func(x uint64) kit0 { return kit0{mA{valueOf(partA, x)}, mC{P: valueOf(partC, x)}} }),
	motleyKitOf([]int{partA, partB, partC, partD, partF}, func(x uint64) kit1 {
		return kit1{mA{valueOf(partA, x)}, mB{valueOf(partB, x)}, mC{P: valueOf(partC, x)}, mD{P: valueOf(partD, x)}, mF{P: valueOf(partF, x)}}
	}),
	motleyKitOf([]int{partA, partC, partE, partG, partT}, func(x uint64) kit2 {
		return kit2{mA{valueOf(partA, x)}, mC{P: valueOf(partC, x)}, mE{valueOf(partE, x)}, mG{P: valueOf(partG, x)}, mT{}}
	}),
	motleyKitOf([]int{partB, partF, partU, partD}, func(x uint64) kit3 {
		return kit3{mB{valueOf(partB, x)}, mF{P: valueOf(partF, x)}, mU{}, mD{P: valueOf(partD, x)}}
	}),
	motleyKitOf([]int{partA, partP, partQ}, func(x uint64) kit5 { return kit5{mA{valueOf(partA, x)}, wholeOf(x)} }),
	motleyKitOf([]int{partA, partF, partD, partG, partE, partU}, func(x uint64) kit4 {
		return kit4{mA{valueOf(partA, x)}, mF{P: valueOf(partF, x)}, mD{P: valueOf(partD, x)}, mG{P: valueOf(partG, x)}, mE{valueOf(partE, x)}, mU{}}
	}),
}
