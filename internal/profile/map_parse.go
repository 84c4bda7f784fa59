package profile

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// ParseMap reads the text form of a map, with the limits of [Parse]. name stands for r in
// errors. A map of a newer version is refused. The error is a *[Problems] that names
// everything that is wrong, with file, line and column, or wraps what r returned.
func ParseMap(name string, r io.Reader) (Map, error) {
	raw, err := io.ReadAll(io.LimitReader(r, fileMax+1))
	if err != nil {
		return Map{}, fmt.Errorf("profile: reading %s: %w", name, err)
	}
	p := mapParser{parser: parser{f: &File{Name: name, lines: map[string]int{}}}, regions: map[string]int{}}
	if len(raw) > fileMax {
		p.refuse(0, "it has more than %d bytes, and no map has: name another file", fileMax)
		return Map{}, p.ps.err()
	}
	for line := range strings.Lines(string(raw)) {
		p.line++
		if !p.take(strings.TrimRight(line, "\r\n")) {
			break
		}
	}
	if p.f.lines["end"] == 0 && len(p.ps.First) == 0 {
		if p.begun {
			p.refuse(0, "it has no `end`: the file is cut off below this line; record it anew")
		} else {
			p.refuse(0, "it is empty: a map begins with \"ashlar map %d\"", MapVersion)
		}
	}
	if err := p.ps.err(); err != nil {
		return Map{}, err
	}
	return p.m, nil
}

// ReadMapFile is ParseMap of a file.
func ReadMapFile(path string) (Map, error) {
	r, err := os.Open(path)
	if err != nil {
		return Map{}, fmt.Errorf("profile: %w: name a map that a run has recorded", err)
	}
	defer r.Close()
	return ParseMap(path, r)
}

// mapParser reads statements of maps with the words and figures of profiles.
type mapParser struct {
	parser
	m       Map
	regions map[string]int // subject → index
	taken   [][32]uint64   // bytes of chunks in the slots of each region
	count   int
}

// take reads a line; false: there is no point in going on.
func (p *mapParser) take(line string) bool {
	if i := badByte(line); i >= 0 {
		p.refuse(i+1, "byte %#02x is none of a text: the file is binary or damaged; name another one", line[i])
		return false
	}
	if len(line) > lineMax {
		p.refuse(lineMax, "the line has %d bytes, and at most %d are taken", len(line), lineMax)
		return false
	}
	words, _, column, problem := splitLine(line)
	p.bad = false
	switch {
	case column > 0:
		p.refuse(column, "%s", problem)
		return p.begun
	case len(words) == 0:
		return true
	case !p.begun:
		return p.begin(words)
	}
	if p.count++; p.count > statementMax {
		p.refuse(0, "it has more than %d statements", statementMax)
		return false
	}
	p.statement(words)
	return true
}

func (p *mapParser) begin(words []word) bool {
	p.begun = true
	if len(words) > 1 && words[0].is("ashlar") && words[1].is("profile") {
		p.refuse(words[0].column, "it is no map but an ashlar profile: its map is in the file that the same run wrote beside it, with %s at the end", MapSuffix)
		return false
	}
	if len(words) != 3 || !words[0].is("ashlar") || !words[1].is("map") {
		p.refuse(words[0].column, "it is no map: a map begins with \"ashlar map %d\"; name another file", MapVersion)
		return false
	}
	v, err := strconv.ParseUint(words[2].text, 10, 64)
	switch {
	case err != nil || v < 1:
		p.refuse(words[2].column, "%.40q is not a version: this program reads version %d", words[2].text, MapVersion)
	case v > MapVersion:
		p.refuse(words[2].column, "it has version %d, and this program knows up to %d: use a newer ashlar", v, MapVersion)
	}
	return !p.bad
}

func (p *mapParser) statement(words []word) {
	first := words[0]
	if line := p.f.lines["end"]; line > 0 {
		p.refuse(first.column, "`end` stands in line %d already: nothing follows it", line)
		return
	}
	c := &cursor{p: &p.parser, words: words, i: 1}
	switch {
	case first.is("frame"):
		c.form.synopsis = "frame N"
		p.m.Frame = c.number("number of a frame", 1<<64-1)
		c.ok("frame")
	case first.is("whole"):
		c.form.synopsis = "whole"
		p.m.Whole = true
		c.ok("whole")
	case first.is("region"):
		c.form.synopsis = "region RANGE NUMBER STATES [striped]"
		p.region(c)
	case first.is("chunk"):
		c.form.synopsis = "chunk GROUP ORDER|spare at RANGE NUMBER SLOT [rows N] [bytes N] [pins N] [moves N] [copied N] [heat N]"
		p.chunk(c)
	case first.is("end"):
		c.form.synopsis = "end"
		c.ok("end")
	default:
		p.refuse(first.column, "%.40q is no statement: a line begins with frame, whole, region, chunk or end", first.text)
	}
}

func (p *mapParser) region(c *cursor) {
	r := Region{Range: c.name("the range"), Number: uint32(c.number("number of a region", 1<<32-1))}
	if w, _ := c.next(); len(w.text) != 32 {
		c.fail("the states of 32 slots, a letter each, are missing")
	} else if i := r.setStates(w.text); i >= 0 {
		p.refuse(w.column+i, "%.4q is no state of a slot: . - x + : and ~ are", w.text[i:])
	}
	c.i++
	r.Striped = c.keyword("striped") != ""
	about := subjectOfRegion(r)
	if !c.ok(about) {
		return
	}
	if bad := badRegion(r); bad != "" {
		p.refuse(c.words[0].column, "%s", bad)
		return
	}
	p.regions[about] = len(p.m.Regions)
	p.m.Regions = append(p.m.Regions, r)
	p.taken = append(p.taken, [32]uint64{})
}

func (p *mapParser) chunk(c *cursor) {
	g := Placed{Group: c.name("the group's name"), Order: -1}
	if c.keyword("spare") == "" {
		g.Order = int(c.number("order in the group", numberMax))
	}
	if c.keyword("at") == "" {
		c.fail("at is missing")
		return
	}
	r := Region{Range: c.name("the range"), Number: uint32(c.number("number of a region", 1<<32-1))}
	g.Slot = int(c.number("slot", 31))
	var fields []field
	values := g.figures()
	for i, f := range values {
		fields = append(fields, field{f.key, false, func(key string) { values[i].value = c.number(key, f.high) }})
	}
	c.fields(fields...)
	g.Rows, g.Bytes, g.Pins = values[0].value, values[1].value, int(values[2].value)
	g.Moves, g.Copied, g.Heat = values[3].value, values[4].value, values[5].value
	if !c.ok(subjectOfChunk(g, r)) {
		return
	}
	i, known := p.regions[subjectOfRegion(r)]
	if !known {
		p.refuse(c.words[0].column, "no line above states %.80s: put its statement first", subjectOfRegion(r))
		return
	}
	g.Region = i
	if bad := badPlaced(g, p.m.Regions[i], &p.taken[i]); bad != "" {
		p.refuse(c.words[0].column, "%s", bad)
		return
	}
	p.m.Chunks = append(p.m.Chunks, g)
}
