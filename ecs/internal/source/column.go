package source

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Fields are the fields of a struct that get values. They are filled when a system or query is made,
// and are read only from then on. Offsets are in bytes from the beginning of the struct, as
// reflection gives them.
type Fields struct {
	// Columns are the fields that get values.
	Columns []Column
	// Presences are the fields that tell which rows have an optional component.
	Presences []Presence
	// Entities is the offset of a field for entities; -1: there is none.
	Entities int
	// InRows says that columns are passed in place, whichever rows match. A field at offset
	// Rows gets the numbers of the rows that do.
	InRows bool
	Rows   uintptr
	// Pointers says that the fields are pointers and an entity, for one row at a time.
	Pointers bool
}

// Column is a field that gets values of a component, or of a field of one. Package ecs fills it when it makes a system or
// query. It sets Reached later, when the other fields of the system are known, and before the first walk.
type Column struct {
	// Name is the Go field's.
	Name string
	// Comp is the component.
	Comp *store.Component
	// Part is which bytes of it.
	Part Part
	// Offset is that of the field in the struct.
	Offset uintptr
	// Write says that values are written, Optional that rows may lack them. Strided says that the
	// field is a raw.Strided and no slice, so that part of a component is passed where it lies.
	Write, Optional, Strided bool
	// Reached says that the component is reached otherwise, too, within calls of a system, written in one of the ways and
	// copied in none. Sets of walks beside others pass it where it lies then: nothing knows of their copies.
	Reached bool
	// Woven, unless its Size is 0, is the whole value that has the component as a field: see weave.go. Size is
	// that value's, and Offset the component's in it.
	Woven Part
}

// Part is some bytes of a component: all of them, or the bytes of a field. A slice of a field is always
// copied, because a slice needs its values side by side, and in the column they are not.
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
	// Column is the number of the column.
	Column int
}

// overlaps tells whether two parts of one component have bytes in common. Equal parts do, even if
// they have no bytes.
func (p Part) overlaps(q Part) bool {
	return p.Offset < q.Offset+q.Size && q.Offset < p.Offset+p.Size || p == q
}

// Whole tells whether the column is the whole component and not a part of it.
func (c *Column) Whole() bool { return c.Part.Path == "" }

// InPlace tells whether the values of a table's own column can be passed where they lie.
func (c *Column) InPlace() bool { return c.alone() || c.Strided }

// alone tells whether the column is a whole component, and not copied into a wider value.
func (c *Column) alone() bool { return c.Part.Path == "" && c.Woven.Size == 0 }

// Shared is the name of the part that the column asks for: COMPONENT or COMPONENT.FIELD.
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
// them writes. Otherwise the values that the other one sees, and the last word of two writers, would
// depend on which column is gathered.
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
