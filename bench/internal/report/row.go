// Package report presents the samples of contests: as rows, in a table, as JSON, and as a page with plots.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
	"github.com/ashlar-go/ashlar/bench/internal/stat"
)

// Row is the result of one entry of a contest. Rows sets its fields. Times are nanoseconds for an entity, or for
// a frame where the name says so.
type Row struct {
	Part     string `json:"part"`
	Name     string `json:"name"`
	Storage  string `json:"storage"`
	Entities int    `json:"entities"`

	// MedianNS and the times below it are null where the spread is too wide to say anything.
	MedianNS    *float64 `json:"median_ns"`
	MeanNS      *float64 `json:"mean_ns"`
	DeviationNS *float64 `json:"deviation_ns"`
	Q1NS        *float64 `json:"q1_ns"`
	Q3NS        *float64 `json:"q3_ns"`
	P99NS       *float64 `json:"p99_ns"`
	Spread      float64  `json:"spread"` // distance of the quartiles by the median
	Samples     int      `json:"samples"`
	Cycles      *float64 `json:"cycles"` // null where they are not counted

	// Against is the storage that Ratio, U, Z, P and Effect are about: the better of both references, and of a
	// reference the other one. They are null where there is none.
	Against string `json:"against"`
	// Ratio is the median of the rounds' ratios, so that the machine's drift cancels; null where these spread too wide.
	Ratio  *float64 `json:"ratio"`
	U      *float64 `json:"u"`
	Z      *float64 `json:"z"`
	P      *float64 `json:"p"`
	Effect *float64 `json:"effect"` // rank-biserial: 1 is always faster, -1 always slower

	Rows     int    `json:"rows"`     // visited by the samples
	Checksum string `json:"checksum"` // equal for all entries of the contest
	Guide    string `json:"guide"`    // the page of docs/guide that the code follows
	Machine  string `json:"machine"`
}

// spreadMost is how wide a spread may be before a row has no figure.
const spreadMost = 0.30

// samplesLeast is how many samples a figure needs.
const samplesLeast = 3

// Rows judges the entries of a contest.
func Rows(c candidate.Contest, found []referee.Measured, machine string) (rows []Row) {
	summaries := make([]stat.Summary, len(found))
	for i, m := range found {
		summaries[i] = stat.Describe(m.Times)
	}
	for i, m := range found {
		s := summaries[i]
		r := Row{Part: c.Part, Name: c.Name, Storage: m.Storage, Entities: c.Entities, Samples: s.N, Spread: s.Spread(),
			Rows: m.Rows, Checksum: fmt.Sprintf("%016x", m.Digest), Guide: m.Guide, Machine: machine}
		if r.Guide != "" {
			r.Guide = "docs/guide/" + r.Guide
		}
		if decided(s) {
			r.MedianNS, r.MeanNS, r.DeviationNS, r.Q1NS, r.Q3NS, r.P99NS = &s.Median, &s.Mean, &s.Deviation, &s.Q1, &s.Q3, &s.P99
		}
		if len(m.Cycles) > 0 {
			if v := stat.Describe(m.Cycles).Median; !math.IsNaN(v) {
				r.Cycles = &v
			}
		}
		if k := reference(found, summaries, i); k >= 0 {
			r.Against = found[k].Storage
			if ratio := stat.Describe(ratios(m, found[k])); decided(ratio) {
				r.Ratio = &ratio.Median
			}
			if s.N >= samplesLeast {
				t := stat.Compare(m.Times, found[k].Times)
				r.U, r.Z, r.P, r.Effect = &t.U, &t.Z, &t.P, &t.Effect
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func decided(s stat.Summary) bool { return s.N >= samplesLeast && s.Spread() <= spreadMost }

// ratios divides the medians of two entries' turns, round by round.
func ratios(m, of referee.Measured) (list []float64) {
	for i := 0; i < min(len(m.Times), len(of.Times)); i += m.Turn {
		end := min(i+m.Turn, len(m.Times), len(of.Times))
		if d := stat.Describe(of.Times[i:end]).Median; d > 0 {
			list = append(list, stat.Describe(m.Times[i:end]).Median/d)
		}
	}
	return list
}

// reference is the entry that i is held against: the best of the references that is not i itself; -1 if there is none.
func reference(found []referee.Measured, s []stat.Summary, i int) int {
	best := -1
	for k, m := range found {
		plain := m.Storage == candidate.Sparse || m.Storage == candidate.Probing || m.Storage == candidate.Archetype
		if k != i && plain && s[k].N > 0 && (best < 0 || s[k].Median < s[best].Median) {
			best = k
		}
	}
	return best
}

const rowFormat = "%-34s %9s %-10s %11s %11s %7s %9s %10s %10s %8s %7s  %s\n"

// Head prints the table's first line.
func Head(out io.Writer) {
	fmt.Fprintf(out, rowFormat, "contest", "entities", "storage", "median", "mean", "spread", "cycles", "÷", "z", "effect", "rows", "")
}

// Print prints rows of a contest.
func Print(out io.Writer, rows []Row) {
	for _, r := range rows {
		note := r.Guide
		if r.MedianNS == nil {
			note = fmt.Sprintf("inconclusive: %d samples, the quartiles lie %.0f %% of the median apart; %s", r.Samples, 100*r.Spread, r.Guide)
		}
		fmt.Fprintf(out, rowFormat, r.Name, fmt.Sprint(r.Entities), r.Storage, Time(r.MedianNS), Time(r.MeanNS), fmt.Sprintf("%.0f %%", 100*r.Spread),
			number("%.3g", r.Cycles), against(r), number("%.1f", r.Z), number("%.2f", r.Effect), count(r.Rows), note)
	}
}

func against(r Row) string {
	if r.Ratio == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f %.2s", *r.Ratio, r.Against)
}

func number(format string, v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf(format, *v)
}

// Time is a time with a unit that fits.
func Time(ns *float64) string {
	switch {
	case ns == nil:
		return "–"
	case *ns < 1e3:
		return fmt.Sprintf("%.3g ns", *ns)
	case *ns < 1e6:
		return fmt.Sprintf("%.4g µs", *ns/1e3)
	}
	return fmt.Sprintf("%.4g ms", *ns/1e6)
}

func count(n int) string {
	for _, u := range []struct {
		size int
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= u.size {
			return fmt.Sprintf("%.3g%s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprint(n)
}

// JSON prints rows as an array.
func JSON(out io.Writer, rows []Row) error {
	if rows == nil {
		rows = []Row{}
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}
