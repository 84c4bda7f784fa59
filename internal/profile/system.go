package profile

import "github.com/ashlar-go/ashlar/internal/profile/text"

// System is what one system did.
type System struct {
	Name    string
	Frames  uint64 // in which it ran
	Timed   uint64 // runs that Times are of
	Times   Times
	Access  []Access // in the order of the walk: by group as visited, then by column
	Choices []Choice // by group and component
}

// systemsOf lists systems, each with its accesses and choices.
func systemsOf(p *Profile) (list []statement) {
	for _, s := range p.Systems {
		list = append(list, head(s))
		list = append(list, inOrder(s.Access, func(a Access) statement { return accessOf{s.Name, a} })...)
		list = append(list, collect(s.Choices, func(c Choice) statement { return choiceOf{s.Name, c} })...)
	}
	return list
}

// head is a system without accesses and choices.
type head System

func readSystem(c *text.Cursor) statement {
	s := head{Name: c.Name("the system's name")}
	c.Fields(s.figures(), s.Times.fields(c)...)
	return s
}

func (s *head) figures() []text.Figure {
	return []text.Figure{{Key: "frames", Value: &s.Frames}, {Key: "timed", Value: &s.Timed, Optional: true}}
}

func (s head) subject() string { return text.Subject("system", s.Name) }

func (s head) rest() string {
	rest := text.Write(s.figures())
	if s.Timed != 0 || s.Times != (Times{}) {
		rest += s.Times.text()
	}
	return rest
}

func (s head) problem() string {
	if bad := s.Times.problem(); bad != "" {
		return bad
	}
	return text.BadName(s.Name)
}

func (s head) merge(with statement) (statement, bool) {
	t := with.(head)
	s.Frames = add(s.Frames, t.Frames)
	s.Timed, s.Times = timesOf(s, t)
	return s, true
}

func (s head) compared(frames uint64) (string, []Figure) {
	figures := []Figure{per(s.Frames, frames, "runs/frame")}
	if s.Timed > 0 {
		figures = append(figures, per(uint64(s.Times.P50), 1, "ns/run"))
	}
	return "", figures
}

func (s head) into(p *Profile) {
	s.Access, s.Choices = nil, nil
	p.Systems = append(p.Systems, System(s))
}

// system is the one of a name, which a statement above has added: the last one as a rule.
func (p *Profile) system(name string) *System {
	for i := len(p.Systems) - 1; ; i-- {
		if p.Systems[i].Name == name {
			return &p.Systems[i]
		}
	}
}
