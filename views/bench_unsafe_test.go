package views

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// transform is a component; systems read 16 bytes of it.
type transform struct {
	position [16]byte
	rest     [48]byte
}

// field16 is n entities in random order, a transform each, and 16 bytes of it a row.
type field16 struct {
	src     Source
	slots   arena.Array[uint64]
	values  memmgr.Directory
	handles []uint64
	places  []Place
	dst     []byte
}

func makeField16(b testing.TB, n int) *field16 {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	f := &field16{slots: arena.MakeArray[uint64](m.Arena(), 1<<22, arena.PurposeSlots)}
	seq, err := m.MakeSequence("transform", []memmgr.ColumnSpec{
		{Spec: chunk.Spec{Size: 8, Align: 8}},
		{Spec: chunk.Spec{Size: uint32(unsafe.Sizeof(transform{})), Align: 4}, Directory: &f.values},
	})
	if err != nil {
		b.Fatal(err)
	}
	f.slots.SetDense(true)
	if err := f.slots.Grow(uint32(n)); err != nil {
		b.Fatal(err)
	}
	for i := 1; i <= n; i++ {
		l, err := seq.Append()
		if err != nil {
			b.Fatal(err)
		}
		*valueAt[transform](&f.values, l) = transform{position: [16]byte{byte(i)}}
		*f.slots.Ptr(uint32(i)) = 2<<versionShift | uint64(l)
		f.handles = append(f.handles, 1<<versionShift|uint64(i))
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(n, func(i, j int) { f.handles[i], f.handles[j] = f.handles[j], f.handles[i] })
	f.dst, f.places = make([]byte, n*16), make([]Place, n)
	f.src = Source{Words: f.slots.Span(0), Cells: f.values.Cells(), mark: 3, Stride: uint32(unsafe.Sizeof(transform{})), Size: 16}
	f.src.Gather(f.dst, f.handles, Found{Places: f.places})
	return f
}

// chunkRows is how many rows of a reader are gathered at a time.
const chunkRows = 2048

// over does something for all rows, chunk by chunk.
func (f *field16) over(do func(at, to int)) func() {
	return func() {
		for at := 0; at < len(f.handles); at += chunkRows {
			do(at, min(at+chunkRows, len(f.handles)))
		}
	}
}

// refresh gathers the rows in a share of the cells, after the values or the rows there
// have changed.
func (f *field16) refresh(percent int, rows bool) func() {
	var s ownerStamps
	for i := range f.src.Cells {
		values, order := uint64(1), uint64(1)
		if i*percent/100 != (i+1)*percent/100 {
			if values = 9; rows {
				order = 9
			}
		}
		s.values, s.order = append(s.values, values), append(s.order, order)
	}
	c := new(Changes)
	c.find(s, 9)
	return f.over(func(at, to int) {
		f.src.Refresh(f.dst[at*16:], f.handles[at:to], f.places[at:to], c)
	})
}

// ways are the gathers that are compared.
func (f *field16) ways() map[string]func() {
	return map[string]func(){
		"asm/handles":    f.over(func(at, to int) { f.src.Gather(f.dst[at*16:], f.handles[at:to], Found{}) }),
		"asm/places":     f.over(func(at, to int) { f.src.GatherPlaces(f.dst[at*16:], f.places[at:to]) }),
		"asm/noting":     f.over(func(at, to int) { f.src.Gather(f.dst[at*16:], f.handles[at:to], Found{Places: f.places[at:to]}) }),
		"asm/tenth":      f.refresh(10, false),
		"go/row-by-row":  f.over(func(at, to int) { f.rowByRow(at, to) }),
		"go/slots-first": f.over(func(at, to int) { f.slotsFirst(at, to) }),
		"go/twin":        f.over(func(at, to int) { f.twin(at, to) }),
		"go/places":      f.over(func(at, to int) { f.placesGo(at, to) }),
	}
}

// rowByRow is the plain loop.
func (f *field16) rowByRow(at, to int) {
	slots, count := unsafe.Pointer(f.slots.Ptr(0)), f.slots.Len()
	cells, mask := unsafe.Pointer(unsafe.SliceData(f.src.Cells)), uint64(len(f.src.Cells)-1)
	dst := unsafe.Pointer(&f.dst[at*16])
	for i, h := range f.handles[at:to] {
		var value [16]byte
		if uint32(h) < count {
			if w := *(*uint64)(unsafe.Add(slots, uintptr(uint32(h))*8)); (w^h)>>versionShift == 3 {
				base := *(*unsafe.Pointer)(unsafe.Add(cells, w&mask*cellBytes))
				value = *(*[16]byte)(unsafe.Add(base, w>>chunkBits&rowMask*64))
			}
		}
		*(*[16]byte)(unsafe.Add(dst, i*16)) = value
	}
}

// slotsFirst loads the slots of a block before it goes on to the values.
func (f *field16) slotsFirst(at, to int) {
	slots, count := unsafe.Pointer(f.slots.Ptr(0)), f.slots.Len()
	cells, mask := unsafe.Pointer(unsafe.SliceData(f.src.Cells)), uint64(len(f.src.Cells)-1)
	var found words
	for ; at < to; at += blockRows {
		dst := unsafe.Pointer(&f.dst[at*16])
		n := min(to-at, blockRows)
		for i, h := range f.handles[at : at+n] {
			var w uint64
			if uint32(h) < count {
				w = *(*uint64)(unsafe.Add(slots, uintptr(uint32(h))*8))
			}
			if (w^h)>>versionShift != 3 {
				w = 0
			}
			found[i%blockRows] = w
		}
		for i, w := range found[:n] {
			var value [16]byte
			if w != 0 {
				base := *(*unsafe.Pointer)(unsafe.Add(cells, w&mask*cellBytes))
				value = *(*[16]byte)(unsafe.Add(base, w>>chunkBits&rowMask*64))
			}
			*(*[16]byte)(unsafe.Add(dst, i*16)) = value
		}
	}
}

// twin gathers as Gather does, with the kernels' Go twins.
func (f *field16) twin(at, to int) {
	var b block
	f.src.ready(&b)
	for ; at < to; at += blockRows {
		n := min(to-at, blockRows)
		locateGo(&b.to, &b.found, &f.handles[at], n, &f.handles[to-1], &b.k)
		gather(unsafe.Pointer(&f.dst[at*16]), &b.to, n, 16)
	}
}

func (f *field16) placesGo(at, to int) {
	cells := unsafe.Pointer(unsafe.SliceData(f.src.Cells))
	dst := unsafe.Pointer(&f.dst[at*16])
	for i, p := range f.places[at:to] {
		var value [16]byte
		if p != noPlace {
			base := *(*unsafe.Pointer)(unsafe.Add(cells, uint64(p>>rowBits)*cellBytes))
			value = *(*[16]byte)(unsafe.Add(base, uint64(p)&rowMask*64))
		}
		*(*[16]byte)(unsafe.Add(dst, i*16)) = value
	}
}

// sideBySide reports the median time of a row for each way, a pass of each in turn:
// on a machine that others use, too, only such medians are comparable.
func sideBySide(b *testing.B, rows int, ways map[string]func()) {
	names := slices.Sorted(maps.Keys(ways))
	times := map[string][]float64{}
	passes := max(1, 1<<18/rows)
	for b.Loop() {
		for _, name := range names {
			start := time.Now()
			for range passes {
				ways[name]()
			}
			times[name] = append(times[name], float64(time.Since(start).Nanoseconds())/float64(rows*passes))
		}
	}
	for _, name := range names {
		slices.Sort(times[name])
		b.ReportMetric(times[name][len(times[name])/2], name+"-ns/row")
	}
}

// BenchmarkGather compares the kernels with plain Go.
func BenchmarkGather(b *testing.B) {
	for _, n := range []int{16 << 10, 256 << 10, 1 << 20} {
		f := makeField16(b, n)
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) { sideBySide(b, n, f.ways()) })
	}
}

// BenchmarkRefresh compares gathers of the rows in changed cells with gathers of all,
// for shares of the owner's cells that have changed their values, or their rows, too.
func BenchmarkRefresh(b *testing.B) {
	for _, n := range []int{16 << 10, 256 << 10, 1 << 20} {
		f := makeField16(b, n)
		all := f.ways()
		ways := map[string]func(){"all/places": all["asm/places"], "all/handles": all["asm/noting"]}
		for _, percent := range []int{5, 10, 15, 25, 40} {
			ways[fmt.Sprintf("values/%02d%%", percent)] = f.refresh(percent, false)
			ways[fmt.Sprintf("rows/%02d%%", percent)] = f.refresh(percent, true)
		}
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) { sideBySide(b, n, ways) })
	}
}

// All ways that are compared give the same rows.
func TestWaysAgree(t *testing.T) {
	f := makeField16(t, 5000)
	want := slices.Clone(f.dst)
	for name, way := range f.ways() {
		if name != "asm/tenth" {
			clear(f.dst)
		}
		if way(); !slices.Equal(f.dst, want) {
			t.Errorf("%s gives other rows", name)
		}
	}
}
