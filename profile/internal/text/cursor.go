package text

import (
	"math/bits"
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

// Fail adds a problem at the next word, or after the last one. It ignores later problems of the
// same statement, because they follow from the first.
func (c *Cursor) Fail(format string, args ...any) {
	if c.p.bad {
		return
	}
	column := 0
	if c.i < len(c.p.words) {
		column = c.p.words[c.i].column
	} else {
		w := c.p.words[len(c.p.words)-1]
		column = w.column + len(w.text)
	}
	c.p.fail(column, format+"; the form is: "+c.kind.Synopsis, args...)
}

// wrong adds a problem with the previous word.
func (c *Cursor) wrong(format string, args ...any) {
	c.i--
	c.Fail(format, args...)
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
		c.Fail("%s is missing", what)
		return ""
	}
	if bad := BadName(w.text); bad != "" {
		c.Fail("%s", bad)
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

// Keyword reads one of these words. If the next is another one, it returns "".
func (c *Cursor) Keyword(options ...string) string {
	if w, ok := c.next(); ok && !w.quoted && slices.Contains(options, w.text) {
		c.i++
		return w.text
	}
	return ""
}

// Choice is Keyword with a problem if the next word is another one.
func (c *Cursor) Choice(what string, options ...string) string {
	k := c.Keyword(options...)
	if w, is := c.next(); k == "" && is && len(options) > 1 {
		c.Fail("unexpected %q: the %s is one of %s", w.text, what, strings.Join(options, ", "))
	} else if k == "" {
		c.Fail("the %s is missing: it is one of %s", what, strings.Join(options, ", "))
	}
	return k
}

// value returns the next word. A missing word is a problem.
func (c *Cursor) value(key string) (w word, ok bool) {
	if w, ok = c.next(); !ok {
		c.Fail("%s: the value is missing", key)
	}
	c.i++
	return w, ok && !c.p.bad
}

// Number reads a whole number up to high.
func (c *Cursor) Number(key string, high uint64) uint64 {
	w, ok := c.value(key)
	n, err := strconv.ParseUint(w.text, 10, 64)
	if ok && (err != nil || w.quoted || n > high) {
		c.wrong("%.40q is not a valid %s: write a whole number from 0 to %d", w.text, key, high)
		return 0
	}
	return n
}

// bytes reads a number with an optional suffix K, M or G.
func (c *Cursor) bytes(key string) uint64 {
	w, ok := c.value(key)
	digits, shift := w.text, 0
	if n := len(digits) - 1; n > 0 {
		if i := strings.IndexByte("KMG", digits[n]); i >= 0 {
			digits, shift = digits[:n], 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if ok && (err != nil || w.quoted || bits.Len64(n)+shift > 64) {
		c.wrong("%.40q is not a valid number of %s: write a whole number, with or without the suffix K, M or G", w.text, key)
	}
	return n << shift
}

// duration reads a time with its unit.
func (c *Cursor) duration(key string) time.Duration {
	w, ok := c.value(key)
	d, err := time.ParseDuration(w.text)
	if ok && (err != nil || w.quoted || d < 0) {
		c.wrong("%.40q is not a valid %s: write a number with a unit, as in 250us, 1.5ms or 2s", w.text, key)
	}
	return d
}

// Text reads a word by a function, which reports whether the word is valid. Like describes valid
// words in errors.
func (c *Cursor) Text(key, like string, take func(string) bool) {
	if w, ok := c.value(key); ok && (w.quoted || !take(w.text)) {
		c.wrong("%.40q is not a valid %s: write %s", w.text, key, like)
	}
}

// Done ends a statement. It reports whether the statement is valid and not a repetition.
func (c *Cursor) Done(subject string) bool {
	return c.Once(subject, "line %d states it already: leave one of them")
}

// Once is Done with the text of the problem that the statement is a repetition. The text has the
// line of the first one.
func (c *Cursor) Once(subject, again string) bool {
	if w, more := c.next(); more {
		c.Fail("unexpected %.40q", w.text)
	}
	if c.p.bad {
		return false
	}
	if line, twice := c.p.lines[subject]; twice {
		c.p.fail(c.p.words[0].column, again, line)
		return false
	}
	if c.p.lines == nil {
		c.p.lines = make(map[string]int)
	}
	c.p.lines[subject] = c.p.line
	return true
}

// Refuse adds a problem with the statement as a whole, unless it has had one.
func (c *Cursor) Refuse(format string, args ...any) {
	if !c.p.bad {
		c.p.fail(c.p.words[0].column, format, args...)
	}
}

// Good reports whether the statement has had no problem.
func (c *Cursor) Good() bool { return !c.p.bad }

// Long reports whether the canonical form of the line may exceed the length limit of a line.
func (c *Cursor) Long() bool { return c.p.long }

// Line returns the number of the line, from 1.
func (c *Cursor) Line() int { return c.p.line }
