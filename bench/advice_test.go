package main

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/refs"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Each rule speaks of the program that needs it, and not of the program that follows the advice. Once
// it is followed, the program does less of the work that the rule counts. How long runs took is the
// machine's, and the same for both here: 20 ns a row.
func TestAdviceIsFollowed(t *testing.T) {
	large := advisedPrograms(advisedRows)
	for i, a := range advisedPrograms(8 << 10) {
		if a.bytes {
			a = large[i] // memory comes in regions of 2 MiB
		}
		t.Run(a.rule+", "+a.name, func(t *testing.T) {
			begin := a.begin()
			before, was := recorded(a.before, begin)
			l, told := advised20(a.rule, before, was)
			if a.silent {
				if told {
					t.Errorf("the program that is better as it is gets:\n%v", l)
				}
				return
			}
			if !told || a.bytes != (l.Bytes > 0) || a.bytes == (l.Time > 0) {
				t.Fatalf("the program that needs it gets: %v %v", told, l)
			}
			after, is := recorded(a.after, begin)
			if l, told := advised20(a.rule, after, is); told {
				t.Errorf("the program that has what is advised gets:\n%v", l)
			}
			if a.bytes {
				if r := a.measured(); r.gains[0] < r.predicted/2 || r.gains[0] > 2*r.predicted {
					t.Errorf("%.0f bytes are saved, and %.0f were predicted", r.gains[0], r.predicted)
				}
				return
			}
			if n, m := work(a.rule, before), work(a.rule, after); n == 0 || m > n/2 {
				t.Errorf("%d, and once it is followed %d", n, m)
			}
		})
	}
}

// Statements state a gain of the first frames where the store has changed over, or a table has filled regions. A run that
// goes by a way of storing states none of it.
func TestFirstFrames(t *testing.T) {
	for _, a := range []struct {
		word     layout.Word
		name     string
		entities int // 0: as many as the program has
		silent   bool
	}{
		{layout.Stored, "combinations: 32 sets, 16k, 5 %", 0, false},
		{layout.Stored, "combinations: 32 sets, 16k, 20 %", 0, false},
		{layout.Stored, "combinations: 256 sets, 16k, 5 %", 0, false},
		{layout.Stored, "births: 32 sets, 16k, 2 %", 0, true},
		{layout.Rows, refs.Growing, 300_000, false},
		{layout.Rows, refs.Growing, 100_000, false},
		{layout.Rows, refs.Growing, 50_000, true},
	} {
		list := laidPrograms()
		p := list[slices.IndexFunc(list, func(p twin.Program) bool { return p.Name == a.name })]
		said := func(by layout.Source) ([]layout.Statement, time.Duration) {
			list := layoutOf(p, cmp.Or(a.entities, p.Entities), 300, by)
			return list, gainSaid(list, a.word)
		}
		first, gain := said(layout.Source{Off: true})
		if gain > 0 == a.silent {
			t.Errorf("%s: %v, %+v", p.Name, gain, layout.Revise("", first))
		}
		own := slices.DeleteFunc(first, func(s layout.Statement) bool { return s.Word != a.word })
		if _, again := said(layout.Source{Text: []byte(layout.Revise("", own))}); len(own) > 0 && (again > 0) == (a.word == layout.Stored) {
			t.Errorf("%s: %v by its own layout", p.Name, again)
		}
	}
}

// recorded runs a program that begins with a layout, and returns its record.
func recorded(make func(ecs.Options) program, begin layout.Source) (profile.Profile, profile.Map) {
	p := recorder(make, begin)
	defer func() { twin.Check(p.w.Close()) }()
	for range advisedWarm + advisedFrames {
		p.frame()
	}
	return p.w.Facts(), p.w.Map()
}

// work is the count that should fall once the advice of a rule is followed.
func work(rule string, p profile.Profile) (n uint64) {
	for _, s := range p.Systems {
		for _, a := range s.Access {
			switch {
			case rule == "split":
				n += a.Lines
			case rule == "apart":
				n++ // a table
			case !a.Scattered || rule == "handle" || rule == "sort":
			case rule == "field":
				n += a.Bytes * whole(s)
			case rule == "write":
				n += a.Rows * gathered(s) / 100
			default:
				n += a.Rows
			}
		}
		for _, c := range s.Choices {
			if rule == "sort" {
				n += uint64(100 - c.Order) // percent of rows that are not in order
			}
		}
	}
	for _, l := range p.Lookups {
		if rule == "handle" {
			n += l.Reads
		}
	}
	return n
}

// whole is how many components a system asks for that are not a field of one.
func whole(s profile.System) (n uint64) {
	for _, c := range s.Choices {
		if !strings.Contains(c.Component, ".") {
			n++
		}
	}
	return n
}

// gathered is the percentage of its rows that a system with one shared component gathers.
func gathered(s profile.System) uint64 {
	if len(s.Choices) == 1 && s.Choices[0].Use == "cached" && s.Choices[0].Chunks > 0 {
		return 100 * s.Choices[0].Stale / s.Choices[0].Chunks
	}
	return 100
}

// advised20 is the line of a rule, with other times than this machine's.
func advised20(rule string, p profile.Profile, m profile.Map) (advice.Line, bool) {
	for i := range p.Systems {
		s := &p.Systems[i]
		if s.Frames == 0 || len(s.Access) == 0 {
			continue
		}
		rows := uint64(0)
		for _, a := range s.Access {
			if a.Component == s.Access[0].Component {
				rows += a.Rows
			}
		}
		d := 20 * time.Duration(rows/s.Frames)
		s.Timed, s.Times = s.Frames, profile.Times{P10: d, P50: d, P90: d, P99: d}
		for j := range s.Choices {
			if c := &s.Choices[j]; rule == "field" {
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
