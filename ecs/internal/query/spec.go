package query

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Spec is what a struct asks for.
type Spec struct {
	// Name is what messages call it.
	Name string
	// Columns are the fields that get values.
	Columns []Column
	// Presences are the fields that tell which rows have an optional component.
	Presences []Presence
	// Entities is the offset of a field for entities; -1: there is none.
	Entities int
	// InRows says that columns are passed in place, whichever rows match. A field at offset
	// Rows gets the numbers of those that do.
	InRows bool
	Rows   uintptr
	// Pointers says that the fields are pointers and an entity, for one row at a time.
	Pointers bool
	// Required and Excluded are components that rows must have, and must not have. One that is
	// disabled counts as if the row lacked it.
	Required, Excluded []*store.Component
	// Any are lists of components: rows must have one of each list at least.
	Any [][]*store.Component
	// Present are those of the required ones that count even if they are disabled, Disabled
	// those that must be. Nil stands for the entity as a whole, which must be enabled otherwise.
	Present, Disabled []*store.Component
	// Changes are what must have happened to rows since the last walk. Their components are
	// among the required ones, and watched.
	Changes []Change
	// Pools are components reached by handle, and Resources what else is read or written. They
	// are for descriptions: no walk looks at them.
	Pools     []*store.Component
	Resources []Resource
}

// Resource is a field that gives access to a resource.
type Resource struct {
	// Type is the resource's.
	Type string
	// Write says that it may be changed.
	Write bool
}

// Column is a field that gets values of a component, or of a field of one.
type Column struct {
	// Name is the Go field's.
	Name string
	// Comp is the component.
	Comp *store.Component
	// Part is which bytes of it.
	Part Part
	// Offset is that of the field in the struct.
	Offset uintptr
	// Write says that values are written, Optional that rows may lack them.
	Write, Optional bool
}

// Part is some bytes of a component: all of them, or those of a field.
type Part struct {
	// Offset and Size are in bytes.
	Offset, Size uintptr
	// Path is the field's, "" for the whole.
	Path string
}

// Presence is a field that tells which rows have the component of an optional column.
type Presence struct {
	// Offset is that of the field in the struct.
	Offset uintptr
	// Column is the place of the column.
	Column int
}

// overlaps tells whether two parts of one component have bytes in common.
func (p Part) overlaps(q Part) bool {
	return p.Offset < q.Offset+q.Size && q.Offset < p.Offset+p.Size || p == q
}

// Whole tells whether the column is the whole component and not a part of it.
func (c *Column) Whole() bool { return c.Part.Path == "" }

// Shared is the name of what the column asks for: COMPONENT or COMPONENT.FIELD.
func (c *Column) Shared() string {
	if c.Whole() {
		return c.Comp.Name
	}
	return c.Comp.Name + "." + c.Part.Path
}

func (c *Column) shown() string {
	if c.Write {
		return fmt.Sprintf("%s (%s, written)", c.Name, c.Shared())
	}
	return fmt.Sprintf("%s (%s)", c.Name, c.Shared())
}

// Clash returns an error if two columns have bytes of a component in common that one of
// them writes. What the other one saw, and which of two writers had the last word, would
// depend on which of them are columns as they lie and which are gathered.
func Clash(columns []Column) error {
	for i := range columns {
		for j := range columns[:i] {
			c, d := &columns[i], &columns[j]
			if c.Comp == d.Comp && (c.Write || d.Write) && c.Part.overlaps(d.Part) {
				return fmt.Errorf("fields %s and %s overlap, and one of them is written: what the other saw would depend on how each is passed; name the larger part once, or write in another system", d.shown(), c.shown())
			}
		}
	}
	return nil
}

// NoRows tells whether nothing says which rows it would be.
func (s *Spec) NoRows() bool { return len(s.Required)+len(s.Any) == 0 }

// Writes tells whether the struct writes a component, or a field of it.
func (s *Spec) Writes(c *store.Component) bool {
	return slices.ContainsFunc(s.Columns, func(x Column) bool { return x.Write && x.Comp == c })
}

// Base is what all plans of a world have in common.
type Base struct {
	// S has the tables, and M their chunks.
	S *store.Store
	M *memmgr.Manager
	// Frame is how many frames have ended.
	Frame uint64
	// Walks are those under way.
	Walks Walks
	// RunLength is the shortest run of consecutive matching rows that is passed in place.
	// Shorter runs are gathered. No result depends on it.
	RunLength int
	// Guard has each call be looked at: see guard.go.
	Guard bool

	finding sync.Mutex // of what plans and tables keep, by parallel cursors
}

// RunLength is what Base.RunLength is in programs.
const RunLength = 16

// Walks are the iterations that are under way. Those that are pulled may end in another
// order than they began, so each has a number to end it by.
type Walks struct {
	// Busy is the last of them, as messages name it; "" if nothing iterates.
	Busy   string
	first  walk   // that nothing was under way before; number 0: it has ended
	within []walk // those after it
	begun  uint64
}

type walk struct {
	number uint64
	name   string
}

// Begin notes that something iterates and returns the number to end it by.
func (w *Walks) Begin(name string) uint64 {
	w.begun++
	if w.Busy == "" {
		w.first = walk{w.begun, name}
	} else {
		w.within = append(w.within, walk{w.begun, name})
	}
	w.Busy = name
	return w.begun
}

// Alone tells whether no more than one is under way.
func (w *Walks) Alone() bool {
	return len(w.within) == 0 || len(w.within) == 1 && w.first.number == 0
}

// End notes that an iteration is over.
func (w *Walks) End(number uint64) {
	if w.first.number == number && len(w.within) == 0 { // most are alone
		w.first.number, w.Busy = 0, ""
	} else {
		w.endWithin(number)
	}
}

func (w *Walks) endWithin(number uint64) {
	if w.first.number == number {
		w.first.number = 0
	}
	w.within = slices.DeleteFunc(w.within, func(x walk) bool { return x.number == number })
	w.Busy = ""
	if n := len(w.within); n > 0 {
		w.Busy = w.within[n-1].name
	} else if w.first.number != 0 {
		w.Busy = w.first.name
	}
}
