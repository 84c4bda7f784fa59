package report

import (
	"fmt"
	"html/template"
	"io"
	"slices"
)

// figure is the part of a page about one name.
type figure struct {
	Number int
	Name   string
	Plot   template.HTML
	Rows   []Row
}

// HTML writes a page that needs nothing else: a figure and a table for each name.
func HTML(out io.Writer, rows []Row) error {
	var figures []figure
	for _, r := range rows {
		i := slices.IndexFunc(figures, func(f figure) bool { return f.Name == r.Name })
		if i < 0 {
			i = len(figures)
			figures = append(figures, figure{Number: i + 1, Name: r.Name})
		}
		figures[i].Rows = append(figures[i].Rows, r)
	}
	for i := range figures {
		figures[i].Plot = template.HTML(plot(figures[i].Rows)) // of numbers and names of ours alone
	}
	machine := ""
	if len(rows) > 0 {
		machine = rows[0].Machine
	}
	return page.Execute(out, struct {
		Machine string
		Figures []figure
	}{machine, figures})
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"time":    Time,
	"number":  number,
	"percent": func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) },
	"count":   count,
}).Parse(pageText))

const pageText = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ashlar: how entities are stored</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --faint: #666c74; --grid: #e3e5e8;
	--c0: #0067b1; --c1: #d55e00; --c2: #00825f; --c3: #a3497f; --c4: #7a7a00; --c5: #55595e; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e8eaed; --faint: #9aa0a6; --grid: #30343a;
	--c0: #5db8ff; --c1: #ff9a4d; --c2: #3fd0a4; --c3: #e695c4; --c4: #d4cf4a; --c5: #b6bbc1; } }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .3rem; }
p, caption { color: var(--faint); }
svg { display: block; width: 100%; max-width: 46rem; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--faint); }
.grid { stroke: var(--grid); } .line { fill: none; stroke-width: 1.8; } .dash { stroke-dasharray: 6 4; } .band { opacity: .16; } .bar { stroke-width: 8; opacity: .35; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); } .s2 { stroke: var(--c2); } .s3 { stroke: var(--c3); } .s4 { stroke: var(--c4); } .s5 { stroke: var(--c5); }
.f0, svg text.f0 { fill: var(--c0); } .f1, svg text.f1 { fill: var(--c1); } .f2, svg text.f2 { fill: var(--c2); }
.f3, svg text.f3 { fill: var(--c3); } .f4, svg text.f4 { fill: var(--c4); } .f5, svg text.f5 { fill: var(--c5); }
svg text.f0 { font-weight: 700; } .line.s0 { stroke-width: 2.6; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .55rem; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap; }
th:nth-child(2), td:nth-child(2), td:last-child, th:last-child { text-align: left; }
</style></head><body>
<h1>How entities are stored, and what it costs</h1>
<p>{{.Machine}}</p>
<p>Medians of samples that all candidates took in turns. Bands and bars lie between the quartiles. Axes are logarithmic. Times are for an entity, or for a frame where the name begins with life.
÷, U, z, p and effect hold a row against the better of both references. They are of the Mann–Whitney test; an effect of 1 is always faster. A row whose quartiles lie more than 30 % of the median apart has no figure.</p>
{{range .Figures}}
<h2>Figure {{.Number}}: {{.Name}}</h2>
{{.Plot}}
<div class="wide"><table><thead><tr><th>entities</th><th>storage</th><th>median</th><th>mean</th><th>deviation</th><th>quartiles</th><th>spread</th><th>cycles</th><th>n</th><th>÷</th><th>U</th><th>z</th><th>p</th><th>effect</th><th>rows</th><th>follows</th></tr></thead><tbody>
{{range .Rows}}<tr><td>{{.Entities}}</td><td>{{.Storage}}</td><td>{{time .MedianNS}}</td><td>{{time .MeanNS}}</td><td>{{time .DeviationNS}}</td><td>{{time .Q1NS}}{{if .Q1NS}}, {{time .Q3NS}}{{end}}</td><td>{{percent .Spread}}</td><td>{{number "%.3g" .Cycles}}</td><td>{{.Samples}}</td><td>{{number "%.2f" .Ratio}}{{if .Ratio}} {{.Against}}{{end}}</td><td>{{number "%.1f" .U}}</td><td>{{number "%.2f" .Z}}</td><td>{{number "%.2g" .P}}</td><td>{{number "%.2f" .Effect}}</td><td>{{count .Rows}}</td><td>{{.Guide}}</td></tr>
{{end}}</tbody></table></div>
{{end}}
</body></html>
`
