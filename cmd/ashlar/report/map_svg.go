package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/profile"
)

// Lengths of the picture, in pixels.
const (
	side   = 16       // of a cell
	pitch  = side + 3 // from cell to cell
	left   = 120      // of the first cell
	top    = 64       // of the first row
	right  = 130      // room for the text of a row
	entry  = 18       // height of a line of the legend
	margin = 20
	width  = left + pitch*arena.SlotsPerRegion + right

	rowsMost   = 36        // of a page, in the proportions of A4 with the legend of MapTop groups
	tipLines   = 12        // chunks of a slot that are named where the pointer is
	restColour = "#8c8c8c" // of groups that are not listed
)

// MapSVG draws a map as a picture of its own: it refers to nothing else. With a Top it is one
// page: a row has as many regions as it takes, twice as many each time, to have at most 36 rows. A cell
// then has as many slots, which are neighbours, and looks like most of them (by heat: like the hottest).
// It fails if no group's name matches.
func MapSVG(w io.Writer, m profile.Map, o MapOptions) error {
	s, err := sceneOf(m, o)
	if err != nil {
		return err
	}
	p := picture{scene: s}
	gs := slices.Clone(s.listed)
	var fills []string
	for i := range gs {
		fills = append(fills, categorical(i))
	}
	if s.more > 0 {
		gs, fills = append(gs, s.rest), append(fills, restColour)
	}
	if s.shared.slots > 0 {
		gs, fills = append(gs, s.shared), append(fills, blocks.look().fill)
	}
	each := 1
	for o.Top > 0 && (len(s.rs)+each-1)/each > rowsMost {
		each *= 2
	}
	bands := s.fold(each)
	body := len(bands) * pitch
	lines := len(gs)
	if s.By == ByHeat {
		lines = 2 // the shades, and their meaning
	}
	p.print(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="system-ui, sans-serif" font-size="12" fill="#333">`+"\n",
		width, top+body+2*margin+lines*entry+margin+2*entry)
	p.print(`<title>Where chunks lie</title>` + "\n")
	p.print(`<defs><pattern id="slots" width="%d" height="%d" x="%d" y="%d" patternUnits="userSpaceOnUse"><rect x="0.5" y="0.5" width="%d" height="%[5]d" rx="2" fill="#fff" stroke="#ddd"/></pattern>`, pitch, pitch, left, top, side-1)
	p.print(`<pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="4" height="4" fill="#eee"/><rect width="2" height="4" fill="#aaa"/></pattern>`)
	p.print(`<pattern id="blocks" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" fill="#fff"/><rect width="3" height="3" fill="%s"/></pattern></defs>`+"\n", blocksColour)
	p.print(`<rect width="100%%" height="100%%" fill="#fff"/>` + "\n")
	p.print(`<text x="%d" y="26" font-size="16" font-weight="600">Where chunks lie, by %s</text>`+"\n", margin, s.By)
	p.print(`<text x="%d" y="46" fill="#666">%s</text>`+"\n", margin, html.EscapeString(p.headline(m)))
	p.print(`<rect x="%d" y="%d" width="%d" height="%d" fill="url(#slots)"/>`+"\n", left, top, pitch*arena.SlotsPerRegion, body)
	for i, b := range bands {
		p.band(b, top+i*pitch)
	}
	y := top + body + margin
	if s.By == ByHeat {
		p.heatLegend(y)
	} else {
		p.groupLegend(gs, fills, y)
	}
	p.stateLegend(y+lines*entry+margin/2, each)
	p.print("</svg>\n")
	_, err = p.b.WriteTo(w)
	return err
}

// picture is an SVG in the making.
type picture struct {
	scene
	b bytes.Buffer
}

// headline is the summary of the whole map, and of its visible part.
func (p *picture) headline(m profile.Map) string {
	s := MapHeadline(m)
	if p.Group != nil {
		s += fmt.Sprintf("; shown: groups that match %q", brief(p.Group.String()))
	}
	return s
}

func (p *picture) print(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// band draws one row.
func (p *picture) band(b band, y int) {
	name, note, striped := brief(b.rows[0].Range)+" "+b.numbers(), "", b.striped == len(b.rows)
	if len(b.rows) == 1 {
		note = fmt.Sprintf("%d in use, ", b.inUse)
	}
	p.print(`<text x="%d" y="%d" text-anchor="end"%s>%s</text>`+"\n", left-8, y+12, squeezed(name, left-8), html.EscapeString(name))
	if striped {
		p.print(`<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#eee" stroke="#999"/>`+"\n", left-2, y-1, pitch*len(b.cells)+1, pitch-1)
	}
	for s, c := range b.cells {
		if c.state != free {
			p.cell(c, s, left+s*pitch, y)
		}
	}
	if b.inUse > 0 {
		p.print(`<text x="%d" y="%d" fill="#666">%s%.0f %% full</text>`+"\n", left+pitch*arena.SlotsPerRegion+4, y+12, note, full(b.bytes, b.inUse))
	}
	if striped { // columns go across
		for i := range 3 {
			p.print(`<path d="M%d %dh%d" stroke="#fff"/>`, left, y+4+4*i, pitch*len(b.cells)-3)
		}
		p.print("\n")
	}
}

// squeezed makes a text fit that would be too long.
func squeezed(text string, width int) string {
	const wide = 7 // pixels, of a letter
	if utf8.RuneCountInString(text)*wide <= width {
		return ""
	}
	return fmt.Sprintf(` textLength="%d" lengthAdjust="spacingAndGlyphs"`, width-4)
}

// chunk draws a chunk as high as it is full; one that shows heat is filled.
func (p *picture) chunk(c tile, x, y int) {
	colour := p.paint(c.chunks[0])
	p.print(`<rect x="%d" y="%d" width="%d" height="%[3]d" rx="2" fill="%s" fill-opacity="0.25"/>`, x, y, side, colour)
	h := math.Ceil(side * c.full())
	if p.By == ByHeat {
		h = side
	}
	p.print(`<rect x="%d" y="%g" width="%d" height="%g" rx="2" fill="%s"/>`, x, float64(y+side)-h, side, h, colour)
	if c.chunks[0].Pins > 0 {
		p.print(`<circle cx="%d" cy="%d" r="3" fill="#fff" stroke="#000"/>`, x+side/2, y+side/2)
	}
}

// cell draws a slot, or some.
func (p *picture) cell(c tile, slot, x, y int) {
	p.print(`<g><title>%s</title>`, html.EscapeString(c.describe(slot)))
	l := c.state.look()
	switch {
	case c.state == used:
		p.chunk(c, x, y)
	case c.state == spare:
		p.box(x, y, l.fill, p.paint(c.chunks[0]))
	case c.state == blocks && p.By == ByHeat:
		p.box(x, y, shade(p.scale.level(c.heat())), l.stroke)
	default:
		p.box(x, y, l.fill, l.stroke)
	}
	p.print("</g>\n")
}

func (p *picture) box(x, y int, fill, stroke string) {
	p.print(`<rect x="%g" y="%g" width="%d" height="%[3]d" rx="2" fill="%s" stroke="%s"/>`, float64(x)+0.5, float64(y)+0.5, side-1, fill, stroke)
}

func (p *picture) paint(c *profile.Placed) string {
	switch {
	case p.By == ByHeat && c.Order < 0:
		return "#888"
	case p.By == ByHeat:
		return shade(p.scale.level(c.Heat))
	}
	if i := p.place(c.Group); i >= 0 {
		return categorical(i)
	}
	return restColour
}

// describe is the text about some slots under the pointer: how many are of each kind.
func (t tile) describe(slot int) string {
	if len(t.of) == 1 {
		return fmt.Sprintf("slot %d: %s", slot, describe(t.cell))
	}
	var kinds []string
	counts := map[string]int{}
	for _, c := range t.of {
		kind := c.state.look().name
		if c.state == used {
			kind = "of " + brief(c.chunks[0].Group)
		}
		if counts[kind]++; counts[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return counts[b] - counts[a] })
	s := plural(len(t.of), "slot")
	for _, k := range kinds[:min(len(kinds), tipLines)] {
		s += fmt.Sprintf("\n%d %s", counts[k], k)
	}
	if n := len(kinds) - tipLines; n > 0 {
		s += fmt.Sprintf("\nand %d more kinds", n)
	}
	if n := t.heat(); n > 0 {
		s += fmt.Sprintf("\nthe hottest asked for %s per 1,000 frames", size(n))
	}
	return s
}

// describe is the text about one slot under the pointer.
func describe(c cell) string {
	switch c.state {
	case used, spare:
		return describeChunk(c.chunks[0])
	case blocks:
		s := plural(len(c.chunks), "chunk") + " of few rows"
		for _, o := range c.chunks[:min(len(c.chunks), tipLines)] {
			s += "\n" + titleOf(o)
		}
		if n := len(c.chunks) - tipLines; n > 0 {
			s += fmt.Sprintf("\nand %d more", n)
		}
		return s
	case dirty:
		return "free, its pages are there still"
	}
	return c.state.look().name
}

// titleOf names a chunk, and says how large it is.
func titleOf(c *profile.Placed) string {
	if c.Order < 0 {
		return legible(c.Group) + ", spare"
	}
	return fmt.Sprintf("%s, chunk %d, %s of %s", legible(c.Group), c.Order, plural(int(c.Rows), "row"), size(c.Bytes))
}

func describeChunk(c *profile.Placed) string {
	s := titleOf(c)
	if c.Heat > 0 {
		s += fmt.Sprintf(", asked for %s per 1,000 frames", size(c.Heat))
	}
	if c.Moves > 0 {
		s += fmt.Sprintf(", moves: %d (%s)", c.Moves, size(c.Copied))
	}
	if c.Pins > 0 {
		s += fmt.Sprintf(", pins: %d", c.Pins)
	}
	return s
}

func (p *picture) groupLegend(gs []group, fills []string, y int) {
	for i, g := range gs {
		at := y + i*entry
		p.print(`<rect x="%d" y="%d" width="12" height="12" rx="2" fill="%s"/>`, margin, at, fills[i])
		p.print(`<text x="%d" y="%d">%s <tspan dx="4" fill="#666">%s, %s, %s, %.0f %% full</tspan></text>`+"\n",
			margin+18, at+10, html.EscapeString(brief(g.name)), g.count(), plural(int(g.rows), "row"), size(g.bytes), full(g.bytes, g.slots))
	}
}

func (p *picture) heatLegend(y int) {
	for level := range levels + 1 {
		p.print(`<rect x="%d" y="%d" width="40" height="12" fill="%s"/>`, margin+level*42, y, shade(level))
	}
	p.print("\n"+`<text x="%d" y="%d" fill="#666">left: not asked for; right: %s or more per 1,000 frames; half of it each step to the left</text>`+"\n",
		margin, y+entry+10, size(p.scale.least(levels)))
}

func (p *picture) stateLegend(y, each int) {
	x := margin
	item := func(l look, text string) {
		p.print(`<rect x="%g" y="%g" width="11" height="11" rx="2" fill="%s" stroke="%s"/><text x="%d" y="%d" fill="#666">%s</text>`+"\n",
			float64(x)+0.5, float64(y)+0.5, l.fill, l.stroke, x+18, y+10, text)
		x += l.width
	}
	for _, s := range []state{free, dirty, quarantined, spare, blocks, other} {
		item(s.look(), s.look().name)
	}
	p.print(`<circle cx="%d" cy="%d" r="3" fill="#fff" stroke="#000"/><text x="%d" y="%d" fill="#666">pinned</text>`, x+6, y+6, x+18, y+10)
	if x += others.look().width; p.Group != nil {
		item(others.look(), "group not shown")
	}
	cell, row, lines := "a cell: 64 KiB", "a row: 2 MiB", "lines across: a striped row, in which the columns of all chunks lie side by side"
	if each > 1 {
		cell, row, lines = fmt.Sprintf("a cell: %d × 64 KiB, drawn as %s", each, p.standsFor()), fmt.Sprintf("a row: %d × 2 MiB", each), "lines across: striped"
	}
	if p.By == ByGroup {
		cell += ", as high as it is full"
	}
	p.print(`<text x="%d" y="%d" fill="#666">%s; %s; %s</text>`+"\n", margin, y+10+entry, cell, row, lines)
}

// categorical is a colour that differs from earlier ones: hues by the golden angle,
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
