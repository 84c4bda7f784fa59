package profile

import (
	"fmt"
	"slices"
)

// Check returns every problem that keeps a profile from being written: a name that is
// empty, too long or stated twice, a figure that the text form can't carry. The error is
// a *[Problems].
func (p Profile) Check() error {
	p = p.Canonical()
	return p.problems(p.statements()).err()
}

// problems finds what is wrong with a canonical profile, whose statements list are.
func (p *Profile) problems(list []statement) *Problems {
	ps := &Problems{}
	fail := func(subject, text string) {
		if text != "" {
			ps.add(Problem{Text: fmt.Sprintf("%.80s: %s", subject, text), about: subject})
		}
	}
	for _, c := range p.Components {
		s := subject("component", c.Name)
		fail(s, badName(c.Name))
		fail(s, badSize(c.Size))
		fail(s, badAlign(c.Align))
	}
	for _, c := range p.Stored {
		s := storedSubject(c)
		fail(s, badName(c.Component))
		fail(s, badWay(c.Way))
		fail(s, badName(c.Reason))
	}
	for _, g := range p.Groups {
		s := subject("group", g.Name)
		fail(s, badName(g.Name))
		fail(s, badList(g.Owns, 0))
	}
	for _, v := range p.Shared {
		s := sharedSubject(v)
		fail(s, badName(v.Group))
		fail(s, badName(v.Component))
		fail(s, badReaders(v.Readers))
	}
	for i := range p.Systems {
		s := &p.Systems[i]
		fail(subject("system", s.Name), badName(s.Name))
		fail(subject("system", s.Name), s.Times.problem())
		for _, a := range s.Access {
			fail(accessSubject(s.Name, a), badName(a.Group))
			fail(accessSubject(s.Name, a), badName(a.Component))
		}
		for _, c := range s.Choices {
			sub := choiceSubject(s.Name, c)
			fail(sub, badName(c.Group))
			fail(sub, badName(c.Component))
			fail(sub, badStrategy(c.Use))
			fail(sub, badOrder(c.Order))
			for _, use := range strategies() {
				fail(sub, badCost(c.Costs.Of(use)))
			}
		}
	}
	p.Intent.problems(fail)
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if seen[s.subject] {
			fail(s.subject, "it is stated twice: leave one")
		}
		seen[s.subject] = true
		if len(s.text) > lineMax/4 { // which leaves room for a comment
			fail(s.subject, fmt.Sprintf("its line would have %d bytes, and a line has at most %d: use shorter names", len(s.text), lineMax/4))
		}
	}
	if len(list) > statementMax {
		fail("profile", fmt.Sprintf("it has %d statements, and a file has at most %d: record less", len(list), statementMax))
	}
	return ps
}

func (in *Intent) problems(fail func(subject, text string)) {
	for _, e := range in.Every {
		fail(subject("expect", e.System), badName(e.System))
		if e.Frames < 1 || e.Frames > numberMax {
			fail(subject("expect", e.System), fmt.Sprintf("every %d: one run in 1 to %d frames can be expected", e.Frames, numberMax))
		}
	}
	for _, h := range in.Heat {
		fail(subject("heat", h.Group), badName(h.Group))
	}
	for _, g := range in.Pinned {
		fail(subject("pin", g), badName(g))
	}
	for _, t := range in.Together {
		fail("together "+quoteList(t), badList(t, 2))
	}
	for _, v := range in.Views {
		s := subject("view", v.System, v.Component)
		fail(s, badName(v.System))
		fail(s, badName(v.Component))
		fail(s, badChoice(v.Choice))
	}
	if in.Budget.Time < 0 {
		fail("budget", "its time is negative: leave it out for the default, or state off")
	}
}

// What follows says what is wrong with a value, or "".

func badName(name string) string {
	switch {
	case name == "":
		return "a name is empty: give it one"
	case len(name) > nameMax:
		return fmt.Sprintf("a name has %d bytes, and at most %d are taken: use a shorter one", len(name), nameMax)
	}
	return ""
}

func badList(names []string, least int) string {
	if len(names) < least {
		return fmt.Sprintf("it names %d, and takes %d at least, with commas between them", len(names), least)
	}
	// Duplicates stand next to each other once sorted.
	s := sorted(names, func(s string) string { return s })
	for i, n := range s {
		if bad := badName(n); bad != "" {
			return bad
		}
		if i > 0 && s[i-1] == n {
			return fmt.Sprintf("%s is named twice: leave one", quote(n))
		}
	}
	return ""
}

func badSize(n int) string {
	if n < 0 || n > numberMax {
		return fmt.Sprintf("its size is %d: it has to be from 0 to %d bytes", n, numberMax)
	}
	return ""
}

func badAlign(n int) string {
	if n < 1 || n > numberMax || n&(n-1) != 0 {
		return fmt.Sprintf("its alignment is %d: it has to be a power of two", n)
	}
	return ""
}

func badReaders(n int) string {
	if n < 0 || n > numberMax {
		return fmt.Sprintf("it has %d readers: 0 to %d can be", n, numberMax)
	}
	return ""
}

// choices are what a view can be.
func choices() []string { return []string{"alias", "stream", "keep", "none"} }

func badChoice(c string) string {
	if !slices.Contains(choices(), c) {
		return fmt.Sprintf("%.40q is no choice of a view: alias, stream, keep and none are", c)
	}
	return ""
}
