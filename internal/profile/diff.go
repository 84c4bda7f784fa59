package profile

import (
	"math"
	"slices"
	"strings"
)

// Change is one statement that differs between two profiles.
type Change struct {
	Subject string     // the words that identify the statement, after those of its world
	Kind    ChangeKind // for facts and hints alike
	Was, Is string     // the statement without the sums that Figures compare, "" where there is none
	Figures []Figure   // that differ; all of them if the statement was added or removed
}

// ChangeKind says what happened to a statement.
type ChangeKind uint8

const (
	Changed ChangeKind = iota
	Added
	Removed
)

func (k ChangeKind) String() string { return [...]string{"changed", "added", "removed"}[k] }

// Figure is one of a statement's figures in two profiles. An absent figure is NaN.
type Figure struct {
	Unit    string // "rows/frame", "ns/run"
	Was, Is float64
}

// Ratio returns Is divided by Was. It is +Inf if only Was is 0, 1 if both are 0, and NaN if one
// is absent.
func (f Figure) Ratio() float64 {
	switch {
	case f.Was == f.Is:
		return 1
	case f.Was == 0 && f.Is > 0:
		return math.Inf(1)
	}
	return f.Is / f.Was
}

// facet is a statement in the form in which Diff compares it.
type facet struct {
	subject, words string
	figures        []Figure // with Is alone
}

// facets returns the facets of a profile. One of each world is the order of its systems.
func facets(p Profile) (list []facet, at map[string]*facet) {
	for _, part := range p.ByWorld() {
		var systems []string
		for _, s := range part.statements() {
			words, figures := s.compared(part.Frames)
			if s.word != "frames" { // more frames of the same work are not a difference
				list = append(list, facet{s.about(), s.about() + words, figures})
			}
			if s.word == "system" {
				systems = append(systems, s.parts[0].Text())
			}
		}
		if len(systems) > 1 {
			order := InWorld(part.World, "order of systems")
			list = append(list, facet{subject: order, words: order + " " + strings.Join(systems, " ")})
		}
	}
	at = make(map[string]*facet, len(list))
	for i := range list {
		at[list[i].subject] = &list[i]
	}
	return list, at
}

func (f *facet) value(unit string) float64 {
	if f != nil {
		for _, g := range f.figures {
			if g.Unit == unit {
				return g.Is
			}
		}
	}
	return math.NaN()
}

// Diff compares two profiles statement by statement. It compares facts per frame and times by
// their medians, so more frames of the same work are not a change. Changes come in the canonical
// order of b, followed by the statements that b lacks.
func Diff(a, b Profile) (list []Change) {
	as, inA := facets(a)
	bs, inB := facets(b)
	for _, f := range bs {
		was := inA[f.subject]
		c := Change{Subject: f.subject, Kind: Added, Is: f.words}
		if was != nil {
			c.Kind, c.Was = Changed, was.words
		}
		if c.compare(was, &f); c.Kind == Added || c.Was != c.Is || len(c.Figures) > 0 {
			list = append(list, c)
		}
	}
	for _, f := range as {
		if inB[f.subject] == nil {
			c := Change{Subject: f.subject, Kind: Removed, Was: f.words}
			c.compare(&f, nil)
			list = append(list, c)
		}
	}
	return list
}

// compare fills in the figures that differ.
func (c *Change) compare(was, is *facet) {
	for _, f := range []*facet{was, is} {
		if f == nil {
			continue
		}
		for _, g := range f.figures {
			v := Figure{g.Unit, was.value(g.Unit), is.value(g.Unit)}
			known := slices.ContainsFunc(c.Figures, func(h Figure) bool { return h.Unit == v.Unit })
			if !known && (c.Kind != Changed || !near(v.Was, v.Is)) {
				c.Figures = append(c.Figures, v)
			}
		}
	}
}

// near reports whether two figures are equal but for rounding in the division by frames.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }
