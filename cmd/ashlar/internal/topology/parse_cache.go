package topology

import (
	"fmt"
	"strconv"
)

// stated is a cache as a description has it, before what it leaves out is known.
type stated struct {
	c    Cache
	line int // of the description
	at   int // column
}

// cache takes the statement `cache LEVEL [KIND] bytes N …`. Keys come in any
// order; `from` belongs to the key before it.
func (p *parser) cache(first word, rest []word) {
	const form = "cache LEVEL data|instruction|unified bytes N line N ways N sets N shared N, each with `from SOURCE` or not"
	if len(rest) == 0 {
		p.fail(first.column, "a cache has no level: %s", form)
		return
	}
	before := len(p.errs) + p.more
	c := Cache{Level: int(p.number(rest[0], 1, levelMax)), Kind: Unified, Source: SourceFile, WaysSource: SourceFile, SharedSource: SourceFile}
	if c.Level == 1 {
		c.Kind = Data
	}
	rest = rest[1:]
	if len(rest) > 0 {
		for k := range Unified + 1 {
			if k.String() == rest[0].text {
				c.Kind, rest = k, rest[1:]
				break
			}
		}
	}
	fields := map[string]*int{"bytes": &c.Bytes, "line": &c.Line, "ways": &c.Ways, "sets": &c.Sets, "shared": &c.SharedBy}
	froms := map[string]*Source{"bytes": &c.Source, "line": &c.Source, "ways": &c.WaysSource, "sets": &c.WaysSource, "shared": &c.SharedSource}
	last := ""
	for ; len(rest) > 0; rest = rest[min(2, len(rest)):] {
		key := rest[0]
		field, known := fields[key.text]
		switch {
		case len(rest) == 1:
			p.fail(key.column, "%.40q has no value: %s", key.text, form)
		case key.text == "from" && last != "":
			*froms[last] = p.source(rest[1])
			last = ""
		case !known:
			p.fail(key.column, "%.40q is not expected here: %s", key.text, form)
			return
		case *field != 0:
			p.fail(key.column, "%s is stated twice", key.text)
		default:
			last = key.text
			*field = int(p.number(rest[1], 1, bytesMax))
		}
	}
	if c.Bytes == 0 && len(p.errs)+p.more == before {
		p.fail(first.column, "a cache has no size: %s", form)
	}
	// Errors are noted; the line stays here so that a cache which is stated twice
	// is found in any case.
	if !p.twice(first, holds(c)) && len(p.errs)+p.more == before {
		p.caches = append(p.caches, stated{c, p.line, first.column})
	}
}

// holds names what there can be one of: a level has either a unified cache or one
// for each use.
func holds(c Cache) string {
	if c.Kind == Instruction {
		return fmt.Sprintf("the instruction cache of level %d", c.Level)
	}
	return "the cache for data of level " + strconv.Itoa(c.Level)
}

// finish makes up what the description leaves out, and looks at the whole.
func (p *parser) finish() {
	_, line := p.seen["line"]
	if len(p.errs) > 0 {
		return
	}
	if len(p.caches) == 0 {
		if line {
			p.t.setLine(p.t.Line.N, p.t.Line.Source)
		}
		return
	}
	end := p.line
	p.t.Caches = nil
	for _, s := range p.caches {
		p.line = s.line
		if c := s.c; p.complete(&c, s.at) {
			p.t.Caches = append(p.t.Caches, c)
		}
	}
	p.line = end
	sortCaches(p.t.Caches)
	l1, ok := p.t.Cache(1)
	if !ok && len(p.errs) == 0 {
		p.fail(0, "there are caches, but none of level 1 for data: state it, or leave all caches out")
	}
	if ok && !line {
		p.t.Line = Value{l1.Line, l1.Source}
	}
}

// complete makes up what a cache leaves out; false if its parts disagree.
func (p *parser) complete(c *Cache, column int) bool {
	if c.SharedBy == 0 {
		c.SharedBy, c.SharedSource = 1, SourceDefault
	}
	if c.Line == 0 {
		c.Line = p.t.Line.N
	}
	lines := c.Bytes / c.Line
	switch {
	case !isLine(c.Line):
		p.fail(column, "its line has %d bytes: it has to be a power of two from %d to %d", c.Line, lineMin, lineMax)
		return false
	case lines == 0 || c.Bytes%c.Line != 0:
		p.fail(column, "its %d bytes are no multiple of its line, %d bytes", c.Bytes, c.Line)
		return false
	case c.Ways == 0 && c.Sets == 0:
		c.fit()
	case c.Ways == 0:
		c.Ways = lines / c.Sets
	case c.Sets == 0:
		c.Sets = lines / c.Ways
	}
	if !c.valid() {
		p.fail(column, "bytes are not ways × sets × line: %d ≠ %d × %d × %d", c.Bytes, c.Ways, c.Sets, c.Line)
		return false
	}
	return true
}
