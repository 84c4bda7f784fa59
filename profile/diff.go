package profile

import (
	"math"
	"slices"
	"strings"
)

// Change is one statement that differs between two profiles.
type Change struct {
	subject string   // the words that identify the statement, after the name of its world
	Was, Is string   // the statement without the sums that Figures compare; Was of an added one and Is of a removed one are ""
	Figures []Figure // the figures that differ; all of them if the statement was added or removed
}

// Figure is one of a statement's figures in two profiles. An absent figure is NaN.
type Figure struct {
	Unit    string // "rows/frame", "ns/run"
	Was, Is float64
}

// facet is a statement in the form in which Diff compares it.
type facet struct {
	subject, words string
	figures        []Figure // with Is alone
	times          Times    // of a system
}

// facets returns the facets of a profile, also by subject. One of each world is the order of its
// systems.
func facets(p Profile) (list []facet, at map[string]facet) {
	at = make(map[string]facet)
	add := func(f facet) {
		list = append(list, f)
		at[f.subject] = f
	}
	for _, part := range p.byWorld() {
		var systems []string
		for _, s := range part.statements() {
			words, figures := s.compared(part.Frames)
			f := facet{subject: s.about(), words: s.about() + words, figures: figures}
			if s.word == "system" {
				f.times = part.Systems[len(systems)].Times
				name := s.field(s.parts[0])
				systems = append(systems, name.Text())
			}
			if s.word != "frames" && s.word != "growth" { // more frames of the same work are not a difference
				add(f)
			}
		}
		if len(systems) > 1 {
			order := InWorld(part.World, "order of systems")
			add(facet{subject: order, words: order + " " + strings.Join(systems, " ")})
		}
	}
	return list, at
}

// Diff compares two profiles statement by statement. It compares facts per frame and times by
// their medians, so more frames of the same work are not a change. Nor is a median that lies
// within the spread of the other profile, from p10 to p90, because any two runs differ by that.
// Changes come in the canonical order of b, followed by the statements that b lacks.
func Diff(a, b Profile) (list []Change) {
	as, inA := facets(a)
	bs, inB := facets(b)
	for _, f := range bs {
		was, known := inA[f.subject]
		c := Change{f.subject, was.words, f.words, differing(was.figures, f.figures)}
		if known && alike(was.times, f.times) {
			c.Figures = slices.DeleteFunc(c.Figures, func(g Figure) bool { return g.Unit == runTime })
		}
		if !known || c.Was != c.Is || len(c.Figures) > 0 {
			list = append(list, c)
		}
	}
	for _, f := range as {
		if _, known := inB[f.subject]; !known {
			list = append(list, Change{f.subject, f.words, "", differing(f.figures, nil)})
		}
	}
	return list
}

// differing pairs figures by unit, and returns the pairs that differ.
func differing(was, is []Figure) (list []Figure) {
	for _, f := range was {
		list = append(list, Figure{f.Unit, f.Is, math.NaN()})
	}
	for _, f := range is {
		i := slices.IndexFunc(list, func(g Figure) bool { return g.Unit == f.Unit })
		if i < 0 {
			i = len(list)
			list = append(list, Figure{f.Unit, math.NaN(), 0})
		}
		list[i].Is = f.Is
	}
	return slices.DeleteFunc(list, func(f Figure) bool { return near(f.Was, f.Is) })
}

const runTime = "ns/run"

// alike reports whether one of two medians is within the spread of the other.
func alike(a, b Times) bool {
	known := a.P90 > 0 && b.P90 > 0
	return known && (a.P10 <= b.P50 && b.P50 <= a.P90 || b.P10 <= a.P50 && a.P50 <= b.P90)
}

// near reports whether two figures are equal but for rounding in the division by frames.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }
