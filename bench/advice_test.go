package main

import (
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/internal/advice"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// Each rule speaks of the program that needs it, and not of the one that has what it advises.
// How long runs took is the machine's, and the same for both here: 20 ns a row.
func TestAdviceIsFollowed(t *testing.T) {
	const rows = 32 << 10
	for _, a := range advisedPrograms(rows) {
		t.Run(a.rule+", "+a.name, func(t *testing.T) {
			var begin profile.Profile
			if a.profiled != nil {
				begin = a.profiled()
			}
			before, was := recorded(a.before, begin)
			l, told := advised20(a.rule, before, was)
			if !told || a.bytes != (l.Bytes > 0) || a.bytes == (l.Time > 0) {
				t.Fatalf("the program that needs it gets: %v %v", told, l)
			}
			if most := uint64(rows * 88); a.bytes && (l.Bytes < most/4 || l.Bytes > most) {
				t.Errorf("%d bytes are predicted of %d rows", l.Bytes, rows)
			}
			after, is := recorded(a.after, profile.Profile{})
			if l, told := advised20(a.rule, after, is); told {
				t.Errorf("the program that has what is advised gets:\n%v", l)
			}
		})
	}
}

// advised20 is the line of a rule, with other times than those of this machine.
func advised20(rule string, p profile.Profile, m profile.Map) (advice.Line, bool) {
	for i := range p.Systems {
		s := &p.Systems[i]
		if s.Frames == 0 || len(s.Access) == 0 {
			continue
		}
		d := 20 * time.Duration(s.Access[0].Rows/s.Frames)
		s.Timed, s.Times = s.Frames, profile.Times{P10: d, P50: d, P90: d, P99: d}
		for j := range s.Choices { // and what was on trial
			c := &s.Choices[j]
			c.Costs = profile.Costs{Gathered: profile.RowCostOf(20), Cached: profile.RowCostOf(2)}
			if rule == "field" {
				c.Use, c.Chunks, c.Stale = "gathered", 0, 0
			}
		}
	}
	for _, l := range advice.Of(p, m, 0) {
		if l.Rule == rule {
			return l, true
		}
	}
	return advice.Line{}, false
}
