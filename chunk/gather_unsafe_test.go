package chunk

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func start(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// Gather copies the chosen values of several chunks, in any order and of every size, and nothing beside
// them.
func TestGatherFromChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const perChunk = 7
	for size := range uint32(70) {
		columns, addresses := make([][]byte, 3), make([]unsafe.Pointer, 3)
		for c := range columns {
			columns[c] = make([]byte, perChunk*size+1)
			for i := range columns[c] {
				columns[c][i] = byte(r.Uint32())
			}
			addresses[c] = start(columns[c])
		}
		var rows []uint32
		var want []byte
		for range 10 {
			c, row := r.Uint32N(3), r.Uint32N(perChunk)
			rows = append(rows, c<<RowBits|row)
			want = append(want, columns[c][row*size:(row+1)*size]...)
		}
		got := append(make([]byte, len(want)), 0xEE)
		if Gather(start(got), addresses, rows, size); !bytes.Equal(got, append(want, 0xEE)) {
			t.Fatalf("values of %d bytes:\n%x, want\n%x", size, got, want)
		}
	}
}

// Rows that ascend go to the front of their own column.
func TestGatherPacksInPlace(t *testing.T) {
	rows := []uint32{0, 1, 4, 5, 6, 9}
	for size := range uint32(70) {
		column := make([]byte, 10*size)
		for i := range column {
			column[i] = byte(i*7 + 1)
		}
		var want []byte
		for _, row := range rows {
			want = append(want, column[row*size:(row+1)*size]...)
		}
		want = append(want, column[uint32(len(rows))*size:]...)
		if Gather(start(column), []unsafe.Pointer{start(column)}, rows, size); !bytes.Equal(column, want) {
			t.Fatalf("values of %d bytes:\n%x, want\n%x", size, column, want)
		}
	}
}
