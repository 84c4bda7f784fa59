package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

func samplePage(t *testing.T) string {
	t.Helper()
	var rows []Row
	for _, n := range []int{100, 10_000, 1_000_000} {
		rows = append(rows, Rows(candidate.Contest{Part: "p", Name: "by size", Entities: n}, found(), "a <machine>")...)
	}
	rows = append(rows, Rows(candidate.Contest{Part: "p", Name: "one size", Entities: 5}, found(), "a <machine>")...)
	var b bytes.Buffer
	if err := HTML(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page has a plot and a table for each name, and asks for nothing from elsewhere.
func TestPage(t *testing.T) {
	text := samplePage(t)
	for _, want := range []string{"Figure 1: by size", "Figure 2: one size", "a &lt;machine&gt;", "prefers-color-scheme: dark", `class="line s0"`, `class="band f2"`, `class="bar s1"`, "1M", "docs/guide/systems.md"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, never := range []string{"http:", "https:", "<script", "src=", "url(", "NaN", "Inf", "s5"} {
		if strings.Contains(strings.ReplaceAll(text, ".s5", ""), never) {
			t.Errorf("%q is in the page", never)
		}
	}
	if n := strings.Count(text, "<svg"); n != 2 {
		t.Errorf("%d plots", n)
	}
	for _, svg := range strings.SplitAfter(text, "</svg>")[:2] {
		svg = svg[strings.Index(svg, "<svg"):]
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Names at the ends of lines lie apart and inside the drawing, in the order of the lines.
func TestLabelsLieApart(t *testing.T) {
	y := newAxis(1, 100, plotHeight-bottom, top)
	var all []series
	for i, v := range []float64{1, 1.01, 1.02, 50, 51} {
		all = append(all, series{storage: storages[i], colour: i, rows: []Row{{MedianNS: &v}}})
	}
	list := labels(all, y)
	for i := 1; i < len(list); i++ {
		if list[i].y-list[i-1].y < labelHeight-1e-9 {
			t.Errorf("%v and %v overlap", list[i-1], list[i])
		}
	}
	if list[0].storage != storages[4] || list[4].y > y.a {
		t.Errorf("%v", list)
	}
}

func TestAxis(t *testing.T) {
	x := newAxis(10, 1000, 0, 200)
	if x.at(100) != 100 || x.at(10) != 0 || len(x.ticks()) != 3 || x.ticks()[2] != 1000 {
		t.Error(x.at(100), x.ticks())
	}
	if near := newAxis(10, 1000, 0, 400); len(near.ticks()) != 7 || near.ticks()[6] != 1000 {
		t.Error(near.ticks())
	}
	if same := newAxis(5, 5, 0, 10); same.at(5) != 5 {
		t.Error("an axis of one value")
	}
	if wide := newAxis(1, 1e6, 0, 300); len(wide.ticks()) != 7 {
		t.Error(wide.ticks())
	}
}

// A variant has its storage's colour and a dashed line; a reader's storage has a line of its own.
func TestVariantsAreDashed(t *testing.T) {
	v := 2.0
	var rows []Row
	for _, s := range []string{"ark", "ashlar+group", "archetype-graph", "ashlar"} {
		rows = append(rows, Row{Storage: s, Entities: 1, MedianNS: &v, Q1NS: &v, Q3NS: &v})
	}
	want := map[string]struct {
		colour int
		style  string
	}{"ark": {0, "line"}, "ashlar": {0, "line"}, "ashlar+group": {0, "line dash"}, "archetype-graph": {2, "line dash"}}
	list := seriesOf(rows)
	if len(list) != len(want) {
		t.Fatal(list)
	}
	for _, s := range list {
		if w := want[s.storage]; s.colour != w.colour || s.style != w.style {
			t.Errorf("%+v, want %+v", s, w)
		}
	}
}

// A plot of frames has times for each cell, and leaves the rows as they are.
func TestFramesAreDividedByCells(t *testing.T) {
	v, w := 5000.0, 50_000.0
	rows := []Row{{Part: "life", Storage: "ashlar", Entities: 100, MedianNS: &v, Q1NS: &v, Q3NS: &v}, {Part: "life", Storage: "ashlar", Entities: 1000, MedianNS: &w, Q1NS: &w, Q3NS: &w}}
	if svg := plot(rows); !strings.Contains(svg, "1000 entities: 50 ns") || !strings.Contains(svg, "for each of them") || *rows[0].MedianNS != 5000 {
		t.Error(svg)
	}
}
