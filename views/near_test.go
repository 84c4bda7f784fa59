package views

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Values that are near are copied by the plain loop where there is one for their size and no
// row lacks the component; it leaves all others to the kernels.
func TestNearIsTaken(t *testing.T) {
	x := newModel(t, 0, arena.Auto)
	var handles []uint64
	for i := range 130 {
		x.version[i] = uint64(i % 3)
		x.add(i, i%2)
		handles = append(handles, x.handle(i))
	}
	cells := x.values.Cells()
	count := x.slots.Len()
	for _, size := range []int{1, 4, 7, 8, 12, 16, 24, 32, 64, 100} {
		x.size = size
		src := x.source()
		src.Cells = make([]memmgr.Cell, nearCells) // as many as are near; numbers wrap at fewer
		for i := range src.Cells {
			src.Cells[i] = cells[i%len(cells)]
		}
		f := Found{Places: make([]Place, len(handles)), Presence: make([]uint64, 3)}
		want := make([]byte, len(handles)*size)
		src.Gather(want, handles, f)
		x.compare(&src, handles, want, "gathered")
		loops := slices.Contains([]int{4, 8, 12, 16, 32, 64}, size)

		dst, presence := make([]byte, len(want)), []uint64{0, 0, ^uint64(0)}
		if got := src.gatherNear(dst, handles, presence); got != loops || got && (!bytes.Equal(dst, want) || !slices.Equal(presence, f.Presence)) {
			t.Errorf("%d bytes by handle: taken %v, presence %x", size, got, presence)
		}
		clear(dst)
		if got := src.gatherNearPlaces(dst, f.Places); got != loops || got && !bytes.Equal(dst, want) {
			t.Errorf("%d bytes by place: taken %v", size, got)
		}
		for name, h := range map[string]uint64{
			"no slot":         x.handle(150),
			"beyond":          1 << 20,
			"right behind":    uint64(count),
			"another version": handles[5] + 1<<versionShift,
		} {
			some := slices.Clone(handles)
			some[77] = h
			if src.gatherNear(dst, some, nil) {
				t.Errorf("%d bytes, %s: taken", size, name)
			}
		}
		lacking := slices.Clone(f.Places)
		lacking[3] = noPlace
		if src.gatherNearPlaces(dst, lacking) {
			copy(want[3*size:][:size], make([]byte, size))
			if !bytes.Equal(dst, want) {
				t.Errorf("%d bytes by place, of which one lacks the component", size)
			}
		}
		src.Cells = append(src.Cells, src.Cells...)
		if src.gatherNear(dst, handles, nil) || src.gatherNearPlaces(dst, f.Places) {
			t.Errorf("%d bytes in %d cells: taken", size, len(src.Cells))
		}
	}
}
