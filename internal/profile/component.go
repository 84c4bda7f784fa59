package profile

import (
	"fmt"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Component is the shape of a component.
type Component struct {
	Name        string
	Size, Align int // bytes
}

func componentsOf(p *Profile) []statement { return collect(p.Components, itself[Component]) }

func readComponent(c *text.Cursor) statement {
	m := Component{Name: c.Name("the component's name")}
	number := func(key string, into *int) text.Field {
		return text.Field{Key: key, Read: func(key string) { *into = int(c.Number(key, text.NumberMax)) }}
	}
	c.Fields(nil, number("size", &m.Size), number("align", &m.Align))
	return m
}

func (m Component) subject() string                        { return text.Subject("component", m.Name) }
func (m Component) rest() string                           { return fmt.Sprintf(" size %d align %d", m.Size, m.Align) }
func (m Component) merge(with statement) (statement, bool) { return equal(m, with) }
func (m Component) compared(uint64) (string, []Figure)     { return m.rest(), nil }
func (m Component) into(p *Profile)                        { p.Components = append(p.Components, m) }

func (m Component) problem() string {
	switch {
	case m.Size < 0 || m.Size > text.NumberMax:
		return fmt.Sprintf("its size is %d: it has to be from 0 to %d bytes", m.Size, text.NumberMax)
	case m.Align < 1 || m.Align > text.NumberMax || m.Align&(m.Align-1) != 0:
		return fmt.Sprintf("its alignment is %d: it has to be a power of two", m.Align)
	}
	return text.BadName(m.Name)
}
