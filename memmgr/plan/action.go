package plan

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/arena"
)

// Kind is a kind of action.
type Kind uint8

const (
	// Evacuate empties a sparse region, so that it can be given back whole.
	Evacuate Kind = iota
	// Cold puts a group into the cold range, as intent asks.
	Cold
	// Kinds is the number of kinds.
	Kinds
)

func (k Kind) String() string { return [...]string{"evacuate", "cold"}[k] }

// RegionID names a region.
type RegionID struct {
	Range  arena.Range
	Number uint32
}

func (r RegionID) String() string { return fmt.Sprintf("%v region %d", r.Range, r.Number) }

// Action is something to do. Its moves are in the order in which they can be
// carried out; a move may go to a place that an earlier one has left.
type Action struct {
	Kind    Kind
	About   string // the region or group, for people and to tell actions apart
	Reason  string // in words
	Asked   bool   // intent asks for it, whatever it gains
	Gives   uint64 // bytes that come free
	Copies  uint64 // bytes that its moves copy
	Moves   []Move
	Empties []RegionID // regions that nobody uses afterwards
}

// Key tells actions of one placement apart: what Placement.Avoid names.
func (a Action) Key() string { return key(a.Kind, a.About) }

func key(k Kind, about string) string { return k.String() + " " + about }

// String is one line that explains the action.
func (a Action) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s: %s; ", a.Kind, a.About, a.Reason)
	if a.Gives > 0 {
		fmt.Fprintf(&b, "gives %s back", size(a.Gives))
	} else {
		b.WriteString("asked for")
	}
	fmt.Fprintf(&b, "; %s, %s copied", count(len(a.Moves), "move"), size(a.Copies))
	return b.String()
}

// Explain lists actions and advice, a line each; "nothing to do" if there are none.
func Explain(actions []Action, advice []string) string {
	var b strings.Builder
	for _, a := range actions {
		b.WriteString(a.String() + "\n")
	}
	for _, s := range advice {
		b.WriteString("advice " + s + "\n")
	}
	if b.Len() == 0 {
		return "nothing to do\n"
	}
	return b.String()
}

// size writes bytes in KiB, or in MiB with one decimal.
func size(n uint64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d.%d MiB", n>>20, n%(1<<20)*10>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
