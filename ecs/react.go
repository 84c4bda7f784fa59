package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// subject is the one of a field of type Arrived or Left.
func (w *World) subject(f *field.Field) *store.Subject {
	if f.Members == nil {
		return w.subjectOf(f.Under, f.Comp)
	}
	g := w.names.groupOf(f.Members)
	s := w.observed()
	if g.told == nil {
		declared := g.declared // the subject outlives the group
		g.told = s.MembersOf(&declared, g.offsets, g.typ.Size())
	}
	return g.told
}

// observed is the store, which tells the world of changes from now on.
func (w *World) observed() *store.Store {
	s := w.base.Store
	if !w.news.Asked() {
		w.answers.commands.world = w
		s.Observe(store.Observer{Done: w.react, Panicked: w.exit})
	}
	return s
}

// subjectOf is the subject of a component; nil: of entities as a whole.
func (w *World) subjectOf(k store.Kind, c *store.Component) *store.Subject {
	return w.observed().SubjectOf(k, c)
}

// deepMost is how deep observers may answer the commands of observers: commands beyond are dropped.
const deepMost = 16

// react carries out the commands of observers. The answers to each command come before the next one. Commands about entities that
// are spawned while something iterates wait for the next call of react.
func (w *World) react() {
	x := &w.answers
	if !x.asks() || w.base.Walks.Busy != "" {
		return
	}
	if x.depth == len(x.spare) {
		x.spare = append(x.spare, &Commands{world: w})
	}
	was, then := w.doing, call(0) // none if something panics
	w.doing = callCommand
	c := x.spare[x.depth]
	c.waitlist, x.commands.waitlist = x.commands.waitlist, c.waitlist
	x.over = x.over || x.depth == deepMost
	x.depth++
	defer func() {
		w.doing = then
		if x.depth--; x.depth == 0 {
			x.over = false
		}
		if len(c.q.Ops) > 0 { // an observer has panicked
			c.dropAll(errBehind, true)
		}
		w.commands.drops.Take(&c.drops)
	}()
	if err := c.apply(); err != nil {
		c.dropAll(err, true)
	}
	then = was
}
