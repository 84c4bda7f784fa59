package profile

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// Change is one statement that differs between two profiles.
type Change struct {
	Subject string     // the words that tell the statement from all others
	Kind    ChangeKind // for facts and intent alike
	Was, Is string     // the statement without the sums that Figures compare, "" where it is not
	Figures []Figure   // that differ; all of them if the statement was added or removed
}

// ChangeKind is what has happened to a statement.
type ChangeKind uint8

const (
	Changed ChangeKind = iota
	Added
	Removed
)

func (k ChangeKind) String() string { return [...]string{"changed", "added", "removed"}[k] }

// Figure is one of a statement's figures in two profiles: NaN where it is absent.
type Figure struct {
	Unit    string // "rows/frame", "ns/run"
	Was, Is float64
}

// Ratio is Is by Was: +Inf for what was 0, 1 for what is 0 in both, NaN where one is absent.
func (f Figure) Ratio() float64 {
	switch {
	case f.Was == f.Is:
		return 1
	case f.Was == 0 && f.Is > 0:
		return math.Inf(1)
	}
	return f.Is / f.Was
}

// Diff compares two profiles statement by statement, facts per frame (times by their medians,
// misses per run that was counted): so the same work done for longer is no change. The order is that of canonical text; what
// was removed stands where it stood in a.
func Diff(a, b Profile) []Change {
	as, bs := facets(a.Canonical()), facets(b.Canonical())
	subjectOf := func(f facet) string { return f.subject }
	inA, inB := indexBy(as, subjectOf), indexBy(bs, subjectOf)
	var list []Change
	for _, f := range mergeNamed(bs, as, subjectOf, func(x, _ facet) facet { return x }) {
		was, before := inA[f.subject]
		is, after := inB[f.subject]
		c := Change{Subject: f.subject, Was: was.text, Is: is.text}
		switch {
		case !before:
			c.Kind = Added
		case !after:
			c.Kind = Removed
		}
		for _, unit := range units(was, is) {
			g := Figure{unit, was.value(unit), is.value(unit)}
			if c.Kind != Changed || !near(g.Was, g.Is) {
				c.Figures = append(c.Figures, g)
			}
		}
		if c.Kind != Changed || c.Was != c.Is || len(c.Figures) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// near forgives what dividing sums by frames rounds.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

// facet is a statement as people compare it.
type facet struct {
	subject, text string
	figures       []Figure // with Is alone
}

func (f facet) value(unit string) float64 {
	for _, g := range f.figures {
		if g.Unit == unit {
			return g.Is
		}
	}
	return math.NaN()
}

// units are those that either has.
func units(a, b facet) (list []string) {
	for _, g := range slices.Concat(a.figures, b.figures) {
		if !slices.Contains(list, g.Unit) {
			list = append(list, g.Unit)
		}
	}
	return list
}

func indexBy[T any, K comparable](s []T, key func(T) K) map[K]T {
	m := make(map[K]T, len(s))
	for _, x := range s {
		m[key(x)] = x
	}
	return m
}

// facets is a canonical profile as people compare it.
func facets(p Profile) (list []facet) {
	p.Intent.state(func(subject, format string, args ...any) {
		list = append(list, facet{subject: subject, text: fmt.Sprintf(format, args...)})
	})
	for _, c := range p.Components {
		list = append(list, facet{subject: subject("component", c.Name), text: fmt.Sprintf("%s size %d align %d", subject("component", c.Name), c.Size, c.Align)})
	}
	for _, s := range p.Stored {
		list = append(list, s.facet())
	}
	for _, g := range p.Groups {
		s := subject("group", g.Name)
		f := facet{s, s, []Figure{
			perFigure(g.Rows, p.Frames, "rows/frame"), perFigure(g.Chunks, p.Frames, "chunks/frame"), perFigure(g.Peak, 1, "rows at most"), perFigure(g.Last, 1, "rows at last")}}
		if len(g.Owns) > 0 {
			f.text += " owns " + quoteList(g.Owns)
		}
		list = append(list, f)
	}
	for _, s := range p.Shared {
		list = append(list, s.facet(p.Frames))
	}
	names := make([]string, len(p.Systems))
	for i := range p.Systems {
		s := &p.Systems[i]
		names[i] = quote(s.Name)
		sub := subject("system", s.Name)
		f := facet{sub, sub, []Figure{perFigure(s.Frames, p.Frames, "runs/frame")}}
		if s.Timed > 0 {
			f.figures = append(f.figures, perFigure(uint64(s.Times.P50), 1, "ns/run"))
		}
		if m := s.Misses; m.Runs > 0 {
			f.figures = append(f.figures, perFigure(m.Cache, m.Runs, "cache misses/run"), perFigure(m.TLB, m.Runs, "TLB misses/run"))
		}
		list = append(list, f)
		for _, a := range s.Access {
			sub := accessSubject(s.Name, a)
			list = append(list, facet{sub, sub, []Figure{
				perFigure(a.Rows, p.Frames, "rows/frame"), perFigure(a.Chunks, p.Frames, "chunks/frame"), perFigure(a.Bytes, p.Frames, "bytes/frame")}})
		}
		for _, c := range s.Choices {
			list = append(list, c.facet(s.Name, p.Frames))
		}
	}
	if len(names) > 1 {
		list = append(list, facet{subject: "order of systems", text: "order of systems " + strings.Join(names, " ")})
	}
	return list
}

// perFigure is a mean.
func perFigure(sum, n uint64, unit string) Figure {
	return Figure{Unit: unit, Is: float64(sum) / float64(max(n, 1))}
}

// WriteChanges writes what Diff found for people, a line a figure.
func WriteChanges(w io.Writer, changes []Change) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range changes {
		text := cmp.Or(c.Is, c.Was)
		if c.Kind == Changed && c.Was != c.Is {
			text = c.Was + " → " + c.Is
		}
		fmt.Fprintf(t, "%s  %s\n", c.Kind, text)
		for _, f := range c.Figures {
			switch c.Kind {
			case Added:
				fmt.Fprintf(t, "  %s\t%s\n", f.Unit, figureText(f.Is))
			case Removed:
				fmt.Fprintf(t, "  %s\t%s\n", f.Unit, figureText(f.Was))
			default:
				fmt.Fprintf(t, "  %s\t%s → %s%s\n", f.Unit, figureText(f.Was), figureText(f.Is), ratioText(f.Ratio()))
			}
		}
	}
	return t.Flush()
}

// ratioText is a cell more, or none.
func ratioText(r float64) string {
	switch {
	case math.IsInf(r, 1):
		return "\tfrom nothing"
	case math.IsNaN(r):
		return ""
	}
	return fmt.Sprintf("\t%.3gx", r)
}

// figureText is a figure as people read it: – where it is absent, whole from 100 on, with at most two decimals below.
func figureText(f float64) string {
	if math.IsNaN(f) {
		return "–"
	}
	if f >= 100 || f == math.Trunc(f) {
		return fmt.Sprintf("%.0f", f)
	}
	if f < 0.01 {
		return fmt.Sprintf("%.2g", f)
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}
