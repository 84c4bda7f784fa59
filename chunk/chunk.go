// Package chunk says how many rows of which values a chunk holds. Package memmgr stores
// sequences in chunks, and lays them out by itself: this package is for planning.
//
// # Picture
//
//	0                                                          65,536
//	|—— column 0 ——|·|———— column 1 ————|·|———— column 2 ————|▒▒|
//	                ↑ columns start on cache lines of their own   ↑ less than 2 % is lost
//
// # Words
//
// A chunk holds rows, stored column by column, in up to 64 KiB. A sequence of few rows has one
// smaller chunk.
//
// # Invariants
//
//   - How many rows fit follows from the columns alone, never from machine or profile.
//   - A column's values hold no Go pointers: the garbage collector does not scan chunks.
package chunk

import (
	"reflect"

	core "github.com/ashlar-go/ashlar/internal/chunk"
)

const (
	// Bytes is the size of a full chunk.
	Bytes = core.Bytes
	// MaxRows is how many rows a chunk holds at most: those of 8 bytes or less.
	MaxRows = core.MaxRows
	// MaxColumns is how many columns a row has at most.
	MaxColumns = core.MaxColumns
)

// Rows returns how many rows a full chunk holds whose columns have values of these types. The
// error names what can't be stored: a type that holds a Go pointer, with the path of the
// field, or a row that is larger than a chunk.
func Rows(columns ...reflect.Type) (int, error) {
	specs := make([]core.Spec, len(columns))
	for i, t := range columns {
		var err error
		if specs[i], err = core.SpecOf(t); err != nil {
			return 0, err
		}
	}
	layout, err := core.New(specs)
	if err != nil {
		return 0, err
	}
	return int(layout.Capacity()), nil
}
