package game

import (
	"reflect"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// asked is the columns that a system's struct names.
type asked struct {
	system  string
	columns []Column
}

// Column describes one field of a system's struct.
type Column struct {
	Component string
	Field     string // of the component; "" for the whole
	Write     bool   // read otherwise
	Handle    bool   // reached by handle, through a pool: nothing is known about it
}

func (c Column) String() string {
	if c.Field != "" {
		return c.Component + "." + c.Field
	}
	return c.Component
}

// system registers a system and notes the columns of its struct.
func system[S any](g *Game, name string, fn func(*S), options ...ecs.SystemOption) {
	g.asked = append(g.asked, asked{name, columnsOf(reflect.TypeFor[S](), g.names)})
	ecs.System(g.World, name, fn, options...)
}

// columnsOf reads a system's struct as package ecs does; names are the names of the
// components that types of values and pools stand for. Package ecs finds mistakes.
func columnsOf(t reflect.Type, names map[reflect.Type]string) (columns []Column) {
	for f := range t.Fields() {
		var c Column
		switch of := f.Type; {
		case names[of] != "":
			c.Component, c.Handle = names[of], true
		case of.Kind() == reflect.Slice && of != reflect.TypeFor[[]ecs.Entity]():
			c.Component = names[of.Elem()]
		case strings.Contains(of.Name(), "Strided["): // its tag names the field
		default:
			continue
		}
		c.Write = strings.HasPrefix(f.Type.Name(), "Write")
		if name := f.Tag.Get("ashlar"); name != "" {
			c.Component, c.Field, _ = strings.Cut(name, ".")
		}
		columns = append(columns, c)
	}
	return columns
}

// Usage is the record of one system, summed over frames.
type Usage struct {
	System string
	Times  profile.Times // of the runs that were timed
	Timed  uint64        // how many they were
	Frames uint64
	Rows   uint64 // that it went over, by its first column
	Reads  []Read
}

// Read is one column of a system in one group.
type Read struct {
	Column
	Group    string // that owns it; "" for a component that is reached by handle
	Strategy string // how the system got it
}

// Usage returns the record of each system, in the order in which they run. It is known if the
// world records.
func (g *Game) Usage() []Usage {
	facts := g.World.Facts()
	return usageOf(g.asked, facts, func(system string, c Column, a profile.Access) string {
		return strategyOf(facts, system, c, a)
	})
}

// strategyOf is how a system got a column. A column that the system's own group owns is a chunk's own; others
// are gathered just before use, unless a choice says otherwise.
func strategyOf(facts profile.Profile, system string, c Column, a profile.Access) string {
	if !a.Scattered {
		return "owned"
	}
	for _, s := range facts.Systems {
		for _, x := range s.Choices {
			if s.Name != system || x.Component != c.String() {
				continue
			}
			return x.Use
		}
	}
	return "gathered"
}

// usageOf joins the columns of systems with the record.
func usageOf(list []asked, facts profile.Profile, strategyOf func(string, Column, profile.Access) string) []Usage {
	var usages []Usage
	for _, a := range list {
		u := Usage{System: a.system}
		var accesses []profile.Access
		for _, s := range facts.Systems {
			if s.Name == a.system {
				u.Times, u.Timed, u.Frames, accesses = s.Times, s.Timed, s.Frames, s.Access
			}
		}
		for i, c := range a.columns {
			if c.Handle {
				u.Reads = append(u.Reads, Read{Column: c, Strategy: "by handle"})
				continue
			}
			for _, x := range accesses {
				if x.Write != c.Write || x.Component != c.Component && x.Component != c.String() {
					continue
				}
				u.Reads = append(u.Reads, Read{c, x.Group, strategyOf(a.system, c, x)})
				if i == 0 { // the component that the system is about, which it asks for once
					u.Rows += x.Rows
				}
			}
		}
		usages = append(usages, u)
	}
	return usages
}
