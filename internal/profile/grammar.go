package profile

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The text form, a statement a line; # begins a comment, which is kept:
//
//	ashlar profile 1
//	# The castle level, recorded on the test course.
//
//	frames 1200
//
//	off
//	budget time 500us bytes 4M
//	expect ai every 4
//	hot body
//	cold debris
//	pin terrain
//	together position,velocity
//	view render transform.Position keep
//
//	component position size 16 align 8
//
//	stored poison optional reason "removed often" entities 40 tables 1
//
//	group body owns position,velocity rows 1200000 chunks 6000 peak 1010 last 990
//
//	shared sprite transform.Position readers 2 built 40 refreshed 12 reused 7900 bytes 3291136
//
//	system move frames 1200 timed 75 p10 15us p50 16460ns p90 18us p99 25us counted 10 cache 123 tlb 4
//	access move body position write rows 1200000 chunks 6000 bytes 19200000
//	access move body velocity read scattered rows 1200000 chunks 6000 bytes 19200000
//	choice move sprite transform.Position keep frames 1180 chunks 4720 stale 52 stream 4.213ns keep 1.13ns
//
//	end
//
// The first line says the version. Then come intent, from off to view, and facts,
// from component to choice; a file may have either or both. Facts are sums over the
// frames that `frames` states (but see [Choice]), and a file that has facts ends with `end`: so one
// that was cut off is told from a whole one.
//
// A name is any string. It is put in double quotes, with the escapes of Go, if it is
// empty or has blanks, commas, #, ", or what can't be printed. Lists have commas.
// Times have a unit (ns, us, ms, s), K, M and G behind bytes are 2^10, 2^20 and 2^30.
// In a group `owns`, in a system `timed` with its percentiles, `counted`, `cache` and `tlb`, in an access
// `unchanged`, in a view `dropped` and in a choice the costs, which are nanoseconds a row, may be left out:
// the figure is absent. What stands behind the names in a line may stand in any order.
//
// Statements may stand in any order too, but a system before its accesses and choices,
// and none may be stated twice. Canonical order is that above: within a kind by name,
// systems in the order in which they run, accesses in the order of the walk, views and
// choices by group and component. A comment goes with the statement below it or in
// whose line it stands; one between the version and an empty line stays at the head.
//
// Once version 1 is released, a new statement makes a new version. What is done with a newer file says [Mode].

// Version is the version of the text form that this package writes.
const Version = 1

// What a file may be at most; no recorded one comes near.
const (
	fileMax      = 16 << 20 // bytes
	lineMax      = 64 << 10 // bytes
	statementMax = 1 << 18  // statements
	nameMax      = 1 << 10  // bytes
	numberMax    = 1<<31 - 1
)

// statement is one line of the canonical text.
type statement struct {
	section int    // an empty line stands between sections
	subject string // what it is about: unique in a file, and what comments hold on to
	text    string
}

// subject is the words that tell a statement from all others.
func subject(kind string, names ...string) string {
	for _, n := range names {
		kind += " " + quote(n)
	}
	return kind
}

func accessSubject(system string, a Access) string {
	s := subject("access", system, a.Group, a.Component)
	if a.Write {
		s += " write"
	} else {
		s += " read"
	}
	if a.Scattered {
		s += " scattered"
	}
	return s
}

// quote makes a name one word of a line.
func quote(name string) string {
	odd := func(r rune) bool {
		return r == utf8.RuneError || r == '#' || r == '"' || r == ',' || unicode.IsSpace(r) || !strconv.IsPrint(r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return strconv.Quote(name)
	}
	return name
}

func quoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ",")
}

// Bytes are written with the largest suffix that keeps them exact.
func bytesText(n uint64) string {
	for i, suffix := range []string{"G", "M", "K"} {
		if shift := 30 - 10*i; n > 0 && n&(1<<shift-1) == 0 {
			return strconv.FormatUint(n>>shift, 10) + suffix
		}
	}
	return strconv.FormatUint(n, 10)
}

// Times of people are written with the largest unit that keeps them exact.
func timeText(d time.Duration) string {
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

func (p *Profile) hasFacts() bool {
	return p.Frames > 0 || len(p.Components)+len(p.Stored)+len(p.Groups)+len(p.Shared)+len(p.Systems) > 0
}

// statements is the text of a canonical profile without the version.
func (p *Profile) statements() (list []statement) {
	section := 0
	say := func(subject, format string, args ...any) {
		list = append(list, statement{section, subject, fmt.Sprintf(format, args...)})
	}
	if p.hasFacts() {
		say("frames", "frames %d", p.Frames)
	}
	section++
	p.Intent.state(say)
	section++
	for _, c := range p.Components {
		s := subject("component", c.Name)
		say(s, "%s size %d align %d", s, c.Size, c.Align)
	}
	section++
	for _, s := range p.Stored {
		say(storedSubject(s), "%s", s.text())
	}
	section++
	for _, g := range p.Groups {
		s, owns := subject("group", g.Name), ""
		if len(g.Owns) > 0 {
			owns = " owns " + quoteList(g.Owns)
		}
		say(s, "%s%s rows %d chunks %d peak %d last %d", s, owns, g.Rows, g.Chunks, g.Peak, g.Last)
	}
	section++
	for _, s := range p.Shared {
		say(sharedSubject(s), "%s", s.text())
	}
	for i := range p.Systems {
		section++
		p.Systems[i].state(say)
	}
	section++
	if p.hasFacts() {
		say("end", "end")
	}
	return list
}

func (s *System) state(say func(subject, format string, args ...any)) {
	sub, more := subject("system", s.Name), ""
	if s.Timed != 0 || s.Times != (Times{}) {
		more += fmt.Sprintf(" timed %d%s", s.Timed, s.Times.text())
	}
	if m := s.Misses; m != (Misses{}) {
		more += fmt.Sprintf(" counted %d cache %d tlb %d", m.Runs, m.Cache, m.TLB)
	}
	say(sub, "%s frames %d%s", sub, s.Frames, more)
	for _, a := range s.Access {
		sub := accessSubject(s.Name, a)
		more := ""
		if a.Unchanged > 0 {
			more = fmt.Sprintf(" unchanged %d", a.Unchanged)
		}
		say(sub, "%s rows %d chunks %d bytes %d%s", sub, a.Rows, a.Chunks, a.Bytes, more)
	}
	for _, c := range s.Choices {
		say(choiceSubject(s.Name, c), "%s", c.text(s.Name))
	}
}

func (in *Intent) state(say func(subject, format string, args ...any)) {
	if in.Off {
		say("off", "off")
	}
	if b := in.Budget; b != (Budget{}) {
		text := "budget"
		if b.Time != 0 {
			text += " time " + timeText(b.Time)
		}
		if b.Bytes != 0 {
			text += " bytes " + bytesText(b.Bytes)
		}
		say("budget", "%s", text)
	}
	for _, e := range in.Every {
		s := subject("expect", e.System)
		say(s, "%s every %d", s, e.Frames)
	}
	for _, h := range in.Heat {
		kind := "hot"
		if h.Cold {
			kind = "cold"
		}
		say(subject("heat", h.Group), "%s", subject(kind, h.Group))
	}
	for _, g := range in.Pinned {
		say(subject("pin", g), "%s", subject("pin", g))
	}
	for _, t := range in.Together {
		s := "together " + quoteList(t)
		say(s, "%s", s)
	}
	for _, v := range in.Views {
		s := subject("view", v.System, v.Component)
		say(s, "%s %s", s, v.Choice)
	}
}
