package text

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Field is a word or a figure of a statement. It serves reading, checking and writing. Fields
// without a key have fixed places before all others.
type Field struct {
	Key  string // the word before it, or ""
	What string // its name in errors
	// Value points to the value. A *string is a name, or one of the words Of. A *[]string is a
	// list of names. A *bool is the optional word What, or the second of the words Of. A *uint64,
	// a *uint32, an *int and a *time.Duration are figures, and a *[]uint64 is a list of them. A Word
	// reads and writes itself, and a Fixed is itself the word.
	Value    any
	Of       []string
	Optional bool // left out if it is zero
	Max      int  // of an *int; 0: NumberMax
}

// Word is a value with a text form of its own.
type Word interface {
	Like() string // a description of valid words
	Text() string
	Take(word string) bool // reads a word, and reports whether it is valid
}

// Fixed is a word that is always there.
type Fixed string

// Zero reports whether the value is the zero value of its type.
func (f *Field) Zero() bool { return reflect.ValueOf(f.Value).Elem().IsZero() }

func (f *Field) name() string { return cmp.Or(f.What, f.Key) }

func (f *Field) max() int { return cmp.Or(f.Max, NumberMax) }

// Text returns the value in text form.
func (f *Field) Text() string {
	switch v := f.Value.(type) {
	case *string:
		if f.Of == nil {
			return Quote(*v)
		}
		return *v
	case *[]string:
		return QuoteList(*v)
	case *bool:
		switch {
		case f.Of == nil && *v:
			return f.What
		case f.Of == nil:
			return ""
		case *v:
			return f.Of[1]
		}
		return f.Of[0]
	case *time.Duration:
		return duration(*v)
	case *uint64:
		return strconv.FormatUint(*v, 10)
	case *[]uint64:
		return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(*v)), ","), "[]")
	case Fixed:
		return string(v)
	case Word:
		return v.Text()
	}
	return fmt.Sprint(reflect.ValueOf(f.Value).Elem())
}

// Problem describes why the value can't be written, or returns "".
func (f *Field) Problem() string {
	switch v := f.Value.(type) {
	case *string:
		switch {
		case f.Of == nil:
			return BadName(*v)
		case !slices.Contains(f.Of, *v):
			return fmt.Sprintf("%.40q is not a valid %s: it is one of %s", *v, f.What, strings.Join(f.Of, ", "))
		}
	case *[]string:
		return badNames(*v...)
	case *int:
		if *v < 0 || *v > f.max() {
			return fmt.Sprintf("its %s is %d: it has to be from 0 to %d", f.name(), *v, f.max())
		}
	case *time.Duration:
		if *v < 0 {
			return fmt.Sprintf("its time is negative, %v: leave it out for the default", *v)
		}
	}
	return ""
}

// appendTo appends the canonical text of the field behind a blank, unless it is left out.
func (f *Field) appendTo(b []byte) []byte {
	if f.Optional && f.Zero() {
		return b
	}
	begin := len(b)
	if b = append(b, ' '); f.Key != "" {
		b = append(append(b, f.Key...), ' ')
	}
	value := len(b)
	if n, is := f.Value.(*uint64); is {
		b = strconv.AppendUint(b, *n, 10)
	} else {
		b = append(b, f.Text()...)
	}
	if len(b) == value {
		return b[:begin]
	}
	return b
}

// Statement returns the canonical text of fields behind a word.
func Statement(word string, fields []Field) string {
	b := append(make([]byte, 0, 128), word...)
	for i := range fields {
		b = fields[i].appendTo(b)
	}
	return string(b)
}

// Fault describes why fields can't be written, or returns "".
func Fault(fields []Field) string {
	for i := range fields {
		if f := &fields[i]; !f.Optional || !f.Zero() {
			if bad := f.Problem(); bad != "" {
				return bad
			}
		}
	}
	return ""
}

// Fields reads fields up to the end of the statement: fields without a key first, then the others
// in any order.
func (c *Cursor) Fields(fields []Field) {
	seen := make([]bool, len(fields))
	for i := range fields {
		if f := &fields[i]; f.Key == "" {
			c.read(f)
			seen[i] = true
		}
	}
	for w, more := c.next(); more && !c.p.bad; w, more = c.next() {
		i := 0
		for i < len(fields) && (fields[i].Key == "" || !w.is(fields[i].Key)) {
			i++
		}
		switch {
		case i == len(fields):
			c.fail("unexpected %.40q", w.text)
			return
		case seen[i]:
			c.fail("%s is stated twice", w.text)
			return
		}
		seen[i] = true
		c.i++
		c.read(&fields[i])
	}
	var missing []string
	for i := range fields {
		if f := &fields[i]; !f.Optional && !seen[i] {
			missing = append(missing, f.Key)
		}
	}
	if len(missing) > 0 {
		c.fail("missing: %s", strings.Join(missing, ", "))
	}
}

// read reads a field after its key.
func (c *Cursor) read(f *Field) {
	what := f.name()
	switch v := f.Value.(type) {
	case *string:
		if f.Of == nil {
			*v = c.Name(what)
		} else {
			*v = c.choice(what, f.Of...)
		}
	case *[]string:
		*v = c.names(what)
	case *bool:
		if f.Of == nil {
			*v = c.keyword(what) != ""
		} else {
			*v = c.choice(what, f.Of...) == f.Of[1]
		}
	case *uint64:
		if f.Key != "" {
			what = "number of " + what
		}
		*v = c.number(what, math.MaxUint64)
	case *[]uint64:
		*v = c.numbers("number of " + what)
	case *uint32:
		*v = uint32(c.number(what, math.MaxUint32))
	case *int:
		*v = int(c.number(what, uint64(f.max())))
	case Fixed:
		c.choice(what, string(v))
	case Word:
		c.word(what, v)
	case *time.Duration:
		*v = c.duration(what)
	}
}

// duration writes a time with the largest unit that keeps it exact.
func duration(d time.Duration) string {
	switch {
	case d%time.Second == 0:
		return fmt.Sprintf("%ds", d/time.Second)
	case d%time.Millisecond == 0:
		return fmt.Sprintf("%dms", d/time.Millisecond)
	case d%time.Microsecond == 0:
		return fmt.Sprintf("%dus", d/time.Microsecond)
	}
	return fmt.Sprintf("%dns", int64(d))
}
