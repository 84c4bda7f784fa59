package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// Lengths of the picture, in pixels.
const (
	side    = 16       // of a cell
	pitch   = side + 3 // from cell to cell
	left    = 120      // of the first cell
	top     = 64       // of the first row
	right   = 130      // room for what is said of a row
	entry   = 18       // height of a line of the legend
	columns = 2        // of the legend
	margin  = 20
	width   = left + pitch*arena.SlotsPerRegion + right

	tipLines     = 12 // chunks of a slot that are named where the pointer is
	blocksColour = "#4a6a8a"
)

// MapSVG draws a map as a picture of its own: it refers to nothing else.
func MapSVG(w io.Writer, m profile.Map, by By) error {
	p := picture{scale: scaleOf(m), by: by, colour: map[string]string{}}
	gs := sorted(groups(m))
	fills := make([]string, 0, len(gs)+1)
	for i, g := range gs {
		p.colour[g.name] = categorical(i)
		fills = append(fills, categorical(i))
	}
	if g, _, ok := sharing(m); ok {
		gs, fills = append(gs, g), append(fills, "url(#blocks)")
	}
	rs := rows(m)
	body := len(rs) * pitch
	lines := (len(gs) + columns - 1) / columns
	if by == ByHeat {
		lines = 2 // the shades, and what they mean
	}
	p.print(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="system-ui, sans-serif" font-size="12" fill="#333">`+"\n",
		width, top+body+2*margin+lines*entry+margin+2*entry)
	p.print(`<title>Where chunks lie</title>` + "\n")
	p.print(`<defs><pattern id="slots" width="%d" height="%d" x="%d" y="%d" patternUnits="userSpaceOnUse"><rect x="0.5" y="0.5" width="%d" height="%[5]d" rx="2" fill="#fff" stroke="#ddd"/></pattern>`, pitch, pitch, left, top, side-1)
	p.print(`<pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="4" height="4" fill="#eee"/><rect width="2" height="4" fill="#aaa"/></pattern>`)
	p.print(`<pattern id="blocks" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" fill="#fff"/><rect width="3" height="3" fill="%s"/></pattern></defs>`+"\n", blocksColour)
	p.print(`<rect width="100%%" height="100%%" fill="#fff"/>` + "\n")
	p.print(`<text x="%d" y="26" font-size="16" font-weight="600">Where chunks lie, by %s</text>`+"\n", margin, by)
	p.print(`<text x="%d" y="46" fill="#666">%s</text>`+"\n", margin, html.EscapeString(MapHeadline(m)))
	p.print(`<rect x="%d" y="%d" width="%d" height="%d" fill="url(#slots)"/>`+"\n", left, top, pitch*arena.SlotsPerRegion, body)
	for i, r := range rs {
		p.region(r, top+i*pitch)
	}
	y := top + body + margin
	if by == ByHeat {
		p.heatLegend(y)
	} else {
		p.groupLegend(gs, fills, y)
	}
	p.stateLegend(y + lines*entry + margin/2)
	p.print("</svg>\n")
	_, err := p.b.WriteTo(w)
	return err
}

// picture is an SVG in the making.
type picture struct {
	b      bytes.Buffer
	by     By
	scale  scale
	colour map[string]string // of groups
}

func (p *picture) print(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// region draws one row.
func (p *picture) region(r row, y int) {
	p.print(`<text x="%d" y="%d" text-anchor="end">%s %d</text>`+"\n", left-8, y+12, html.EscapeString(legible(r.Range)), r.Number)
	if r.Striped {
		p.print(`<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#eee" stroke="#999"/>`+"\n", left-2, y-1, pitch*arena.SlotsPerRegion+1, pitch-1)
	}
	for s, c := range r.cells {
		if c.state != free {
			p.cell(c, s, left+s*pitch, y)
		}
	}
	if r.inUse > 0 {
		p.print(`<text x="%d" y="%d" fill="#666">%d in use, %.0f %% full</text>`+"\n", left+pitch*arena.SlotsPerRegion+4, y+12, r.inUse, full(r.bytes, r.inUse))
	}
	if r.Striped { // columns go across
		for i := range 3 {
			p.print(`<path d="M%d %dh%d" stroke="#fff"/>`, left, y+4+4*i, pitch*arena.SlotsPerRegion-3)
		}
		p.print("\n")
	}
}

// cell draws a slot. A chunk is as high as it is full; one that shows heat is filled.
func (p *picture) cell(c cell, slot, x, y int) {
	p.print(`<g><title>slot %d: %s</title>`, slot, html.EscapeString(describe(c)))
	switch c.state {
	case dirty:
		p.box(x, y, "#ddd", "#bbb")
	case quarantined:
		p.box(x, y, "url(#stripes)", "#aaa")
	case other:
		p.box(x, y, "#777", "#555")
	case spare:
		p.box(x, y, "#fff", p.paint(c.chunk))
	case blocks:
		fill := "url(#blocks)"
		if p.by == ByHeat {
			fill = shade(p.scale.level(c.heat()))
		}
		p.box(x, y, fill, blocksColour)
	case used:
		colour := p.paint(c.chunk)
		p.print(`<rect x="%d" y="%d" width="%d" height="%[3]d" rx="2" fill="%s" fill-opacity="0.25"/>`, x, y, side, colour)
		h := math.Ceil(side * min(1, float64(c.chunk.Bytes)/arena.SlotBytes))
		if p.by == ByHeat {
			h = side
		}
		p.print(`<rect x="%d" y="%g" width="%d" height="%g" rx="2" fill="%s"/>`, x, float64(y+side)-h, side, h, colour)
		if c.chunk.Pins > 0 {
			p.print(`<circle cx="%d" cy="%d" r="3" fill="#fff" stroke="#000"/>`, x+side/2, y+side/2)
		}
	}
	p.print("</g>\n")
}

func (p *picture) box(x, y int, fill, stroke string) {
	p.print(`<rect x="%g" y="%g" width="%d" height="%[3]d" rx="2" fill="%s" stroke="%s"/>`, float64(x)+0.5, float64(y)+0.5, side-1, fill, stroke)
}

func (p *picture) paint(c *profile.Placed) string {
	switch {
	case p.by == ByHeat && c.Order < 0:
		return "#888"
	case p.by == ByHeat:
		return shade(p.scale.level(c.Heat))
	}
	return p.colour[c.Group]
}

// describe is what is said of a slot where the pointer is.
func describe(c cell) string {
	if c.state == blocks {
		s := plural(len(c.shared), "chunk") + " of few rows"
		for _, o := range c.shared[:min(len(c.shared), tipLines)] {
			s += fmt.Sprintf("\n%s, chunk %d, %d rows of %s", legible(o.Group), o.Order, o.Rows, size(o.Bytes))
		}
		if n := len(c.shared) - tipLines; n > 0 {
			s += fmt.Sprintf("\nand %d more", n)
		}
		return s
	}
	if c.chunk == nil {
		return map[state]string{dirty: "free, its pages are there still", quarantined: "in quarantine", other: "in use, no chunk's"}[c.state]
	}
	s := fmt.Sprintf("%s, chunk %d, %d rows of %s", legible(c.chunk.Group), c.chunk.Order, c.chunk.Rows, size(c.chunk.Bytes))
	if c.state == spare {
		s = legible(c.chunk.Group) + ", spare"
	}
	if c.chunk.Heat > 0 {
		s += fmt.Sprintf(", asked for %s per 1,000 frames", size(c.chunk.Heat))
	}
	if c.chunk.Moves > 0 {
		s += fmt.Sprintf(", moves: %d (%s)", c.chunk.Moves, size(c.chunk.Copied))
	}
	if c.chunk.Pins > 0 {
		s += fmt.Sprintf(", pins: %d", c.chunk.Pins)
	}
	return s
}

func (p *picture) groupLegend(gs []group, fills []string, y int) {
	for i, g := range gs {
		x := margin + i%columns*(width-2*margin)/columns
		at := y + i/columns*entry
		p.print(`<rect x="%d" y="%d" width="12" height="12" rx="2" fill="%s"/>`, x, at, fills[i])
		p.print(`<text x="%d" y="%d">%s <tspan dx="4" fill="#666">%s, %d rows, %s, %.0f %% full</tspan></text>`+"\n",
			x+18, at+10, html.EscapeString(legible(g.name)), g.count(), g.rows, size(g.bytes), full(g.bytes, g.slots))
	}
}

func (p *picture) heatLegend(y int) {
	for level := range levels + 1 {
		p.print(`<rect x="%d" y="%d" width="40" height="12" fill="%s"/>`, margin+level*42, y, shade(level))
	}
	p.print("\n"+`<text x="%d" y="%d" fill="#666">left: not asked for; right: %s or more per 1,000 frames; half of it each step to the left</text>`+"\n",
		margin, y+entry+10, size(p.scale.least(levels)))
}

func (p *picture) stateLegend(y int) {
	x := margin
	for _, l := range []struct {
		fill, stroke, text string
		width              int
	}{
		{"#fff", "#ddd", "untouched", 90}, {"#ddd", "#bbb", "free", 60}, {"url(#stripes)", "#aaa", "in quarantine", 110},
		{"#fff", "#333", "spare", 65}, {"url(#blocks)", blocksColour, "shared", 70}, {"#777", "#555", "in use, no chunk's", 140},
	} {
		p.print(`<rect x="%g" y="%g" width="11" height="11" rx="2" fill="%s" stroke="%s"/><text x="%d" y="%d" fill="#666">%s</text>`+"\n",
			float64(x)+0.5, float64(y)+0.5, l.fill, l.stroke, x+18, y+10, l.text)
		x += l.width
	}
	p.print(`<circle cx="%d" cy="%d" r="3" fill="#fff" stroke="#000"/><text x="%d" y="%d" fill="#666">pinned</text>`, x+6, y+6, x+18, y+10)
	cell := "a cell: 64 KiB, as high as it is full"
	if p.by == ByHeat {
		cell = "a cell: 64 KiB"
	}
	p.print(`<text x="%d" y="%d" fill="#666">%s; a row: 2 MiB; lines across: a striped row, in which the columns of all chunks lie side by side</text>`+"\n", margin, y+10+entry, cell)
}

// categorical is a colour that differs from those before it: hues by the golden angle,
// in three depths.
func categorical(i int) string {
	hue := math.Mod(210+137.508*float64(i), 360)
	return hex(hue, [3]float64{0.60, 0.70, 0.45}[i%3], [3]float64{0.48, 0.38, 0.60}[i/2%3])
}

// hex is a colour by hue (degrees), saturation and lightness.
func hex(hue, saturation, lightness float64) string {
	a := saturation * min(lightness, 1-lightness)
	channel := func(n float64) int {
		k := math.Mod(n+hue/30, 12)
		return int(math.Round(255 * (lightness - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return fmt.Sprintf("#%02x%02x%02x", channel(0), channel(8), channel(4))
}

// shade is the colour of a level of heat, blue for none, then from yellow to dark red.
func shade(level int) string {
	return [levels + 1]string{"#a8c8e8", "#fff3a0", "#fee98f", "#fed26c", "#feb751", "#fd9640", "#fb6b30", "#ee3e22", "#cf1020", "#8e0018"}[level]
}
