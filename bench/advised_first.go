package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// advisedFirst are programs of which statements of a layout state a gain of the first frames; of silent ones they may not.
type advisedFirst struct {
	word     layout.Word
	name     string
	entities int // 0: as many as the program has
	silent   bool
}

func advisedFirsts() []advisedFirst {
	return []advisedFirst{
		{layout.Stored, "beginning: 64k, 256 sets, 20 % in eight components", 0, false},
		{layout.Stored, "combinations: 32 sets, 16k, 5 %", 0, false},
		{layout.Stored, "combinations: 32 sets, 16k, 20 %", 0, false},
		{layout.Stored, "combinations: 32 sets, 256k, 20 %", 0, false},
		{layout.Stored, "combinations: 256 sets, 16k, 5 %", 0, false},
		{layout.Stored, "combinations: 256 sets, 256k, 5 %", 0, false},
		{layout.Stored, "combinations: 256 sets, 256k, 5 % in two components", 0, false},
		{layout.Stored, "births: 32 sets, 16k, 2 %", 0, true},
		{layout.Rows, growing, 300_000, false},
		{layout.Rows, growing, 100_000, false},
		{layout.Rows, growing, 50_000, true},
	}
}

// String names the program, behind the word of the statements.
func (a advisedFirst) String() string { return string(a.word) + " " + a.title() }

func (a advisedFirst) title() string {
	if a.entities == 0 {
		return a.name
	}
	return fmt.Sprintf("%s, %d rows", a.name, a.entities)
}

// advisedNames are the names that -rows may match.
func advisedNames(request) []string {
	return append(named(advisedPrograms(advisedRows), advised.String), named(advisedFirsts(), advisedFirst.String)...)
}

func (a advisedFirst) program() (p twin.Program, n int) {
	list := append(laidPrograms(), twin.Program{Name: growing, Variants: []twin.Variant{twin.OnAshlar(openGrowing)}})
	p = list[slices.IndexFunc(list, func(p twin.Program) bool { return p.Name == a.name })]
	return p, cmp.Or(a.entities, p.Entities)
}

// growing is a program of one table of 24 bytes a row and a handle. A ninetieth of its rows is born in each of the first frames.
const growing = "a table that grows"

func openGrowing(n int, o ecs.Options) twin.Stage {
	type at struct{ X, Y, Z float32 }
	type speed struct{ X, Y, Z float32 }
	type thing struct {
		at
		speed
	}
	w := ecs.New(o)
	ecs.Register[at](w, "at")
	ecs.Register[speed](w, "speed")
	things := ecs.SpawnerOf[thing](w)
	born := 0
	return twin.Stage{
		Frame: func() {
			for range min(n-born, n/90) {
				twin.Must(things.Spawn(thing{at{1, 2, 3}, speed{4, 5, 6}}))
				born++
			}
			twin.Check(w.Run(context.Background()))
		},
		World: w, Close: w.Close,
	}
}

// firstRecorded is how many frames are recorded.
const firstRecorded = 300

// predicted records a program that goes by a layout, and returns the statements of a word that its record speaks for, and
// the gain of the first frames that they state: stored one for all of them, others each its own.
func (a advisedFirst) predicted(by layout.Source) (list []layout.Statement, gain time.Duration) {
	p, n := a.program()
	list = slices.DeleteFunc(layoutOf(p, n, firstRecorded, by), func(s layout.Statement) bool { return s.Word != a.word })
	for _, s := range list {
		m := regexp.MustCompile(`about (\S+) less (in the first 100 frames|until it has grown)`).FindStringSubmatch(s.Why)
		switch {
		case m == nil:
		case a.word == layout.Stored:
			gain = twin.Must(time.ParseDuration(m[1]))
		default:
			gain += twin.Must(time.ParseDuration(m[1]))
		}
	}
	return list, gain
}

// firstTime is the time of the first 100 frames.
func firstTime(p twin.Program, n int, by layout.Source) (sum time.Duration) {
	runtime.GC()
	s := p.Variants[0].With(n, ecs.Options{Layout: by})
	for range laidFrames {
		sum += timed(s)
	}
	twin.Check(s.Close())
	return sum
}

// adviseFirst is adviseAll for the first frames.
func adviseFirst(q request) (status int) {
	for _, a := range advisedFirsts() {
		if !q.match.MatchString(a.String()) {
			continue
		}
		p, n := a.program()
		var predictions, gains []float64
		for range advisedPairs {
			list, predicted := a.predicted(layout.Source{Off: true})
			gain := firstTime(p, n, layout.Source{Off: true}) - firstTime(p, n, layout.Source{Text: []byte(layout.Revise("", list))})
			predictions, gains = append(predictions, float64(predicted)), append(gains, float64(gain))
		}
		status = max(status, adviseLine(q, string(a.word), a.title(), median(predictions), median(gains), a.silent, false))
	}
	return status
}

// adviseLine prints the line of a program. Its result is 1 if the prediction is off by more than 2x.
func adviseLine(q request, rule, name string, predicted, measured float64, silent, bytes bool) (status int) {
	ratio := fmt.Sprintf("%.2f", predicted/measured)
	switch {
	case silent:
		ratio = "-"
		if predicted > 0 {
			status = 1
		}
	case predicted < measured/2 || predicted > measured*2:
		status = 1
	}
	text := func(v float64) string { return fmt.Sprintf("%.0f µs", v/1000) }
	if bytes {
		text = func(v float64) string { return fmt.Sprintf("%.1f MiB", v/(1<<20)) }
	}
	fmt.Fprintf(q.out, "%-7s %-64s %12s %12s %6s\n", rule, name, text(predicted), text(measured), ratio)
	return status
}
