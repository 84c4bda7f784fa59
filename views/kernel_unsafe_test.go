package views

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// sizes are all with kernels, and some without.
func sizes() []int { return []int{4, 8, 12, 16, 32, 64, 1, 2, 3, 7, 20, 24, 40, 63} }

// field is slots, cells and values made from random numbers, as a kernel sees them.
type field struct {
	k       kernel
	size    int
	none    [noneBytes]byte
	slots   []uint64
	cells   []memmgr.Cell
	memory  [][]byte
	handles []uint64
	places  []Place
}

// makeField makes n rows with values in chunks at odd addresses with any
// stride. Some rows are absent: empty slots, other versions, locations without a chunk, slots that are not there.
func makeField(r *rand.Rand, n, size int) *field {
	f := &field{size: size, cells: make([]memmgr.Cell, 1<<r.IntN(5))}
	stride, rows := size+r.IntN(80), 1+r.IntN(200)
	offset := r.IntN(stride - size + 1)
	for i := range f.cells {
		m := make([]byte, 8+rows*stride)
		randomise(r, m)
		f.memory = append(f.memory, m)
		f.cells[i].Addr = unsafe.Pointer(&m[r.IntN(8)])
	}
	f.slots = make([]uint64, 1+r.IntN(2*n+2))
	for i := range f.slots {
		if r.IntN(8) != 0 {
			l := memmgr.MakeLoc(chunk.ID(1+r.IntN(1<<20)), uint32(r.IntN(rows)))
			if r.IntN(8) == 0 {
				l &^= chunkMask // a location without a chunk
			}
			f.slots[i] = r.Uint64N(3)<<versionShift | uint64(l)
		}
	}
	mark := r.Uint64N(3)
	for range n {
		f.handles = append(f.handles, (mark^1)<<versionShift|uint64(r.IntN(len(f.slots)+3))|r.Uint64N(16)<<32)
		p := Place(r.IntN(len(f.cells)))<<rowBits | Place(r.IntN(rows))
		if r.IntN(8) == 0 {
			p = noPlace
		}
		f.places = append(f.places, p)
	}
	f.k = kernel{
		slots: unsafe.Pointer(&f.slots[0]), count: uint64(len(f.slots)),
		cells: unsafe.Pointer(&f.cells[0]), mask: uint64(len(f.cells) - 1),
		stride: uint64(stride), offset: uint64(offset), reach: uint64(size - 1),
		mark: mark, none: unsafe.Pointer(&f.none),
	}
	return f
}

// checkKernels compares the kernels with their Go twins, on one block.
func checkKernels(t *testing.T, r *rand.Rand, n, size int) {
	f := makeField(r, n, size)
	var to, want addrs
	var found, wantFound words
	if n > 0 {
		last := &f.handles[n-1]
		locate(&to, &found, &f.handles[0], n, last, &f.k)
		locateGo(&want, &wantFound, &f.handles[0], n, last, &f.k)
		for i, w := range found[:n] {
			if (w&chunkMask == 0) != (to[i] == f.k.none) || w != 0 && w != f.slots[uint32(f.handles[i])] {
				t.Fatalf("%d rows of %d bytes by handle: the word %x has the address %x", n, size, w, to[i])
			}
		}
		if to != want || found != wantFound {
			t.Fatalf("%d rows of %d bytes by handle: %x %x, want %x %x", n, size, to, found, want, wantFound)
		}
		checkCopies(t, r, f, &to, n)
		to, want = addrs{}, addrs{}
		locatePlaces(&to, &f.places[0], n, &f.k)
		locatePlacesGo(&want, &f.places[0], n, &f.k)
		if to != want {
			t.Fatalf("%d rows of %d bytes by place: %x, want %x", n, size, to, want)
		}
	}
	checkCopies(t, r, f, &to, n)
}

// checkCopies compares gather and scatter with copies byte by byte.
func checkCopies(t *testing.T, r *rand.Rand, f *field, to *addrs, n int) {
	shift := r.IntN(8)
	before := make([]byte, shift+n*f.size+8)
	randomise(r, before)
	want := bytes.Clone(before)
	for i, at := range to[:n] {
		copy(want[shift+i*f.size:], unsafe.Slice((*byte)(at), f.size))
	}
	dst := bytes.Clone(before)
	if gather(unsafe.Pointer(&dst[shift]), to, n, uintptr(f.size)); !bytes.Equal(dst, want) {
		t.Fatalf("gather of %d rows of %d bytes:\n%x, want\n%x", n, f.size, dst, want)
	}
	src := bytes.Clone(before)
	randomise(r, src) // other values than the gathered ones
	image := f.image()
	for i, at := range to[:n] {
		copy(unsafe.Slice((*byte)(at), f.size), src[shift+i*f.size:])
	}
	want = f.image()
	f.restore(image)
	if scatter(unsafe.Pointer(&src[shift]), to, n, uintptr(f.size)); !bytes.Equal(f.image(), want) {
		t.Fatalf("scatter of %d rows of %d bytes differs from copies", n, f.size)
	}
}

func randomise(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

// image is all memory that a scatter may write, and the bytes around it.
func (f *field) image() []byte { return append(bytes.Join(f.memory, nil), f.none[:]...) }

func (f *field) restore(image []byte) {
	for _, m := range f.memory {
		image = image[copy(m, image):]
	}
	copy(f.none[:], image)
}

func TestKernels(t *testing.T) {
	step := 1
	if race.Enabled { // where kernels are their twins
		step = 8
	}
	for _, size := range sizes() {
		t.Run(fmt.Sprintf("size=%d", size), func(t *testing.T) {
			for n := 0; n <= blockRows; n += step {
				checkKernels(t, rand.New(rand.NewPCG(uint64(size), uint64(n))), n, size)
			}
		})
	}
}

func FuzzKernels(f *testing.F) {
	for _, size := range sizes() {
		f.Add(uint64(size), byte(blockRows), byte(size))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n, size byte) {
		checkKernels(t, rand.New(rand.NewPCG(seed, 1)), int(n)%(blockRows+1), 1+int(size)%noneBytes)
	})
}

// valueAt is the value of a row, which has the column.
func valueAt[T any](d *memmgr.Directory, l memmgr.Loc) *T {
	return (*T)(d.At(l, uint32(unsafe.Sizeof(*new(T)))))
}
