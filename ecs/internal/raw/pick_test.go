package raw

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pick copies the given rows, and Put copies them back: values of all sizes, however many rows, and
// nothing beside them.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const all = 40
	for _, size := range []int{1, 4, 8, 12, 16, 24, 32} {
		for _, stride := range []int{size, size + 8} {
			for n := range 14 {
				column, changed := make([]byte, all*stride), make([]byte, all*stride)
				for i := range column {
					column[i], changed[i] = byte(r.Uint32()), byte(r.Uint32())
				}
				var rows []uint16
				for _, row := range r.Perm(all)[:n] {
					rows = append(rows, uint16(row))
				}
				slices.Sort(rows)
				to, want := make([]byte, (n+1)*size), make([]byte, (n+1)*size)
				after := slices.Clone(changed)
				for i, row := range rows {
					value := column[int(row)*stride:][:size]
					copy(want[i*size:], value)
					copy(after[int(row)*stride:], value)
				}
				if Pick(Data(to), Data(column), rows, uintptr(stride), uintptr(size)); !slices.Equal(to, want) {
					t.Errorf("%d of %d bytes, %d apart: picked %v, want %v", n, size, stride, to, want)
				}
				if Put(Data(changed), Data(to), rows, uintptr(stride), uintptr(size)); !slices.Equal(changed, after) {
					t.Errorf("%d of %d bytes, %d apart: put %v, want %v", n, size, stride, changed, after)
				}
			}
		}
	}
}
