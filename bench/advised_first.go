package main

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// advisedFirst are programs of which statements `stored` state a gain of the first 100 frames; of silent ones they may not.
func advisedFirst() []struct {
	name   string
	silent bool
} {
	return []struct {
		name   string
		silent bool
	}{
		{"beginning: 64k, 256 sets, 20 % in eight components", false},
		{"combinations: 32 sets, 16k, 5 %", false},
		{"combinations: 32 sets, 16k, 20 %", false},
		{"combinations: 32 sets, 256k, 20 %", false},
		{"combinations: 256 sets, 16k, 5 %", false},
		{"combinations: 256 sets, 256k, 5 %", false},
		{"combinations: 256 sets, 256k, 5 % in two components", false},
		{"births: 32 sets, 16k, 2 %", true},
	}
}

// firstRecorded is how many frames are recorded.
const firstRecorded = 300

// firstPredicted records a program that goes by a layout, and returns the statements `stored` that its record speaks for, and
// the gain of the first 100 frames that they state.
func firstPredicted(p twin.Program, n int, by layout.Source) (stored []layout.Statement, gain time.Duration) {
	stored = slices.DeleteFunc(layoutOf(p, n, firstRecorded, by), func(s layout.Statement) bool { return s.Word != layout.Stored })
	for _, s := range stored {
		if m := regexp.MustCompile(`about (\S+) less in the first 100 frames`).FindStringSubmatch(s.Why); m != nil {
			gain = must(time.ParseDuration(m[1]))
		}
	}
	return stored, gain
}

// firstTime is the time of the first 100 frames.
func firstTime(p twin.Program, n int, by layout.Source) (sum time.Duration) {
	runtime.GC()
	s := p.Variants[0].With(n, ecs.Options{Layout: by})
	for range laidFrames {
		sum += timed(s)
	}
	check(s.Close())
	return sum
}

// adviseFirst is adviseAll for the first frames.
func adviseFirst(q request) (status int) {
	for _, a := range advisedFirst() {
		if !q.match.MatchString("stored " + a.name) {
			continue
		}
		p := laidNamed(a.name)
		var predictions, gains []float64
		for range advisedPairs {
			stored, predicted := firstPredicted(p, p.Entities, layout.Source{Off: true})
			gain := firstTime(p, p.Entities, layout.Source{Off: true}) - firstTime(p, p.Entities, layout.Source{Text: []byte(layout.Revise("", stored))})
			predictions, gains = append(predictions, float64(predicted)), append(gains, float64(gain))
		}
		status = max(status, adviseLine(q, "stored", a.name, median(predictions), median(gains), a.silent, false))
	}
	return status
}

func laidNamed(name string) twin.Program {
	list := laidPrograms()
	return list[slices.IndexFunc(list, func(p twin.Program) bool { return p.Name == name })]
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
