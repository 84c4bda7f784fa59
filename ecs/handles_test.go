package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// handleStage is a world in which a system is given rows in one of the ways that there are.
type handleStage struct {
	w      *ecs.World
	hp     *ecs.Pool[hp]
	armour *ecs.Pool[[1]int32]
	born   *ecs.Pool[tag0]
	hps    *ecs.Query[struct{ HP []hp }]
	hpOf   *ecs.Query[struct{ HP *hp }]
	heal   *ecs.Query[struct {
		HP ecs.Write[hp]
	}]
	warm *ecs.Query[struct {
		HP   ecs.Write[hp]
		Ents []ecs.Entity
		_    ecs.Without[frozen]
	}]
	armours *ecs.Schema[struct {
		Armour ecs.WriteOne[[1]int32]
	}]
	parts *ecs.Schema[struct{ HP *hp }]
	es    []ecs.Entity
	held  []ecs.Contract[struct{ HP *hp }]
}

const handleRows = 300

func newHandleStage(t *testing.T, o ecs.Options, frozenEvery int, how ...ecs.Storage) *handleStage {
	w := world(t, o)
	s := &handleStage{w: w, hp: ecs.Register[hp](w, "hp", how...), armour: ecs.Register[[1]int32](w, "armour", how...), born: ecs.Register[tag0](w, "born")}
	ice := ecs.Register[frozen](w, "frozen", ecs.Volatile)
	spr := ecs.Register[sprite](w, "sprite")
	ecs.GroupMade[struct{ S sprite }](w, "sprites")
	for i := range handleRows {
		e := ok(w.Spawn())
		ok(0, spr.Add(e, sprite{}))
		ok(0, s.hp.Add(e, hp{int32(i)}))
		ok(0, s.armour.Add(e, [1]int32{int32(i)}))
		if frozenEvery > 0 && i%frozenEvery == 0 {
			ok(0, ice.Add(e, frozen{}))
		}
		s.es = append(s.es, e)
	}
	s.armours = ecs.SchemaOf[struct {
		Armour ecs.WriteOne[[1]int32]
	}](w)
	s.parts = ecs.SchemaOf[struct{ HP *hp }](w)
	for _, e := range s.es {
		s.held = append(s.held, ok(s.parts.Bind(e)))
	}
	s.hps = ecs.QueryOf[struct{ HP []hp }](w)
	s.hpOf = ecs.QueryOf[struct{ HP *hp }](w)
	s.warm = ecs.QueryOf[struct {
		HP   ecs.Write[hp]
		Ents []ecs.Entity
		_    ecs.Without[frozen]
	}](w)
	s.heal = ecs.QueryOf[struct {
		HP ecs.Write[hp]
	}](w)
	return s
}

// system adds one that adds 1000 to each hp, and calls f after each batch with an entity of
// it that has just been written.
func (s *handleStage) system(way string, f func(e ecs.Entity, c *ecs.Commands)) {
	switch way {
	case "whole":
		ecs.System(s.w, "hit", func(c *struct {
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			Cmd    *ecs.Commands
		}) {
			for i := range c.HP {
				c.HP[i].V += 1000
			}
			f(c.Ents[len(c.Ents)-1], c.Cmd)
		})
	case "filtered":
		ecs.System(s.w, "hit", func(c *struct {
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			Cmd    *ecs.Commands
			_      ecs.Without[frozen]
		}) {
			for i := range c.HP {
				c.HP[i].V += 1000
			}
			f(c.Ents[len(c.Ents)-1], c.Cmd)
		})
	case "any":
		ecs.System(s.w, "hit", func(c *struct {
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			Cmd    *ecs.Commands
			_      ecs.Or[frozen, hp]
		}) {
			for i := range c.HP {
				c.HP[i].V += 1000
			}
			f(c.Ents[len(c.Ents)-1], c.Cmd)
		})
	case "rows":
		ecs.System(s.w, "hit", func(c *struct {
			Rows   ecs.Rows
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			Cmd    *ecs.Commands
			_      ecs.Without[frozen]
		}) {
			for _, i := range c.Rows {
				c.HP[i].V += 1000
			}
			f(c.Ents[c.Rows[len(c.Rows)-1]], c.Cmd)
		})
	case "elsewhere":
		ecs.System(s.w, "hit", func(c *struct {
			Spr    []sprite
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			Cmd    *ecs.Commands
		}) {
			for i := range c.HP {
				c.HP[i].V += 1000
			}
			f(c.Ents[len(c.Ents)-1], c.Cmd)
		})
	case "rows elsewhere":
		ecs.System(s.w, "hit", func(c *struct {
			Rows   ecs.Rows
			Spr    []sprite
			HP     ecs.Write[hp]
			Armour [][1]int32
			Ents   []ecs.Entity
			Cmd    *ecs.Commands
		}) {
			for _, i := range c.Rows {
				c.HP[i].V += 1000
			}
			f(c.Ents[c.Rows[len(c.Rows)-1]], c.Cmd)
		})
	case "pointers":
		ecs.System(s.w, "hit", func(c *struct {
			HP     ecs.WriteOne[hp]
			Armour *[1]int32
			Ent    ecs.Entity
			Cmd    *ecs.Commands
			_      ecs.Without[frozen]
		}) {
			c.HP.V += 1000
			f(c.Ent, c.Cmd)
		})
	}
}

// Handles, queries within and commands see the same of the rows that a system is given, in each way
// in which it is given them: the table of docs/design/systems.md.
func TestWhatHandlesSee(t *testing.T) {
	type scene struct {
		name, way string
		runs      int
		every     int
		o         ecs.Options
		how       []ecs.Storage
	}
	stress := ecs.Options{Memory: memmgr.Options{Stress: true}}
	scenes := []scene{
		{name: "whole", way: "whole"},
		{name: "whole, stated", way: "whole", how: []ecs.Storage{ecs.Stable}},
		{name: "runs", way: "filtered", runs: 1, every: 100},
		{name: "gathered", way: "filtered", runs: 1 << 20, every: 2},
		{name: "gathered, stated", way: "filtered", runs: 1 << 20, every: 2, how: []ecs.Storage{ecs.Stable}},
		{name: "filtered, and nothing is", way: "filtered", how: []ecs.Storage{ecs.Stable}},
		{name: "filtered, and nothing is, under stress", way: "filtered", how: []ecs.Storage{ecs.Stable}, o: stress},
		{name: "rows", way: "rows", every: 2},
		{name: "any of, stated, under stress", way: "any", o: stress, how: []ecs.Storage{ecs.Stable}},
		{name: "of another owner", way: "elsewhere"},
		{name: "of another owner, gathered", way: "elsewhere", o: ecs.Options{Views: ecs.Views{Off: true}}},
		{name: "of another owner, kept", way: "elsewhere", o: ecs.Options{Views: ecs.Views{Always: true}}},
		{name: "rows, of another owner", way: "rows elsewhere"},
		{name: "pointers", way: "pointers", every: 2},
		{name: "whole under stress", way: "whole", o: stress},
		{name: "whole, stated, under stress", way: "whole", o: stress, how: []ecs.Storage{ecs.Stable}},
		{name: "runs under stress", way: "filtered", runs: 1, every: 100, o: stress},
		{name: "gathered under stress", way: "filtered", runs: 1 << 20, every: 2, o: stress},
		{name: "rows under stress", way: "rows", every: 2, o: stress},
		{name: "rows, stated, under stress", way: "rows", every: 2, o: stress, how: []ecs.Storage{ecs.Stable}},
		{name: "pointers under stress", way: "pointers", every: 2, o: stress},
	}
	for _, c := range []struct {
		what   string
		do     func(s *handleStage, e ecs.Entity, c *ecs.Commands) any
		want   func(i int32) any // of the entity that had i at the beginning, in place
		panics string            // "": not at all
	}{
		{"Get of what is read", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any { return s.armour.Get(e)[0] }, func(i int32) any { return i }, ""},
		{"Get of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any { return s.hp.Get(e).V }, func(i int32) any { return i + 1000 }, ""},
		{"Has of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any { return s.hp.Has(e) }, func(i int32) any { return true }, ""},
		{"Mut of what is read", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			s.armour.Mut(e)[0] += 7
			return s.armour.Get(e)[0]
		}, func(i int32) any { return i + 7 }, ""},
		{"Mut of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any { return s.hp.Mut(e).V }, func(i int32) any { return i + 1000 }, ""},
		{"Set of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			ok(0, s.hp.Set(e, hp{5}))
			return s.hp.Get(e).V
		}, func(i int32) any { return int32(5) }, ""},
		{"a query within that reads what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			for c := range s.hps.All() {
				for _, v := range c.HP {
					if v.V >= 1000 {
						return true
					}
				}
			}
			return false
		}, func(i int32) any { return true }, ""},
		{"a query's Get of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			v, _ := s.hpOf.Get(e)
			return v.HP.V
		}, func(i int32) any { return i + 1000 }, ""},
		{"a contract's of what is read", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			v, _ := s.armours.Get(new(ok(s.armours.Bind(e))))
			return v.Armour[0]
		}, func(i int32) any { return i }, ""},
		{"a contract's of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			for i := range s.es {
				if s.es[i] == e {
					v, _ := s.parts.Get(&s.held[i])
					return v.HP.V
				}
			}
			return nil
		}, func(i int32) any { return i + 1000 }, ""},
		{"a schema's of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			return s.parts.Value(e, "hp").(*hp).V
		}, func(i int32) any { return i + 1000 }, ""},
		{"a contract's Mut of what is read", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			v, _ := s.armours.Mut(new(ok(s.armours.Bind(e))))
			v.Armour[0] += 7
			return s.armour.Get(e)[0]
		}, func(i int32) any { return i + 7 }, ""},
		{"All of what is written", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			for x, v := range s.hp.All() {
				if x == e {
					return v.V
				}
			}
			return nil
		}, func(i int32) any { return i + 1000 }, ""},
		{"a query within that writes it, too", func(s *handleStage, e ecs.Entity, _ *ecs.Commands) any {
			for range s.heal.All() {
			}
			return true
		}, func(i int32) any { return true }, ""},
		{"a command's component", func(s *handleStage, e ecs.Entity, c *ecs.Commands) any {
			s.born.Later(c).Add(e, tag0{})
			return s.born.Has(e)
		}, func(i int32) any { return false }, ""},
		{"Add", func(s *handleStage, e ecs.Entity, c *ecs.Commands) any { return s.born.Add(e, tag0{}) }, nil, "call Later(do).Add, where do is"},
	} {
		for _, x := range scenes {
			s := newHandleStage(t, ecs.WithRunLength(x.o, x.runs), x.every, x.how...)
			calls := 0
			var got any
			var at int32
			s.system(x.way, func(e ecs.Entity, cmd *ecs.Commands) {
				if calls++; calls > 1 {
					return
				}
				for i := range s.es {
					if s.es[i] == e {
						at = int32(i)
					}
				}
				got = c.do(s, e, cmd)
			})
			message := ""
			func() {
				defer func() {
					if r := recover(); r != nil {
						message = fmt.Sprint(r)
					}
				}()
				ok(0, s.w.Run(t.Context()))
			}()
			if (c.panics == "") != (message == "") || !strings.Contains(message, c.panics) {
				t.Errorf("%s, %s: panic %q, want %q", x.name, c.what, message, c.panics)
			} else if c.panics == "" && got != c.want(at) {
				t.Errorf("%s, %s: %v, want %v", x.name, c.what, got, c.want(at))
			}
			if calls == 0 {
				t.Fatalf("%s: not called", x.name)
			}
			// Nothing is lent any more, and writes by handle have arrived.
			for i, e := range s.es {
				v, a := s.hp.Get(e).V%1000, s.armour.Get(e)[0]
				if v != int32(i) && (v != 5 || int32(i) != at) || a != int32(i) && (a != int32(i)+7 || int32(i) != at) {
					t.Fatalf("%s, %s: %v, the %dth, has %v and %v", x.name, c.what, e, i, v, a)
				}
				s.hp.Mut(e).V = 1
				s.armour.Mut(e)[0] = 1
			}
			ok(0, s.w.Check())
		}
	}
}
