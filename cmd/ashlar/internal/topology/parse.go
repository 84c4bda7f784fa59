package topology

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
)

// Parse reads a description, at most 1 MiB of it. The error names every problem
// (the first 20 of them) with file, line and column. A description of a newer
// version is refused. name stands for r in errors.
func Parse(name string, r io.Reader) (Topology, error) {
	raw, err := io.ReadAll(io.LimitReader(r, textMax+1))
	if err != nil {
		return Topology{}, fmt.Errorf("topology: reading %s: %w", name, err)
	}
	p := parser{name: name, t: Default(), seen: map[string]int{}}
	if len(raw) > textMax {
		p.fail(0, "the description is longer than %d bytes: it is not one", textMax)
		return Topology{}, errors.Join(p.errs...)
	}
	for text := range strings.Lines(string(raw)) {
		p.line++
		if words := p.split(strings.TrimRight(text, "\r\n")); len(words) > 0 && !p.statement(words) {
			break
		}
	}
	if !p.begun && len(p.errs) == 0 {
		p.fail(0, "it is empty: a description begins with \"ashlar topology %d\"", version)
	}
	p.finish()
	if p.more > 0 {
		p.errs = append(p.errs, fmt.Errorf("%s: and %d problems more", name, p.more))
	}
	if len(p.errs) > 0 {
		return Topology{}, errors.Join(p.errs...)
	}
	return p.t, nil
}

// problemsMax is how many problems an error names: nobody reads more.
const problemsMax = 20

type parser struct {
	name   string
	line   int
	t      Topology
	begun  bool
	seen   map[string]int // statement or cache → line that has it
	caches []stated
	errs   []error
	more   int // problems that are not in errs
}

// fail notes a problem. Column 0 is the description as a whole.
func (p *parser) fail(column int, format string, args ...any) {
	if len(p.errs) == problemsMax {
		p.more++
		return
	}
	where := fmt.Sprintf("%s:%d:", p.name, max(p.line, 1))
	if column > 0 {
		where += fmt.Sprintf("%d:", column)
	}
	p.errs = append(p.errs, fmt.Errorf("%s %s", where, fmt.Sprintf(format, args...)))
}

// word is one word of a line, or what stood between quotes.
type word struct {
	text   string
	column int // of its first byte, from 1
}

// split cuts a line into words, up to a comment.
func (p *parser) split(line string) (words []word) {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '#':
			return words
		case c == '"':
			n := strings.IndexByte(line[i+1:], '"')
			if n < 0 {
				p.fail(i+1, "the quote is not closed")
				return nil
			}
			words = append(words, word{line[i+1 : i+1+n], i + 1})
			i += n + 2
		default:
			n := strings.IndexAny(line[i:], " \t#\"")
			if n < 0 {
				n = len(line) - i
			}
			words = append(words, word{line[i : i+n], i + 1})
			i += n
		}
	}
	return words
}

// statement takes one; false: there is no point in going on.
func (p *parser) statement(words []word) bool {
	if !p.begun {
		return p.begin(words)
	}
	first, rest := words[0], words[1:]
	if first.text == "cache" {
		p.cache(first, rest)
		return true
	}
	var end *word
	if len(rest) > 1 {
		end = &rest[1]
	}
	take, known := p.takers()[first.text]
	switch {
	case !known:
		p.fail(first.column, "%.40q is not known: arch, model, cpus, memory, limit, line, page, hugepage, hugemode, nodes, counters and cache are", first.text)
	case len(rest) != 1 && len(rest) != 3, len(rest) == 3 && end.text != "from":
		p.fail(first.column, "%s takes one value, and then may say from where: %s VALUE from SOURCE", first.text, first.text)
	case p.twice(first, first.text):
	default:
		s := SourceFile
		if len(rest) == 3 {
			s = p.source(rest[2])
		}
		take(rest[0], s)
	}
	return true
}

func (p *parser) begin(words []word) bool {
	p.begun = true
	if len(words) != 3 || words[0].text != "ashlar" || words[1].text != "topology" {
		p.fail(0, "it does not begin with \"ashlar topology %d\": it is not a description of a machine", version)
		return false
	}
	v, err := strconv.Atoi(words[2].text)
	switch {
	case err != nil || v < 1:
		p.fail(words[2].column, "%.40q is not a version: this program reads version %d", words[2].text, version)
	case v > version:
		p.fail(words[2].column, "it has version %d, and this program reads up to %d: use a newer ashlar", v, version)
	default:
		return true
	}
	return false
}

// takers are the statements of one value.
func (p *parser) takers() map[string]func(w word, s Source) {
	number := func(v *Value, low, high int) func(word, Source) {
		return func(w word, s Source) { *v = Value{int(p.number(w, uint64(low), uint64(high))), s} }
	}
	name := func(n *Name) func(word, Source) {
		return func(w word, s Source) {
			if printable(w.text) != w.text {
				p.fail(w.column, "it has characters that a name has not, or more than %d, or blanks around it", nameMax)
			}
			*n = Name{w.text, s}
		}
	}
	power := func(v *Value, ok func(int) bool, limits string) func(word, Source) {
		return func(w word, s Source) {
			*v = Value{int(p.number(w, 0, bytesMax)), s}
			if !ok(v.N) {
				p.fail(w.column, "%.40q: it has to be a power of two %s", w.text, limits)
			}
		}
	}
	return map[string]func(word, Source){
		"arch":     name(&p.t.Arch),
		"model":    name(&p.t.Model),
		"cpus":     number(&p.t.CPUs, 1, valueMax),
		"nodes":    number(&p.t.Nodes, 1, valueMax),
		"counters": number(&p.t.Counters, 0, 1),
		"memory":   func(w word, s Source) { p.t.Memory = Memory{p.number(w, 0, memoryMax), s} },
		"limit":    func(w word, s Source) { p.t.Limit = Memory{p.number(w, 1, memoryMax), s} },
		"line":     power(&p.t.Line, isLine, "from 16 to 4096"),
		"page":     power(&p.t.Page, isPage, "from 512 to 1G"),
		"hugepage": power(&p.t.HugePage, func(n int) bool { return n == 0 || isPage(n) }, "from 512 to 1G, or 0"),
		"hugemode": func(w word, s Source) {
			switch w.text {
			case "always", "madvise", "never", "none":
			default:
				p.fail(w.column, "huge pages are given %.40q: always, madvise, never or none", w.text)
			}
			p.t.HugeMode = Name{w.text, s}
		},
	}
}

// number reads a number from low to high, with K, M or G behind it or not.
func (p *parser) number(w word, low, high uint64) uint64 {
	digits, shift := w.text, 0
	if n := len(digits) - 1; n > 0 {
		if i := strings.IndexByte("KMG", digits[n]); i >= 0 {
			digits, shift = digits[:n], 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || bits.Len64(n)+shift > 64 || n<<shift < low || n<<shift > high {
		p.fail(w.column, "%.40q is not a number from %d to %d", w.text, low, high)
		return low
	}
	return n << shift
}

func (p *parser) source(w word) Source {
	s, ok := sourceOf(w.text)
	if !ok {
		p.fail(w.column, "%.40q is not a source: default, cpuid, sysfs, sysctl, runtime and file are", w.text)
	}
	return s
}

// twice refuses what an earlier line has stated.
func (p *parser) twice(w word, what string) bool {
	if line, ok := p.seen[what]; ok {
		p.fail(w.column, "%s is stated in line %d already", what, line)
		return true
	}
	p.seen[what] = p.line
	return false
}
