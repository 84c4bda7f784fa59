package text

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Cursor reads the words of a statement in order. After the first problem its methods return
// zero values, and Done returns false.
type Cursor struct {
	p    *reader
	kind *Kind
	i    int // next word
}

// fail adds a problem at the next word, or after the last one. It ignores later problems of the
// same statement, because they follow from the first.
func (c *Cursor) fail(format string, args ...any) {
	if c.p.bad {
		return
	}
	w, more := c.next()
	if !more {
		w = c.p.words[len(c.p.words)-1]
		w.column += len(w.text)
	}
	c.p.fail(w.column, format+"; the form is: "+c.kind.Synopsis, args...)
}

// wrong adds a problem with the previous word.
func (c *Cursor) wrong(format string, args ...any) {
	c.i--
	c.fail(format, args...)
	c.i++
}

// next returns the next word. It returns false at the end.
func (c *Cursor) next() (w word, ok bool) {
	if c.i < len(c.p.words) {
		return c.p.words[c.i], true
	}
	return word{}, false
}

// Name reads a name. Errors name it by the argument.
func (c *Cursor) Name(what string) string {
	w, ok := c.next()
	if !ok || w.comma() {
		c.fail("%s is missing", what)
		return ""
	}
	if bad := BadName(w.text); bad != "" {
		c.fail("%s", bad)
	}
	c.i++
	return w.text
}

// names reads a list.
func (c *Cursor) names(what string) (names []string) {
	for {
		names = append(names, c.Name(what))
		if w, ok := c.next(); !ok || !w.comma() {
			break
		}
		c.i++
	}
	if bad := badNames(names...); bad != "" {
		c.wrong("%s", bad)
	}
	return names
}

// keyword reads one of these words. If the next is another one, it returns "".
func (c *Cursor) keyword(options ...string) string {
	if w, ok := c.next(); ok && !w.quoted && slices.Contains(options, w.text) {
		c.i++
		return w.text
	}
	return ""
}

// choice is keyword with a problem if the next word is another one.
func (c *Cursor) choice(what string, options ...string) string {
	k := c.keyword(options...)
	if w, is := c.next(); k == "" && is && len(options) > 1 {
		c.fail("unexpected %q: the %s is one of %s", w.text, what, strings.Join(options, ", "))
	} else if k == "" {
		c.fail("the %s is missing: it is one of %s", what, strings.Join(options, ", "))
	}
	return k
}

// value returns the next word. A missing word is a problem with the value, by its name.
func (c *Cursor) value(what string) (w word, ok bool) {
	if w, ok = c.next(); !ok {
		c.fail("%s: the value is missing", what)
	}
	c.i++
	return w, ok && !c.p.bad
}

// word reads a word with a text form of its own.
func (c *Cursor) word(what string, v Word) {
	if w, ok := c.value(what); ok && (w.quoted || !v.Take(w.text)) {
		c.wrong("%.40q is not a valid %s: write %s", w.text, what, v.Like())
	}
}

// number reads a whole number up to high.
func (c *Cursor) number(what string, high uint64) uint64 {
	w, ok := c.value(what)
	n, err := strconv.ParseUint(w.text, 10, 64)
	if ok && (err != nil || w.quoted || n > high) {
		c.wrong("%.40q is not a valid %s: write a whole number from 0 to %d", w.text, what, high)
		return 0
	}
	return n
}

// numbers reads a list of figures with commas.
func (c *Cursor) numbers(what string) (list []uint64) {
	for {
		list = append(list, c.number(what, math.MaxUint64))
		if w, ok := c.next(); !ok || !w.comma() {
			return list
		}
		c.i++
	}
}

// duration reads a time with its unit.
func (c *Cursor) duration(what string) time.Duration {
	w, ok := c.value(what)
	d, err := time.ParseDuration(w.text)
	if ok && (err != nil || w.quoted || d < 0) {
		c.wrong("%.40q is not a valid %s: write a number with a unit, as in 250us, 1.5ms or 2s", w.text, what)
	}
	return d
}

// Done ends a statement. It reports whether the statement is valid and not a repetition.
func (c *Cursor) Done(subject string) bool {
	return c.Once(subject, "line %d states it already: leave one of them")
}

// Once is Done with the text of the problem that the statement is a repetition. The text has the
// line of the first one.
func (c *Cursor) Once(subject, again string) bool {
	if w, more := c.next(); more {
		c.fail("unexpected %.40q", w.text)
	}
	if line, twice := c.p.lines[subject]; twice {
		c.Refuse(again, line)
	}
	if !c.p.bad {
		c.p.lines[subject] = c.p.line
	}
	return !c.p.bad
}

// Refuse adds a problem with the statement as a whole, unless it has had one.
func (c *Cursor) Refuse(format string, args ...any) {
	if !c.p.bad {
		c.p.fail(c.p.words[0].column, format, args...)
	}
}

// RefuseIf refuses the statement unless the problem is "".
func (c *Cursor) RefuseIf(problem string) {
	if problem != "" {
		c.Refuse("%s", problem)
	}
}

// Good reports whether the statement has had no problem.
func (c *Cursor) Good() bool { return !c.p.bad }

// Long reports whether the canonical form of the statement may exceed the length limit of a line.
func (c *Cursor) Long() bool { return c.p.words[len(c.p.words)-1].column > LineMax/32 }

// Line returns the number of the line, from 1.
func (c *Cursor) Line() int { return c.p.line }

// Comment returns the text behind the statement.
func (c *Cursor) Comment() string { return c.p.comment }
