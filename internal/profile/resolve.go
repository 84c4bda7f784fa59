package profile

import (
	"fmt"
	"slices"
	"strings"
)

// Shape is what a program has: what a profile has to be about to be of use to it. Tables
// need not be listed: they come and go, and a program has those of its components.
type Shape struct {
	Systems    []string
	Groups     []GroupShape
	Components []Component
}

// GroupShape is a group and what it owns, in the order of its columns.
type GroupShape struct {
	Name string
	Owns []string
}

// ShapeOf is the shape that a profile describes.
func ShapeOf(p Profile) Shape {
	s := Shape{Components: copied(p.Components)}
	for _, g := range p.Groups {
		s.Groups = append(s.Groups, GroupShape{g.Name, copied(g.Owns)})
	}
	for i := range p.Systems {
		s.Systems = append(s.Systems, p.Systems[i].Name)
	}
	return s
}

// Dropped counts what a program could not use of a profile, by statement.
type Dropped struct {
	Components int // that it has not, and how they were stored
	Shapes     int // components that have another size or alignment in it
	Groups     int // that it has not, or that own other components in it
	Systems    int // that it has not
	Accesses   int // of these
	Views      int // shared components, and choices of how a system gets one
	Intent     int // about these
}

// Total is the number of statements.
func (d Dropped) Total() int {
	return d.Components + d.Shapes + d.Groups + d.Systems + d.Accesses + d.Views + d.Intent
}

// Resolve returns what a program of that shape can use of a profile, and counts what it
// can't: facts and intent about systems, groups and components that it has not, about a
// component whose size or alignment has changed (intent excepted, which goes by the name), and about a group that owns other
// components. If mode is Strict, there is an error instead, a *[Problems] that names all of these.
func Resolve(p Profile, s Shape, mode Mode) (Profile, Dropped, error) {
	return (&File{Profile: p}).Resolve(s, mode)
}

// Resolve is [Resolve] of a file's profile: problems have the lines that the file had when it was read.
func (f *File) Resolve(s Shape, mode Mode) (Profile, Dropped, error) {
	var ps Problems
	r := resolver{has: s.index(), drop: func(n *int, subject, why string) {
		*n++
		ps.add(Problem{File: f.Name, Line: f.lines[subject], Text: fmt.Sprintf("%.80s: %s: record the profile anew, take the statement out, or leave strict mode, which drops it", subject, why)})
	}}
	q := r.resolve(f.Profile.Canonical())
	if mode == Strict {
		if err := ps.err(); err != nil {
			return Profile{}, r.dropped, err
		}
	}
	return q, r.dropped, nil
}

// index is a shape to look things up in.
type index struct {
	systems    map[string]bool
	groups     map[string][]string
	components map[string]Component
}

func (s Shape) index() index {
	x := index{map[string]bool{}, map[string][]string{}, map[string]Component{}}
	for _, n := range s.Systems {
		x.systems[n] = true
	}
	for _, g := range s.Groups {
		x.groups[g.Name] = g.Owns
	}
	for _, c := range s.Components {
		x.components[c.Name] = c
	}
	return x
}

func (x index) component(name string) bool {
	_, ok := x.components[name]
	return ok
}

func (x index) group(name string) bool {
	if x.declared(name) {
		return true
	}
	t, table := ParseTable(name)
	return table && (t.Group == "" || x.declared(t.Group)) && x.all(t.Components())
}

func (x index) declared(group string) bool {
	_, ok := x.groups[group]
	return ok
}

func (x index) all(components []string) bool {
	return !slices.ContainsFunc(components, func(c string) bool { return !x.component(c) })
}

// owns tells whether a group that is there owns these components, and what it owns. The
// name of a table with many says the first of them only: the rest need to be there.
func (x index) owns(name string, owns []string) (is []string, ok bool) {
	if is, ok := x.groups[name]; ok {
		return is, slices.Equal(is, owns)
	}
	t, _ := ParseTable(name)
	is = t.Components()
	if t.Cut && len(owns) > len(is) {
		return is, slices.Equal(is, owns[:len(is)]) && x.all(owns)
	}
	return is, !t.Cut && slices.Equal(is, owns)
}

// field finds the component that it is, or is a field's path in.
func (x index) field(path string) (component string, ok bool) {
	for i := len(path); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		if x.component(path[:i]) {
			return path[:i], true
		}
	}
	return "", false
}

type resolver struct {
	has     index
	dropped Dropped
	drop    func(n *int, subject, why string)
	open    bool // there may be groups and components besides
}

// resolve filters a canonical profile, which is its own to change.
func (r *resolver) resolve(p Profile) Profile {
	d := &r.dropped
	bad := map[string]bool{} // component or group that is known by another shape
	p.Components = keep(p.Components, func(c Component) bool {
		s := subject("component", c.Name)
		is, ok := r.has.components[c.Name]
		switch {
		case !ok:
			r.drop(&d.Components, s, "the program has no such component")
		case is != c:
			bad[s] = true
			r.drop(&d.Shapes, s, fmt.Sprintf("it has size %d align %d in the program, and size %d align %d here", is.Size, is.Align, c.Size, c.Align))
		}
		return ok && is == c
	})
	p.Stored = keep(p.Stored, func(c Stored) bool {
		ok := (r.open || r.has.component(c.Component)) && !bad[subject("component", c.Component)]
		if !ok {
			r.drop(&d.Components, storedSubject(c), "the program has not its component, or has it otherwise")
		}
		return ok
	})
	p.Groups = keep(p.Groups, func(g Group) bool {
		s := subject("group", g.Name)
		if !r.has.group(g.Name) {
			r.drop(&d.Groups, s, "the program has no such group")
			return false
		}
		owns, ok := r.has.owns(g.Name, g.Owns)
		if !ok {
			bad[s] = true
			r.drop(&d.Groups, s, fmt.Sprintf("it owns %s in the program, and %s here", quoteList(owns), quoteList(g.Owns)))
		}
		return ok
	})
	p.Systems = keep(p.Systems, func(s System) bool {
		if !r.has.systems[s.Name] {
			r.drop(&d.Systems, subject("system", s.Name), "the program has no such system")
			d.Accesses += len(s.Access)
			d.Views += len(s.Choices)
			return false
		}
		return true
	})
	for i := range p.Systems {
		s := &p.Systems[i]
		s.Access = keep(s.Access, func(a Access) bool {
			ok := (r.open || r.has.group(a.Group) && r.has.component(a.Component)) && !bad[subject("group", a.Group)] && !bad[subject("component", a.Component)]
			if !ok {
				r.drop(&d.Accesses, accessSubject(s.Name, a), "the program has not its group or component, or has them otherwise")
			}
			return ok
		})
	}
	r.views(&p, bad)
	p.Intent = r.intent(p.Intent)
	return p
}

// views filters what is known of shared components.
func (r *resolver) views(p *Profile, bad map[string]bool) {
	known := func(group, path, subjectOf string) bool {
		c, ok := r.has.field(path)
		ok = (r.open || ok && r.has.group(group)) && !bad[subject("group", group)] && !bad[subject("component", c)]
		if !ok {
			r.drop(&r.dropped.Views, subjectOf, "the program has not its group or component, or has them otherwise")
		}
		return ok
	}
	p.Shared = keep(p.Shared, func(s Shared) bool { return known(s.Group, s.Component, sharedSubject(s)) })
	for i := range p.Systems {
		s := &p.Systems[i]
		s.Choices = keep(s.Choices, func(c Choice) bool { return known(c.Group, c.Component, choiceSubject(s.Name, c)) })
	}
}

func (r *resolver) intent(in Intent) Intent {
	known := func(ok bool, subject string) bool {
		if !ok {
			r.drop(&r.dropped.Intent, subject, "the program has not what it is about")
		}
		return ok
	}
	in.Every = keep(in.Every, func(e Every) bool { return known(r.has.systems[e.System], subject("expect", e.System)) })
	in.Heat = keep(in.Heat, func(h Heat) bool { return known(r.has.group(h.Group), subject("heat", h.Group)) })
	in.Pinned = keep(in.Pinned, func(g string) bool { return known(r.has.group(g), subject("pin", g)) })
	in.Views = keep(in.Views, func(v View) bool {
		_, field := r.has.field(v.Component)
		return known(r.has.systems[v.System] && field, subject("view", v.System, v.Component))
	})
	in.Together = keep(in.Together, func(t []string) bool {
		return known(!slices.ContainsFunc(t, func(c string) bool { return !r.has.component(c) }), "together "+quoteList(t))
	})
	return in
}

// keep filters in place, and asks about each element once; nothing left is nil.
func keep[T any](s []T, ok func(T) bool) []T {
	if s = slices.DeleteFunc(s, func(x T) bool { return !ok(x) }); len(s) == 0 {
		return nil
	}
	return s
}

// Overlap is the share, from 0 to 1, of what a profile describes that a program of this shape has: by
// bytes per frame, or by statements where it tells of no bytes. What describes nothing
// overlaps with everything.
func Overlap(p Profile, s Shape) float64 {
	r := resolver{has: s.index(), drop: func(n *int, _, _ string) { *n++ }}
	all := p.Canonical()
	kept := r.resolve(p.Canonical())
	if bytes := all.accessBytes(); bytes > 0 {
		return kept.accessBytes() / bytes
	}
	if n := all.subjects(); n > 0 {
		return float64(n-r.dropped.Total()) / float64(n)
	}
	return 1
}

// accessBytes is what the systems touched.
func (p *Profile) accessBytes() (bytes float64) {
	for i := range p.Systems {
		for _, a := range p.Systems[i].Access {
			bytes += float64(a.Bytes)
		}
	}
	return bytes
}

// subjects counts the statements that may be about something that a program has not.
func (p *Profile) subjects() int {
	in := &p.Intent
	n := len(p.Components) + len(p.Stored) + len(p.Groups) + len(p.Shared) + len(p.Systems) + len(in.Every) + len(in.Heat) + len(in.Pinned) + len(in.Views) + len(in.Together)
	for i := range p.Systems {
		n += len(p.Systems[i].Access) + len(p.Systems[i].Choices)
	}
	return n
}
