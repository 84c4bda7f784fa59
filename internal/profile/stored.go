package profile

import (
	"cmp"
	"fmt"
	"slices"
)

// Stored is how a component that no group owns was stored at the end of a run, and why: for
// people to read. What a program stores how follows from what it does, never from a profile.
type Stored struct {
	Component string
	Way       string // "fixed", "optional" or "thin"
	Reason    string // in words, such as "removed often"
	Entities  uint64 // that have it
	Tables    uint64 // that these are in
}

// ways are what Stored.Way can be.
func ways() []string { return []string{"fixed", "optional", "thin"} }

func badWay(way string) string {
	if !slices.Contains(ways(), way) {
		return fmt.Sprintf("%.40q is no way to store a component: fixed, optional and thin are", way)
	}
	return ""
}

func storedSubject(s Stored) string { return subject("stored", s.Component) }

func (s Stored) text() string {
	return fmt.Sprintf("%s %s reason %s entities %d tables %d", storedSubject(s), s.Way, quote(s.Reason), s.Entities, s.Tables)
}

// mergeStored is that of the run in which more entities had it, by a total order, so that
// the order of merging makes no difference.
func mergeStored(s, t Stored) Stored {
	if cmp.Or(cmp.Compare(s.Entities, t.Entities), cmp.Compare(s.Tables, t.Tables), cmp.Compare(s.Way, t.Way), cmp.Compare(s.Reason, t.Reason)) < 0 {
		return t
	}
	return s
}

func (s Stored) facet() facet {
	sub := storedSubject(s)
	return facet{sub, sub + " " + s.Way + " reason " + quote(s.Reason), []Figure{perFigure(s.Entities, 1, "entities"), perFigure(s.Tables, 1, "tables")}}
}

func (p *Profile) storedTable() table {
	t := table{rows: [][]string{{"stored", "way", "reason", "entities", "tables"}}, left: []int{0, 1, 2}}
	for _, s := range p.Stored {
		t.add(quote(s.Component), s.Way, s.Reason, fmt.Sprint(s.Entities), fmt.Sprint(s.Tables))
	}
	return t
}

func (p *parser) stored(c *cursor) string {
	s := Stored{Component: c.name("the component's name")}
	if s.Way = c.keyword(ways()...); s.Way == "" && !p.bad {
		if w, ok := c.value("way"); ok {
			c.wrong("%s", badWay(w.text))
		}
	}
	c.fields(field{"reason", true, func(key string) { s.Reason = c.name("the reason") }}, c.number64("entities", &s.Entities), c.number64("tables", &s.Tables))
	sub := storedSubject(s)
	if c.ok(sub) {
		p.f.Stored = append(p.f.Stored, s)
		p.fact(sub)
	}
	return sub
}
