package text

import (
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
	// an *int and a *time.Duration are figures.
	Value    any
	Of       []string
	Optional bool // left out if it is zero
}

// Zero reports whether the value is the zero value of its type.
func (f Field) Zero() bool { return reflect.ValueOf(f.Value).Elem().IsZero() }

// Text returns the value in text form.
func (f Field) Text() string {
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
	}
	return fmt.Sprint(reflect.ValueOf(f.Value).Elem())
}

// Problem describes why the value can't be written, or returns "".
func (f Field) Problem() string {
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
		if *v < 0 || *v > NumberMax {
			return fmt.Sprintf("its %s is %d: it has to be from 0 to %d", f.Key+f.What, *v, NumberMax)
		}
	case *time.Duration:
		if *v < 0 {
			return fmt.Sprintf("its time is negative, %v: leave it out for the default", *v)
		}
	}
	return ""
}

// String returns the canonical text of the field after a blank, or "" if it is left out.
func (f Field) String() string {
	s := f.Text()
	switch {
	case s == "" || f.Optional && f.Zero():
		return ""
	case f.Key != "":
		return " " + f.Key + " " + s
	}
	return " " + s
}

// Fields reads fields up to the end of the statement: fields without a key first, then the others
// in any order.
func (c *Cursor) Fields(fields []Field) {
	seen := make([]bool, len(fields))
	for i, f := range fields {
		if f.Key == "" {
			c.read(f)
			seen[i] = true
		}
	}
	for {
		w, ok := c.next()
		if !ok || c.p.bad {
			break
		}
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Key != "" && w.is(f.Key) })
		switch {
		case i < 0:
			c.Fail("unexpected %.40q", w.text)
			return
		case seen[i]:
			c.Fail("%s is stated twice", w.text)
			return
		}
		seen[i] = true
		c.i++
		c.read(fields[i])
	}
	var missing []string
	for i, f := range fields {
		if !f.Optional && !seen[i] {
			missing = append(missing, f.Key)
		}
	}
	if len(missing) > 0 {
		c.Fail("missing: %s", strings.Join(missing, ", "))
	}
}

// read reads a field after its key.
func (c *Cursor) read(f Field) {
	what := f.What
	if what == "" {
		what = f.Key
	}
	switch v := f.Value.(type) {
	case *string:
		if f.Of == nil {
			*v = c.Name(what)
		} else {
			*v = c.Choice(what, f.Of...)
		}
	case *[]string:
		*v = c.names(what)
	case *bool:
		if f.Of == nil {
			*v = c.Keyword(what) != ""
		} else {
			*v = c.Choice(what, f.Of...) == f.Of[1]
		}
	case *uint64:
		if f.Key == "" {
			*v = c.Number(what, math.MaxUint64)
		} else {
			*v = c.bytes(what)
		}
	case *int:
		*v = int(c.Number(what, NumberMax))
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
