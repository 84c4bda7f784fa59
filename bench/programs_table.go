package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// programLine prints a line of the table of whole programs.
func programLine(out io.Writer, cells ...any) {
	text := fmt.Sprintf("%-52s %-7s %9s %9s %9s %9s %7s %7s %7s %7s  %s", cells...)
	fmt.Fprintln(out, strings.TrimRight(text, " "))
}

func programHead(out io.Writer) {
	programLine(out, "program", "variant", "p50", "p99", "max", "resident", "B each", "ratio", "spread", "memory", "bars")
}

// printProgram prints the lines of a program, and tells whether it kept its bars. Ratio and
// memory compare the first variant with the one of the line.
func printProgram(out io.Writer, p twin.Program, all []figures) (kept bool) {
	kept = true
	var bars []string
	for _, b := range p.Bars {
		value, of, ok := held(b, all, p.Entities)
		text := fmt.Sprintf("%v %.3g, budget %.3g", b.Figure, value, b.Most)
		if of != "" {
			text = fmt.Sprintf("%v %.3gx %s, budget %.3gx", b.Figure, value, of, b.Most)
		}
		switch {
		case math.IsNaN(value):
			text += ": not measured"
		case !ok:
			text += ": over"
			kept = false
		}
		bars = append(bars, text)
	}
	for i, f := range all {
		cells := []any{p.Name, f.name, millis(f.p50), millis(f.p99), millis(f.max), mebibytes(f.resident), bytesEach(f.resident / float64(p.Entities)), "", "", "", ""}
		if i == 0 {
			cells[10] = strings.Join(bars, "; ")
		} else {
			r, s := ratio(all[0], f)
			cells[0], cells[7], cells[8], cells[9] = "", number(r), fmt.Sprintf("%.0f %%", 100*s), number(all[0].resident/f.resident)
		}
		programLine(out, cells...)
	}
	return kept
}

func millis(ns float64) string {
	if ns < 1e6 {
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.3g ms", ns/1e6)
}

func mebibytes(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.4g MiB", v/(1<<20))
}

func bytesEach(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.0f", v)
}

func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return fmt.Sprintf("%.3g", v)
}
