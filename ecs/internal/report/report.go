// Package report has what a world tells of itself: plain data, as text of 80 columns and as
// JSON. It knows no world; package ecs fills it in.
package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Storage says how a component is to be stored.
type Storage uint8

const (
	// Counted leaves it to the store.
	Counted Storage = iota
	// Stable is a column of tables whose rows all have it.
	Stable
	// Volatile is a column with a presence bit a row.
	Volatile
	// Thin is rows of its own.
	Thin
)

// String is the name in reports and profiles: fixed for Stable, optional for Volatile.
func (s Storage) String() string {
	switch s {
	case Counted:
		return "counted"
	case Stable:
		return store.Fixed.String()
	case Volatile:
		return store.Optional.String()
	case Thin:
		return store.Thin.String()
	}
	return fmt.Sprintf("Storage(%d)", uint8(s))
}

// MarshalText is String.
func (s Storage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Drop is a command that was not carried out. It is as good as any value: it refers to nothing.
type Drop struct {
	// System is the system that asked for the command; "" if none did.
	System string
	// Frame is the number of the frame under way, from 1 on.
	Frame uint64
	// Entity is which it was for.
	Entity store.Entity
	// What it was to do, such as `add "hp"`.
	What string
	// Err says why it was dropped.
	Err error
}

func (d Drop) String() string {
	by := "a command"
	if d.System != "" {
		by = fmt.Sprintf("a command of system %q", d.System)
	}
	return fmt.Sprintf("%s in frame %d, %s of %v: %v", by, d.Frame, d.What, d.Entity, d.Err)
}

// MarshalJSON has the error as text.
func (d Drop) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		System string       `json:"system,omitempty"`
		Frame  uint64       `json:"frame"`
		Entity store.Entity `json:"entity"`
		What   string       `json:"what"`
		Why    string       `json:"why"`
	}{d.System, d.Frame, d.Entity, d.What, fmt.Sprint(d.Err)})
}

// width is how many columns a text has.
const width = 80

// text is lines of at most that many columns, if words allow.
type text struct{ strings.Builder }

// line adds a line that is indented so far, and continued further in.
func (t *text) line(indent int, format string, args ...any) {
	column := 0
	for i, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			t.WriteString(strings.Repeat(" ", indent))
			column = indent
		case column+1+n > width:
			t.WriteString("\n" + strings.Repeat(" ", indent+4))
			column = indent + 4
		default:
			t.WriteByte(' ')
			column++
		}
		t.WriteString(word)
		column += n
	}
	t.WriteByte('\n')
}

// count is a number of things, in words.
func count[N int | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// bytes is a size in words.
func bytes(n uint64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	default:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
}
