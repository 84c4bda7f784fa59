package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// A plot shows the rows of one name: medians by entities as lines, with bands between the quartiles. Both axes are
// logarithmic. Rows of one size are dots with a bar from quartile to quartile instead.
//
//	┌──────────────────────┐
//	│ y      ╱‾‾ sparse    │   sizes below are of the drawing, in its own units
//	│   ──╱──── ashlar     │
//	└─────── entities ─────┘
const (
	plotWidth, plotHeight = 660.0, 360.0
	left, right           = 62.0, 124.0 // at least: longer names get more
	top, bottom           = 14.0, 42.0
	labelHeight           = 13.0  // of a name at the end of a line
	letterWidth           = 7.2   // of a name in bold, at most in the mean
	barHeight             = 30.0  // of a storage in a plot of one size
	decadeWidth           = 130.0 // from which on there is room for ticks between powers of ten
)

// storages is the order of lines, and the number of their colour.
var storages = []string{candidate.Ashlar, candidate.Sparse, candidate.Archetype, candidate.Hybrid, candidate.Objects, candidate.Arrays}

// series is the rows of a storage that have figures, by entities. A variant, such as ashlar+group, has the colour of
// the storage that it varies, and a dashed line.
type series struct {
	storage string
	colour  int
	style   string // classes of the line
	rows    []Row
}

func seriesOf(rows []Row) (list []series) {
	names := slices.Clone(storages)
	for _, r := range rows { // a reader's candidates come last
		if !slices.Contains(names, r.Storage) {
			names = append(names, r.Storage)
		}
	}
	for i, s := range names {
		of := series{storage: s, colour: i % len(storages), style: "line"}
		if at := strings.IndexAny(s, "+-"); at > 0 && slices.Contains(storages, s[:at]) {
			of.colour, of.style = slices.Index(storages, s[:at]), "line dash"
		}
		for _, r := range rows {
			if r.Storage == s && r.MedianNS != nil && *r.Q1NS > 0 {
				of.rows = append(of.rows, r)
			}
		}
		slices.SortFunc(of.rows, func(a, b Row) int { return a.Entities - b.Entities })
		if len(of.rows) > 0 {
			list = append(list, of)
		}
	}
	return list
}

// axis is a logarithmic axis from least to most, drawn from a to b.
type axis struct{ least, most, a, b float64 }

func newAxis(least, most, a, b float64) axis {
	if most <= least {
		least, most = least/2, most*2
	}
	return axis{least, most, a, b}
}

func (x axis) at(v float64) float64 {
	return x.a + (x.b-x.a)*math.Log(v/x.least)/math.Log(x.most/x.least)
}

// ticks are powers of ten, and 2 and 5 times these where there is room.
func (x axis) ticks() (list []float64) {
	steps := []float64{1, 2, 5}
	if decades := math.Log10(x.most / x.least); math.Abs(x.b-x.a)/max(decades, 0.1) < decadeWidth {
		steps = steps[:1]
	}
	for e := math.Floor(math.Log10(x.least)); e <= math.Log10(x.most)+1e-9; e++ {
		for _, s := range steps {
			if v := s * math.Pow(10, e); v >= x.least*0.999 && v <= x.most*1.001 {
				list = append(list, v)
			}
		}
	}
	return list
}

// plot draws rows of one name. Frames are divided by their cells, so that candidates lie apart and not sizes.
func plot(rows []Row) string {
	what := "entities"
	if len(rows) > 0 && rows[0].Part == "life" {
		rows, what = forEach(rows), "cells; the time is for each of them"
	}
	all := seriesOf(rows)
	if len(all) == 0 {
		return ""
	}
	var times, sizes []float64
	for _, s := range all {
		for _, r := range s.rows {
			times = append(times, *r.Q1NS, *r.Q3NS, *r.MedianNS)
			sizes = append(sizes, float64(r.Entities))
		}
	}
	least, most := slices.Min(times)/1.15, slices.Max(times)*1.15
	if slices.Min(sizes) == slices.Max(sizes) {
		return dots(all, newAxis(least, most, max(left, roomOf(all)), plotWidth-right))
	}
	return lines(all, what, newAxis(slices.Min(sizes), slices.Max(sizes), left, plotWidth-max(right, roomOf(all))), newAxis(least, most, plotHeight-bottom, top))
}

// roomOf is the width of the longest name, with the space beside it.
func roomOf(all []series) (room float64) {
	for _, s := range all {
		room = max(room, 20+letterWidth*float64(len(s.storage)))
	}
	return room
}

// forEach divides times by entities.
func forEach(rows []Row) []Row {
	rows = slices.Clone(rows)
	for i := range rows {
		for _, t := range []**float64{&rows[i].MedianNS, &rows[i].Q1NS, &rows[i].Q3NS} {
			if *t != nil {
				*t = new(**t / float64(rows[i].Entities))
			}
		}
	}
	return rows
}

// lines draws medians by entities.
func lines(all []series, what string, x, y axis) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img">`, plotWidth, plotHeight)
	for _, v := range y.ticks() {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`,
			x.a, x.b, y.at(v), y.at(v), x.a-6, y.at(v)+4, Time(&v))
	}
	for _, v := range x.ticks() {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`,
			x.at(v), x.at(v), y.a, y.b, x.at(v), y.a+16, count(int(math.Round(v))))
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, (x.a+x.b)/2, plotHeight-6, what)
	for _, s := range all {
		var upper, lower, middle []string
		for _, r := range s.rows {
			at := x.at(float64(r.Entities))
			upper = append(upper, fmt.Sprintf("%.1f,%.1f", at, y.at(*r.Q3NS)))
			lower = append(lower, fmt.Sprintf("%.1f,%.1f", at, y.at(*r.Q1NS)))
			middle = append(middle, fmt.Sprintf("%.1f,%.1f", at, y.at(*r.MedianNS)))
		}
		slices.Reverse(lower)
		fmt.Fprintf(&b, `<polygon class="band f%d" points="%s"/><polyline class="%s s%d" points="%s"/>`,
			s.colour, strings.Join(append(upper, lower...), " "), s.style, s.colour, strings.Join(middle, " "))
		for _, r := range s.rows {
			fmt.Fprintf(&b, `<circle class="f%d" cx="%.1f" cy="%.1f" r="2.6"><title>%s, %d entities: %s, quartiles %s and %s</title></circle>`,
				s.colour, x.at(float64(r.Entities)), y.at(*r.MedianNS), s.storage, r.Entities, Time(r.MedianNS), Time(r.Q1NS), Time(r.Q3NS))
		}
	}
	for _, l := range labels(all, y) {
		fmt.Fprintf(&b, `<text class="f%d" x="%.1f" y="%.1f">%s</text>`, l.colour, x.at(float64(l.entities))+8, l.y+4, l.storage)
	}
	return b.String() + `</svg>`
}

// label is a storage's name at the end of its line.
type label struct {
	storage  string
	colour   int
	entities int // where the line ends
	y        float64
}

// labels are the names from top to bottom, apart from each other and within the drawing.
func labels(all []series, y axis) (list []label) {
	for _, s := range all {
		last := s.rows[len(s.rows)-1]
		list = append(list, label{s.storage, s.colour, last.Entities, y.at(*last.MedianNS)})
	}
	slices.SortFunc(list, func(a, b label) int { return int(math.Copysign(1, a.y-b.y)) })
	for i := 1; i < len(list); i++ {
		list[i].y = max(list[i].y, list[i-1].y+labelHeight)
	}
	for i, floor := len(list)-1, y.a; i >= 0; i, floor = i-1, list[i].y-labelHeight {
		list[i].y = min(list[i].y, floor)
	}
	return list
}

// dots draws a line a storage: the median, and a bar between the quartiles.
func dots(all []series, x axis) string {
	var b strings.Builder
	height := top + barHeight*float64(len(all)) + bottom/2
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img">`, plotWidth, height)
	for _, v := range x.ticks() {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`,
			x.at(v), x.at(v), top, height-bottom/2, x.at(v), height-5, Time(&v))
	}
	for i, s := range all {
		r, y := s.rows[0], top+barHeight*(float64(i)+0.5)
		fmt.Fprintf(&b, `<text class="f%d" x="%.1f" y="%.1f" text-anchor="end">%s</text>`, s.colour, x.a-8, y+4, s.storage)
		fmt.Fprintf(&b, `<line class="bar s%d" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/><circle class="f%d" cx="%.1f" cy="%.1f" r="4"/><text x="%.1f" y="%.1f">%s</text>`,
			s.colour, x.at(*r.Q1NS), x.at(*r.Q3NS), y, y, s.colour, x.at(*r.MedianNS), y, x.b+8, y+4, Time(r.MedianNS))
	}
	return b.String() + `</svg>`
}
