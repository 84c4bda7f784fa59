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

// A column of a striped region is one run of values through all of its chunks. Values that lie side by side
// are copied and filled together, because the processor writes a long run without reading it first
// (BenchmarkAllOfAQuery).

// copyRuns copies the values of rows to as many rows of another table.
func (x *lane) copyRuns(from, to []run) {
	var src, dst raw.Ptr
	bytes := uintptr(0)
	eachPair(from, to, func(f, d memmgr.Loc, n int) {
		a, b := x.at(f), x.at(d)
		if raw.Address(a) != raw.Address(src)+bytes || raw.Address(b) != raw.Address(dst)+bytes {
			raw.CopyAll(dst, src, bytes)
			src, dst, bytes = a, b, 0
		}
		bytes += uintptr(n) * x.size()
	})
	raw.CopyAll(dst, src, bytes)
}

// fillRuns gives rows the value at v.
func (x *lane) fillRuns(runs []run, v raw.Ptr) {
	for i := 0; i < len(runs); {
		to, n := x.at(runs[i].at), 0
		for i < len(runs) && raw.Address(x.at(runs[i].at)) == raw.Address(to)+uintptr(n)*x.size() {
			n += runs[i].n
			i++
		}
		raw.Fill(to, v, 0, x.size(), n)
	}
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
