package profile

import (
	"cmp"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Budget bounds what a manager spends at one safe point. Zero leaves the default.
type Budget struct {
	Time  time.Duration
	Bytes uint64
}

func budgetOf(p *Profile) []statement {
	if p.Hints.Budget == (Budget{}) {
		return nil
	}
	return []statement{p.Hints.Budget}
}

func readBudget(c *text.Cursor) statement {
	var b Budget
	c.Fields(nil,
		text.Field{Key: "time", Optional: true, Read: func(key string) { b.Time = c.Duration(key) }},
		text.Field{Key: "bytes", Optional: true, Read: func(key string) { b.Bytes = c.Bytes(key) }},
	)
	if b == (Budget{}) {
		c.Fail("time or bytes is missing, above 0")
	}
	return b
}

func (b Budget) subject() string { return "budget" }

func (b Budget) rest() (s string) {
	if b.Time != 0 {
		s += " time " + text.Duration(b.Time)
	}
	if b.Bytes != 0 {
		s += " bytes " + text.Bytes(b.Bytes)
	}
	return s
}

func (b Budget) problem() string {
	if b.Time < 0 {
		return "its time is negative: leave it out for the default, or state off"
	}
	return ""
}

func (b Budget) merge(with statement) (statement, bool) {
	o := with.(Budget)
	m := Budget{cmp.Or(b.Time, o.Time), cmp.Or(b.Bytes, o.Bytes)}
	return m, m == Budget{cmp.Or(o.Time, b.Time), cmp.Or(o.Bytes, b.Bytes)}
}

func (b Budget) compared(uint64) (string, []Figure) { return b.rest(), nil }
func (b Budget) lacks(*index) string                { return "" }
func (b Budget) into(p *Profile)                    { p.Hints.Budget = b }
