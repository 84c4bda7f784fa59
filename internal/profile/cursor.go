package profile

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cursor goes over the words of a statement.
type cursor struct {
	p     *parser
	words []word
	i     int // next word
	form  form
}

// fail notes a problem at the next word, or behind the last one.
func (c *cursor) fail(format string, args ...any) {
	column := 0
	if c.i < len(c.words) {
		column = c.words[c.i].column
	} else if w := c.words[len(c.words)-1]; true {
		column = w.column + len(w.text)
	}
	c.p.fail(column, format+"; the form is: "+c.form.synopsis, args...)
}

// next is the next word, ok while there is one.
func (c *cursor) next() (w word, ok bool) {
	if c.i < len(c.words) {
		return c.words[c.i], true
	}
	return word{}, false
}

func (c *cursor) name(what string) string {
	w, ok := c.next()
	if !ok || w.comma() {
		c.fail("%s is missing", what)
		return ""
	}
	if bad := badName(w.text); bad != "" {
		c.fail("%s", bad)
	}
	c.i++
	return w.text
}

// names reads a list of at least that many names.
func (c *cursor) names(what string, least int) (names []string) {
	at := c.i
	for {
		names = append(names, c.name(what))
		if w, ok := c.next(); !ok || !w.comma() {
			break
		}
		c.i++
	}
	if bad := badList(names, least); bad != "" && !c.p.bad {
		c.i, at = at, c.i
		c.fail("%s", bad)
		c.i = at
	}
	return names
}

// keyword reads one of these words; "" and no problem if the next is another one.
func (c *cursor) keyword(options ...string) string {
	if w, ok := c.next(); ok && !w.quoted && slices.Contains(options, w.text) {
		c.i++
		return w.text
	}
	return ""
}

// value is the next word, where a keyword asks for one.
func (c *cursor) value(key string) (w word, ok bool) {
	if w, ok = c.next(); !ok {
		c.fail("the %s is missing", key)
	}
	c.i++
	return w, ok
}

// wrong notes a problem with the word that value has read.
func (c *cursor) wrong(format string, args ...any) {
	c.i--
	c.fail(format, args...)
	c.i++
}

// number reads one up to high.
func (c *cursor) number(key string, high uint64) uint64 {
	w, ok := c.value(key)
	n, err := strconv.ParseUint(w.text, 10, 64)
	if ok && (err != nil || w.quoted || n > high) {
		c.wrong("%.40q is no %s: it takes a whole number from 0 to %d", w.text, key, high)
	}
	return n
}

// bytes reads a number with K, M or G behind it or not.
func (c *cursor) bytes(key string) uint64 {
	w, ok := c.value(key)
	digits, shift := w.text, 0
	if n := len(digits) - 1; n > 0 {
		if i := strings.IndexByte("KMG", digits[n]); i >= 0 {
			digits, shift = digits[:n], 10*(i+1)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if ok && (err != nil || w.quoted || bits.Len64(n)+shift > 64) {
		c.wrong("%.40q is no %s: it takes a whole number, with K, M or G behind it or not", w.text, key)
	}
	return n << shift
}

// duration reads a time with its unit.
func (c *cursor) duration(key string) time.Duration {
	w, ok := c.value(key)
	d, err := time.ParseDuration(w.text)
	if ok && (err != nil || w.quoted || d < 0) {
		c.wrong("%.40q is no %s: it takes a number with a unit, as in 250us, 1.5ms or 2s", w.text, key)
	}
	return d
}

// field is a keyword with a value.
type field struct {
	key  string
	need bool
	take func(key string)
}

func (c *cursor) number64(key string, into *uint64) field {
	return field{key, true, func(key string) { *into = c.number(key, 1<<64-1) }}
}

func (c *cursor) numberInt(key string, into *int) field {
	return field{key, true, func(key string) { *into = int(c.number(key, numberMax)) }}
}

func optional(f field) field {
	f.need = false
	return f
}

// fields reads fields in any order up to the statement's end.
func (c *cursor) fields(fields ...field) {
	seen := make([]bool, len(fields))
	for {
		w, ok := c.next()
		if !ok {
			break
		}
		i := slices.IndexFunc(fields, func(f field) bool { return w.is(f.key) })
		switch {
		case i < 0:
			c.fail("%.40q is not known here", w.text)
			return // what follows can't be told apart
		case seen[i]:
			c.fail("%s is stated twice", w.text)
			return
		}
		seen[i] = true
		c.i++
		fields[i].take(fields[i].key)
	}
	var missing []string
	for i, f := range fields {
		if f.need && !seen[i] {
			missing = append(missing, f.key)
		}
	}
	if len(missing) > 0 && !c.p.bad {
		c.fail("what is missing: %s", strings.Join(missing, ", "))
	}
}

// ok ends a statement: it says whether it is a good one, which no other line has stated.
func (c *cursor) ok(about string) bool {
	if w, more := c.next(); more && !c.p.bad {
		c.fail("%.40q is too much", w.text)
	}
	if c.p.bad {
		return false
	}
	if line, twice := c.p.f.lines[about]; twice {
		c.p.fail(c.words[0].column, "it is stated in line %d already: leave one of them", line)
		return false
	}
	c.p.f.lines[about] = c.p.line
	return true
}
