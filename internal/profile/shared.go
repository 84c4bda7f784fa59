package profile

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Shared is a view as a run used it: a component, or a field of one, that systems ask for
// in a group that does not own it. Its figures are summed over frames.
type Shared struct {
	Group     string
	Component string // with a field's path behind a dot, if only that is asked for
	Readers   int    // systems that ask for it
	Built     uint64 // chunks that were gathered as a whole
	Refreshed uint64 // chunks of which the rows that may have changed were gathered
	Reused    uint64 // chunks that were good as they were
	Bytes     uint64 // gathered
	Dropped   uint64 // bytes of annexes given back
}

func sharedOf(p *Profile) []statement { return collect(p.Shared, itself[Shared]) }

func readShared(c *text.Cursor) statement {
	s := Shared{Group: c.Name("the group's name"), Component: c.Name("the component's name")}
	c.Fields(s.figures(), text.Field{Key: "readers", Read: func(key string) { s.Readers = int(c.Number(key, text.NumberMax)) }})
	return s
}

func (s *Shared) figures() []text.Figure {
	return []text.Figure{
		{Key: "built", Value: &s.Built}, {Key: "refreshed", Value: &s.Refreshed}, {Key: "reused", Value: &s.Reused},
		{Key: "bytes", Value: &s.Bytes}, {Key: "dropped", Value: &s.Dropped, Optional: true},
	}
}

func (s Shared) subject() string { return text.Subject("shared", s.Group, s.Component) }
func (s Shared) rest() string    { return fmt.Sprintf(" readers %d", s.Readers) + text.Write(s.figures()) }
func (s Shared) into(p *Profile) { p.Shared = append(p.Shared, s) }

func (s Shared) problem() string {
	if s.Readers < 0 || s.Readers > text.NumberMax {
		return fmt.Sprintf("it has %d readers: 0 to %d are possible", s.Readers, text.NumberMax)
	}
	return badNames(s.Group, s.Component)
}

func (s Shared) merge(with statement) (statement, bool) {
	t := with.(Shared)
	s.Readers = max(s.Readers, t.Readers)
	sum(s.figures(), t.figures())
	return s, true
}

// sum adds figures up.
func sum(into, of []text.Figure) {
	for i, f := range into {
		*f.Value = add(*f.Value, *of[i].Value)
	}
}

func (s Shared) compared(frames uint64) (string, []Figure) {
	return "", []Figure{
		per(uint64(s.Readers), 1, "readers"), per(s.Built, frames, "chunks built/frame"), per(s.Refreshed, frames, "chunks refreshed/frame"),
		per(s.Reused, frames, "chunks reused/frame"), per(s.Bytes, frames, "bytes/frame"), per(s.Dropped, frames, "bytes dropped/frame"),
	}
}
