package match

import "github.com/ashlar-go/ashlar/ecs/internal/store"

// Extent says which rows of a table have a component. It decides how a filter tests the component
// and where a source takes its values:
//
//	           test of a required one       values
//	Every      nothing                      the column
//	Some       the presence bit             the column, with gaps
//	Elsewhere  marks, or a look-up          gathered from other tables
//	None       the table does not match     zeros
//
// It depends on the table's owner and columns, and changes only if a component changes over.
type Extent int8

const (
	// Elsewhere says that the table has no column of it: its entities have the component in
	// another row, if at all.
	Elsewhere Extent = iota
	// Every says that all rows have it, in a column.
	Every
	// Some says that some have it, in a column, as bits tell.
	Some
	// None says that no entity of the table can have it.
	None
)

// Here tells whether the table has a column of the component.
func (x Extent) Here() bool { return x == Every || x == Some }

// ExtentOf tells which rows of a table have a component. Except for thin rows, an entity has all
// components of one owner in one row. If that row's table lacks one, the entity lacks it.
func ExtentOf(t *store.Table, c *store.Component) Extent {
	switch {
	case t.Owner() != nil && t.Owner() != c.Owner():
		return Elsewhere
	case t.Has(c):
		return Every
	case t.Opt(c) != nil:
		return Some
	case t.Owner() != nil && !c.ThinRows():
		return None
	}
	return Elsewhere
}

// ExtentFor is ExtentOf in a table of a driver: the required component that chooses the tables of the walk.
// While another component changes over, some entities have it in rows of its own, and their rows here lack
// its bit. These have to be looked up, as if the table did not have the component. The driver's
// own rows of that kind come with their table, which the walk goes over too.
func ExtentFor(t *store.Table, c, driver *store.Component) Extent {
	x := ExtentOf(t, c)
	if x == Some && c != driver && c.ThinRows() {
		return Elsewhere
	}
	return x
}
