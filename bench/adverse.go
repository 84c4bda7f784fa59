package main

import (
	"fmt"
	"math"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// Costs and gains of adapting, for -adverse: programs with adapting on, off, and off once
// more, which says how far a program differs from itself. Each is a process of its own, and
// they take turns. A turn is long enough that the caches of another process don't matter.

const adverseTurn = 30 // frames

// Budgets of on by off.
const (
	adverseTime   = 1.01
	adverseMemory = 1.00
	adversePeak   = 0.50 // of memory behind a peak
)

// tried is a variant over all rounds.
type tried struct {
	turns    [][]float64 // times by turn, one a round
	resident []float64   // a figure a round
}

// sum is the time of all turns, each the median of its rounds: work that is done in every round
// counts, a disturbance of one of them does not.
func (t *tried) sum() (ns float64) {
	for _, rounds := range t.turns {
		ns += median(rounds)
	}
	return ns
}

// adverseLine has the figures of a program.
type adverseLine struct {
	frame, resident   float64 // of a frame with adapting off, in nanoseconds; bytes
	time, memory      float64 // on by off
	alikeTime, alikeM float64 // off again by off
}

// line makes the figures from on, off and off again.
func (p *contest) line() adverseLine {
	on, off, again := &p.tried[0], &p.tried[1], &p.tried[2]
	mib := median(off.resident)
	return adverseLine{
		off.sum() / float64(p.Frames), mib,
		on.sum() / off.sum(), median(on.resident) / mib,
		again.sum() / off.sum(), median(again.resident) / mib,
	}
}

// over names the figures that are over their budgets, by more than a program differs from
// itself.
func (l adverseLine) over(peak bool) (list string) {
	if l.time > adverseTime+math.Abs(l.alikeTime-1) {
		list += " time"
	}
	if l.memory > memoryMost(peak)+math.Abs(l.alikeM-1) {
		list += " memory"
	}
	return list
}

func memoryMost(peak bool) float64 {
	if peak {
		return adversePeak
	}
	return adverseMemory
}

// contest is a program and the measurements of its variants.
type contest struct {
	twin.Program
	tried []tried
}

// measureAdverse prints a line a program. Its result is 1 if one could not be measured, or if
// adapting changed its result.
func measureAdverse(all []twin.Program, q request) (status int) {
	fmt.Fprintf(q.out, "\n| program | frame, off | resident, off | time, on ÷ off | off ÷ off | memory, on ÷ off | off ÷ off | budgets | over |\n|%s\n",
		"---|---|---|---|---|---|---|---|---|")
	for _, p := range all {
		if !q.match.MatchString(p.Name) {
			continue
		}
		p.Entities = max(1, p.Entities/q.divide)
		c := contest{p, make([]tried, len(p.Variants))}
		for range q.rounds {
			if err := c.round(); err != nil {
				fmt.Fprintf(q.errs, "bench: %s: %v\n", p.Name, err)
				return 1
			}
		}
		l := c.line()
		fmt.Fprintf(q.out, "| %s | %s | %s | %.3f | %.3f | %.3f | %.3f | %.2f, %.2f |%s |\n", p.Name, millis(l.frame), mebibytes(l.resident),
			l.time, l.alikeTime, l.memory, l.alikeM, adverseTime, memoryMost(p.Peak), l.over(p.Peak))
	}
	return 0
}

// round runs all variants once, by turns.
func (c *contest) round() error {
	all, err := inTurns(c.Program, adverseTurn)
	for i, v := range all {
		t := &c.tried[i]
		if t.turns == nil {
			t.turns = make([][]float64, len(v.turns))
		}
		for k, frames := range v.turns {
			var sum time.Duration
			for _, d := range frames {
				sum += d
			}
			t.turns[k] = append(t.turns[k], float64(sum))
		}
		t.resident = append(t.resident, v.resident)
	}
	return err
}

// staged are all programs that run in processes of their own.
func staged(all []twin.Program) []twin.Program { return append(all, adverse.Programs()...) }
