package profile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Stored is how a component that no group owns was stored at the end of a run, and why. It is for
// people and advice: how a program stores a component follows from what the program does.
type Stored struct {
	Component string
	Way       string // "fixed", "optional" or "thin"
	Reason    string // in words, such as "removed often"
	Entities  uint64 // that have it
	Tables    uint64 // that these are in
}

// ways are what Stored.Way can be.
func ways() []string { return []string{"fixed", "optional", "thin"} }

func storedOf(p *Profile) []statement { return collect(p.Stored, itself[Stored]) }

func readStored(c *text.Cursor) statement {
	s := Stored{Component: c.Name("the component's name"), Way: c.Choice("way", ways()...)}
	c.Fields(s.figures(), text.Field{Key: "reason", Read: func(string) { s.Reason = c.Name("the reason") }})
	return s
}

func (s *Stored) figures() []text.Figure {
	return []text.Figure{{Key: "entities", Value: &s.Entities}, {Key: "tables", Value: &s.Tables}}
}

func (s Stored) state() string   { return fmt.Sprintf(" %s reason %s", s.Way, text.Quote(s.Reason)) }
func (s Stored) subject() string { return text.Subject("stored", s.Component) }
func (s Stored) rest() string    { return s.state() + text.Write(s.figures()) }
func (s Stored) into(p *Profile) { p.Stored = append(p.Stored, s) }

func (s Stored) problem() string {
	if !slices.Contains(ways(), s.Way) {
		return fmt.Sprintf("%.40q is not a way to store a component: fixed, optional and thin are", s.Way)
	}
	return badNames(s.Component, s.Reason)
}

// merge keeps that of the run in which more entities had it, by a total order.
func (s Stored) merge(with statement) (statement, bool) {
	t := with.(Stored)
	if cmp.Or(cmp.Compare(s.Entities, t.Entities), cmp.Compare(s.Tables, t.Tables), cmp.Compare(s.Way, t.Way), cmp.Compare(s.Reason, t.Reason)) < 0 {
		return t, true
	}
	return s, true
}

func (s Stored) compared(uint64) (string, []Figure) {
	return s.state(), []Figure{per(s.Entities, 1, "entities"), per(s.Tables, 1, "tables")}
}
