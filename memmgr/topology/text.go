package topology

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The text form, a statement a line; # begins a comment:
//
//	ashlar topology 1
//	cpus 8
//	line 64
//	page 4096
//	hugepage 2097152 madvise
//	nodes 1
//	counters 1
//	cache 1 bytes 32768 ways 8 sets 64 line 64 shared 1
//
// The first line says the version. What is not stated is as in Default; the
// first cache statement replaces all default caches.

const (
	version  = 1
	maxBytes = 64 << 10 // of a description
	maxValue = 1 << 30
)

// WriteTo writes the description in its text form; Parse reads it back.
func (t Topology) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "ashlar topology %d\n", version)
	fmt.Fprintf(&b, "cpus %d\nline %d\npage %d\nhugepage %d %s\nnodes %d\ncounters %d\n",
		t.CPUs.N, t.Line.N, t.Page.N, t.HugePage.N, t.HugeMode.Word, t.Nodes.N, t.Counters.N)
	for _, c := range t.Caches {
		fmt.Fprintf(&b, "cache %d bytes %d ways %d sets %d line %d shared %d\n", c.Level, c.Bytes, c.Ways, c.Sets, c.Line, c.SharedBy)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Parse reads a description. The error names every problem with file and line.
// A description of a newer version is refused.
func Parse(name string, r io.Reader) (Topology, error) {
	p := parser{name: name, t: Default()}
	sc := bufio.NewScanner(io.LimitReader(r, maxBytes+1))
	total := 0
	for sc.Scan() {
		p.line++
		if total += len(sc.Bytes()) + 1; total > maxBytes {
			p.fail("the description is longer than %d bytes: it is not one", maxBytes)
			break
		}
		text, _, _ := strings.Cut(sc.Text(), "#")
		if words := strings.Fields(text); len(words) > 0 {
			p.statement(words)
		}
		if p.stop {
			break
		}
	}
	if err := sc.Err(); err != nil {
		p.fail("reading: %v", err)
	}
	if !p.begun && len(p.errs) == 0 {
		p.fail("it is empty: a description begins with \"ashlar topology %d\"", version)
	}
	if len(p.errs) > 0 {
		return Topology{}, errors.Join(p.errs...)
	}
	return p.t, nil
}

type parser struct {
	name   string
	line   int
	t      Topology
	begun  bool
	caches bool
	stop   bool
	errs   []error
}

func (p *parser) fail(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %w", p.name, max(p.line, 1), fmt.Errorf(format, args...)))
}

// num reads a number of at least low.
func (p *parser) num(word string, low int) int {
	n, err := strconv.Atoi(word)
	if err != nil || n < low || n > maxValue {
		p.fail("%q is not a number from %d to %d", word, low, maxValue)
		return low
	}
	return n
}

func (p *parser) statement(words []string) {
	if !p.begun {
		p.begin(words)
		return
	}
	want := map[string]int{"cpus": 2, "line": 2, "page": 2, "hugepage": 3, "nodes": 2, "counters": 2, "cache": 12}[words[0]]
	switch {
	case want == 0:
		p.fail("%q is not known: cpus, line, page, hugepage, nodes, counters and cache are", words[0])
		return
	case want != len(words):
		p.fail("%s takes %d words and has %d", words[0], want-1, len(words)-1)
		return
	}
	value := func(low int) Value { return Value{p.num(words[1], low), SourceFile} }
	switch words[0] {
	case "cpus":
		p.t.CPUs = value(1)
	case "line":
		p.t.Line = value(1)
	case "page":
		p.t.Page = value(1)
	case "nodes":
		p.t.Nodes = value(1)
	case "counters":
		p.t.Counters = value(0)
	case "hugepage":
		p.t.HugePage = value(0)
		if w := words[2]; w != "always" && w != "madvise" && w != "never" {
			p.fail("huge pages are given %q: always, madvise or never", w)
		}
		p.t.HugeMode = Mode{words[2], SourceFile}
	case "cache":
		p.cache(words)
	}
}

func (p *parser) begin(words []string) {
	p.begun = true
	if len(words) != 3 || words[0] != "ashlar" || words[1] != "topology" {
		p.fail("it does not begin with \"ashlar topology %d\": it is not a description of a machine", version)
		p.stop = true
		return
	}
	if v := p.num(words[2], 1); v > version {
		p.fail("it has version %d, and this program reads up to %d: use a newer ashlar", v, version)
		p.stop = true
	}
}

func (p *parser) cache(words []string) {
	for i, key := range []string{"bytes", "ways", "sets", "line", "shared"} {
		if words[2+2*i] != key {
			p.fail("%q stands where %q is expected: cache LEVEL bytes N ways N sets N line N shared N", words[2+2*i], key)
			return
		}
	}
	c := Cache{p.num(words[1], 1), p.num(words[3], 1), p.num(words[5], 1), p.num(words[7], 1), p.num(words[9], 1), p.num(words[11], 1), SourceFile}
	if !p.caches {
		p.t.Caches, p.caches = nil, true
	}
	if len(p.t.Caches) == 8 {
		p.fail("more than 8 caches")
		return
	}
	p.t.Caches = append(p.t.Caches, c)
}
