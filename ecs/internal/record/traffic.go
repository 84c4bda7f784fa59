package record

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile"
)

// Traffic of a system is counted once a row of a component, however many of its fields the system's struct has:
//
//	a value of 96 bytes   ░░▓▓░░░░░░░░░░░▓░░░░░░░░     ▓ fields of the struct: bytes
//	cache lines           └──────┘└──────┘└──────┘     two of three are touched: lines
//
// Rows that are walked in order share lines with their neighbours; rows that are reached by entity do not.

// touch is a kind of access, and the parts of a component that it asks for.
type touch struct {
	at        int // in the list of accesses
	component *store.Component
	parts     []source.Part
	rows      uint64 // of the visits before the one under way
	changed   bool   // some field was, in a run that was looked at
}

// kind is what accesses that are summed up have in common.
type kind struct {
	group, component string
	write, scattered bool
}

// access spells visits out by component: columns of the sequence were walked in order, the others
// were reached through the entities' words, if any row can have them. Accesses of one kind are summed
// up.
func (n *noted) access() (list []profile.Access) {
	touched := make(map[kind]*touch)
	for i := range n.visits {
		v := &n.visits[i]
		if v.rows == 0 {
			continue
		}
		met := make(map[kind]bool) // fields of one component are one access
		for j, c := range v.comps {
			if v.lies[j] == match.None {
				continue
			}
			x := n.plan.Columns[j]
			k := kind{v.group, c.Name, x.Write, v.lies[j] == match.Elsewhere}
			if k.scattered {
				k.group = Home(c)
			}
			t := touched[k]
			if t == nil {
				t = &touch{at: len(list), component: c}
				touched[k] = t
				list = append(list, profile.Access{Group: k.group, Component: k.component, Write: k.write, Scattered: k.scattered})
			}
			sum := &list[t.at]
			if !met[k] {
				met[k] = true
				sum.Rows += v.rows
				sum.Chunks += v.chunks
				t.rows += n.having(v, j)
			}
			if part := partOf(x, c); !slices.Contains(t.parts, part) {
				t.parts = append(t.parts, part)
			}
			if x.Write && !n.changed[j] {
				sum.Unchanged = n.looked
			} else {
				t.changed = true
			}
		}
	}
	for k, t := range touched {
		sum := &list[t.at]
		if t.changed {
			sum.Unchanged = 0
		}
		sum.Bytes = t.rows * asked(t.parts)
		lines := linesOf(t.component.Size, t.parts, k.scattered)
		k.write = true
		if w := touched[k]; w != nil && w != t { // lines with fields that the system writes count there
			lines = linesOf(t.component.Size, slices.Concat(t.parts, w.parts), k.scattered) - linesOf(t.component.Size, w.parts, k.scattered)
		}
		sum.Lines = (t.rows/64)*lines + (t.rows%64*lines+63)/64
	}
	return list
}

// fields are the fields of components that the system's struct has alone.
func (n *noted) fields() (list []profile.Field) {
	for _, x := range n.plan.Columns {
		if f := (profile.Field{Path: x.Comp.Name + "." + x.Part.Path, Write: x.Write}); x.Part.Path != "" && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// having is how many rows of a visit have the component of an optional column, as it is now: all of the others.
func (n *noted) having(v *visit, column int) uint64 {
	c := v.comps[column]
	if !n.plan.Columns[column].Optional {
		return v.rows
	}
	switch {
	case v.lies[column] == match.Elsewhere && n.number != noSystem:
		return min(v.rows, n.frames*uint64(c.Len()))
	case v.lies[column] == match.Some && v.seq != nil && v.seq.Len() > 0:
		return v.rows * uint64(n.store.TableOf(v.seq).Count(c)) / uint64(v.seq.Len())
	}
	return v.rows
}

// partOf is the part of a component that a column asks for.
func partOf(x source.Column, c *store.Component) source.Part {
	if x.Part.Size == 0 {
		return source.Part{Size: c.Size}
	}
	return source.Part{Offset: x.Part.Offset, Size: x.Part.Size}
}

// asked is the bytes of parts, each counted once.
func asked(parts []source.Part) (n uint64) {
	end := uintptr(0)
	slices.SortFunc(parts, func(a, b source.Part) int { return int(a.Offset) - int(b.Offset) })
	for _, p := range parts {
		from, to := max(p.Offset, end), p.Offset+p.Size
		if to > from {
			n, end = n+uint64(to-from), to
		}
	}
	return n
}

// linesOf is how many cache lines parts of values of a size touch in 64 rows: each row its own, if rows are
// scattered.
func linesOf(size uintptr, parts []source.Part, scattered bool) (n uint64) {
	touched := make(map[uintptr]bool)
	for row := range uintptr(64) {
		for _, p := range parts {
			first := row*size + p.Offset
			for line := first / chunk.Line; line*chunk.Line < first+p.Size; line++ {
				touched[line] = true
			}
		}
		if scattered {
			n += uint64(len(touched))
			clear(touched)
		}
	}
	return n + uint64(len(touched))
}
