package ecs_test

import (
	"reflect"

	"github.com/ashlar-go/ashlar/ecs"
)

type motleyHear = func(left bool, es []ecs.Entity, v func(i int) motleyPair, do *ecs.Commands)

// motleySubject is something that systems and observers are told of as it comes and goes: fields Arrived and Left.
type motleySubject struct {
	name    string
	k       int   // its component; -1: it is about entities, or a group
	about   []int // components that it has values of
	tag     string
	set     bool
	now     func(x *soul) (v motleyPair, is bool) // of the model
	watch   func(w *ecs.World, name string, hear motleyHear)
	observe func(w *ecs.World, name string, hear motleyHear)
	in, out reflect.Type
	ins     func(field any, hear motleyHear)
	outs    func(field any, hear motleyHear)
	gone    bool // of the model: its group is dissolved
}

func subjectOf[T any](name string, from func(*T) motleyPair, now func(x *soul) (motleyPair, bool)) *motleySubject {
	tell := func(out *ecs.Left[T], in *ecs.Arrived[T], hear motleyHear, do *ecs.Commands) {
		n := 0
		for es, vs := range out.All() {
			n += len(es)
			hear(true, es, func(i int) motleyPair { return from(&vs[i]) }, do)
		}
		if n != out.Len() {
			panic("Left.Len")
		}
		for es, vs := range in.All() {
			hear(false, es, func(i int) motleyPair { return from(&vs[i]) }, do)
		}
	}
	return &motleySubject{
		name: name, k: -1, now: now,
		watch: func(w *ecs.World, name string, hear motleyHear) {
			ecs.System(w, name, func(c *struct {
				Out ecs.Left[T]
				In  ecs.Arrived[T]
			}) {
				tell(&c.Out, &c.In, hear, nil)
			})
		},
		observe: func(w *ecs.World, name string, hear motleyHear) {
			ecs.Observe(w, name, func(c *struct {
				Out ecs.Left[T]
				In  ecs.Arrived[T]
				Do  *ecs.Commands
			}) {
				tell(&c.Out, &c.In, hear, c.Do)
				hear(false, nil, nil, c.Do) // that is all
			})
		},
		in: reflect.TypeFor[ecs.Arrived[T]](), out: reflect.TypeFor[ecs.Left[T]](),
		ins: func(field any, hear motleyHear) {
			for es, vs := range field.(*ecs.Arrived[T]).All() {
				hear(false, es, func(i int) motleyPair { return from(&vs[i]) }, nil)
			}
		},
		outs: func(field any, hear motleyHear) {
			for es, vs := range field.(*ecs.Left[T]).All() {
				hear(true, es, func(i int) motleyPair { return from(&vs[i]) }, nil)
			}
		},
	}
}

// Subjects of a component.
const (
	watchHas = iota
	watchSet
	watchOff
	watches
)

// Subjects behind these of components.
const (
	subjectAlive = parts*watches + iota
	subjectDark
	subjectGroups
)

func partSubjects[T any](name string, k int, from func(*T) motleyPair) []*motleySubject {
	has := func(x *soul) (motleyPair, bool) { return x.val[k], x.has[k] }
	list := []*motleySubject{
		subjectOf(name, from, has),
		subjectOf("set-"+name, func(s *ecs.Set[T]) motleyPair { return from(&s.Value) }, has),
		subjectOf("disabled-"+name, func(s *ecs.Disabled[T]) motleyPair { return from(&s.Value) },
			func(x *soul) (motleyPair, bool) { return x.val[k], x.has[k] && x.off[k] }),
	}
	for _, s := range list {
		s.k, s.about, s.tag = k, []int{k}, name
	}
	list[watchSet].set = true
	return list
}

func wholeSubjects() []*motleySubject {
	return []*motleySubject{
		subjectOf("entities", func(e *ecs.Entity) motleyPair { return motleyPair{V: uint64(*e)} },
			func(x *soul) (motleyPair, bool) { return motleyPair{V: uint64(x.e)}, true }),
		subjectOf("dark", func(d *ecs.Disabled[ecs.Entity]) motleyPair { return motleyPair{V: uint64(d.Value)} },
			func(x *soul) (motleyPair, bool) { return motleyPair{V: uint64(x.e)}, x.dark }),
	}
}

// motleyWatch is a system or an observer that is told of a subject.
type motleyWatch struct {
	name  string
	of    int // subject
	then  int // an observer's answer is about this component; -1: none
	first map[ecs.Entity]motleyNews
	last  map[ecs.Entity]bool // has come
}

func newWatch(name string, of int) *motleyWatch {
	return &motleyWatch{name: name, of: of, then: -1, first: map[ecs.Entity]motleyNews{}, last: map[ecs.Entity]bool{}}
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
func (g *ghost) tell(of int, left bool, e ecs.Entity, v motleyPair) (asks []motleyAsk) {
	for _, o := range g.watchers {
		if o.of == of {
			if _, is := o.first[e]; !is && (!g.m.subjects[of].set || left) {
				o.first[e] = motleyNews{left, v}
			}
			o.last[e] = !left
		}
	}
	for _, o := range g.observers {
		if o.of == of {
			g.heard[o.name] += heardOf(left, e, v)
			if a, is := o.answer(left, e, v); is {
				asks = append(asks, a)
			}
		}
	}
	return asks
}

// members are the groups that an entity is in, with its values there.
func (g *ghost) members(x *soul) []motleyNews {
	list := make([]motleyNews, len(g.m.groups))
	for i, s := range g.m.subjects[subjectGroups:] {
		if !s.gone {
			v, is := s.now(x)
			list[i] = motleyNews{!is, v}
		} else {
			list[i].left = true
		}
	}
	return list
}

// joined tells of groups that an entity has come into or left since it was in some.
func (g *ghost) joined(x *soul, was, is []motleyNews) (asks []motleyAsk) {
	for i := range is {
		switch {
		case was[i].left && !is[i].left:
			asks = append(asks, g.tell(subjectGroups+i, false, x.e, is[i].v)...)
		case !was[i].left && is[i].left:
			asks = append(asks, g.tell(subjectGroups+i, true, x.e, was[i].v)...)
		}
	}
	return asks
}

// watched is what a watcher has heard since it was last asked.
func (g *ghost) watched(o *motleyWatch) (sum uint64) {
	for e, n := range o.first {
		if n.left {
			sum += heardOf(true, e, n.v)
		}
	}
	s := g.m.subjects[o.of]
	for e, came := range o.last {
		if x := g.souls[e]; came && x != nil {
			if v, is := s.now(x); is {
				sum += heardOf(false, e, v)
			}
		}
	}
	clear(o.first)
	clear(o.last)
	return sum
}
