package views

import (
	"bytes"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// edge returns n bytes that end where memory without access begins, or nil where the
// arena has no such memory.
func edge(t *testing.T, a *arena.Arena, n int) []byte {
	r := arena.MakeArray[byte](a, 1<<16, arena.PurposeSlots)
	if err := r.Grow(0); err != nil {
		t.Fatal(err)
	}
	if !r.Reserved() {
		return nil
	}
	all := r.Span(0)
	return all[len(all)-n:]
}

// faults tells whether reading an address faults.
func faults(at unsafe.Pointer) (yes bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { yes = recover() != nil }()
	return *(*byte)(at) == 0 && false
}

func edgeOf[T any](t *testing.T, a *arena.Arena, from []T) []T {
	b := edge(t, a, len(from)*int(unsafe.Sizeof(*new(T))))
	s := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(from))
	copy(s, from)
	return s
}

// Kernels read and write nothing outside: every input and output ends where memory
// without access begins.
func TestKernelsStayInside(t *testing.T) {
	a, err := arena.New(arena.Options{SmallPages: true, Reserve: 8 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if b := edge(t, a, 1); b == nil || !faults(unsafe.Add(unsafe.Pointer(&b[0]), 1)) {
		t.Skip("no memory without access here; that results are right is tested against the twins")
	}
	Prefetch(unsafe.Pointer(&edge(t, a, 1)[0]), 1<<20) // nobody may read there, and asking is no reading
	PrefetchRows(edgeOf(t, a, []uint64{1<<63 | 1, 0, ^uint64(0)}), unsafe.Pointer(&edge(t, a, 1)[0]), 48)
	PrefetchRows(nil, nil, 8)
	for _, size := range []int{4, 8, 12, 16, 32, 64, 24} {
		for _, n := range []int{1, 2, 31, 33, blockRows} {
			values := edge(t, a, 2*n*size) // of 2n rows; the last one's end is the edge
			for i := range values {
				values[i] = byte(i*7 + i>>8)
			}
			var handles, slots []uint64
			var places []Place
			slots = append(slots, 0)
			for i := range n {
				row := uint32(2*n - 1 - i)
				handles = append(handles, 1<<versionShift|uint64(n-i))
				slots = append(slots, 1<<versionShift|uint64(memmgr.MakeLoc(1, uint32(2*n-1-(n-1-i)))))
				places = append(places, 1<<rowBits|row)
			}
			handles, slots, places = edgeOf(t, a, handles), edgeOf(t, a, slots), edgeOf(t, a, places)
			cells := edgeOf(t, a, []memmgr.Cell{{}, {Addr: unsafe.Pointer(&values[0])}})
			dst := edge(t, a, n*size)
			var none [noneBytes]byte
			k := kernel{
				slots: unsafe.Pointer(&slots[0]), count: uint64(len(slots)),
				cells: unsafe.Pointer(&cells[0]), mask: 1, stride: uint64(size), reach: uint64(size - 1), none: unsafe.Pointer(&none),
			}
			var to addrs
			var found words
			check := func(how string) {
				clear(dst)
				gather(unsafe.Pointer(&dst[0]), &to, n, uintptr(size))
				for i := range n {
					if row := 2*n - 1 - i; !bytes.Equal(dst[i*size:][:size], values[row*size:][:size]) {
						t.Fatalf("%s, %d rows of %d bytes: row %d is wrong", how, n, size, i)
					}
				}
				scatter(unsafe.Pointer(&dst[0]), &to, n, uintptr(size))
			}
			locate(&to, &found, &handles[0], n, &handles[n-1], &k)
			check("by handle")
			to = addrs{}
			locatePlaces(&to, &places[0], n, &k)
			check("by place")
		}
	}
}
