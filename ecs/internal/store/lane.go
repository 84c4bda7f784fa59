package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows move more often than anything else here, and most of the cost is loads for each
// column. A lane has all of that in 16 bytes. Without it, each value would need the component for
// its size, the component's directory, and the table for the set of columns:
//
//	for each column    directory → base of the chunk from, base of the chunk to → one copy

// laneOf is the lane of a component. Its directory keeps its address, and its size is final, so lanes
// never become stale.
func laneOf(c *Component) lane { return lane{&c.Dir, uint32(c.Size), c.ID} }

// lanesOf are the lanes of components that have bytes, in the same order.
func lanesOf(comps []*Component) []lane {
	lanes := make([]lane, 0, len(comps))
	for _, c := range comps {
		if c.Size > 0 {
			lanes = append(lanes, laneOf(c))
		}
	}
	return lanes
}

func (x *lane) size() uintptr { return uintptr(x.bytes) }

// at returns the address of a row's value. The row's chunk must have the column.
func (x *lane) at(l memmgr.Loc) raw.Ptr {
	return raw.At(x.dir.Find(uint64(l)), l.Index()*x.size())
}

// copyRow copies the values of a row to another one, of the same or another table. Both chunks must
// have all columns of the lanes. It calls nothing, so all stays in registers.
func copyRow(lanes []lane, to, from memmgr.Loc) {
	row, source := to.Index(), from.Index()
	for i := range lanes {
		x := &lanes[i]
		dir, size := x.dir, x.size()
		raw.Copy(raw.At(dir.Find(uint64(to)), row*size), raw.At(dir.Find(uint64(from)), source*size), size)
	}
}

func pieceOf(c *Component, from uintptr) piece { return piece{laneOf(c), c, from} }
