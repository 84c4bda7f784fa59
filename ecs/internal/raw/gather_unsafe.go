package raw

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// RowBits is how many bits of a row's number say which row of its chunk it is.
const RowBits = 13

// There is no chunk of more rows.
var _ [1<<RowBits - chunk.MaxRows]struct{}

// Gather copies values of rows of a column side by side to another place. A row is the
// number of its chunk, whose columns begin at the given addresses, above that within the chunk.
func Gather(to Ptr, chunks []Ptr, rows []uint32, size uintptr) {
	switch size {
	case 0:
	case 1:
		gatherEach[byte](to, chunks, rows)
	case 4:
		gatherEach[[4]byte](to, chunks, rows)
	case 8:
		gatherEach[uint64](to, chunks, rows)
	case 12:
		gatherEach[[3]uint32](to, chunks, rows)
	case 16:
		gatherEach[[2]uint64](to, chunks, rows)
	case 24:
		gatherEach[[3]uint64](to, chunks, rows)
	case 32:
		gatherEach[[4]uint64](to, chunks, rows)
	default:
		for i, row := range rows {
			chunk.CopyValue(unsafe.Add(to, uintptr(i)*size), unsafe.Add(chunks[row>>RowBits], uintptr(row%(1<<RowBits))*size), uint32(size))
		}
	}
}

func gatherEach[V any](to Ptr, chunks []Ptr, rows []uint32) {
	size := unsafe.Sizeof(*new(V))
	values := unsafe.Slice((*V)(to), len(rows))
	for i, row := range rows {
		values[i] = *(*V)(unsafe.Add(chunks[row>>RowBits], uintptr(row%(1<<RowBits))*size))
	}
}
