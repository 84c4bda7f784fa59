package profile

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Goal is what a program aims at. Zero states none. Goals change when memory is given back and
// how much is moved at a time, never a result.
type Goal struct {
	Resident uint64        // bytes that chunks may keep resident before idle memory goes back whatever its age
	Frame    time.Duration // that a frame should take: moves and giving back get a share of it
}

// goal is one of them.
type goal struct {
	word string // resident, frame
	Goal        // with that one stated
}

func goalsOf(p *Profile) (list []statement) {
	if g := p.Hints.Goal; g.Frame != 0 {
		list = append(list, goal{"frame", Goal{Frame: g.Frame}})
	}
	if g := p.Hints.Goal; g.Resident != 0 {
		list = append(list, goal{"resident", Goal{Resident: g.Resident}})
	}
	return list
}

func readGoal(c *text.Cursor) statement {
	g := goal{word: c.Choice("goal", "resident", "frame")}
	if g.word == "frame" {
		g.Frame = c.Duration("time")
	} else {
		g.Resident = c.Bytes("bytes")
	}
	if g.Goal == (Goal{}) {
		c.Fail("a goal is above 0")
	}
	return g
}

func (g goal) subject() string { return "goal " + g.word }

func (g goal) rest() string {
	if g.word == "frame" {
		return " " + text.Duration(g.Frame)
	}
	return " " + text.Bytes(g.Resident)
}

func (g goal) problem() string {
	if g.Frame < 0 {
		return fmt.Sprintf("its time is negative, %v: leave it out for no goal", g.Frame)
	}
	return ""
}

func (g goal) merge(with statement) (statement, bool) { return equal(g, with) }
func (g goal) compared(uint64) (string, []Figure)     { return g.rest(), nil }
func (g goal) lacks(*index) string                    { return "" }

func (g goal) into(p *Profile) {
	if g.word == "frame" {
		p.Hints.Goal.Frame = g.Frame
	} else {
		p.Hints.Goal.Resident = g.Resident
	}
}
