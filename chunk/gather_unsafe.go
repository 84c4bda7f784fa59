package chunk

import "unsafe"

// RowBits is how many bits of a row's number say which row of its chunk it is.
const RowBits = 13

// There is no chunk of more rows.
var _ [1<<RowBits - MaxRows]struct{}

// Gather copies values of rows of a column side by side, in the order of the list. A row is the number
// of its chunk, counted in columns, above that within the chunk. Columns are where the column begins in
// each chunk.
//
// Rows that ascend may be packed in place: dst may be the column itself, or lie before it, because no
// value is written over before it is read.
func Gather(dst unsafe.Pointer, columns []unsafe.Pointer, rows []uint32, size uint32) {
	switch size {
	case 0:
	case 1:
		gatherEach[byte](dst, columns, rows)
	case 2:
		gatherEach[uint16](dst, columns, rows)
	case 4:
		gatherEach[uint32](dst, columns, rows)
	case 8:
		gatherEach[uint64](dst, columns, rows)
	case 12:
		gatherEach[[3]uint32](dst, columns, rows)
	case 16:
		gatherEach[[2]uint64](dst, columns, rows)
	case 24:
		gatherEach[[3]uint64](dst, columns, rows)
	case 32:
		gatherEach[[4]uint64](dst, columns, rows)
	default:
		n := uintptr(size)
		for i, row := range rows {
			CopyBytes(unsafe.Add(dst, uintptr(i)*n), unsafe.Add(columns[row>>RowBits], uintptr(row%(1<<RowBits))*n), n)
		}
	}
}

// gatherEach is Gather for a size that is moved in registers. V consists of words, because the compiler
// moves arrays of bytes of some sizes by a call.
func gatherEach[V any](dst unsafe.Pointer, columns []unsafe.Pointer, rows []uint32) {
	size := unsafe.Sizeof(*new(V))
	values := unsafe.Slice((*V)(dst), len(rows))
	for i, row := range rows {
		values[i] = *(*V)(unsafe.Add(columns[row>>RowBits], uintptr(row%(1<<RowBits))*size))
	}
}
